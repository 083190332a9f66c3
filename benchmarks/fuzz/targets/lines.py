"""Raw text, tokens, JSON lines and graphs, as they are made ready to be parsed.

The first byte says what the lines are and which format they are for; what follows are the lines.
"""

import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from sdp_pointer.graphs import Graph, dumps, read
from sdp_pointer.graphs.formats import FORMATS
from sdp_pointer.graphs.formats.streams import Lines
from sdp_pointer.parser.preparation import Preparation
from sdp_pointer.parser.results import Prepared, Refusal
from sdp_pointer.parser.sources import read_json, read_sentences
from sdp_pointer.parser.text import Text

from .formats import DATA, files, one_line
from .mutations import bytes_or_json

# All that is done before the network.
PREPARATION = Preparation(Text())
KINDS = ("text", "tokens", "split", "json", *FORMATS)
FORMAT_OF = {"split": "text", "json": "jsonl"}
TO = ("html", *FORMATS)
HARD = (
    "She said (cf. http://a.b/c?d=e&f) it's 5km/h... don't!",
    "\u00bdcup\u200bof \U0001f600tea A.B.,c-d 'n' ____ $$$$ ((a)) #x @y :-) e.g. U.S.",
    "Zoe\u0301\u00a0paid 3.50\u20ac,\u2028\u201cand\u201d left\u2026 \u4e2d\u6587 \u0627\u0644",
)

mutate = bytes_or_json


def prepare(work: Path) -> None:
    """Loads spaCy, which runs a program to find out where it is."""
    PREPARATION.text.sentence("Go!")


def texts() -> list[str]:
    graphs = [next(read(path)) for path in sorted(DATA.glob("*.dev.sdp"))]
    return [*HARD, *(" ".join(graph.forms) for graph in graphs)]


def requests() -> Iterator[dict]:
    for text in texts():
        words = text.split()
        yield {"sentence": text, "id": 7, "page": [1, {"a": None}]}
        yield {"tokens": words, "lemmas": words, "pos": ["X"] * len(words)}
        yield {"tokens": [{"form": words[0], "start": 0, "end": 1}], "syntax": [["0", "root"]]}


def seeds() -> Iterator[bytes]:
    for text in texts():
        for kind in ("text", "tokens", "split"):
            yield bytes([KINDS.index(kind)]) + text.encode()
    for request in requests():
        yield bytes([KINDS.index("json")]) + json.dumps(request, ensure_ascii=False).encode()
    for name, content in files():
        yield bytes([KINDS.index(name)]) + content


def sentences(kind: str, content: bytes, to: str) -> Iterable[Prepared]:
    lines, split = Lines(io.BytesIO(content)), kind == "split"
    return read_sentences(lines, PREPARATION, FORMAT_OF.get(kind, kind), split=split, to=to)


def run(data: bytes) -> None:
    choice = data[0] if data else 0
    kind, to = KINDS[choice % len(KINDS)], TO[choice // len(KINDS) % len(TO)]
    for sentence in sentences(kind, data[1:], to):
        if isinstance(sentence, Refusal):
            one_line(sentence.message("FILE"))
            continue
        places = sentence.meta.get("offsets", ())
        if kind in ("text", "split"):
            text = sentence.meta["text"]
            assert sentence.forms == tuple(text[start:end] for start, end in places)
        # What is parsed is written as JSON lines, which can be parsed again.
        written = dumps([sentence.replace(arcs=(), tops=())], "jsonl")
        [again] = read_json([written], PREPARATION)
        assert isinstance(again, Graph), again
        assert again.tokens == sentence.tokens
