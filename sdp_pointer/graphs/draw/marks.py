"""What is to be drawn: the arcs and tops of a graph, each marked by how it compares with gold."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Optional

from ..graph import ROOT, Graph
from ..labels import label_of
from .characters import isolated, visible
from .layout import Span

BOTH = "both"
MISSING = "missing"
SURPLUS = "surplus"
RELABELLED = "relabelled"

LEGEND = {
    BOTH: "in both",
    MISSING: "missing (only in gold)",
    SURPLUS: "surplus (not in gold)",
    RELABELLED: "a (gold: b): label a instead of b",
}


class MarkedArc(NamedTuple):
    """An arc with its status; a wrong label is shown together with the right one."""

    head: int
    dependent: int
    label: str
    status: str


class MarkedTop(NamedTuple):
    """A top with its status."""

    word: int
    status: str


class Marks(NamedTuple):
    """Everything that is drawn above the words, and the words that nothing is drawn above."""

    arcs: tuple[MarkedArc, ...]
    tops: tuple[MarkedTop, ...]
    singletons: frozenset[int]
    statuses: tuple[str, ...]
    """What the legend has to explain; empty if there is no gold graph."""


def compare(graph: Graph, gold: Optional[Graph] = None) -> Marks:
    """Mark what gold has too, what only gold has, and what only the graph has.

    >>> from ..graph import Token
    >>> words = [Token("Cats"), Token("like"), Token("fish")]
    >>> graph = Graph(words, [(2, 1, "ARG1"), (2, 3, "ARG3")], tops=[2])
    >>> gold = Graph(words, [(2, 3, "ARG2"), (3, 1, "ARG1")], tops=[2])
    >>> for arc in compare(graph, gold).arcs:
    ...     print(*arc)
    2 1 ARG1 surplus
    3 1 ARG1 missing
    2 3 ARG3 (gold: ARG2) relabelled
    """
    if gold is None:
        arcs = tuple(MarkedArc(*arc, BOTH) for arc in graph.arcs)
        tops = tuple(MarkedTop(top, BOTH) for top in graph.tops)
        return Marks(arcs, tops, graph.singletons, ())
    if len(gold) != len(graph):
        name = f" {graph.id!r}" if graph.id else ""
        raise ValueError(
            f"graph{name} has {len(graph)} words and its gold graph has {len(gold)}: "
            "only graphs over the same words can be compared"
        )
    system_labels = {arc[:2]: arc.label for arc in graph.arcs}
    gold_labels = {arc[:2]: arc.label for arc in gold.arcs}
    # In the order in which a graph keeps its arcs: by dependent, then head.
    pairs = sorted(system_labels.keys() | gold_labels.keys(), key=lambda pair: pair[::-1])
    arcs = tuple(_marked(*pair, system_labels.get(pair), gold_labels.get(pair)) for pair in pairs)
    words = sorted(set(graph.tops) | set(gold.tops))
    tops = tuple(MarkedTop(word, _status(word in graph.tops, word in gold.tops)) for word in words)
    used = {arc.status for arc in arcs}.union(top.status for top in tops)
    statuses = tuple(status for status in LEGEND if status in used)
    return Marks(arcs, tops, graph.singletons & gold.singletons, statuses)


def _status(in_graph: bool, in_gold: bool) -> str:
    if in_graph and in_gold:
        return BOTH
    return SURPLUS if in_graph else MISSING


def _marked(head: int, dependent: int, label: Optional[str], gold: Optional[str]) -> MarkedArc:
    if label is not None and gold is not None and label != gold:
        return MarkedArc(head, dependent, f"{label} (gold: {gold})", RELABELLED)
    status = _status(label is not None, gold is not None)
    return MarkedArc(head, dependent, label or gold or "", status)


def spans(
    marks: Marks, places: Sequence[int], label_width: Callable[[str], int]
) -> tuple[list[Span], list[Span]]:
    """Arcs and tops as the layout wants them, with the words at the given places."""
    arcs = []
    for arc in marks.arcs:
        left, right = sorted((places[arc.head - 1], places[arc.dependent - 1]))
        arcs.append(Span(left, right, label_width(arc.label)))
    tops = [places[top.word - 1] for top in marks.tops]
    return arcs, [Span(place, place, label_width("top")) for place in tops]


def describe(arc: MarkedArc, graph: Graph) -> str:
    """An arc in words, for a tooltip, and what its label means if the formalism has a table.

    The probability is told where the parser left one: `meta["probabilities"]` maps (head,
    dependent) to a number.

    >>> from ..graph import Token
    >>> graph = Graph([Token("Cats"), Token("purr")], [(2, 1, "ARG1")],
    ...               meta={"probabilities": {(2, 1): 0.98765}})
    >>> describe(MarkedArc(2, 1, "ARG1", BOTH), graph)
    'purr -ARG1-> Cats (0.988)'
    >>> describe(MarkedArc(1, 2, "ARG1", MISSING), graph)
    'Cats -ARG1-> purr, missing (only in gold)'
    >>> print(describe(MarkedArc(2, 1, "ARG1", BOTH), graph.replace(formalism="dm")))
    purr -ARG1-> Cats (0.988)
    ARG1: The dependent is the head's first argument: who acts, or what has the property.
    """
    head, dependent = (
        isolated(visible(graph.tokens[word - 1].form)) for word in (arc.head, arc.dependent)
    )
    text = f"{head} -{isolated(visible(arc.label))}-> {dependent}"
    text += _probability(arc.head, arc.dependent, graph) + _note(arc.status)
    label = label_of(graph.formalism, arc.label)
    return f"{text}\n{arc.label}: {label.meaning}" if label else text


def describe_top(top: MarkedTop, graph: Graph) -> str:
    """A top in words, likewise.

    >>> from ..graph import Token
    >>> graph = Graph([Token("Go")], tops=[1], meta={"probabilities": {(0, 1): 0.98765}})
    >>> describe_top(MarkedTop(1, BOTH), graph)
    'top Go (0.988)'
    """
    word = isolated(visible(graph.tokens[top.word - 1].form))
    return f"top {word}{_probability(ROOT, top.word, graph)}{_note(top.status)}"


def _note(status: str) -> str:
    # A wrong label tells by itself what is wrong.
    return f", {LEGEND[status]}" if status in (MISSING, SURPLUS) else ""


def _probability(head: int, dependent: int, graph: Graph) -> str:
    # Meta may come from any file, so anything may stand there.
    probabilities = graph.meta.get("probabilities")
    value = probabilities.get((head, dependent)) if isinstance(probabilities, Mapping) else None
    return f" ({value:.3f})" if isinstance(value, (int, float)) and 0 <= value <= 1 else ""
