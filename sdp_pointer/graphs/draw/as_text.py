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
        The columns there are, by default the terminal's. Where the words do not fit into one line,
        or run from right to left, there is a word a line with the arcs at the side.
    colour : `bool`, optional (default = `False`)
        Whether to use ANSI escape sequences.

    >>> from ..graph import Token
    >>> graph = Graph([Token("Cats"), Token("like"), Token("fish")],
    ...               arcs=[(2, 1, "ARG1"), (2, 3, "ARG2")], tops=[2])
    >>> print(text(graph, width=21))
          1 Cats ◀─ARG1─┐
    top─▶ 2 like ───────┘
                 ───────┐
          3 fish ◀─ARG2─┘
    """
    marks = compare(graph, gold)
    if width is None:
        from shutil import get_terminal_size  # slow to import

        width = get_terminal_size().columns
    layout = lay_out(graph, marks)
    # Terminals disagree on the order of several right-to-left words in a line.
    if layout.width < width and not read_right_to_left(graph.forms):
        canvas = draw_above(graph, marks, layout)
    else:
        canvas = draw_beside(graph, marks, width)
    drawing = canvas.render(colour)
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
