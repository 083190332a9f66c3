"""Arcs above the words, as a self-contained SVG image."""

from collections.abc import Iterable, Iterator
from math import ceil
from typing import Optional

from ..graph import ROOT, Graph, Token
from .characters import clip, ems, is_right_to_left, isolated, read_right_to_left, visible
from .layout import Placed, Spacing, arrange
from .marks import LEGEND, MarkedArc, MarkedTop, compare, describe, describe_top, spans
from .svg_style import FONT_SIZES, STYLE

# In pixels.
SPACING = Spacing(port=10, gap=14, margin=11, clearance=3)
PADDING, LEVEL, CORNER, ARROW = 16, 23, 9, 7
FORM_LINE, POS_LINE, LEGEND_GAP, SAMPLE = 20, 36, 28, 30
# In terminal columns: no drawing stays legible around a word as broad as the page.
LONGEST = {"form": 32, "pos": 12, "label": 40}

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def svg(graph: Graph, gold: Optional[Graph] = None) -> str:
    """Draw a graph, or how it differs from a gold graph over the same words.

    What only one of the two has is dashed or dotted as well as coloured. A sentence whose words are
    mostly right-to-left runs from right to left.

    >>> image = svg(Graph([Token("Cats"), Token("purr")], [(2, 1, "ARG1")], tops=[2]))
    >>> image[:4], "<title>purr -ARG1-&gt; Cats</title>" in image
    ('<svg', True)
    """
    marks = compare(graph, gold)
    places = list(range(len(graph)))
    if read_right_to_left(graph.forms):
        places.reverse()
    arcs, tops = spans(marks, places, lambda label: _width(_shown(label, "label"), "label"))
    widths = [max(_width(*caption) for caption in _captions(token)) for token in graph.tokens]
    layout = arrange([widths[place] for place in places], arcs, tops, SPACING)
    # From the highest to the lowest, so that a label covers the lines that pass behind it.
    parts = [
        _top(top, placed, describe_top(top, graph)) for top, placed in zip(marks.tops, layout.tops)
    ]
    for arc, placed in sorted(zip(marks.arcs, layout.arcs), key=lambda pair: -pair[1].level):
        is_rightward = places[arc.head - 1] <= places[arc.dependent - 1]
        parts.append(_arc(arc, placed, is_rightward, describe(arc, graph)))
    for position, (place, token) in enumerate(zip(places, graph.tokens), start=1):
        parts.append(_word(position, token, layout.words[place], position in marks.singletons))
    has_pos = any(token.pos != "_" for token in graph.tokens)
    width, below = layout.width, POS_LINE if has_pos else FORM_LINE + 4
    if marks.statuses:
        below += LEGEND_GAP
        legend, legend_width = _legend(marks.statuses, below)
        parts.append(legend)
        width = max(width, legend_width)
    title = f"{graph.id}: {sentence(graph)}" if graph.id else sentence(graph)
    return _image(title, width, LEVEL * layout.levels, below, parts)


def escape(text: str) -> str:
    """The text as it may stand in XML, whatever it contains.

    >>> escape("<AT&T>\\x00")
    '&lt;AT&amp;T&gt;�'
    """
    return visible(text).translate(_ESCAPES)


def sentence(graph: Graph) -> str:
    """The words as they may be shown, with spaces between them."""
    return " ".join(map(visible, graph.forms))


def _image(title: str, width: int, above: int, below: int, parts: Iterable[str]) -> str:
    """The origin is where the arcs stand: at the left, on the words."""
    x, y = -PADDING, -PADDING - above
    width, height = width + 2 * PADDING, above + below + 2 * PADDING
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="sdp" role="img" '
            f'width="{width}" height="{height}" viewBox="{x} {y} {width} {height}">',
            f"<title>{escape(title)}</title>",
            f"<style>\n{STYLE}\n</style>",
            f'<rect class="sdp-back" x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>',
            *parts,
            "</svg>\n",
        ]
    )


def _arc(arc: MarkedArc, placed: Placed, is_rightward: bool, tooltip: str) -> str:
    y = -LEVEL * placed.level
    corner = min(CORNER, (placed.right - placed.left) / 2)
    feet = (0, -ARROW) if is_rightward else (-ARROW, 0)
    line = (
        f"M{placed.left} {feet[0]}V{y + corner}q0 {-corner} {corner} {-corner}"
        f"H{placed.right - corner}q{corner} 0 {corner} {corner}V{feet[1]}"
    )
    head = _head(placed.right if is_rightward else placed.left)
    label = _label(_shown(arc.label, "label"), placed.label, y)
    return (
        f'<g class="sdp-arc sdp-{arc.status}" {_ends(arc.head, arc.dependent)}>'
        f"<title>{escape(tooltip)}</title>"
        f'<path class="sdp-line" d="{line}"/>{head}{label}</g>'
    )


def _top(top: MarkedTop, placed: Placed, tooltip: str) -> str:
    y = -LEVEL * placed.level
    return (
        f'<g class="sdp-arc sdp-top sdp-{top.status}" {_ends(ROOT, top.word)}>'
        f"<title>{escape(tooltip)}</title>"
        f'<path class="sdp-line" d="M{placed.left} {y + 8}V{-ARROW}"/>'
        f"{_head(placed.left)}{_label('top', placed.label, y)}</g>"
    )


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


def _legend(statuses: Iterable[str], y: int) -> tuple[str, int]:
    """Sample lines with their meanings, and the width of them all."""
    x = 0
    parts = []
    for status in statuses:
        line = f'<path class="sdp-line" d="M{x} {y - 4}h{SAMPLE}"/>'
        note = _text(LEGEND[status], "note", x + SAMPLE + 8, y)
        parts.append(f'<g class="sdp-{status}">{line}{note}</g>')
        x += SAMPLE + 8 + _width(LEGEND[status], "note") + 18
    return "\n".join(parts), x


def _shown(text: str, kind: str) -> str:
    return clip(visible(text), LONGEST[kind])


def _width(text: str, kind: str) -> int:
    return ceil(ems(text) * FONT_SIZES[kind])


def _text(text: str, kind: str, x: int, y: int) -> str:
    rtl = ' direction="rtl"' if is_right_to_left(text) else ""
    return f'<text class="sdp-{kind}" x="{x}" y="{y}"{rtl}>{text.translate(_ESCAPES)}</text>'
