"""Ctrl-C, SIGTERM and SIGHUP end a command alike: by an exception, and never in half a write."""

import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Optional, TypeVar

# There is no SIGHUP on Windows.
SIGNALS = [getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, n)]

T = TypeVar("T")


class Interrupted(KeyboardInterrupt):
    """A signal asks the command to end. Notes say what has become of its output.

    >>> Interrupted(signal.SIGTERM).exit_code
    143
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number


class _State(threading.local):  # Python handles signals in the main thread alone.
    received = 0
    held = False
    waiting: Optional[int] = None


_state = _State()


@contextmanager
def interruptible(program: str) -> Iterator[None]:
    """While a command runs, the first signal raises `Interrupted`, which ends the command.

    A second one is passed over, since the output is being closed; a third one kills.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # What was ignored stays ignored: by nohup, or in the background.
    before = {number: signal.getsignal(number) for number in SIGNALS}
    before = {n: handler for n, handler in before.items() if handler not in (signal.SIG_IGN, None)}
    try:
        for number in before:
            signal.signal(number, _handle)
        yield
    except KeyboardInterrupt as error:
        for note in getattr(error, "__notes__", ()):
            print(f"{program}: {note}", file=sys.stderr)
        sys.exit(error.exit_code if isinstance(error, Interrupted) else 130)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        _state.received, _state.waiting = 0, None


def _handle(number: int, frame: Any) -> None:
    _state.received += 1
    if _state.received > 2:
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)
    elif _state.received == 1 and _state.held:
        _state.waiting = number
    elif _state.received == 1:
        raise Interrupted(number)


@contextmanager
def signals_held() -> Iterator[None]:
    """Signals wait until the end, so that a file is closed and renamed whatever comes."""
    _state.held = True
    try:
        yield
    finally:
        _state.held = False
    if _state.waiting is not None:
        raise Interrupted(_state.waiting)


def signals_released_between(pieces: Iterable[T]) -> Iterator[T]:
    """Within `signals_held`: they come while a piece is made, and wait while it is used."""
    iterator = iter(pieces)
    while True:
        try:
            _state.held = False
            if _state.waiting is not None:
                raise Interrupted(_state.waiting)
            piece = next(iterator)
        except StopIteration:
            return
        finally:
            _state.held = True
        yield piece


@contextmanager
def unwound_by_sigterm() -> Iterator[None]:
    """In the block SIGTERM raises, where it would end the program on the spot.

    What is open is closed, and what is temporary removed.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def exit_program(number: int, frame: Any) -> None:
        sys.exit(128 + number)

    signal.signal(signal.SIGTERM, exit_program)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
