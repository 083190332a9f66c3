"""Where everything stands, in pixels or in terminal columns alike: pure functions on integers.

The words of a sentence have places 0, 1, 2... from the left. An arc rises from one word, runs at
the height of its level and comes down at the other; its label interrupts the level part. Each end
of an arc has a port of its own above the word, so that the arcs of a word fan out.
"""

from collections.abc import Container, Iterable, Sequence
from itertools import count, pairwise
from typing import NamedTuple, Optional


class Span(NamedTuple):
    """An arc by the places of its outer words (equal in a self-loop) and the size of its label."""

    left: int
    right: int
    label: int


class Spacing(NamedTuple):
    """The least distances, in the unit of the drawing."""

    port: int
    """Between two ports of a word."""
    gap: int
    """Between two words."""
    margin: int
    """Between a label and the ends of its arc."""
    clearance: int
    """Between a label and a line that passes by."""


class Placed(NamedTuple):
    """An arc or a top on the drawing; `label` is the centre of its label. A top has no breadth."""

    left: int
    right: int
    level: int
    label: int


class Layout(NamedTuple):
    """Positions of everything in the order in which it was given; words by their centres."""

    words: tuple[int, ...]
    arcs: tuple[Placed, ...]
    tops: tuple[Placed, ...]
    width: int
    levels: int


class Port(NamedTuple):
    """One end of the arc with this index, or of the arrow to a top (`TOP`)."""

    arc: int
    is_right_end: bool


TOP = Port(-1, False)


def levels(spans: Sequence[Span]) -> list[int]:
    """The lowest level (1, 2...) for each arc such that arcs at one level lie side by side.

    As the shorter come first, an arc is above those it encloses: only arcs that cross in the graph
    cross on paper.

    >>> levels([Span(0, 1, 0), Span(1, 2, 0), Span(0, 2, 0), Span(1, 3, 0)])
    [1, 1, 2, 3]
    """
    found = [0] * len(spans)
    placed: list[tuple[int, int, int]] = []
    rooms = [_room(span.left, span.right) for span in spans]
    for index in sorted(range(len(spans)), key=lambda i: (rooms[i][1] - rooms[i][0], rooms[i])):
        start, end = rooms[index]
        taken = {level for first, last, level in placed if first <= end and start <= last}
        found[index] = next(level for level in count(1) if level not in taken)
        placed.append((start, end, found[index]))
    return found


def compacted(spans: Sequence[Span], levels: Sequence[int]) -> list[int]:
    """The levels of some of a sentence's arcs, in the same order but without empty ones.

    >>> compacted([Span(0, 1, 0), Span(0, 2, 0), Span(2, 3, 0)], [2, 5, 4])
    [1, 2, 1]
    """
    found = [0] * len(spans)
    rooms = [_room(span.left, span.right) for span in spans]
    skyline = [0] * (1 + max((end for _, end in rooms), default=0))
    for index in sorted(range(len(spans)), key=levels.__getitem__):
        start, end = rooms[index]
        found[index] = level = 1 + max(skyline[start : end + 1])
        skyline[start : end + 1] = [level] * (end + 1 - start)
    return found


def _room(left: int, right: int) -> tuple[int, int]:
    """What an arc occupies if place p is 2p and the gap after it 2p + 1.

    Arcs that merely meet at a word do not overlap, nor does a self-loop with its word's other arcs.
    """
    return (2 * left, 2 * left) if left == right else (2 * left + 1, 2 * right - 1)


def top_level(place: int, spans: Sequence[Span], levels: Sequence[int]) -> int:
    """The level of a top arrow's label: above all arcs that pass over the word or end there.

    >>> top_level(0, [Span(1, 2, 0)], [1]), top_level(1, [Span(1, 2, 0)], [1])
    (1, 2)
    """
    near = (level for span, level in zip(spans, levels) if span.left <= place <= span.right)
    return 1 + max(near, default=0)


def ports(
    words: int, spans: Sequence[Span], levels: Sequence[int], tops: Iterable[int] = ()
) -> list[list[Port]]:
    """The ports of each word from left to right, in an order in which its arcs do not cross.

    Arcs to the left come first, the lowest outermost; then the top's arrow, a self-loop, and the
    arcs to the right, the lowest outermost again.

    >>> ports(2, [Span(0, 1, 0), Span(0, 1, 0)], [1, 2])[0]
    [Port(arc=1, is_right_end=False), Port(arc=0, is_right_end=False)]
    """
    ranked: list[list[tuple[int, int, Port]]] = [[] for _ in range(words)]
    for arc, (span, level) in enumerate(zip(spans, levels)):
        is_loop = span.left == span.right
        ranked[span.left].append((2 if is_loop else 4, -level, Port(arc, False)))
        ranked[span.right].append((3 if is_loop else 0, level, Port(arc, True)))
    for place in tops:
        ranked[place].append((1, 0, TOP))
    return [[port for _, _, port in sorted(at_word)] for at_word in ranked]


def arrange(
    words: Sequence[int],
    spans: Sequence[Span],
    tops: Sequence[Span],
    spacing: Spacing,
    heights: Optional[Sequence[int]] = None,
    edges: Container[int] = (),
) -> Layout:
    """Positions for words of the given widths, such that no two words and no two labels collide.

    The distance of two words grows until the labels between them fit. A top is a `Span` over one
    word; a word has at most one. The arcs have the given levels, or the lowest. Edges are places
    without a word, where an arc that goes on elsewhere ends, without a port of its own.

    >>> layout = arrange([30, 30], [Span(0, 1, 80)], [], Spacing(8, 10, 5, 2))
    >>> layout.words, layout.arcs
    ((15, 105), (Placed(left=15, right=105, level=1, label=60),))
    """
    heights = levels(spans) if heights is None else heights
    needs = [span.label + 2 * spacing.margin for span in spans]
    by_word = ports(len(words), spans, heights, [top.left for top in tops])
    offsets = [
        _offsets(at_word, needs, 0 if place in edges else spacing.port)
        for place, at_word in enumerate(by_word)
    ]
    centres, width = _centres(words, spans, tops, needs, offsets, spacing.gap)

    placed_tops = []
    for top in tops:
        x = centres[top.left] + offsets[top.left][TOP]
        placed_tops.append(Placed(x, x, top_level(top.left, spans, heights), x))
    ends = []
    for arc, span in enumerate(spans):
        left = centres[span.left] + offsets[span.left][Port(arc, False)]
        right = centres[span.right] + offsets[span.right][Port(arc, True)]
        ends.append((left, right))
    legs = [
        (x, level)
        for span, pair, level in zip(spans, ends, heights)
        for place, x in zip(span, pair)
        if place not in edges
    ]
    legs += [(top.left, top.level) for top in placed_tops]
    placed = []
    for (left, right), span, level in zip(ends, spans, heights):
        passing = [x for x, above in legs if above > level and left < x < right]
        first = left + spacing.margin + span.label // 2
        last = right - spacing.margin - (span.label - span.label // 2)
        label = _label_centre(first, last, span.label, passing, spacing.clearance)
        placed.append(Placed(left, right, level, label))
    top_levels = [top.level for top in placed_tops]
    highest = max([*heights, *top_levels], default=0)
    return Layout(tuple(centres), tuple(placed), tuple(placed_tops), width, highest)


def _offsets(at_word: Sequence[Port], needs: Sequence[int], step: int) -> dict[Port, int]:
    """How far each port is from the word's centre: even steps, but a self-loop fits its label."""
    steps = [0]
    for before, after in pairwise(at_word):
        is_loop = before.arc == after.arc
        steps.append(steps[-1] + (max(step, needs[before.arc]) if is_loop else step))
    return {port: at - steps[-1] // 2 for port, at in zip(at_word, steps)}


def _centres(
    words: Sequence[int],
    spans: Sequence[Span],
    tops: Sequence[Span],
    needs: Sequence[int],
    offsets: Sequence[dict[Port, int]],
    gap: int,
) -> tuple[list[int], int]:
    """The leftmost centre for each word in turn, and the width of them all."""
    top_labels = {top.left: top.label for top in tops}
    centres: list[int] = []
    edge = -gap
    for place, (width, at_word) in enumerate(zip(words, offsets)):
        reach = [(offset, offset) for offset in at_word.values()]
        for size, at in ((width, 0), (top_labels.get(place, 0), at_word.get(TOP, 0))):
            reach.append((at - size // 2, at + size - size // 2))
        centre = edge + gap - min(start for start, _ in reach)
        for port, offset in at_word.items():
            left = spans[port.arc].left if port.is_right_end else place
            if left < place:
                start = centres[left] + offsets[left][Port(port.arc, False)]
                centre = max(centre, start + needs[port.arc] - offset)
        centres.append(centre)
        edge = centre + max(end for _, end in reach)
    return centres, edge


def _label_centre(first: int, last: int, size: int, passing: list[int], clearance: int) -> int:
    """The place nearest to the middle at which no passing line would run behind the label.

    >>> _label_centre(20, 80, 10, passing=[52], clearance=2)
    44
    """
    middle = (first + last) // 2
    for distance in (clearance + 1, 1):
        before, after = size // 2 + distance, size - size // 2 + distance
        choices = [middle]
        for x in passing:
            choices += [x - after, x + before]
        for centre in sorted(choices, key=lambda choice: abs(choice - middle)):
            is_free = all(x <= centre - before or centre + after <= x for x in passing)
            if first <= centre <= last and is_free:
                return centre
    return middle
