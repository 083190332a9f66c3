"""Drawings of graphs: SVG, terminal, Graphviz and HTML; alone, or compared with a gold graph.

>>> from sdp_pointer.graphs import Graph, Token
>>> fish = Graph([Token("Cats"), Token("like"), Token("fish")],
...              arcs=[(2, 1, "ARG1"), (2, 3, "ARG2")], tops=[2])
>>> print(text(fish, width=80))
         top
 ┌─ARG1─┐ │ ┌─ARG2─┐
 ▼      │ ▼ │      ▼
Cats     like     fish
"""

from .as_dot import dot
from .as_html import html
from .as_svg import svg, svg_parts
from .as_text import text

__all__ = ["dot", "html", "svg", "svg_parts", "text"]
