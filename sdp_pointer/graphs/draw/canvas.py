"""A sheet of terminal cells: lines that cross, text of any width, colours."""

from .characters import clusters, isolated
from .marks import MISSING, RELABELLED, SURPLUS

PALE = "pale"
TOP = "top"
_COLOURS = {MISSING: "34", SURPLUS: "31", RELABELLED: "35", PALE: "2", TOP: "36"}

# Horizontal, vertical, then the corners of a box. The second mark besides the colour: missing arcs
# are dashed, surplus ones heavy.
_LIGHT, _DASHED, _HEAVY = "─│┌┐└┘", "┄┆┌┐└┘", "━┃┏┓┗┛"
_STROKES = {MISSING: _DASHED, SURPLUS: _HEAVY}
_CROSSINGS = {
    **dict.fromkeys(["─│", "┄│", "─┆", "┄┆"], "┼"),
    **dict.fromkeys(["━│", "━┆"], "┿"),
    **dict.fromkeys(["─┃", "┄┃"], "╂"),
    "━┃": "╋",
}


def strokes(style: str) -> str:
    """The characters of a style's lines: horizontal, vertical, and the four corners of a box.

    >>> strokes("both"), strokes(MISSING), strokes(SURPLUS)
    ('─│┌┐└┘', '┄┆┌┐└┘', '━┃┏┓┗┛')
    """
    return _STROKES.get(style, _LIGHT)


class Canvas:
    """Cells that are written to by row and column.

    Draw what is horizontal first: a vertical line crosses it, and text covers both.

    >>> canvas = Canvas()
    >>> canvas.horizontal(1, 0, 4, "both")
    >>> canvas.vertical(2, 0, 2, "both")
    >>> canvas.write(0, 4, "日本", "both")
    >>> print(canvas.render())
      │ 日本
    ──┼──
      │
    """

    def __init__(self) -> None:
        self._rows: dict[int, dict[int, tuple[str, str]]] = {}

    def write(self, row: int, column: int, text: str, style: str) -> None:
        cells = self._rows.setdefault(row, {})
        for part, width in clusters(isolated(text)):
            cells[column] = (part, style)
            if width == 2:
                cells[column + 1] = ("", style)
            column += width

    def horizontal(self, row: int, first: int, last: int, style: str) -> None:
        self.write(row, first, strokes(style)[0] * (last - first + 1), style)

    def vertical(self, column: int, first: int, last: int, style: str) -> None:
        line = strokes(style)[1]
        for row in range(first, last + 1):
            there, _ = self._rows.get(row, {}).get(column, ("", ""))
            self.write(row, column, _CROSSINGS.get(there + line, line), style)

    def render(self, colour: bool = False) -> str:
        """All rows as text; colours are ANSI escape sequences."""
        rows = range(max(self._rows, default=-1) + 1)
        return "\n".join(_row(self._rows.get(row, {}), colour) for row in rows)


def _row(cells: dict[int, tuple[str, str]], colour: bool) -> str:
    parts = []
    current = ""
    for column in range(max(cells, default=-1) + 1):
        part, style = cells.get(column, (" ", ""))
        code = _COLOURS.get(style, "") if colour else ""
        if code != current:
            parts.append(
                f"\x1b[{code}m" if not current else f"\x1b[0;{code}m" if code else "\x1b[0m"
            )
            current = code
        parts.append(part)
    if current:
        parts.append("\x1b[0m")
    return "".join(parts).rstrip(" ")
