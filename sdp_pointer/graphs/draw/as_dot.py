"""Graphs in the language of Graphviz, for those who want to lay them out otherwise."""

from typing import Optional

from ..graph import Graph
from .characters import read_right_to_left, visible
from .marks import BOTH, LEGEND, compare
from .svg_style import DASHES, LINE, PALE, STATUS, TOP

_SCREEN = 0  # Graphviz draws on white
_DASH_NAMES = dict(zip(DASHES, ("dashed", "dotted")))


def dot(graph: Graph, gold: Optional[Graph] = None) -> str:
    r"""A graph, or how it differs from a gold graph over the same words, for Graphviz's `dot`.

    >>> from ..graph import Token
    >>> graph = Graph([Token("Say"), Token('"hi"')], [(1, 2, "ARG2")], tops=[1], id="7")
    >>> print(dot(graph), end="")
    digraph "7" {
      nodesep=0.7;
      node [shape=plaintext, fontname="sans-serif"];
      edge [fontname="sans-serif", fontsize=11, color="#66707c", constraint=false];
      subgraph words {
        rank=same;
        1 [label="Say"];
        2 [label="\"hi\""];
        1 -> 2 [style=invis, constraint=true];
      }
      1 -> 2 [xlabel="ARG2"];
      top [fontsize=11, fontcolor="#7c3aed"];
      top -> 1 [constraint=true, color="#7c3aed"];
    }
    """
    marks = compare(graph, gold)
    lines = [
        f"digraph {quoted(graph.id)} {{",
        "  nodesep=0.7;",
        '  node [shape=plaintext, fontname="sans-serif"];',
        # Arcs must not move the words, and Graphviz loses some arcs between neighbours if their
        # labels take part in the layout.
        f'  edge [fontname="sans-serif", fontsize=11, color="{LINE[_SCREEN]}", constraint=false];',
        "  subgraph words {",
        "    rank=same;",
    ]
    for position, token in enumerate(graph.tokens, start=1):
        captions = [token.form] if token.pos == "_" else [token.form, token.pos]
        grey = f', fontcolor="{PALE[_SCREEN]}"' if position in marks.singletons else ""
        lines.append(f"    {position} [label={quoted(*captions)}{grey}];")
    chain = list(map(str, range(1, len(graph) + 1)))
    if read_right_to_left(graph.forms):
        chain.reverse()
    if len(chain) > 1:
        # Invisible edges are what keeps the words of a rank in order.
        lines.append(f"    {' -> '.join(chain)} [style=invis, constraint=true];")
    lines.append("  }")
    for arc in marks.arcs:
        look = _look(arc.status)
        lines.append(f"  {arc.head} -> {arc.dependent} [xlabel={quoted(arc.label)}{look}];")
    if marks.tops:
        lines.append(f'  top [fontsize=11, fontcolor="{TOP[_SCREEN]}"];')
    for top in marks.tops:
        look = _look(top.status) or f', color="{TOP[_SCREEN]}"'
        lines.append(f"  top -> {top.word} [constraint=true{look}];")
    if gold is not None:
        legend = (f"{_DASH_NAMES.get(status, 'solid')}: {LEGEND[status]}" for status in DASHES)
        lines.append(f'  fontname="sans-serif"; fontsize=11; label={quoted(*legend)};')
    return "\n".join([*lines, "}\n"])


def quoted(*lines: str) -> str:
    r"""A string of some lines; Graphviz would interpret backslashes and XML entities in them.

    >>> print(quoted('"C:\\temp"', "&amp;"))
    "\"C:\\temp\"\n&amp;amp;"
    """
    escaped = (
        visible(line).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
        for line in lines
    )
    return '"' + "\\n".join(escaped) + '"'


def _look(status: str) -> str:
    if status == BOTH:
        return ""
    colour = STATUS[status][_SCREEN]
    dash = _DASH_NAMES.get(status, "solid")
    return f', color="{colour}", fontcolor="{colour}", style={dash}'
