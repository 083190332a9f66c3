"""Drawings for the terminal."""

from typing import Optional

from ..graph import Graph
from .canvas import Canvas
from .characters import read_right_to_left
from .marks import LEGEND, RELABELLED, compare
from .text_above import draw_above, lay_out
from .text_beside import draw_beside


def text(
    graph: Graph,
    gold: Optional[Graph] = None,
    width: Optional[int] = None,
    colour: bool = False,
) -> str:
    """Draw a graph, or how it differs from a gold graph over the same words.

    # Parameters

    graph : `Graph`
    gold : `Graph`, optional
        Over the same words. Its arcs that are missing are dashed, surplus ones are heavy.
    width : `int`, optional
        The columns there are, by default the terminal's. A longer sentence is drawn in rows, and an
        arc between two rows in pieces. Where not even one word fits with its arcs, or words run
        from right to left, there is a word a line with the arcs at the side.
    colour : `bool`, optional (default = `False`)
        Whether to use ANSI escape sequences.

    >>> from ..graph import Token
    >>> graph = Graph([Token("Cats"), Token("like"), Token("fish")],
    ...               arcs=[(2, 1, "ARG1"), (2, 3, "ARG2")], tops=[2])
    >>> print(text(graph, width=10))
          1 Cats ◀─ARG1─┐
    top─▶ 2 like ───────┘
                 ───────┐
          3 fish ◀─ARG2─┘
    """
    marks = compare(graph, gold)
    if width is None:
        from shutil import get_terminal_size  # slow to import

        width = get_terminal_size().columns
    rows = lay_out(graph, marks, width)
    # Terminals disagree on the order of several right-to-left words in a line.
    if read_right_to_left(graph.forms) or any(row.width >= width for row in rows):
        canvases = [draw_beside(graph, marks, width)]
    else:
        canvases = [draw_above(graph, marks, row) for row in rows]
    drawing = "\n\n".join(canvas.render(colour) for canvas in canvases)
    if not marks.statuses:
        return drawing
    legend = Canvas()
    for row, status in enumerate(marks.statuses):
        if status == RELABELLED:  # told by its label rather than by its line
            legend.write(row, 0, LEGEND[status], status)
        else:
            legend.horizontal(row, 0, 3, status)
            legend.write(row, 5, LEGEND[status], status)
    return f"{drawing}\n\n{legend.render(colour)}"
