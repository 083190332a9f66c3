"""What goes back: graphs as the JSON of docs/graph.schema.json, with drawings if asked for."""

from collections.abc import Callable, Iterable
from typing import Any, Optional

from ..errors import UserError
from ..graphs import FormatError, Graph, dumps
from ..graphs.draw import svg_parts
from ..graphs.formats import jsonl
from ..graphs.formats.strict_json import encode
from ..parser import with_alternatives
from ..parser.text import has_several_sentences
from ..steps import Steps
from .limits import Limits
from .questions import Question

HINT = 'there are several sentences in this text: "split": true parses each'


def answer(question: Question, parsed: Iterable[list[Graph]], limits: Limits) -> Steps[bytes]:
    """The body of the answer, row of a drawing by row.

    >>> from ..graphs import Token
    >>> from ..steps import completed
    >>> parsed = [[Graph([Token("Go")], tops=[1])]]
    >>> completed(answer(Question([{"sentence": "Go"}]), parsed, Limits()))
    b'{"tokens":[{"form":"Go"}],"tops":[1],"arcs":[]}'
    """
    values = []
    room = Room(limits)
    for graphs in parsed:
        value = yield from _value(graphs, question, room)
        values.append(encode(value, (",", ":")))
        yield
    shown = values[0] if question.single else f'{{"graphs":[{",".join(values)}]}}'
    return shown.encode("utf-8")


class Room:
    """What an answer may still hold of drawings and files.

    >>> Room(Limits(answer=2)).take("svg")
    Traceback (most recent call last):
    sdp_pointer.errors.UserError: the answer is too long: at most 2 characters of drawings and \
files; ask for fewer sentences or graphs, or for a larger width
    """

    def __init__(self, limits: Limits) -> None:
        self.most = self.left = limits.answer

    def take(self, text: str) -> None:
        self.left -= len(text)
        if self.left < 0:
            raise UserError(
                f"the answer is too long: at most {self.most:,} characters of drawings and files;"
                " ask for fewer sentences or graphs, or for a larger width"
            )


def _value(graphs: list[Graph], question: Question, room: Room) -> Steps[dict[str, Any]]:
    best = graphs[0] if question.n_best == 1 else with_alternatives(graphs)
    value = jsonl.to_json(best)
    if not question.split and "text" in value and has_several_sentences(best):
        value["hint"] = HINT
    for graph, alternative in zip(graphs, value.get("n_best", [value])):
        for name in question.include:
            yield
            alternative[name] = yield from _MAKE[name](graph, question, room)
    if "n_best" in value:
        value.update((name, value["n_best"][0][name]) for name in question.include)
    return value


def as_sdp(graph: Graph) -> Optional[str]:
    """The graph as an `.sdp` file, or nothing if its words have no place there.

    >>> from ..graphs import Token
    >>> as_sdp(Graph([Token("two\\tcells")])) is None
    True
    """
    try:
        return dumps([graph], "sdp")
    except FormatError:
        return None


def _svg(graph: Graph, question: Question, room: Room) -> Steps[str]:
    parts = []
    for part in svg_parts(graph, width=question.width):
        room.take(part)
        parts.append(part)
        yield
    return "".join(parts)


def _sdp(graph: Graph, question: Question, room: Room) -> Steps[Optional[str]]:
    yield
    text = as_sdp(graph)
    room.take(text or "")
    return text


_MAKE: dict[str, Callable[[Graph, Question, Room], Steps[Optional[str]]]] = {
    "svg": _svg,
    "sdp": _sdp,
}
