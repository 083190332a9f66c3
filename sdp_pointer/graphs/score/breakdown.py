"""Where the errors are: in sentences of what length, and which labels are taken for which."""

from collections import Counter
from collections.abc import Iterable, Mapping

from ..graph import Graph
from .counts import Counts

WORD_BINS = ("1-10", "11-20", "21-30", "31-40", "41-")


def word_bin(words: int) -> str:
    """The range of lengths that a sentence belongs to.

    >>> [word_bin(words) for words in (1, 10, 11, 40, 41, 200)]
    ['1-10', '1-10', '11-20', '31-40', '41-', '41-']
    """
    return WORD_BINS[min((words - 1) // 10, len(WORD_BINS) - 1)]


def by_words(sentences: Iterable[tuple[int, Counts]]) -> Mapping[str, Counts]:
    """Counts of each range of sentence lengths that occurs, from lengths and counts of sentences.

    >>> from sdp_pointer.graphs.score import Totals
    >>> one = Counts(Totals(graphs=1))
    >>> bins = by_words([(3, one), (12, one), (5, one)])
    >>> {words: counts.totals.graphs for words, counts in bins.items()}
    {'1-10': 2, '11-20': 1}
    """
    bins = dict.fromkeys(WORD_BINS, Counts())
    for words, counts in sentences:
        bins[word_bin(words)] += counts
    return {words: counts for words, counts in bins.items() if counts.totals.graphs}


def confusions(gold: Graph, system: Graph) -> Counter[tuple[str, str]]:
    """How often an arc was found, but with another label: (gold label, system label).

    >>> from sdp_pointer.graphs import Token
    >>> gold = Graph([Token("Go"), Token("!")], [(1, 2, "ARG1")])
    >>> confusions(gold, gold.replace(arcs=[(1, 2, "ARG2")]))
    Counter({('ARG1', 'ARG2'): 1})
    """
    labels = {arc[:2]: arc.label for arc in gold.arcs}
    found = ((labels.get(arc[:2], arc.label), arc.label) for arc in system.arcs)
    return Counter(both for both in found if both[0] != both[1])


def unlabelled(graph: Graph) -> Graph:
    """The graph with one label for all arcs: what is scored then is where they are.

    >>> from sdp_pointer.graphs import Token
    >>> unlabelled(Graph([Token("Go"), Token("!")], [(1, 2, "ARG1")])).arcs
    (Arc(head=1, dependent=2, label='_'),)
    """
    return graph.replace(arcs=[(head, dependent, "_") for head, dependent, _ in graph.arcs])
