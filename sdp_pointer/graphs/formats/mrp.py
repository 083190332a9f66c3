"""The MRP files of CoNLL 2019 and 2020, one JSON object a line: graphs of flavor 0 (dm, psd).

    {"id": "1", "flavor": 0, "framework": "dm", "version": 1.0, "time": "2019-06-23",
     "input": "Cats purr!", "tops": [1], "nodes": [{"id": 0, "label": "cat", "properties": ["pos"],
     "values": ["NNS"], "anchors": [{"from": 0, "to": 4}]}, {"id": 1, "label": "purr", "anchors":
     [{"from": 5, "to": 9}]}], "edges": [{"source": 1, "target": 0, "label": "ARG1"}]}

(there in one line). Words outside the graph, the `!` here, are no nodes: the reader finds them in
the input. Where it would not find the same again, the writer adds two keys that other tools pass
over: `singletons`, made like `nodes`, and `bare_predicates`.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple, Optional, TypeVar

from ..formalisms import formalism_of_framework, framework_of
from ..graph import Graph, GraphError, Token
from ..problems import FormatError, Problem, Report, warn
from . import sdp, strict_json
from .strict_json import UnexpectedError, expect, items, report_other_keys

T = TypeVar("T")

# Their nodes are not words.
OTHER_FRAMEWORKS = ("eds", "ptg", "ucca", "amr", "drg")

# What graphs are called whose formalism nobody knows.
FRAMEWORK = "dm"
VERSION = 1.0

_GRAPH = (
    *("id", "flavor", "framework", "input", "tops", "nodes", "edges"),
    *("singletons", "bare_predicates"),
)
_NODE = ("id", "label", "properties", "values", "anchors", "form")
_EDGE = ("id", "source", "target", "label")


class _Word(NamedTuple):
    start: int
    end: int
    token: Token
    node: Optional[int] = None


def parse(lines: Iterable[str], report: Report, formalism: Optional[str] = None) -> Iterator[Graph]:
    """Graphs of an `.mrp` file; a line with a fatal problem is left out."""
    return strict_json.parse(lines, report, partial(from_json, formalism=formalism))


def from_json(
    value: dict[str, Any], tolerate: Callable[[str], None], formalism: Optional[str] = None
) -> Graph:
    """The graph that an object stands for, in the given formalism or its own."""
    flavor = expect(value.get("flavor", 0), int, '"flavor"')
    framework = expect(value.get("framework"), str, '"framework"')
    if flavor != 0 or framework in OTHER_FRAMEWORKS:
        raise UnexpectedError(
            f"a graph of flavor {flavor} and framework {framework!r}; expected flavor 0 and a"
            " framework such as dm: only there, the nodes are words"
        )
    if "input" not in value or "id" not in value:
        raise UnexpectedError('there is no "input" or no "id"; expected both')
    text = expect(value["input"], str, '"input"')
    inside, outside = _list(value, "nodes", dict), _list(value, "singletons", dict)
    nodes = inside + outside
    words = _with_gaps_filled([_word(node, text, tolerate) for node in nodes], text)
    position = {word.node: n for n, word in enumerate(words, start=1) if word.node is not None}
    if len(position) < len(nodes):
        raise UnexpectedError("two nodes have the same id")

    def find(node: Any, what: str) -> int:
        if expect(node, int, what) not in position:
            raise UnexpectedError(f"{what} is {node}, which is no node")
        return position[node]

    arcs = []
    edges = _list(value, "edges", dict)
    for n, edge in enumerate(edges, start=1):
        report_other_keys(edge, _EDGE, f"edge {n}", tolerate)
        ends = ("source", "target")
        head, dependent = (find(edge.get(end), f"the {end} of edge {n}") for end in ends)
        arcs.append((head, dependent, expect(edge.get("label"), str, f"the label of edge {n}")))
    tops = [find(node, "a top") for node in _list(value, "tops", int)]
    bare = [find(node, "a bare predicate") for node in _list(value, "bare_predicates", int)]
    meta = {
        "text": text,
        "offsets": tuple((word.start, word.end) for word in words),
        "mrp": {key: item for key, item in value.items() if key not in _GRAPH},
    }
    graph_id = expect(value["id"], str, '"id"')
    formalism = formalism or formalism_of_framework(framework)
    graph = Graph([word.token for word in words], arcs, tops, graph_id, bare, meta, formalism)
    linked = {node for edge in edges for node in (edge["source"], edge["target"])}
    linked.update(_list(value, "tops", int))
    expected = linked.union(_list(value, "bare_predicates", int))
    for number in [node["id"] for node in inside if node["id"] not in expected]:
        tolerate(f"node {number} has no edge and is no top; expected words of the graph")
    for number in [node["id"] for node in outside if node["id"] in linked]:
        tolerate(f"node {number} is in the graph; expected other words as singletons")
    return graph


def _list(value: dict[str, Any], key: str, kind: type[T]) -> list[T]:
    # The official files leave an empty list out, or have null in its place.
    return [] if value.get(key) is None else items(value, key, kind)


def _word(node: dict[str, Any], text: str, tolerate: Callable[[str], None]) -> _Word:
    number = expect(node.get("id"), int, "the id of a node")
    what = f"node {number}"
    report_other_keys(node, _NODE, what, tolerate)
    anchors = _list(node, "anchors", dict)
    if len(anchors) != 1 or anchors[0].keys() != {"from", "to"}:
        raise UnexpectedError(
            f'{what} has {len(anchors)} anchors; expected one with "from" and "to"'
        )
    start, end = (expect(anchors[0][key], int, f"an anchor of {what}") for key in ("from", "to"))
    if not 0 <= start < end <= len(text):
        raise UnexpectedError(f"{what} is anchored from {start} to {end}, outside of the input")
    names, values = _list(node, "properties", str), _list(node, "values", str)
    if len(names) != len(values) or len(set(names)) < len(names):
        raise UnexpectedError(f"{what} does not have one value for each property")
    properties = dict(zip(names, values))
    report_other_keys(properties, ("pos", "frame"), what, tolerate)
    form = expect(node.get("form", text[start:end]), str, f"the form of {what}")
    label = "_" if node.get("label") is None else expect(node["label"], str, f"the label of {what}")
    token = Token(form, label, properties.get("pos", "_"), properties.get("frame", "_"))
    return _Word(start, end, token, number)


def _with_gaps_filled(words: list[_Word], text: str) -> list[_Word]:
    """All words of the input in their order: those given, and what stands between them.

    In official files a node's id is the number of words before it, which tells how many to find.
    """
    words = sorted(words)
    ids = [word.node for word in words if word.node is not None]
    ids_count = all(before < after for before, after in zip([-1, *ids], ids))
    filled: list[_Word] = []
    end = before = 0
    for word in words:
        if word.start < end:
            raise UnexpectedError(f"the anchors of two nodes overlap at {word.start}")
        missing = word.node - before if ids_count and word.node is not None else None
        filled += _words_between(text, end, word.start, missing)
        filled.append(word)
        end, before = word.end, (word.node or 0) + 1
    return filled + _words_between(text, end, len(text), None)


def _words_between(text: str, start: int, end: int, missing: Optional[int]) -> list[_Word]:
    """Words of a stretch of text: what white space separates, or punctuation if too few are so.

    >>> [word.token.form for word in _words_between("(for U.S. ears)", 0, 15, None)]
    ['(for', 'U.S.', 'ears)']
    >>> [word.token.form for word in _words_between("(for", 0, 4, missing=2)]
    ['(', 'for']
    """
    import re

    spans = [match.span() for match in re.compile(r"\S+").finditer(text, start, end)]
    if missing is not None and len(spans) < missing:
        finer = [match.span() for match in re.compile(r"\w+|[^\w\s]").finditer(text, start, end)]
        spans = finer if len(finer) == missing else spans
    return [_Word(start, end, Token(text[start:end])) for start, end in spans]


def render(graphs: Iterable[Graph]) -> Iterator[str]:
    """The lines of an `.mrp` file, graph by graph.

    Graphs without an id are numbered as in `.sdp` files, since the official tool, mtool, needs an
    id. It also needs a date: today's, or that of the variable `SOURCE_DATE_EPOCH`; and a framework:
    graphs without a formalism are written as dm, with a `FormatWarning`.

    >>> go = Graph([Token("Go"), Token("!")], tops=[1], formalism="psd")
    >>> print("".join(render([go])), end="")  # doctest: +NORMALIZE_WHITESPACE, +ELLIPSIS
    {"id": "20000001", "flavor": 0, "framework": "psd", "version": 1.0, "time": "20...",
     "input": "Go !", "tops": [0], "nodes": [{"id": 0, "anchors": [{"from": 0, "to": 2}]}],
     "edges": []}
    """
    return strict_json.render(
        _with_ids(graphs), partial(to_json, date=today()), (", ", ": "), ".mrp"
    )


def _with_ids(graphs: Iterable[Graph]) -> Iterator[Graph]:
    """Graphs with an id; a warning is given once a file if one has no formalism."""
    has_warned = False
    for index, graph in enumerate(graphs, start=1):
        named = graph if graph.id else graph.replace(id=sdp.numbered(index))
        if not has_warned and not _has_framework(named):
            has_warned = True
            what = f"its formalism is not known; it is written as MRP framework {FRAMEWORK!r}"
            how = "give another with convert --formalism, or read(..., formalism=...)"
            warn(Problem(f"graph {named.id}", 0, f"{what}; {how}"))
        yield named


def _has_framework(graph: Graph) -> bool:
    kept = graph.meta.get("mrp")
    return graph.formalism is not None or (isinstance(kept, dict) and "framework" in kept)


def today() -> str:
    """The date in UTC, or that of `SOURCE_DATE_EPOCH`, which makes files reproducible.

    See https://reproducible-builds.org/specs/source-date-epoch/
    """
    import time

    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        return time.strftime("%Y-%m-%d", time.gmtime(None if epoch is None else int(epoch)))
    except (ValueError, OverflowError, OSError):
        message = f"SOURCE_DATE_EPOCH is {epoch!r}; expected seconds since 1970"
        raise FormatError([Problem("the environment", 0, message)]) from None


def to_json(graph: Graph, date: str) -> dict[str, Any]:
    """The first way of writing the graph that is read as the same graph."""
    given = expect(graph.meta.get("mrp", {}), dict, 'meta["mrp"]')
    kept = {"version": VERSION, "time": date} | given
    framework = expect(kept.pop("framework", FRAMEWORK), str, 'the "framework" in meta["mrp"]')
    if graph.formalism is None:
        graph = graph.replace(formalism=formalism_of_framework(framework))
    else:
        framework = framework_of(graph.formalism)
    start = {"id": graph.id, "flavor": 0, "framework": framework}
    if kept.keys() & set(_GRAPH):
        raise UnexpectedError(f'meta["mrp"] has keys of the graph itself: {", ".join(kept)}')
    problem: object = "its words are not found again in the input"
    for text, spans in _anchorings(graph):
        for singletons in (False, True):
            value = {**start, **kept, **_graph_json(graph, text, spans, singletons)}
            try:
                if from_json(value, lambda message: None) == graph:
                    return value
            except (UnexpectedError, GraphError) as error:
                problem = error
    raise UnexpectedError(problem)


def _anchorings(graph: Graph) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Inputs with the place of each word: the raw text if there is one, then forms and blanks."""
    text = graph.meta.get("text")
    offsets = graph.meta.get("offsets", ())
    if isinstance(text, str):
        if len(offsets) == len(graph):
            yield text, list(offsets)
        yield text, _spans(graph.forms, text)
    text = " ".join(graph.forms)
    yield text, _spans(graph.forms, text)


def _spans(forms: Iterable[str], text: str) -> list[tuple[int, int]]:
    spans = []
    end = 0
    for form in forms:
        start = text.find(form, end)
        end = start + len(form)
        spans.append((start, end))
    return spans


def _graph_json(
    graph: Graph, text: str, spans: list[tuple[int, int]], singletons: bool
) -> dict[str, Any]:
    nodes: list[dict[str, Any]] = []
    outside: list[dict[str, Any]] = []
    isolated = graph.singletons
    for n, (token, (start, end)) in enumerate(zip(graph.tokens, spans), start=1):
        node: dict[str, Any] = {"id": n - 1}
        if token.lemma != "_":
            node["label"] = token.lemma
        properties = {"pos": token.pos, "frame": token.frame}
        names = [name for name, value in properties.items() if value != "_"]
        if names:
            node |= {"properties": names, "values": [properties[name] for name in names]}
        node["anchors"] = [{"from": start, "to": end}]
        if token.form != text[start:end]:
            node["form"] = token.form
        (outside if n in isolated else nodes).append(node)
    parts: dict[str, Any] = {"input": text, "tops": [top - 1 for top in graph.tops], "nodes": nodes}
    parts["edges"] = [
        {"source": head - 1, "target": dependent - 1, "label": label}
        for head, dependent, label in graph.arcs
    ]
    if singletons and outside:
        parts["singletons"] = outside
    if singletons and graph.bare_predicates:
        parts["bare_predicates"] = [word - 1 for word in graph.bare_predicates]
    return parts
