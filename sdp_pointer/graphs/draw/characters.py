"""What a string looks like: characters that are safe to show, their widths and their direction."""

from collections.abc import Iterable, Iterator
from unicodedata import bidirectional, category, east_asian_width

REPLACEMENT = "\ufffd"
ELLIPSIS = "…"
LEFT_TO_RIGHT_MARK = "\u200e"

# Embeddings, overrides and isolates reorder what stands around a word, to the end of the line.
_REORDERING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(text: str) -> str:
    """The text without any character that could harm an XML file, a terminal or its own context.

    Control characters (so escape sequences and line breaks, too), lone surrogates, noncharacters
    and characters that reorder other text become U+FFFD. A leading combining mark gets a dotted
    circle, or else it would sit on whatever happens to be drawn before it. What is but spaces or
    has no width at all is shown by something that can be seen.

    >>> visible("red: \\x1b[31m"), visible("\\u0301"), visible(" "), visible("\\ufeff")
    ('red: �[31m', '◌́', '␣', '�')
    """
    if text.isascii() and text.isprintable() and not text.isspace():
        return text  # nearly all there is
    shown = "".join(REPLACEMENT if _is_harmful(char) else char for char in text)
    if shown and category(shown[0])[0] == "M":
        return "◌" + shown
    if shown.isspace():
        return "␣" * len(shown)
    return shown if columns(shown) or not shown else REPLACEMENT


def _is_harmful(char: str) -> bool:
    if " " <= char <= "~":
        return False
    code = ord(char)
    is_noncharacter = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    return is_noncharacter or char in _REORDERING or category(char) in ("Cc", "Cs", "Zl", "Zp")


def columns(text: str) -> int:
    """The number of terminal columns: wide characters take two, combining marks none.

    >>> columns("naïve"), columns("nai\\u0308ve"), columns("日本")
    (5, 5, 4)
    """
    return len(text) if text.isascii() else sum(map(column_width, text))


def column_width(char: str) -> int:
    # Hangul vowels and finals (U+1160...) merge with the consonant before them; the soft hyphen is
    # the one format character that terminals give a column.
    if char == "\u00ad":
        return 1
    if category(char) in ("Mn", "Me", "Cf") or "\u1160" <= char <= "\u11ff":
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def clusters(text: str) -> Iterator[tuple[str, int]]:
    """The parts that take one or two columns, each with the characters of no width that go with it.

    >>> [(len(part), width) for part, width in clusters("nai\\u0308f 日")]
    [(1, 1), (1, 1), (2, 1), (1, 1), (1, 1), (1, 2)]
    """
    part, part_width = "", 0
    for char in text:
        width = column_width(char)
        if width and part_width:
            yield part, part_width
            part, part_width = "", 0
        part += char
        part_width += width
    if part_width:
        yield part, part_width


_NARROW = frozenset("fijlrtI.,:;'!|()[]{}-`/\\\" ")
_BROAD = frozenset("mwMW@%&—…OQGDHNU")


def ems(text: str) -> float:
    """An upper estimate of the width in a proportional font, in units of the font's size.

    The reader's font is unknown; the estimate is that of a broad one (DejaVu Sans), so that words
    stand too far apart rather than too close.

    >>> ems("ill") < ems("the") < ems("mum")
    True
    """
    return sum(map(_em, text))


def _em(char: str) -> float:
    if char in _NARROW:
        return 0.41
    if char in _BROAD:
        return 0.9
    if char < "\u0300":
        return 0.62 if char.islower() else 0.7
    if "\ufdf0" <= char <= "\ufdfd":  # whole Arabic phrases in one character
        return 4.0 if char < "\ufdfd" else 12.0
    width = column_width(char)
    if width == 2:
        return 1.0 if char < "\U0001f000" else 1.3  # emoji are broader than ideographs
    # Greek to Arabic are about as broad as Latin, scripts of South Asia are broader.
    return width * (0.72 if char < "\u0900" else 0.95)


def clip(text: str, limit: int) -> str:
    """At most `limit` columns; what is cut out of the middle is shown by an ellipsis.

    >>> clip("https://example.org/index.html", 20)
    'https://exampl….html'
    """
    if columns(text) <= limit:
        return text
    parts = list(clusters(text))
    after = limit // 4
    end = _start(parts[::-1], after)[::-1]
    return "".join([*_start(parts, limit - after - 1), ELLIPSIS, *end])


def _start(parts: Iterable[tuple[str, int]], limit: int) -> list[str]:
    start = []
    for part, width in parts:
        limit -= width
        if limit < 0:
            break
        start.append(part)
    return start


def is_right_to_left(text: str) -> bool:
    """By the first character that has a direction, as the Unicode bidirectional algorithm decides.

    >>> is_right_to_left("שלום"), is_right_to_left("42"), is_right_to_left("peace")
    (True, False, False)
    """
    return _first_direction(text) in ("R", "AL")


def read_right_to_left(forms: Iterable[str]) -> bool:
    """Whether a sentence runs from right to left, by the majority of words that have a direction.

    >>> read_right_to_left(["أحب", "YouTube", "والسينما", "!"])
    True
    """
    directions = list(filter(None, map(_first_direction, forms)))
    return 2 * directions.count("L") < len(directions)


def _first_direction(text: str) -> str:
    directions = map(bidirectional, text)
    return next((direction for direction in directions if direction in ("L", "R", "AL")), "")


def isolated(text: str) -> str:
    """Right-to-left text between marks, so that plain text around it keeps its order.

    >>> isolated("peace"), isolated("שלום") == "\\u200eשלום\\u200e"
    ('peace', True)
    """
    has_rtl = not text.isascii() and any(bidirectional(char) in ("R", "AL") for char in text)
    return LEFT_TO_RIGHT_MARK + text + LEFT_TO_RIGHT_MARK if has_rtl else text
