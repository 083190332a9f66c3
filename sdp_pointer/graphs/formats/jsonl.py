"""One JSON object a line: what the predictor writes (see docs/graph.schema.json).

    {"id": "1", "formalism": "dm", "text": "Cats purr", "tokens": [{"form": "Cats", "start": 0,
     "end": 4}, {"form": "purr", "pos": "VBP"}], "tops": [2], "arcs": [{"head": 2, "dependent": 1,
     "label": "ARG1", "probability": 0.98}]}

(there in one line). Positions are 1-based. What is not known is left out: a formalism, a lemma, pos
or frame `_`, an offset, a probability. Other keys stay in `Graph.meta` and are written back.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Optional

from ..formalisms import formalism_of_framework
from ..graph import ROOT, Graph, Token
from ..problems import Report
from . import strict_json
from .strict_json import UnexpectedError, expect, items, report_other_keys, shown

KEYS = ("id", "formalism", "text", "tokens", "tops", "top_probabilities", "arcs", "bare_predicates")
TOKEN_KEYS = (*Token._fields, "start", "end")
ARC_KEYS = ("head", "dependent", "label", "probability")

# In `Graph.meta`, these are made of token and arc keys; `conllu` is a layout for that format alone.
_NOT_KEYS = ("offsets", "probabilities", "conllu")


def parse(lines: Iterable[str], report: Report, formalism: Optional[str] = None) -> Iterator[Graph]:
    """Graphs of a file of JSON lines; a line with a fatal problem is left out."""
    return strict_json.parse(lines, report, partial(from_json, formalism=formalism))


def from_json(
    value: dict[str, Any], tolerate: Callable[[str], None], formalism: Optional[str] = None
) -> Graph:
    """The graph that an object stands for, in the given formalism or its own.

    >>> from_json({"tokens": [{"form": "Go"}], "tops": [1], "arcs": []}, print)
    Graph(Go | top Go)
    """
    if "tokens" not in value and "error" in value:
        raise UnexpectedError(f"not a graph but an error of the parser: {shown(value, 200)}")
    meta = {key: item for key, item in value.items() if key not in KEYS}
    for key in _NOT_KEYS:
        if key in meta:
            raise UnexpectedError(f'the key "{key}" is reserved; see docs/formats.md')
    tokens = [_token(item, n, tolerate) for n, item in enumerate(items(value, "tokens", dict), 1)]
    tops = items(value, "tops", int)
    arcs = []
    probabilities = {}
    for n, arc in enumerate(items(value, "arcs", dict), start=1):
        report_other_keys(arc, ARC_KEYS, f"arc {n}", tolerate)
        head, dependent = (_get(arc, key, int, f"arc {n}") for key in ("head", "dependent"))
        arcs.append((head, dependent, _get(arc, "label", str, f"arc {n}")))
        if "probability" in arc:
            probabilities[head, dependent] = _probability(arc["probability"], f"arc {n}")
    if "top_probabilities" in value:
        given = expect(value["top_probabilities"], list, '"top_probabilities"')
        if len(given) != len(tops):
            raise UnexpectedError(f"{len(given)} top_probabilities for {len(tops)} tops")
        for top, probability in zip(tops, given):
            if probability is not None:
                probabilities[ROOT, top] = _probability(probability, f"top {top}")
    if "text" in value:
        meta["text"] = expect(value["text"], str, '"text"')
    offsets = _offsets(value["tokens"], meta.get("text"))
    if offsets:
        meta["offsets"] = offsets
    if probabilities:
        meta["probabilities"] = probabilities
    if "syntax" in meta:
        meta["syntax"] = _syntax(value, len(tokens))
    graph_id = expect(value.get("id", ""), str, '"id"')
    if "formalism" in value:
        formalism = formalism or expect(value["formalism"], str, '"formalism"')
    if isinstance(meta.get("mrp"), dict) and "framework" in meta["mrp"]:
        # So it was written before graphs had a formalism.
        meta["mrp"] = dict(meta["mrp"])
        framework = expect(meta["mrp"].pop("framework"), str, 'the "framework" of "mrp"')
        formalism = formalism or formalism_of_framework(framework)
    bare = items(value, "bare_predicates", int) if "bare_predicates" in value else []
    return Graph(tokens, arcs, tops, graph_id, bare, meta, formalism)


def _get(holder: dict[str, Any], key: str, kind: type, what: str) -> Any:
    if key not in holder:
        raise UnexpectedError(f'{what} has no "{key}"')
    return expect(holder[key], kind, f'the "{key}" of {what}')


def _token(item: dict[str, Any], n: int, tolerate: Callable[[str], None]) -> Token:
    report_other_keys(item, TOKEN_KEYS, f"token {n}", tolerate)
    _get(item, "form", str, f"token {n}")
    columns = {key: _get(item, key, str, f"token {n}") for key in Token._fields if key in item}
    return Token(**columns)


def _probability(value: Any, what: str) -> float:
    if type(value) not in (int, float) or not 0 <= value <= 1:
        raise UnexpectedError(f"the probability of {what} is not a number between 0 and 1")
    return value


def _offsets(tokens: list[dict[str, Any]], text: Any) -> tuple[tuple[int, int], ...]:
    if not any("start" in token or "end" in token for token in tokens):
        return ()
    offsets: list[tuple[int, int]] = []
    for n, token in enumerate(tokens, start=1):
        if "start" not in token or "end" not in token:
            raise UnexpectedError(
                f'token {n} has no "start" or no "end"; expected both in all tokens'
            )
        start, end = (_get(token, key, int, f"token {n}") for key in ("start", "end"))
        if not 0 <= start <= end or (text is not None and end > len(text)):
            raise UnexpectedError(f"token {n} reaches from {start} to {end}, outside of the text")
        if offsets and (start, end) < offsets[-1]:
            raise UnexpectedError(
                f"token {n} reaches from {start} to {end}, before token {n - 1}; expected tokens in"
                " the order of the text"
            )
        offsets.append((start, end))
    return tuple(offsets)


def _syntax(value: dict[str, Any], length: int) -> tuple[tuple[str, str], ...]:
    rows = items(value, "syntax", list)
    if len(rows) != length or any(len(row) != 2 for row in rows):
        raise UnexpectedError(f'"syntax" is not a [head, relation] for each of the {length} tokens')
    head_and_relation = [[expect(cell, str, 'a cell of "syntax"') for cell in row] for row in rows]
    return tuple((head, relation) for head, relation in head_and_relation)


def render(graphs: Iterable[Graph]) -> Iterator[str]:
    """The lines of a file, graph by graph.

    >>> print("".join(render([Graph([Token("Go", "go")], tops=[1], id="7")])), end="")
    {"id":"7","tokens":[{"form":"Go","lemma":"go"}],"tops":[1],"arcs":[]}
    """
    return strict_json.render(graphs, to_json, (",", ":"), ".jsonl")


def to_json(graph: Graph) -> dict[str, Any]:
    """The object that stands for a graph, with whatever JSON values are in its `meta`."""
    meta = graph.meta
    value: dict[str, Any] = {"id": graph.id} if graph.id else {}
    if graph.formalism is not None:
        value["formalism"] = graph.formalism
    if "text" in meta:
        value["text"] = meta["text"]
    value["tokens"] = [
        {key: column for key, column in token._asdict().items() if key == "form" or column != "_"}
        for token in graph.tokens
    ]
    if "offsets" in meta:
        if len(meta["offsets"]) != len(graph):
            raise ValueError(f"{len(meta['offsets'])} offsets for {len(graph)} tokens")
        for token, (start, end) in zip(value["tokens"], meta["offsets"]):
            token.update(start=start, end=end)
    probabilities = meta.get("probabilities", {})
    value["tops"] = list(graph.tops)
    if any((ROOT, top) in probabilities for top in graph.tops):
        value["top_probabilities"] = [probabilities.get((ROOT, top)) for top in graph.tops]
    value["arcs"] = [arc._asdict() for arc in graph.arcs]
    for arc in value["arcs"]:
        if (arc["head"], arc["dependent"]) in probabilities:
            arc["probability"] = probabilities[arc["head"], arc["dependent"]]
    if graph.bare_predicates:
        value["bare_predicates"] = list(graph.bare_predicates)
    for key, item in meta.items():
        if not isinstance(key, str):
            raise TypeError(f"{key!r} in the graph's meta is not a string")
        if key not in KEYS and key not in _NOT_KEYS:
            value[key] = [list(row) for row in item] if key == "syntax" else item
    from_json(value, lambda message: None)  # raises what reading this line would report
    return value
