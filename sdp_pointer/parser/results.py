"""What becomes of a sentence."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Optional, Union

from ..graphs import Graph
from ..graphs.formats import jsonl


class Refusal(NamedTuple):
    """Why a sentence cannot be parsed, and where it stands: its line is 0 if it has none."""

    line: int
    error: str
    id: str = ""

    def message(self, file: str) -> str:
        """
        >>> Refusal(3, "not JSON").message("cats.jsonl")
        'cats.jsonl:3: not JSON'
        >>> Refusal(0, "sentence 2: too long").message("-")
        '-: sentence 2: too long'
        """
        return f"{file}:{self.line}: {self.error}" if self.line else f"{file}: {self.error}"

    def to_json(self) -> dict[str, Any]:
        """
        >>> Refusal(3, "not JSON").to_json()
        {'error': 'not JSON', 'line': 3}
        """
        value = {"id": self.id, "error": self.error, "line": self.line}
        return {key: item for key, item in value.items() if item or key == "error"}


# A sentence on its way to the parser: ready to be parsed, or not to be parsed at all.
Prepared = Union[Graph, Refusal]


class Result(NamedTuple):
    """The best graphs of a sentence, best first; or none, and why."""

    graphs: Sequence[Graph]
    refusal: Optional[Refusal] = None

    def to_json(self, n_best: bool = False) -> dict[str, Any]:
        """What JSON lines have of it: a graph, perhaps with its alternatives, or an error.

        >>> Result([], Refusal(3, "not JSON")).to_json()
        {'error': 'not JSON', 'line': 3}
        """
        if self.refusal is not None:
            return self.refusal.to_json()
        return jsonl.to_json(with_alternatives(self.graphs) if n_best else self.graphs[0])


def with_alternatives(graphs: Sequence[Graph]) -> Graph:
    """The best graph with all of them in its `meta`, for files that hold one graph a sentence."""
    keys = ("score", "tops", "top_probabilities", "arcs")
    values = [jsonl.to_json(graph) for graph in graphs]
    n_best = [{key: value[key] for key in keys if key in value} for value in values]
    return graphs[0].replace(meta={**graphs[0].meta, "n_best": n_best})
