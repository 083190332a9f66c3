"""A log that nobody can flood."""

import logging
import sys
import time
from collections.abc import Callable


class Bounded(logging.Filter):
    """Passes so many records a minute of each place in the code, and later counts the others.

    >>> bounded = Bounded(most=1, clock=lambda: 0.0)
    >>> record = logging.makeLogRecord({"msg": "not HTTP"})
    >>> bounded.filter(record), bounded.filter(record)
    (True, False)
    """

    def __init__(self, most: int = 5, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.most = most
        self.clock = clock
        # By place: the end of its minute, and how many there were in it.
        self._seen: dict[tuple[str, int], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        place = (record.pathname, record.lineno)
        now = self.clock()
        end, number = self._seen.get(place, (0.0, 0))
        if now >= end:
            left_out = max(0, number - self.most)
            if left_out:
                record.msg = f"{record.getMessage()} (and {left_out:,} times before)"
                record.args = ()
            end, number = now + 60, 0
        self._seen[place] = (end, number + 1)
        return number < self.most


def log_to_stderr() -> None:
    """Have warnings and errors of all libraries written to standard error, but not too many."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(logging.WARNING)
    handler.setFormatter(logging.Formatter("%(levelname)s: %(name)s: %(message)s"))
    handler.addFilter(Bounded())
    logging.getLogger().addHandler(handler)
