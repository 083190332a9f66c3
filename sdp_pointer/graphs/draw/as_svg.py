"""Arcs above the words, as a self-contained SVG image."""

from collections.abc import Iterable, Iterator
from math import ceil
from typing import Optional

from ..graph import ROOT, Graph, Token
from .characters import clip, ems, is_right_to_left, isolated, read_right_to_left, visible
from .layout import Placed, Spacing
from .marks import LEGEND, MarkedArc, MarkedTop, Marks, compare, describe, describe_top
from .rows import Row, rows
from .svg_style import FONT_SIZES, STYLE

# In pixels.
SPACING = Spacing(port=10, gap=14, margin=11, clearance=3)
PADDING, LEVEL, CORNER, ARROW = 16, 23, 9, 7
FORM_LINE, POS_LINE, ROW_GAP, LEGEND_LINE, SAMPLE = 20, 36, 22, 20, 30
# In terminal columns: no drawing stays legible around a word as broad as the page.
LONGEST = {"form": 32, "pos": 12, "label": 40}

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def svg(graph: Graph, gold: Optional[Graph] = None, width: Optional[int] = None) -> str:
    """Draw a graph, or how it differs from a gold graph over the same words.

    What only one of the two has is dashed or dotted as well as coloured. A sentence whose words are
    mostly right-to-left runs from right to left.

    # Parameters

    graph : `Graph`
    gold : `Graph`, optional
        Over the same words.
    width : `int`, optional
        The pixels there are; a longer sentence is drawn in rows, and an arc between two rows in
        pieces. By default there is one row, however long.

    >>> image = svg(Graph([Token("Cats"), Token("purr")], [(2, 1, "ARG1")], tops=[2]))
    >>> image[:4], "<title>purr -ARG1-&gt; Cats</title>" in image
    ('<svg', True)
    """
    return "".join(svg_parts(graph, gold, width))


def svg_parts(
    graph: Graph, gold: Optional[Graph] = None, width: Optional[int] = None
) -> Iterator[str]:
    """The same image row by row, so that other work may come in between.

    The parts are empty until it is known how large the image is.
    """
    marks = compare(graph, gold)
    is_reversed = read_right_to_left(graph.forms)
    drawn = []
    for row in rows(
        marks,
        [max(_width(*caption) for caption in _captions(token)) for token in graph.tokens],
        lambda label: _width(_shown(label, "label"), "label"),
        SPACING,
        None if width is None else width - 2 * PADDING,
        is_reversed,
    ):
        drawn.append(row)
        yield ""
    below = POS_LINE if any(token.pos != "_" for token in graph.tokens) else FORM_LINE + 4
    inner = broadest = max(row.width for row in drawn)
    height = sum(LEVEL * row.levels + below + ROW_GAP for row in drawn) - ROW_GAP
    legend = ""
    if marks.statuses:
        inner = max(broadest, (width or 0) - 2 * PADDING)
        legend, inner, height = _legend(marks.statuses, inner, height)
    title = f"{graph.id}: {sentence(graph)}" if graph.id else sentence(graph)
    yield _opening(title, inner, height)
    y = -ROW_GAP
    for row in drawn:
        y += ROW_GAP + LEVEL * row.levels
        # A row that runs from right to left begins at the right.
        x = broadest - row.width if is_reversed else 0
        content = "\n".join(_row(row, graph, marks, is_reversed))
        yield f'<g transform="translate({x} {y})">\n{content}\n</g>\n'
        y += below
    yield f"{legend}</svg>\n"


def escape(text: str) -> str:
    """The text as it may stand in XML, whatever it contains.

    >>> escape("<AT&T>\\x00")
    '&lt;AT&amp;T&gt;�'
    """
    return visible(text).translate(_ESCAPES)


def sentence(graph: Graph) -> str:
    """The words as they may be shown, with spaces between them."""
    return " ".join(map(visible, graph.forms))


def _opening(title: str, width: int, height: int) -> str:
    width, height = width + 2 * PADDING, height + 2 * PADDING
    box = f'x="{-PADDING}" y="{-PADDING}" width="{width}" height="{height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sdp" role="img" '
        f'width="{width}" height="{height}" viewBox="{-PADDING} {-PADDING} {width} {height}">\n'
        f"<title>{escape(title)}</title>\n"
        f"<style>\n{STYLE}\n</style>\n"
        f'<rect class="sdp-back" {box} rx="6"/>\n'
    )


def _row(row: Row, graph: Graph, marks: Marks, is_reversed: bool) -> Iterator[str]:
    """The origin is where the arcs stand: at the left, on the words."""
    # From the highest to the lowest, so that a label covers the lines that pass behind it.
    for top, placed in row.tops:
        yield _top(top, placed, describe_top(top, graph))
    for arc, placed in sorted(row.arcs, key=lambda pair: -pair[1].level):
        yield _arc(arc, placed, row.words, is_reversed, describe(arc, graph))
    for position, x in zip(row.words, row.centres):
        yield _word(position, graph.tokens[position - 1], x, position in marks.singletons)


def _arc(arc: MarkedArc, placed: Placed, words: range, is_reversed: bool, tooltip: str) -> str:
    """An arc, or the piece of it in a row of these words: without a foot where it goes on."""
    left, right, y = placed.left, placed.right, -LEVEL * placed.level
    is_rightward = (arc.head <= arc.dependent) != is_reversed
    before, after = sorted((arc.head, arc.dependent), reverse=is_reversed)
    feet = (0, -ARROW) if is_rightward else (-ARROW, 0)
    corner = min(CORNER, (right - left) / 2)
    line = f"M{left} {y}"
    if before in words:
        line = f"M{left} {feet[0]}V{y + corner}q0 {-corner} {corner} {-corner}"
    if after in words:
        line += f"H{right - corner}q{corner} 0 {corner} {corner}V{feet[1]}"
    else:
        line += f"H{right}"
    head = _head(right if is_rightward else left) if arc.dependent in words else ""
    label = _label(_shown(arc.label, "label"), placed.label, y)
    return (
        f'<g class="sdp-arc sdp-{arc.status}" {_ends(arc.head, arc.dependent)}>'
        f"{_tooltip(tooltip)}"
        f'<path class="sdp-line" d="{line}"/>{head}{label}</g>'
    )


def _top(top: MarkedTop, placed: Placed, tooltip: str) -> str:
    y = -LEVEL * placed.level
    return (
        f'<g class="sdp-arc sdp-top sdp-{top.status}" {_ends(ROOT, top.word)}>'
        f"{_tooltip(tooltip)}"
        f'<path class="sdp-line" d="M{placed.left} {y + 8}V{-ARROW}"/>'
        f"{_head(placed.left)}{_label('top', placed.label, y)}</g>"
    )


def _tooltip(text: str) -> str:
    lines = "\n".join(map(escape, text.split("\n")))
    return f"<title>{lines}</title>"


def _ends(head: int, dependent: int) -> str:
    """Which arc it is, for scripts."""
    return f'data-head="{head}" data-dependent="{dependent}"'


def _head(x: int) -> str:
    return f'<path class="sdp-head" d="M{x} 0l-4 {-ARROW}h8z"/>'


def _label(label: str, x: int, y: int) -> str:
    width = _width(label, "label") + 2 * SPACING.clearance
    return (
        f'<rect class="sdp-back" x="{x - width // 2}" y="{y - 8}" width="{width}" height="16"/>'
        f"{_text(label, 'label', x, y + 4)}"
    )


def _word(position: int, token: Token, x: int, is_singleton: bool) -> str:
    about = " · ".join(isolated(column) for column in token if column != "_")
    lines = {"form": FORM_LINE, "pos": POS_LINE}
    texts = (_text(text, kind, x, lines[kind]) for text, kind in _captions(token))
    idle = ' class="sdp-idle"' if is_singleton else ""
    return f"<g{idle}><title>{position} {escape(about)}</title>{''.join(texts)}</g>"


def _captions(token: Token) -> Iterator[tuple[str, str]]:
    """What stands at a word, and in which style."""
    yield _shown(token.form, "form"), "form"
    if token.pos != "_":
        yield _shown(token.pos, "pos"), "pos"


def _legend(statuses: Iterable[str], width: int, y: int) -> tuple[str, int, int]:
    """Sample lines with their meanings below y, and how broad and how far down the drawing is."""
    x = 0
    y += LEGEND_LINE + 8
    parts = []
    for status in statuses:
        size = SAMPLE + 8 + _width(LEGEND[status], "note")
        if x and x + size > width:
            x, y = 0, y + LEGEND_LINE
        line = f'<path class="sdp-line" d="M{x} {y - 4}h{SAMPLE}"/>'
        note = _text(LEGEND[status], "note", x + SAMPLE + 8, y)
        parts.append(f'<g class="sdp-{status}">{line}{note}</g>')
        width = max(width, x + size)
        x += size + 18
    return "".join(f"{part}\n" for part in parts), width, y


def _shown(text: str, kind: str) -> str:
    return clip(visible(text), LONGEST[kind])


def _width(text: str, kind: str) -> int:
    return ceil(ems(text) * FONT_SIZES[kind])


def _text(text: str, kind: str, x: int, y: int) -> str:
    rtl = ' direction="rtl"' if is_right_to_left(text) else ""
    return f'<text class="sdp-{kind}" x="{x}" y="{y}"{rtl}>{text.translate(_ESCAPES)}</text>'
