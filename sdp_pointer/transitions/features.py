"""What the decoder reads beside the focus word: other words that were attached before."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..graphs import ROOT

FEATURES = ("co_parent", "grandparent", "sibling")


class Step(NamedTuple):
    """One step of a sequence: the word in focus, where it points, and the features at that moment.

    `features` : positions of co-parent (the head attached last to the focus word), grandparent (the
    head attached last to that head) and sibling (the word attached last to that head before); 0 for
    none, and ROOT counts as none.
    """

    focus: int
    pointer: int
    features: tuple[int, int, int]


def steps(pointers: Iterable[int]) -> Iterator[Step]:
    """Follow a sequence of pointers.

    >>> for step in steps((1, 1, 2, 2, 1, 3)):
    ...     print(*step)
    1 1 (0, 0, 0)
    2 1 (0, 0, 0)
    2 2 (1, 0, 0)
    3 2 (0, 0, 0)
    3 1 (2, 1, 0)
    3 3 (1, 0, 2)
    """
    last_head: dict[int, int] = {}
    last_dependent: dict[int, int] = {}
    focus, head, sibling = 1, ROOT, 0
    for pointer in pointers:
        yield Step(focus, pointer, (head, last_head.get(head, 0), sibling))
        if pointer == focus:
            focus, head, sibling = focus + 1, ROOT, 0
        else:
            head = pointer
            sibling = last_dependent.get(head, 0) if head else 0
            last_head[focus] = head
            last_dependent[head] = focus
