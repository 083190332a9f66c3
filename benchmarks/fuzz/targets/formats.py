"""Files of graphs: what can be read can be written, read again, drawn, scored and described.

The first byte says which format is declared; what follows is the file.
"""

import io
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from sdp_pointer.graphs import Graph, dumps, loads, read
from sdp_pointer.graphs.draw import dot, html, svg, text
from sdp_pointer.graphs.formats import FORMATS
from sdp_pointer.graphs.problems import FormatError, Problem
from sdp_pointer.graphs.score import Scorer
from sdp_pointer.graphs.stats import Statistics

from .mutations import bytes_or_json

DATA = Path(__file__).parents[3] / "fixtures" / "data"
DECLARED = (None, *FORMATS)

mutate = bytes_or_json


def files() -> Iterator[tuple[str, bytes]]:
    """A few graphs of each formalism in each format, plain and compressed."""
    import gzip

    for path in sorted(DATA.glob("*.dev.sdp")):
        graphs = list(read(path))[:2]
        for name in FORMATS:
            held = map(without_frames, graphs) if name == "sdp2014" else graphs
            content = dumps(held, name).encode()
            yield name, content
            yield name, gzip.compress(content, mtime=0)


def without_frames(graph: Graph) -> Graph:
    return graph.replace(tokens=[token._replace(frame="_") for token in graph.tokens])


def seeds() -> Iterator[bytes]:
    for name, content in files():
        yield bytes([DECLARED.index(name)]) + content
        yield b"\0" + content


def run(data: bytes) -> None:
    declared = DECLARED[data[0] % len(DECLARED)] if data else None
    problems: list[Problem] = []
    graphs = list(read(io.BytesIO(data[1:]), declared, on_problem=problems.append))
    for problem in problems:
        one_line(str(problem))
    try:
        strict = list(read(io.BytesIO(data[1:]), declared))
    except FormatError:
        assert problems, "refused, but no problem was told"
    else:
        assert not problems, "a problem was told, but nothing refused"
        assert strict == graphs
    for graph in graphs[:3]:
        look_at(graph)


def one_line(message: str) -> None:
    assert message, "an empty message"
    assert message.isprintable(), (
        f"a message of several lines, or that moves the cursor: {message!r}"
    )


def look_at(graph: Graph) -> None:
    for name in FORMATS:
        try:
            written = dumps([graph], name)
        except FormatError as error:
            for problem in error.problems:
                one_line(str(problem))
            continue
        [again] = loads(written, name)
        assert (again.forms, again.arcs, again.tops) == (graph.forms, graph.arcs, graph.tops)
    for width in (None, 300):
        ElementTree.fromstring(svg(graph, width=width))
    text(graph)
    dot(graph)
    "".join(html([graph]))
    Statistics().add(graph)
    scorer = Scorer()
    scorer.add(graph, graph)
    scorer.scores()
