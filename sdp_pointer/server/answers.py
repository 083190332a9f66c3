"""What goes back: graphs as the JSON of docs/graph.schema.json, with drawings if asked for."""

from collections.abc import Sequence
from typing import Any, Optional

from ..graphs import FormatError, Graph, dumps
from ..graphs.draw import svg
from ..graphs.formats import jsonl
from ..graphs.formats.strict_json import encode
from ..parser import with_alternatives
from .questions import Question


def answer(question: Question, parsed: Sequence[list[Graph]]) -> bytes:
    """The body of the answer.

    >>> from ..graphs import Token
    >>> answer(Question([{"sentence": "Go"}]), [[Graph([Token("Go")], tops=[1])]])
    b'{"tokens":[{"form":"Go"}],"tops":[1],"arcs":[]}'
    """
    values = [_value(graphs, question) for graphs in parsed]
    shown = values[0] if question.single else {"graphs": values}
    return encode(shown, (",", ":")).encode("utf-8")


def _value(graphs: list[Graph], question: Question) -> dict[str, Any]:
    best = graphs[0] if question.n_best == 1 else with_alternatives(graphs)
    value = jsonl.to_json(best)
    value.update(_extras(graphs[0], question))
    for alternative, graph in zip(value.get("n_best", ()), graphs):
        alternative.update(_extras(graph, question))
    return value


def _extras(graph: Graph, question: Question) -> dict[str, Optional[str]]:
    make = {"svg": lambda: svg(graph, width=question.width), "sdp": lambda: as_sdp(graph)}
    return {name: make[name]() for name in question.include}


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
