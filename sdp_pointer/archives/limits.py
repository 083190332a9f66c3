"""How large a model may be: small files must not fill the disk or the memory."""

import math
import os
from collections import Counter
from typing import Optional

from ..errors import UserError
from .errors import ArchiveError

MEGABYTE = 1 << 20

# Megabytes of each kind of file.
LIMITS = {"settings": 1, "notes": 1, "vocabulary": 24, "tokenizer": 64, "weights": 4096}
OTHERS = 4096
# Weights are numbers that hardly compress. An archive of this size or less may still grow to it.
GROWTH = 20
SMALL = 64
MEMBERS = 10_000
# Of all vocabularies. An entry takes some hundred bytes in memory, be it empty.
ENTRIES = 5_000_000
# Megabytes. The names and shapes of a thousand weights take a quarter of one.
PICKLE = 2
# In a config. Layers are made one after another, and lists of their sizes or labels before.
NUMBER = 2_000_000


class Meter:
    """Counts the files of a model, and refuses what is too much before it is written or read.

    >>> Meter().add("vocabulary", 400 * MEGABYTE)
    Traceback (most recent call last):
    sdp_pointer.archives.errors.ArchiveError: the size of its vocabulary, in MB, is more than \
24: if you trust it, raise all limits by the environment variable SDP_MODEL_LIMITS, such as \
SDP_MODEL_LIMITS=17

    # Parameters

    archive : `int`, optional
        Bytes of the archive that the files come from.
    """

    def __init__(self, archive: Optional[int] = None) -> None:
        self._factor = factor()
        self._grown = None if archive is None else max(SMALL, GROWTH * archive // MEGABYTE)
        self._sizes: Counter[str] = Counter()
        self._members = 0
        self._entries = 0

    def add(self, kind: str, size: int) -> None:
        """Another file, of so many bytes; files of unknown kinds are counted together."""
        self._members += 1
        _refuse("the number of its files", self._members, MEMBERS * self._factor, self._factor)
        self._sizes[kind] += size
        most = LIMITS.get(kind, OTHERS)
        if most >= SMALL and self._grown is not None:
            most = min(most, self._grown)
        megabytes = self._sizes[kind] / MEGABYTE
        _refuse(f"the size of its {kind}, in MB,", megabytes, most * self._factor, self._factor)

    def add_entries(self, number: int) -> None:
        """More words of the vocabulary."""
        self._entries += number
        most = ENTRIES * self._factor
        _refuse("the number of words in its vocabulary", self._entries, most, self._factor)


def check_number(name: str, file: str, value: float) -> None:
    """Refuse a number of a config that no model needs."""
    size = min(abs(value), 10**18)  # any longer one is as wrong, and may be no float
    _refuse(f"the number {name} in its {file}", size, NUMBER * factor(), factor())


def check_pickle(size: int) -> None:
    """Refuse names and shapes of weights that take much room; in memory they take far more."""
    what = "the size of the names of its weights, in MB,"
    _refuse(what, size / MEGABYTE, PICKLE * factor(), factor())


def factor() -> float:
    """By how much the user has raised all limits."""
    given = os.environ.get("SDP_MODEL_LIMITS") or "1"
    try:
        value = float(given)
    except ValueError:
        value = -1
    if not 0 < value < float("inf"):
        raise UserError(f"SDP_MODEL_LIMITS is {given!r}, and must be a positive number, such as 2")
    return value


def _refuse(what: str, value: float, most: float, raised: float) -> None:
    if value > most:
        wanted = math.ceil(raised * value / most)
        raise ArchiveError(
            f"{what} is more than {most:,.9g}: if you trust it, raise all limits by the environment"
            f" variable SDP_MODEL_LIMITS, such as SDP_MODEL_LIMITS={wanted}"
        )
