"""For sentences that fit into the terminal: the words in one line, the arcs above them."""

from ..graph import Graph
from .canvas import PALE, TOP, Canvas, strokes
from .characters import clip, columns, visible
from .layout import Layout, Spacing, arrange
from .marks import BOTH, Marks, spans

# A width is the distance from the first to the last column: a gap of 3 leaves two columns free.
SPACING = Spacing(port=2, gap=3, margin=2, clearance=1)
LONGEST = 32


def lay_out(graph: Graph, marks: Marks) -> Layout:
    """Where everything stands, in columns."""
    words = []
    for token in graph.tokens:
        captions = [token.form] if token.pos == "_" else [token.form, token.pos]
        words.append(max(map(_width, captions)))
    arcs, tops = spans(marks, range(len(graph)), _width)
    return arrange(words, arcs, tops, SPACING)


def draw_above(graph: Graph, marks: Marks, layout: Layout) -> Canvas:
    """From the row of the highest level down to those of the arrow heads and of the words."""
    canvas = Canvas()
    heads = layout.levels
    for arc, placed in zip(marks.arcs, layout.arcs):
        canvas.horizontal(heads - placed.level, placed.left, placed.right, arc.status)
    for arc, placed in zip(marks.arcs, layout.arcs):
        row = heads - placed.level
        for x, corner in ((placed.left, 2), (placed.right, 3)):
            canvas.vertical(x, row + 1, heads, arc.status)
            canvas.write(row, x, strokes(arc.status)[corner], arc.status)
        is_rightward = arc.head <= arc.dependent
        canvas.write(heads, placed.right if is_rightward else placed.left, "▼", arc.status)
    for top, placed in zip(marks.tops, layout.tops):
        style = TOP if top.status == BOTH else top.status
        canvas.vertical(placed.left, heads - placed.level, heads - 1, style)
        canvas.write(heads, placed.left, "▼", style)
        _write(canvas, heads - placed.level, placed.label, "top", style)
    for arc, placed in zip(marks.arcs, layout.arcs):
        _write(canvas, heads - placed.level, placed.label, arc.label, arc.status)
    words = heads + 1 if heads else 0
    for position, (token, centre) in enumerate(zip(graph.tokens, layout.words), start=1):
        _write(canvas, words, centre, token.form, PALE if position in marks.singletons else BOTH)
        if token.pos != "_":
            _write(canvas, words + 1, centre, token.pos, PALE)
    return canvas


def _write(canvas: Canvas, row: int, centre: int, text: str, style: str) -> None:
    canvas.write(row, centre - _width(text) // 2, clip(visible(text), LONGEST), style)


def _width(text: str) -> int:
    return columns(clip(visible(text), LONGEST)) - 1
