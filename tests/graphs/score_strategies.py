"""Random graphs that are rich in what scores and statistics stumble over."""

from functools import cache
from itertools import product

from hypothesis import strategies as st

from sdp_pointer.graphs import Graph, Token

POS = ["NN", "VB", "VBD", "V", "MD", ".", ",", ":", "(", ")", "``", "_"]
FRAMES = ["_", "v:e-i", "v:e-i-p"]
LABELS = ["ARG1", "ARG2", "verb_ARG1", "verb_ARG12", "ACT-arg", "arg", "-VIRTUAL-", "-UNLABELED-"]
TOKENS = [Token("w", "_", pos, frame) for pos, frame in product(POS, FRAMES)]


@cache
def _tokens(size):
    return st.lists(st.sampled_from(TOKENS), min_size=size, max_size=size)


@cache
def _words(size):
    return st.sets(st.integers(1, size), max_size=2)


@cache
def _arcs(size):
    words = range(1, size + 1)
    arcs = st.sampled_from(list(product(words, words, LABELS)))
    return st.lists(arcs, max_size=10, unique_by=lambda arc: arc[:2])


def _graph(draw, tokens, arcs, tops):
    bare = draw(_words(len(tokens))).difference(arc[0] for arc in arcs)
    return Graph(tokens, arcs, tops, bare_predicates=bare)


@st.composite
def graphs(draw):
    """A graph, maybe with cycles, self-loops, crossing arcs, several tops or none."""
    size = draw(st.sampled_from([1, 2, 3, 4, 5, 14]))
    return _graph(draw, draw(_tokens(size)), draw(_arcs(size)), draw(_words(size)))


@st.composite
def graph_pairs(draw):
    """Gold and system graph of one sentence: mostly alike, with arcs lost, added and relabelled."""
    gold = draw(graphs())
    if draw(st.booleans()):
        return gold, gold
    tokens = gold.tokens if draw(st.booleans()) else draw(_tokens(len(gold)))
    tops = gold.tops if draw(st.booleans()) else draw(_words(len(gold)))
    added = draw(_arcs(len(gold)))
    lost = draw(_words(len(gold)))
    taken = {arc[:2] for arc in added}
    kept = [arc for arc in gold.arcs if arc[:2] not in taken and arc.dependent not in lost]
    return gold, _graph(draw, tokens, [*kept, *added], tops)


corpora = st.lists(graph_pairs(), max_size=4)
