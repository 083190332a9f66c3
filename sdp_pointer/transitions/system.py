"""What the transition system allows: one configuration, changed step by step."""

from typing import Optional

from .reachability import Reachability


class TransitionError(ValueError):
    """A transition that is not permitted, or a sequence that does not fit the sentence."""


class Configuration:
    """Where the parse of one sentence stands: the focus word and the arcs so far.

    # Parameters

    n : `int`
        The number of words.
    acyclic : `bool`, optional (default = `True`)
        Forbid arcs that close a cycle.
    ascending : `bool`, optional (default = `True`)
        Attach the heads of a word in ascending order, ROOT first. It bounds the sequence to n+1
        steps a word. Otherwise any head that the word does not have yet is permitted.
    max_heads : `int`, optional
        The most heads that a word may have, ROOT included.

    >>> parse = Configuration(2)
    >>> for position in (2, 1, 0, 2):
    ...     parse.point(position)
    >>> parse.arcs, parse.finished
    ([(2, 1), (0, 2)], True)
    >>> Configuration(2).permitted()
    [0, 1, 2]
    """

    def __init__(
        self,
        n: int,
        acyclic: bool = True,
        ascending: bool = True,
        max_heads: Optional[int] = None,
    ) -> None:
        self.n = n
        self.focus = 1
        self.arcs: list[tuple[int, int]] = []
        self.heads: list[int] = []
        self._acyclic = acyclic
        self._ascending = ascending
        self._max_heads = max_heads
        self._reachability = Reachability(n)

    @property
    def finished(self) -> bool:
        return self.focus > self.n

    def is_permitted(self, position: int) -> bool:
        """Whether the pointer may point there: Shift always, Attach under the conditions above."""
        if self.finished or not 0 <= position <= self.n:
            return False
        if position == self.focus:
            return True
        if position in self.heads or (
            self._max_heads is not None and len(self.heads) >= self._max_heads
        ):
            return False
        if self._ascending and self.heads and position < self.heads[-1]:
            return False
        return not (self._acyclic and self._reachability.reaches(self.focus, position))

    def permitted(self) -> list[int]:
        return [position for position in range(self.n + 1) if self.is_permitted(position)]

    def point(self, position: int) -> None:
        """Apply the transition that pointing at a position stands for."""
        if not self.is_permitted(position):
            raise TransitionError(
                f"pointing at {position} is not permitted with focus word {self.focus} of {self.n}"
                f" and heads {self.heads}"
            )
        if position == self.focus:
            self._reachability.attach(self.heads, self.focus)
            self.heads = []
            self.focus += 1
        else:
            self.heads.append(position)
            self.arcs.append((position, self.focus))
