"""A sentence in rows of words, so that no row is wider than a page or a terminal.

An arc between two rows is cut where a row ends, as if the drawing in one row had been cut by
scissors: the pieces of the cut arcs come in the same order, from top to bottom, at the end of a row
and at the beginning of the next one. Each piece has the label.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple, Optional

from .layout import Placed, Spacing, Span, arrange, compacted, levels
from .marks import MarkedArc, MarkedTop, Marks, spans


class Row(NamedTuple):
    """Some words, by their positions, and what is drawn above them."""

    words: range
    centres: tuple[int, ...]
    arcs: tuple[tuple[MarkedArc, Placed], ...]
    tops: tuple[tuple[MarkedTop, Placed], ...]
    width: int
    levels: int


def rows(
    marks: Marks,
    widths: Sequence[int],
    label_width: Callable[[str], int],
    spacing: Spacing,
    width: Optional[int] = None,
    is_reversed: bool = False,
) -> Iterator[Row]:
    """As many words in each row as fit into the width, but at least one; all words without a width.

    `widths` are those of the words; a reversed sentence runs from right to left.

    >>> marks = Marks((MarkedArc(3, 1, "ARG1", "both"),), (), frozenset(), ())
    >>> for row in rows(marks, [30, 30, 30], len, Spacing(8, 10, 5, 2), width=95):
    ...     print(row.words, row.centres, row.arcs[0][1])
    range(1, 3) (25, 65) Placed(left=25, right=90, level=1, label=57)
    range(3, 4) (25,) Placed(left=0, right=25, level=1, label=12)
    """
    arcs, tops = spans(marks, range(len(widths)), label_width)
    sentence = _Sentence(marks, widths, arcs, tops, levels(arcs), spacing, is_reversed)
    whole = sentence.row(0, len(widths))
    if width is None or whole.width <= width:
        yield whole
        return
    sums = list(accumulate((size + spacing.gap for size in widths), initial=0))
    start = 0
    while start < len(widths):
        # A row is at least as broad as its words.
        most = bisect_right(sums, sums[start] + width + spacing.gap) - 1
        end = sentence.end_of_row(start, most, width)
        yield sentence.row(start, end)
        start = end


class _Sentence(NamedTuple):
    """What the rows are made of; words, arcs and tops by their places in the order of reading."""

    marks: Marks
    widths: Sequence[int]
    arcs: Sequence[Span]
    tops: Sequence[Span]
    levels: Sequence[int]
    spacing: Spacing
    is_reversed: bool

    def end_of_row(self, first: int, most: int, width: int) -> int:
        """Where a row ends that begins with a word and may have words before `most`."""
        longer = range(first + 2, most + 1)
        # With one word more, a row is no narrower.
        fitting = bisect_right(longer, width, key=lambda end: self.row(first, end).width)
        return first + 1 + fitting

    def row(self, first: int, end: int) -> Row:
        """The words from `first` to before `end`; the row has edges if it is not the only one."""
        edge = 0 if end - first == len(self.widths) else 1
        last = end - first - 1 + 2 * edge

        def placed(span: Span) -> Span:
            """The part of a span that lies in this row."""
            ends = (min(max(at, first - 1), end) - first + edge for at in span[:2])
            left, right = sorted(last - at if self.is_reversed else at for at in ends)
            return Span(left, right, span.label)

        def inside(some: Sequence[Span]) -> list[int]:
            return [k for k, span in enumerate(some) if span.left < end and span.right >= first]

        arcs, tops = inside(self.arcs), inside(self.tops)
        parts = [placed(self.arcs[k]) for k in arcs]
        widths = [0] * edge + list(self.widths[first:end]) + [0] * edge
        layout = arrange(
            widths[::-1] if self.is_reversed else widths,
            parts,
            [placed(self.tops[k]) for k in tops],
            self.spacing,
            compacted(parts, [self.levels[k] for k in arcs]),
            edges=(0, last) if edge else (),
        )
        centres = layout.words[::-1] if self.is_reversed else layout.words
        return Row(
            range(first + 1, end + 1),
            centres[edge : len(centres) - edge],
            tuple((self.marks.arcs[k], place) for k, place in zip(arcs, layout.arcs)),
            tuple((self.marks.tops[k], place) for k, place in zip(tops, layout.tops)),
            layout.width,
            layout.levels,
        )
