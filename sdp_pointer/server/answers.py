"""What goes back: graphs as the JSON of docs/graph.schema.json, with drawings if asked for."""

from collections.abc import Callable, Iterable
from typing import Any, Optional

from ..graphs import FormatError, Graph, dumps
from ..graphs.draw import svg
from ..graphs.formats import jsonl
from ..graphs.formats.strict_json import encode
from ..parser import with_alternatives
from ..steps import Steps
from .questions import Question


def answer(question: Question, parsed: Iterable[list[Graph]]) -> Steps[bytes]:
    """The body of the answer, drawing by drawing.

    >>> from ..graphs import Token
    >>> from ..steps import completed
    >>> completed(answer(Question([{"sentence": "Go"}]), [[Graph([Token("Go")], tops=[1])]]))
    b'{"tokens":[{"form":"Go"}],"tops":[1],"arcs":[]}'
    """
    values = []
    for graphs in parsed:
        value = yield from _value(graphs, question)
        values.append(encode(value, (",", ":")))
        yield
    shown = values[0] if question.single else f'{{"graphs":[{",".join(values)}]}}'
    return shown.encode("utf-8")


def _value(graphs: list[Graph], question: Question) -> Steps[dict[str, Any]]:
    best = graphs[0] if question.n_best == 1 else with_alternatives(graphs)
    value = jsonl.to_json(best)
    for graph, alternative in zip(graphs, value.get("n_best", [value])):
        for name in question.include:
            yield
            alternative[name] = _MAKE[name](graph, question)
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


_MAKE: dict[str, Callable[[Graph, Question], Optional[str]]] = {
    "svg": lambda graph, question: svg(graph, width=question.width),
    "sdp": lambda graph, question: as_sdp(graph),
}
