"""Counts what gold and system graphs have in common, one pair of graphs at a time."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from typing import Optional, TypeVar

from ..formalisms import FORMALISMS
from ..graph import Graph
from .counts import Counts, Matches, Totals
from .scores import Scores, scores

PUNCTUATION = frozenset(".,:()")

Item = TypeVar("Item")
Table = defaultdict[Item, list[int]]


class Scorer:
    """Adds up counts over pairs of graphs; keeps no graph, so a corpus may be of any size.

    # Parameters

    representation : `str`, optional
        One of `graphs.FORMALISMS`, whose core arguments make up predications and frames. By default
        all arcs count as core, as in the official tool, whatever the graphs' own formalism is.
    exclude_punctuation : `bool`, optional (default = `False`)
        Leave out arcs and tops that touch a word tagged as punctuation in their own file.
    undirected : `bool`, optional (default = `False`)
        Do not tell heads from dependents.

    >>> from sdp_pointer.graphs import Token
    >>> gold = Graph([Token("Go", pos="VB"), Token("!", pos=".")], [(1, 2, "x")], tops=[1])
    >>> scorer = Scorer(undirected=True)
    >>> scorer.add(gold, gold.replace(arcs=[(2, 1, "x")]))
    >>> scorer.scores().with_top.LF
    1.0
    """

    def __init__(
        self,
        representation: Optional[str] = None,
        exclude_punctuation: bool = False,
        undirected: bool = False,
    ) -> None:
        name = representation and representation.lower()
        if name is not None and name not in FORMALISMS:
            raise ValueError(
                f"representation {representation!r} is none of {', '.join(FORMALISMS)}"
            )
        self.representation = name
        self.exclude_punctuation = exclude_punctuation
        self.undirected = undirected
        self.reset()

    def reset(self) -> None:
        self._totals = Totals()
        self._labels: Table[str] = defaultdict(_zeros)
        self._lengths: Table[int] = defaultdict(_zeros)
        self._top_positions: Table[int] = defaultdict(_zeros)

    def add(self, gold: Graph, system: Graph) -> None:
        gold_arcs, gold_tops = self._edges(gold)
        system_arcs, system_tops = self._edges(system)
        arcs = _split(gold_arcs, system_arcs)
        common, missed, spurious = ({arc[:2] for arc in part} for part in arcs)
        pairs = _split(common | missed, common | spurious)
        tops = _split(gold_tops, system_tops)
        same_arcs = not arcs[1] and not arcs[2]
        same_pairs = not pairs[1] and not pairs[2]
        same_tops = not tops[1] and not tops[2]
        edges = map(len, (*arcs, *pairs, *tops))
        exact = (same_arcs, same_arcs and same_tops, same_pairs, same_pairs and same_tops)
        self._totals += Totals._make((1, *edges, *exact, *self._predications(gold, system)))
        labels, lengths, top_positions = self._labels, self._lengths, self._top_positions
        for column, part in enumerate(arcs):
            for head, dependent, label in part:
                labels[label][column] += 1
                lengths[abs(head - dependent)][column] += 1
        for column, words in enumerate(tops):
            for top in words:
                top_positions[top][column] += 1

    @property
    def counts(self) -> Counts:
        """What was added since the start or the last `reset`."""
        return Counts(
            self._totals,
            _frozen(self._labels),
            _frozen(self._lengths),
            _frozen(self._top_positions),
        )

    def scores(self) -> Scores:
        return scores(self.counts)

    def alone(self, gold: Graph, system: Graph) -> Counts:
        """The counts of this one pair under the same options; nothing is added to the scorer."""
        scorer = Scorer(self.representation, self.exclude_punctuation, self.undirected)
        scorer.add(gold, system)
        return scorer.counts

    def _edges(self, graph: Graph) -> tuple[set[tuple[int, int, str]], set[int]]:
        arcs: Iterable[tuple[int, int, str]] = graph.arcs
        tops = set(graph.tops)
        if self.exclude_punctuation:
            marks = {i for i, token in enumerate(graph.tokens, 1) if token.pos in PUNCTUATION}
            arcs = [arc for arc in arcs if arc[0] not in marks and arc[1] not in marks]
            tops -= marks
        if self.undirected:
            arcs = [(d, h, label) if d < h else (h, d, label) for h, d, label in arcs]
        return set(arcs), tops

    def _predications(self, gold: Graph, system: Graph) -> tuple[int, int, int, int]:
        """Scorable predicates of gold and system, and the predications and frames in common."""
        name = self.representation
        is_core = FORMALISMS[name].is_core if name is not None else None
        in_gold = _core_arcs(gold, is_core)
        same_input = gold.arcs == system.arcs and gold.tokens == system.tokens
        if same_input and gold.bare_predicates == system.bare_predicates:
            return (len(in_gold),) * 4
        in_system = _core_arcs(system, is_core)
        common = [word for word, core in in_gold.items() if in_system.get(word) == core]
        frames = sum(gold.tokens[w - 1].frame == system.tokens[w - 1].frame for w in common)
        return len(in_gold), len(in_system), len(common), frames


def _core_arcs(
    graph: Graph, is_core: Optional[Callable[[str], bool]]
) -> dict[int, list[tuple[int, int, str]]]:
    """The core arcs of every verb that is a predicate, in the graph's order and so comparable."""
    core_arcs: dict[int, list[tuple[int, int, str]]] = {w: [] for w in graph.bare_predicates}
    for arc in graph.arcs:
        core = core_arcs.setdefault(arc[0], [])
        if is_core is None or is_core(arc[2]):
            core.append(arc)
    tokens = graph.tokens
    return {w: core for w, core in core_arcs.items() if tokens[w - 1].pos.startswith("V")}


def _split(
    gold: set[Item], system: set[Item]
) -> tuple[Set[Item], Collection[Item], Collection[Item]]:
    """What both have, what the system misses, and what it has without need.

    >>> _split({1, 2}, {2, 3})
    ({2}, {1}, {3})
    """
    if gold == system:
        return gold, (), ()
    common = gold & system
    return common, gold - common, system - common


def _zeros() -> list[int]:
    return [0, 0, 0]


def _frozen(table: Mapping[Item, list[int]]) -> Mapping[Item, Matches]:
    return {key: Matches(*numbers) for key, numbers in table.items()}
