"""For left-to-right text: rows of words that fit into the terminal, the arcs above them."""

from ..graph import Graph
from .canvas import PALE, TOP, Canvas, strokes
from .characters import clip, columns, visible
from .layout import Spacing
from .marks import BOTH, Marks
from .rows import Row, rows

# A width is the distance from the first to the last column: a gap of 3 leaves two columns free.
SPACING = Spacing(port=2, gap=3, margin=2, clearance=1)
LONGEST = 32


def lay_out(graph: Graph, marks: Marks, width: int) -> list[Row]:
    """Where everything stands, in columns, of which there are `width`."""
    words = []
    for token in graph.tokens:
        captions = [token.form] if token.pos == "_" else [token.form, token.pos]
        words.append(max(map(_width, captions)))
    return list(rows(marks, words, _width, SPACING, width - 1))


def draw_above(graph: Graph, marks: Marks, row: Row) -> Canvas:
    """From the line of the highest level down to those of the arrow heads and of the words."""
    canvas = Canvas()
    heads = row.levels
    for arc, placed in row.arcs:
        canvas.horizontal(heads - placed.level, placed.left, placed.right, arc.status)
    for arc, placed in row.arcs:
        line = heads - placed.level
        left, right = sorted((arc.head, arc.dependent))
        for word, x, corner in ((left, placed.left, 2), (right, placed.right, 3)):
            if word in row.words:
                canvas.vertical(x, line + 1, heads, arc.status)
                canvas.write(line, x, strokes(arc.status)[corner], arc.status)
        if arc.dependent in row.words:
            x = placed.left if arc.dependent < arc.head else placed.right
            canvas.write(heads, x, "▼", arc.status)
    for top, placed in row.tops:
        style = TOP if top.status == BOTH else top.status
        canvas.vertical(placed.left, heads - placed.level, heads - 1, style)
        canvas.write(heads, placed.left, "▼", style)
        _write(canvas, heads - placed.level, placed.label, "top", style)
    for arc, placed in row.arcs:
        _write(canvas, heads - placed.level, placed.label, arc.label, arc.status)
    words = heads + 1 if heads else 0
    for position, centre in zip(row.words, row.centres):
        token = graph.tokens[position - 1]
        _write(canvas, words, centre, token.form, PALE if position in marks.singletons else BOTH)
        if token.pos != "_":
            _write(canvas, words + 1, centre, token.pos, PALE)
    return canvas


def _write(canvas: Canvas, row: int, centre: int, text: str, style: str) -> None:
    canvas.write(row, centre - _width(text) // 2, clip(visible(text), LONGEST), style)


def _width(text: str) -> int:
    return columns(clip(visible(text), LONGEST)) - 1
