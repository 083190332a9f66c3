"""Statistics of a corpus, as the paper and the official analyzer define them.

ROOT is no word: tops are counted apart, and neither give a word a head nor connect it to others.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import accumulate
from math import isnan
from typing import Any

from .graph import Arc, Graph
from .problems import printable
from .score import ratio

COUNT, SHARE, NUMBER = "{:,}", "{:.2%}", "{:.4f}"

# The table's rows: name of the figure, title, format.
ROWS = (
    ("sentences", "sentences", COUNT),
    ("tokens", "tokens", COUNT),
    ("longest_sentence", "longest sentence", COUNT),
    ("arcs", "arcs", COUNT),
    ("longest_arc", "longest arc", COUNT),
    ("distinct_labels", "distinct labels", COUNT),
    ("arcs_per_token", "arcs per token", NUMBER),
    ("density", "arcs per non-singleton (density)", NUMBER),
    ("singletons", "singletons", SHARE),
    ("several_heads", "words with several heads", SHARE),
    ("reentrant", "  of non-singletons (reentrant)", SHARE),
    ("special_nodes", "headless non-tops, of non-singletons", SHARE),
    ("max_indegree", "most heads of a word", COUNT),
    ("max_outdegree", "most dependents of a word", COUNT),
    ("tops_per_graph", "tops per graph", NUMBER),
    ("topless_graphs", "topless graphs", SHARE),
    ("cyclic_graphs", "cyclic graphs", SHARE),
    ("self_loops", "self-loops", COUNT),
    ("forests", "forests", SHARE),
    ("trees", "trees", SHARE),
    ("fragmented_graphs", "fragmented graphs", SHARE),
    ("noncrossing_graphs", "noncrossing graphs", SHARE),
    ("projective_graphs", "projective graphs", SHARE),
    ("mean_transitions", "transitions per token, mean", NUMBER),
    ("max_transitions", "transitions per token, maximum", NUMBER),
    ("transitions_slope", "transitions by tokens, slope", NUMBER),
    ("transitions_intercept", "transitions by tokens, intercept", NUMBER),
)


class Statistics:
    """Adds up figures over graphs and keeps none of them.

    >>> from sdp_pointer.graphs import Token
    >>> words = [Token("Cats"), Token("like"), Token("fish"), Token(".")]
    >>> statistics = Statistics()
    >>> statistics.add(Graph(words, [(2, 1, "ARG1"), (2, 3, "ARG2")], tops=[2]))
    >>> figures = statistics.figures()
    >>> figures["singletons"], figures["trees"], figures["mean_transitions"], figures["labels"]
    (0.25, 1.0, 1.75, {'ARG1': 1, 'ARG2': 1})
    """

    def __init__(self) -> None:
        self._labels: Counter[str] = Counter()
        self._sums: Counter[str] = Counter()
        self._maxima: Counter[str] = Counter()
        self._ratios = 0.0
        self._max_ratio = 0.0

    def add(self, graph: Graph) -> None:
        arcs, singletons = graph.arcs, graph.singletons
        indegrees = Counter(arc.dependent for arc in arcs)
        outdegrees = Counter(arc.head for arc in arcs)
        max_indegree = max(indegrees.values(), default=0)
        roots = set(range(1, len(graph) + 1)).difference(indegrees, singletons)
        acyclic, noncrossing = graph.is_dag, is_noncrossing(arcs)
        forest = acyclic and max_indegree <= 1
        # n Shifts, and an Attach for each arc and each top.
        transitions = len(graph) + len(arcs) + len(graph.tops)

        self._labels.update(arc.label for arc in arcs)
        self._sums.update(
            sentences=1,
            tokens=len(graph),
            arcs=len(arcs),
            tops=len(graph.tops),
            topless=not graph.tops,
            singletons=len(singletons),
            several_heads=sum(degree > 1 for degree in indegrees.values()),
            special_nodes=len(roots.difference(graph.tops)),
            cyclic=not acyclic,
            self_loops=sum(arc.head == arc.dependent for arc in arcs),
            forests=forest,
            trees=forest and len(roots) == 1,
            fragmented=n_components(graph) != 1,
            noncrossing=noncrossing,
            projective=noncrossing and not covers_any(arcs, roots),
            transitions=transitions,
            tokens_squared=len(graph) ** 2,
            tokens_by_transitions=len(graph) * transitions,
        )
        self._maxima |= Counter(
            sentence=len(graph),
            arc=max((abs(arc.head - arc.dependent) for arc in arcs), default=0),
            indegree=max_indegree,
            outdegree=max(outdegrees.values(), default=0),
        )
        self._ratios += transitions / len(graph)
        self._max_ratio = max(self._max_ratio, transitions / len(graph))

    def figures(self) -> dict[str, Any]:
        """Every figure by its name, then the labels with their counts, the most frequent first.

        Shares, between 0 and 1, are of all words or all graphs of the corpus; 0/0 is NaN.
        """
        sums, maxima = self._sums, self._maxima
        sentences, tokens = sums["sentences"], sums["tokens"]
        inside = tokens - sums["singletons"]
        slope = ratio(
            sentences * sums["tokens_by_transitions"] - tokens * sums["transitions"],
            sentences * sums["tokens_squared"] - tokens**2,
        )
        return {
            "sentences": sentences,
            "tokens": tokens,
            "longest_sentence": maxima["sentence"],
            "arcs": sums["arcs"],
            "longest_arc": maxima["arc"],
            "distinct_labels": len(self._labels),
            "arcs_per_token": ratio(sums["arcs"], tokens),
            "density": ratio(sums["arcs"], inside),
            "singletons": ratio(sums["singletons"], tokens),
            "several_heads": ratio(sums["several_heads"], tokens),
            "reentrant": ratio(sums["several_heads"], inside),
            "special_nodes": ratio(sums["special_nodes"], inside),
            "max_indegree": maxima["indegree"],
            "max_outdegree": maxima["outdegree"],
            "tops_per_graph": ratio(sums["tops"], sentences),
            "topless_graphs": ratio(sums["topless"], sentences),
            "cyclic_graphs": ratio(sums["cyclic"], sentences),
            "self_loops": sums["self_loops"],
            "forests": ratio(sums["forests"], sentences),
            "trees": ratio(sums["trees"], sentences),
            "fragmented_graphs": ratio(sums["fragmented"], sentences),
            "noncrossing_graphs": ratio(sums["noncrossing"], sentences),
            "projective_graphs": ratio(sums["projective"], sentences),
            "mean_transitions": ratio(self._ratios, sentences),
            "max_transitions": self._max_ratio,
            "transitions_slope": slope,
            "transitions_intercept": ratio(sums["transitions"] - slope * tokens, sentences),
            "labels": dict(sorted(self._labels.items(), key=lambda item: (-item[1], item[0]))),
        }

    def as_json(self) -> dict[str, Any]:
        """The figures with None for NaN, which JSON lacks."""
        return {name: None if value != value else value for name, value in self.figures().items()}


def table(files: Mapping[str, Statistics], labels: bool = False) -> str:
    """One column a file; `labels` adds a row for each label.

    >>> print(table({"dev.sdp": Statistics(), "test.sdp": Statistics()}).splitlines()[1])
    sentences                                   0         0
    """
    columns = [statistics.figures() for statistics in files.values()]
    rows = [["", *map(printable, files)]]
    for name, title, template in ROWS:
        rows.append([title, *(_cell(template, figures[name]) for figures in columns)])
    if labels:
        total: Counter[str] = Counter()
        for figures in columns:
            total.update(figures["labels"])
        for label, _ in sorted(total.items(), key=lambda item: (-item[1], item[0])):
            counts = (COUNT.format(figures["labels"].get(label, 0)) for figures in columns)
            rows.append([f"label {printable(label)}", *counts])
    return "\n".join(_aligned(rows))


def is_noncrossing(arcs: Iterable[Arc]) -> bool:
    """Whether no arc starts strictly inside another one and ends strictly outside.

    >>> is_noncrossing([Arc(1, 3, "x"), Arc(4, 3, "x")])
    True
    >>> is_noncrossing([Arc(1, 3, "x"), Arc(4, 2, "x")])
    False
    """
    # From left to right, the wider first; the open arcs are then nested, the innermost last.
    ends: list[int] = []
    for start, minus_end in sorted((min(arc[:2]), -max(arc[:2])) for arc in arcs):
        while ends and ends[-1] <= start:
            ends.pop()
        if ends and ends[-1] < -minus_end:
            return False
        ends.append(-minus_end)
    return True


def covers_any(arcs: Iterable[Arc], words: Collection[int]) -> bool:
    """Whether one of the words lies strictly between the two ends of an arc.

    >>> covers_any([Arc(3, 1, "x")], {2}), covers_any([Arc(3, 1, "x")], {1, 3})
    (True, False)
    >>> covers_any([Arc(2, 2, "x")], {2})
    False
    """
    changes: Counter[int] = Counter()
    for head, dependent, _ in arcs:
        if head != dependent:
            changes[min(head, dependent) + 1] += 1
            changes[max(head, dependent)] -= 1
    covering = accumulate(changes[word] for word in range(1, max(words, default=0) + 1))
    return any(arcs and word in words for word, arcs in enumerate(covering, start=1))


def n_components(graph: Graph) -> int:
    """The number of weakly connected components, not counting singletons.

    >>> from sdp_pointer.graphs import Token
    >>> n_components(Graph([Token("a")] * 5, [(1, 3, "x")], tops=[4]))
    2
    """
    parents = list(range(len(graph) + 1))
    components = len(graph) - len(graph.singletons)
    for head, dependent, _ in graph.arcs:
        one, other = _find(parents, head), _find(parents, dependent)
        if one != other:
            parents[one] = other
            components -= 1
    return components


def _find(parents: list[int], word: int) -> int:
    while parents[word] != word:
        parents[word] = word = parents[parents[word]]
    return word


def _cell(template: str, value: float) -> str:
    return "NaN" if isnan(value) else template.format(value)


def _aligned(rows: list[list[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows)]
    for title, *cells in rows:
        padded = (cell.rjust(width) for cell, width in zip(cells, widths[1:]))
        yield "  ".join([title.ljust(widths[0]), *padded])
