"""Long work in steps: a generator that yields wherever other work may come in between."""

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")

# It yields nothing of interest, and returns the result.
Steps = Generator[None, None, T]


def completed(steps: Steps[T]) -> T:
    """The result, with nothing in between.

    >>> def halving(number):
    ...     while number % 2 == 0:
    ...         number //= 2
    ...         yield
    ...     return number
    >>> completed(halving(12))
    3
    """
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
