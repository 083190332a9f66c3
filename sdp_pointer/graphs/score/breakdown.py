"""Where the errors are: in what sentences, and which labels are taken for which."""

from collections import Counter
from collections.abc import Iterable, Sequence

from ..graph import Graph
from .counts import Counts

WORD_BINS = ("1-10", "11-20", "21-30", "31-40", "41-")
MOODS = ("question", "imperative", "other")
# What may come before the verb of an imperative: tags, and words.
OPENING = ("CC", "RB", "UH")
POLITE = ("please", "do", "don't", "n't")


def word_bin(words: int) -> str:
    """The range of lengths that a sentence belongs to.

    >>> [word_bin(words) for words in (1, 10, 11, 40, 41, 200)]
    ['1-10', '1-10', '11-20', '31-40', '41-', '41-']
    """
    return WORD_BINS[min((words - 1) // 10, len(WORD_BINS) - 1)]


def mood(graph: Graph) -> str:
    """Whether a sentence is a question, an imperative, or something else, by its words and tags.

    A question ends with its mark. An imperative begins with the base form of a verb (the tag `VB`
    of the Penn Treebank), which may follow "please", "don't", adverbs and conjunctions.

    >>> from sdp_pointer.graphs import Token
    >>> for text in ("Is/VBZ it/PRP ?/.", "So/RB please/UH cancel/VB it/PRP ./.", "Why/WRB ./."):
    ...     words = (word.split("/") for word in text.split())
    ...     print(mood(Graph(Token(form, pos=pos) for form, pos in words)))
    question
    imperative
    other
    """
    ending = [token.form for token in graph.tokens[-2:]]  # a quotation mark or a bracket may follow
    if any("?" in form for form in ending):
        return "question"
    for form, _, pos, _ in graph.tokens:
        opening = pos in OPENING or form.lower() in POLITE or not any(map(str.isalnum, form))
        if not opening:
            return "imperative" if pos == "VB" else "other"
    return "other"


def grouped(sentences: Iterable[tuple[str, Counts]], names: Sequence[str]) -> dict[str, Counts]:
    """Counts of each group of sentences that occurs, from the group and the counts of each.

    >>> from sdp_pointer.graphs.score import Totals
    >>> one = Counts(Totals(graphs=1))
    >>> groups = grouped([("11-20", one), ("1-10", one), ("11-20", one)], WORD_BINS)
    >>> {words: counts.totals.graphs for words, counts in groups.items()}
    {'1-10': 1, '11-20': 2}
    """
    groups = dict.fromkeys(names, Counts())
    for name, counts in sentences:
        groups[name] += counts
    return {name: counts for name, counts in groups.items() if counts.totals.graphs}


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
