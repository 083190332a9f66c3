"""Graphs as the values of other libraries, which are imported when they are asked for."""

from collections.abc import Iterable, Iterator
from typing import Any

from .graph import ROOT, Graph

ROWS = ("arcs", "words")


def to_pandas(graphs: Iterable[Graph], rows: str = "arcs") -> Any:
    """A pandas `DataFrame` of graphs, with a row for each arc or for each word.

    # Parameters

    graphs : `Iterable[Graph]`
    rows : `str`, optional (default = `"arcs"`)
        With `"arcs"`, the head and the dependent have columns for position, form, lemma, pos and
        frame, and the arc has its label and its probability, NaN if it is not known. A top is an
        arc from position 0, without a label. With `"words"`, each has `start` and `end`, if known,
        and the truth of `top` and `predicate`.

    >>> from . import Token
    >>> graph = Graph([Token("Kim"), Token("sleeps")], [(2, 1, "ARG1")], tops=[2], id="7")
    >>> print(to_pandas([graph])[["id", "head_form", "label", "dependent_form"]].to_string())
      id head_form label dependent_form
    0  7      ROOT               sleeps
    1  7    sleeps  ARG1            Kim
    """
    if rows not in ROWS:
        raise ValueError(f"rows are {' or '.join(map(repr, ROWS))}, not {rows!r}")
    try:
        import pandas
    except ModuleNotFoundError as error:
        raise _missing("pandas", "to_pandas") from error
    list_rows, columns = (
        (_arc_rows, _ARC_COLUMNS) if rows == "arcs" else (_word_rows, _WORD_COLUMNS)
    )
    table = (row for graph in graphs for row in list_rows(graph))
    return pandas.DataFrame(table, columns=columns)


_COLUMNS = ("form", "lemma", "pos", "frame")
_ARC_COLUMNS = [
    *("id", "head", *(f"head_{column}" for column in _COLUMNS), "label"),
    *("dependent", *(f"dependent_{column}" for column in _COLUMNS), "probability"),
]
_WORD_COLUMNS = ["id", "position", *_COLUMNS, "start", "end", "top", "predicate"]
_ROOT_COLUMNS = ("ROOT", "_", "_", "_")


def _arc_rows(graph: Graph) -> Iterator[tuple[Any, ...]]:
    probabilities = graph.meta.get("probabilities", {})
    tops = [(ROOT, top, "") for top in graph.tops]
    for head, dependent, label in [*tops, *graph.arcs]:
        columns = graph.tokens[head - 1] if head else _ROOT_COLUMNS
        probability = probabilities.get((head, dependent))
        arguments = (dependent, *graph.tokens[dependent - 1])
        yield (graph.id, head, *columns, label, *arguments, probability)


def _word_rows(graph: Graph) -> Iterator[tuple[Any, ...]]:
    predicates = graph.predicates
    for word in graph.words:
        position = word.position
        yield (graph.id, *word, position in graph.tops, position in predicates)


def to_networkx(graph: Graph) -> Any:
    """A networkx `DiGraph`: nodes are positions, the rest are attributes.

    >>> from . import Token
    >>> graph = Graph([Token("Kim"), Token("sleeps")], [(2, 1, "ARG1")], tops=[2], id="7")
    >>> network = to_networkx(graph)
    >>> network.edges[2, 1], network.nodes[2]["form"], network.nodes[2]["top"]
    ({'label': 'ARG1'}, 'sleeps', True)
    """
    try:
        import networkx
    except ModuleNotFoundError as error:
        raise _missing("networkx", "to_networkx") from error
    network = networkx.DiGraph(id=graph.id, formalism=graph.formalism)
    if "text" in graph.meta:
        network.graph["text"] = graph.meta["text"]
    for word in graph.words:
        known = {name: value for name, value in word._asdict().items() if value is not None}
        network.add_node(known.pop("position"), **known, top=word.position in graph.tops)
    probabilities = graph.meta.get("probabilities", {})
    for head, dependent, label in graph.arcs:
        network.add_edge(head, dependent, label=label)
        if (head, dependent) in probabilities:
            network.edges[head, dependent]["probability"] = probabilities[head, dependent]
    return network


def to_displacy(graph: Graph) -> dict[str, Any]:
    """What displaCy of spaCy draws as a manual dependency parse.

    It has no place for tops and for arcs from a word to itself, which are left out.

    >>> from . import Token
    >>> to_displacy(Graph([Token("Kim"), Token("sleeps", pos="VBZ")], [(2, 1, "ARG1")]))["arcs"]
    [{'start': 0, 'end': 1, 'label': 'ARG1', 'dir': 'left'}]
    """
    words = [
        {"text": token.form, "tag": "" if token.pos == "_" else token.pos} for token in graph.tokens
    ]
    arcs = [
        {
            "start": min(head, dependent) - 1,
            "end": max(head, dependent) - 1,
            "label": label,
            "dir": "left" if dependent < head else "right",
        }
        for head, dependent, label in graph.arcs
        if head != dependent
    ]
    return {"words": words, "arcs": arcs, "settings": {}}


def _missing(library: str, method: str) -> ModuleNotFoundError:
    return ModuleNotFoundError(
        f"{method} needs {library}, which is not installed: pip install {library}", name=library
    )
