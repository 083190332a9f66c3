"""How an SVG drawing looks. Class names have a prefix: inside a page, a style is everyone's."""

from .marks import MISSING, RELABELLED, SURPLUS

FONT = '"Helvetica Neue", Helvetica, Arial, "Noto Sans", sans-serif'
FONT_SIZES = {"form": 16, "pos": 11, "label": 11, "note": 11}

# On a light and on a dark screen.
BACKGROUND = ("#ffffff", "#16181d")
INK = ("#1c2128", "#e8eaee")
PALE = ("#6b7480", "#8f98a3")
LINE = ("#66707c", "#99a2ad")
TOP = ("#7c3aed", "#b794ff")
STATUS = {
    MISSING: ("#0b62d6", "#62a8ff"),
    SURPLUS: ("#cf222e", "#ff7b72"),
    RELABELLED: ("#9a5b00", "#e3a33c"),
}
# The second mark, for those to whom the colours look alike.
DASHES = {MISSING: "6 4", SURPLUS: "1.5 3"}


def _colours(screen: int) -> str:
    rules = [
        f".sdp-back {{ fill: {BACKGROUND[screen]} }}",
        f".sdp text {{ fill: {INK[screen]} }}",
        f".sdp .sdp-pos, .sdp .sdp-note, .sdp .sdp-idle text {{ fill: {PALE[screen]} }}",
        f".sdp-line {{ stroke: {LINE[screen]} }}",
        f".sdp-head {{ fill: {LINE[screen]} }}",
    ]
    for name, pair in {"top": TOP, **STATUS}.items():
        rules.append(f".sdp-{name} .sdp-line {{ stroke: {pair[screen]} }}")
        rules.append(f".sdp-{name} .sdp-head, .sdp .sdp-{name} text {{ fill: {pair[screen]} }}")
    return "\n".join(rules)


STYLE = "\n".join(
    [
        f".sdp text {{ font-family: {FONT}; text-anchor: middle; unicode-bidi: isolate }}",
        *(f".sdp .sdp-{kind} {{ font-size: {size}px }}" for kind, size in FONT_SIZES.items()),
        ".sdp .sdp-note { text-anchor: start }",
        ".sdp-line { fill: none; stroke-width: 1.3; stroke-linecap: round }",
        *(f".sdp-{name} .sdp-line {{ stroke-dasharray: {dash} }}" for name, dash in DASHES.items()),
        ".sdp-surplus .sdp-line { stroke-width: 1.8 }",
        ".sdp-arc:hover .sdp-line { stroke-width: 2.6 }",
        ".sdp-arc:hover text { font-weight: bold }",
        _colours(0),
        "@media (prefers-color-scheme: dark) {",
        _colours(1),
        "}",
    ]
)
