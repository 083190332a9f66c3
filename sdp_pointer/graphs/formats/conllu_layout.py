"""What a CoNLL-U file says that a graph has no place for, kept so that it can be written back.

One rule holds: what was in the file is written as it was, unless the graph has been changed since
and says something else.
"""

from typing import NamedTuple

from ..graph import Graph

_FRAME = "Frame="
_ESCAPES = {"\\": "\\\\", "|": "\\p", " ": "\\s", "\t": "\\t", "\r": "\\r", "\n": "\\n"}
_CHARACTERS = {escape: character for character, escape in _ESCAPES.items()}


Ranges = tuple[tuple[int, int, str], ...]


class Layout(NamedTuple):
    """The rest of a sentence; empty where the writer would say the same without it."""

    comments: tuple[str, ...] = ()
    columns: tuple[tuple[str, str, str, str], ...] = ()  # UPOS, XPOS, FEATS, MISC of each word
    ranges: Ranges = ()  # multi-word tokens: first and last word, row
    roots: tuple[tuple[int, str], ...] = ()  # tops with another label than `root`


def key_and_value(comment: str) -> tuple[str, str]:
    """The two sides of a comment.

    >>> key_and_value("# sent_id = 7")
    ('sent_id', '7')
    """
    key, _, value = comment[1:].partition("=")
    return key.strip(), value.removeprefix(" ")


def comments_of(graph: Graph, layout: Layout) -> list[str]:
    """The comments before a sentence.

    >>> from ..graph import Token
    >>> layout = Layout(comments=("# newpar", "# sent_id = 7", "# text = Go!"))
    >>> comments_of(Graph([Token("Go")], id="8", meta={"text": "Go!"}), layout)
    ['# newpar', '# sent_id = 8', '# text = Go!']
    """
    now = {
        "sent_id": graph.id or None,
        "formalism": graph.formalism,
        "text": graph.meta.get("text"),
        "bare_predicates": " ".join(map(str, graph.bare_predicates)) or None,
    }
    lines = []
    for comment in layout.comments:
        key, value = key_and_value(comment)
        if key not in now or (now[key] or "") == value:
            now.pop(key, None)
            lines.append(comment)
        elif now[key] is not None:
            lines.append(f"# {key} = {now.pop(key)}")
    return [f"# {key} = {value}" for key, value in now.items() if value is not None] + lines


def columns_of(graph: Graph, layout: Layout) -> list[tuple[str, str, str, str]]:
    r"""UPOS, XPOS, FEATS and MISC of each word.

    >>> from ..graph import Token
    >>> columns_of(Graph([Token("Go", pos="VB", frame="a|b")]), Layout())
    [('_', 'VB', '_', 'Frame=a\\pb')]
    """
    columns = []
    before = layout.columns or [("_", "_", "_", "_")] * len(graph)
    for token, (upos, xpos, feats, misc) in zip(graph.tokens, before):
        if token.pos != pos_of(upos, xpos):
            upos, xpos = "_", token.pos
        frames = [] if token.frame == "_" else ["".join(_ESCAPES.get(c, c) for c in token.frame)]
        if frames != frames_of(misc):
            others = [item for item in misc.split("|") if not item.startswith(_FRAME)]
            items = [item for item in others if item != "_"] + [_FRAME + frame for frame in frames]
            misc = "|".join(items) or "_"
        columns.append((upos, xpos, feats, misc))
    return columns


def pos_of(upos: str, xpos: str) -> str:
    """The treebank's own tag, or else the universal one."""
    return upos if xpos == "_" else xpos


def frames_of(misc: str) -> list[str]:
    """The frames in MISC, still escaped; a graph has place for one.

    >>> frames_of("SpaceAfter=No|Frame=v:e-i")
    ['v:e-i']
    """
    if _FRAME not in misc:
        return []
    return [item.removeprefix(_FRAME) for item in misc.split("|") if item.startswith(_FRAME)]


def unescape(frame: str) -> tuple[str, list[str]]:
    r"""A frame without its escapes, and those escapes that are unknown and were left as they are.

    >>> unescape(r"a\pb\x")
    ('a|b\\x', ['\\x'])
    """
    pieces = []
    unknown = []
    characters = iter(frame)
    for character in characters:
        if character == "\\":
            character += next(characters, "")
            if character not in _CHARACTERS:
                unknown.append(character)
        pieces.append(_CHARACTERS.get(character, character))
    return "".join(pieces), unknown
