"""For longer sentences: a word a line, as terminals scroll downwards, with the arcs at the side."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..graph import Graph
from .canvas import PALE, TOP, Canvas, strokes
from .characters import clip, columns, visible
from .layout import Port, levels, ports
from .marks import BOTH, Marks, spans

LONGEST_FORM, SHORTEST_FORM, LONGEST_POS, LONGEST_LABEL = 32, 8, 12, 32


class Table(NamedTuple):
    """The columns from left to right: what stands in them, and where they start."""

    forms: list[str]
    poses: list[str]
    labels: list[str]
    form: int
    pos: int
    arc: int
    level: int


def draw_beside(graph: Graph, marks: Marks, width: int) -> Canvas:
    """Each end of an arc has a row of its own, and every label stands beside its dependent."""
    arcs, _ = spans(marks, range(len(graph)), columns)
    heights = levels(arcs)
    table = _table(graph, marks, width, heights)
    words, ends = _rows(ports(len(graph), arcs, heights))
    rows = [(ends[Port(arc, False)], ends[Port(arc, True)]) for arc in range(len(arcs))]
    bends = [table.level + 2 * level - 1 for level in heights]
    canvas = Canvas()
    for arc, both_rows, bend in zip(marks.arcs, rows, bends):
        for row in both_rows:
            canvas.horizontal(row, table.arc, bend - 1, arc.status)
    for arc, (upper, lower), bend, label in zip(marks.arcs, rows, bends, table.labels):
        canvas.vertical(bend, upper + 1, lower - 1, arc.status)
        canvas.write(upper, bend, strokes(arc.status)[3], arc.status)
        canvas.write(lower, bend, strokes(arc.status)[5], arc.status)
        dependent = lower if arc.head <= arc.dependent else upper
        canvas.write(dependent, table.arc, "◀", arc.status)
        canvas.write(dependent, table.arc + 2, label, arc.status)
    for top in marks.tops:
        style = TOP if top.status == BOTH else top.status
        canvas.write(words[top.word - 1], 0, f"top{strokes(style)[0]}▶", style)
    for position, (row, form, pos) in enumerate(zip(words, table.forms, table.poses), start=1):
        canvas.write(row, table.form - 1 - len(str(position)), str(position), PALE)
        canvas.write(row, table.form, form, PALE if position in marks.singletons else BOTH)
        canvas.write(row, table.pos, pos, PALE)
    return canvas


def _table(graph: Graph, marks: Marks, width: int, heights: Sequence[int]) -> Table:
    """Forms are clipped where the drawing would be wider than the terminal otherwise."""
    poses = ["" if token.pos == "_" else token.pos for token in graph.tokens]
    poses = [clip(visible(pos), LONGEST_POS) if pos else "" for pos in poses]
    labels = [clip(visible(arc.label), LONGEST_LABEL) for arc in marks.arcs]
    form = (len("top─▶ ") if marks.tops else 0) + len(str(len(graph))) + 1
    pos_width = _widest(poses) + 1 if any(poses) else 0
    arc_width = len("◀─") + _widest(labels) + 2 * max(heights, default=0)
    room = width - form - 1 - pos_width - arc_width
    longest = max(SHORTEST_FORM, min(LONGEST_FORM, room))
    forms = [clip(visible(text), longest) for text in graph.forms]
    pos = form + _widest(forms) + 1
    arc = pos + pos_width
    return Table(forms, poses, labels, form, pos, arc, level=arc + len("◀─") + _widest(labels))


def _widest(texts: Iterable[str]) -> int:
    return max(map(columns, texts), default=0)


def _rows(by_word: Sequence[Sequence[Port]]) -> tuple[list[int], dict[Port, int]]:
    """The first row of each word, and the row of each port.

    >>> _rows([[], [Port(0, False), Port(1, False)], [Port(0, True)]])[0]
    [0, 1, 3]
    """
    words: list[int] = []
    ends: dict[Port, int] = {}
    row = 0
    for at_word in by_word:
        words.append(row)
        ends.update({port: row + below for below, port in enumerate(at_word)})
        row += max(1, len(at_word))
    return words, ends
