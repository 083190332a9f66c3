"""Which format lines are in that nobody has named."""

from itertools import islice
from typing import Optional

from . import conllu, sdp, strict_json
from .streams import Line, Lines, Unreadable

# So many lines without a word, or of one sentence, tell enough.
MOST_LINES = 1000


def sniff(lines: Lines, most: int = MOST_LINES) -> Optional[str]:
    """The format of graphs that lines begin with, or None for what is none, such as raw text.

    Only the first graph is looked at, so that from a pipe graphs come as they are written, and of
    raw text only the first line. The lines can still be read.

    >>> sniff(Lines(['{"id": "1", "flavor": 0, "nodes": []}'])), sniff(Lines(["#1 is Kim."]))
    ('mrp', None)
    >>> sniff(Lines(["#20001001", "1\\tGo\\tgo\\tVB\\t+\\t-"]))
    'sdp'
    """
    comments = False
    rows: list[list[str]] = []
    for line in islice(lines.ahead(), most):
        text = _text(line)
        if not text or text.isspace():
            if rows:
                break
        elif text == sdp.HEADER:
            return "sdp"
        elif text.startswith("#"):
            comments = True
        elif not comments and not rows and _looks_like_json(text):
            return "mrp" if _looks_like_mrp(text) else "jsonl"
        else:
            rows.append(text.split("\t"))
            if not _looks_like_word(rows[0]):
                return None
    if not rows:
        return None
    as_conllu = [
        len(row) == len(conllu.COLUMNS)
        and not sdp.FLAGS.issuperset(row[4:6])
        and row[6] not in sdp.FLAGS
        for row in rows
    ]
    # Not all, nor any: one row that is broken should be told in the terms of its own format.
    return "conllu" if 2 * sum(as_conllu) > len(rows) else "sdp"


def is_raw_text(lines: Lines) -> bool:
    """Whether lines in which no format was found are not even a damaged table of words.

    >>> is_raw_text(Lines(["Kim likes cats."])), is_raw_text(Lines(["Kim\\tKim\\tNNP"]))
    (True, False)
    """
    texts = (_text(line) for line in islice(lines.ahead(), MOST_LINES))
    first = next((text for text in texts if text and not text.isspace()), "#")
    return not first.startswith("#") and "\t" not in first


def _text(line: Line) -> str:
    if isinstance(line, Unreadable):
        return ""
    text = line if isinstance(line, str) else line.decode("utf-8", "replace")
    return text.rstrip("\r\n").removeprefix("\ufeff")


def _looks_like_json(line: str) -> bool:
    """Whether it is an object, or the beginning of one; a text may begin with a brace, too.

    >>> [_looks_like_json(line) for line in ('{"x": 1}', " { 'x'", "{}", "{", "{laughs} Yes.")]
    [True, True, True, True, False]
    """
    brace, inside = line.lstrip()[:1], line.lstrip()[1:].lstrip()
    return brace == "{" and inside[:1] in ("", '"', "'", "}")


def _looks_like_mrp(line: str) -> bool:
    try:
        keys = strict_json.decode(line)
    except strict_json.UnexpectedError:
        keys = line  # what is wrong with it, the reader will say
    ours = any(key in keys for key in ("tokens", "sentence"))
    return not ours and any(key in keys for key in ("flavor", "framework", "nodes"))


def _looks_like_word(row: list[str]) -> bool:
    """Whether it is a row of a graph: the number of a word, and its columns.

    >>> _looks_like_word(["1", "Go", "go", "VB"]), _looks_like_word(["1-2", "don't", "_", "_"])
    (True, True)
    >>> _looks_like_word(["Kim", "likes", "the", "cat"]), _looks_like_word(["1", "Go home."])
    (False, False)
    """
    return len(row) >= 4 and row[0].replace("-", "").replace(".", "").isdecimal()
