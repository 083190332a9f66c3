import json
from itertools import combinations, product

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from score_strategies import graphs

from sdp_pointer.graphs import Graph, Token
from sdp_pointer.graphs.stats import ROWS, Statistics, is_noncrossing, n_components, table


def statistics_of(corpus):
    statistics = Statistics()
    for graph in corpus:
        statistics.add(graph)
    return statistics


def words(graph):
    return range(1, len(graph) + 1)


def naive_reach(graph, undirected=False):
    """All pairs of words with a path between them, by Warshall's algorithm."""
    reach = {(arc.head, arc.dependent) for arc in graph.arcs}
    if undirected:
        reach |= {(b, a) for a, b in reach} | {(word, word) for word in words(graph)}
    for k, a, b in product(words(graph), repeat=3):
        if (a, k) in reach and (k, b) in reach:
            reach.add((a, b))
    return reach


def naive_inside(graph):
    return [w for w in words(graph) if w in graph.tops or any(w in arc[:2] for arc in graph.arcs)]


def naive_roots(graph):
    return [w for w in naive_inside(graph) if not any(arc.dependent == w for arc in graph.arcs)]


def naive_components(graph):
    connected = naive_reach(graph, undirected=True)
    return len(
        {frozenset(b for b in words(graph) if (a, b) in connected) for a in naive_inside(graph)}
    )


def naive_noncrossing(graph):
    spans = [(min(arc[:2]), max(arc[:2])) for arc in graph.arcs]
    return not any(a < c < b < d or c < a < d < b for (a, b), (c, d) in combinations(spans, 2))


def naive_projective(graph):
    spans = [(min(arc[:2]), max(arc[:2])) for arc in graph.arcs]
    covered = any(a < root < b for a, b in spans for root in naive_roots(graph))
    return naive_noncrossing(graph) and not covered


def naive_indegrees(graph):
    return [sum(arc.dependent == word for arc in graph.arcs) for word in words(graph)]


def naive_cyclic(graph):
    return any(a == b for a, b in naive_reach(graph))


def naive_forest(graph):
    return not naive_cyclic(graph) and max(naive_indegrees(graph)) <= 1


@settings(deadline=None)
@given(st.lists(graphs(), min_size=1, max_size=4))
def test_figures_agree_with_their_definitions(corpus):
    def share(holds):
        return sum(map(holds, corpus)) / len(corpus)

    tokens = sum(map(len, corpus))
    arcs = sum(len(graph.arcs) for graph in corpus)
    inside = sum(len(naive_inside(graph)) for graph in corpus)
    several = sum(degree > 1 for graph in corpus for degree in naive_indegrees(graph))
    special = [w for graph in corpus for w in naive_roots(graph) if w not in graph.tops]
    lengths = [abs(arc.head - arc.dependent) for graph in corpus for arc in graph.arcs]
    ratios = [(len(g) + len(g.arcs) + len(g.tops)) / len(g) for g in corpus]
    figures = statistics_of(corpus).as_json()
    assert figures["sentences"] == len(corpus)
    assert figures["tokens"] == tokens
    assert figures["arcs"] == arcs
    assert figures["arcs_per_token"] == arcs / tokens
    assert figures["density"] == (arcs / inside if inside else None)
    assert figures["singletons"] == (tokens - inside) / tokens
    assert figures["several_heads"] == several / tokens
    assert figures["reentrant"] == (several / inside if inside else None)
    assert figures["special_nodes"] == (len(special) / inside if inside else None)
    assert figures["tops_per_graph"] == sum(len(graph.tops) for graph in corpus) / len(corpus)
    assert figures["topless_graphs"] == share(lambda graph: not graph.tops)
    assert figures["cyclic_graphs"] == share(naive_cyclic)
    assert figures["self_loops"] == lengths.count(0)
    assert figures["forests"] == share(naive_forest)
    assert figures["trees"] == share(lambda g: naive_forest(g) and len(naive_roots(g)) == 1)
    assert figures["fragmented_graphs"] == share(lambda graph: naive_components(graph) != 1)
    assert figures["noncrossing_graphs"] == share(naive_noncrossing)
    assert figures["projective_graphs"] == share(naive_projective)
    assert figures["longest_arc"] == max(lengths, default=0)
    assert figures["longest_sentence"] == max(map(len, corpus))
    assert figures["max_indegree"] == max(max(naive_indegrees(graph)) for graph in corpus)
    assert figures["max_outdegree"] == max(
        sum(arc.head == word for arc in graph.arcs) for graph in corpus for word in words(graph)
    )
    assert figures["mean_transitions"] == pytest.approx(sum(ratios) / len(ratios))
    assert figures["max_transitions"] == max(ratios)
    labels = [arc.label for graph in corpus for arc in graph.arcs]
    assert figures["labels"] == {label: labels.count(label) for label in labels}
    assert figures["distinct_labels"] == len(set(labels))


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), max_size=12, unique=True))
def test_the_sweep_finds_every_crossing(pairs):
    graph = Graph([Token("w")] * 9, [(head, dependent, "x") for head, dependent in pairs])
    assert is_noncrossing(graph.arcs) == naive_noncrossing(graph)
    assert n_components(graph) == naive_components(graph)


@settings(deadline=None)
@given(st.lists(graphs(), min_size=2, max_size=6).filter(lambda c: len(set(map(len, c))) > 1))
def test_the_line_through_the_transition_sequences_is_the_least_squares_one(corpus):
    transitions = [len(graph) + len(graph.arcs) + len(graph.tops) for graph in corpus]
    slope, intercept = numpy.polyfit(list(map(len, corpus)), transitions, 1)
    figures = statistics_of(corpus).figures()
    assert figures["transitions_slope"] == pytest.approx(slope, abs=1e-9)
    assert figures["transitions_intercept"] == pytest.approx(intercept, abs=1e-9)


def test_tops_are_not_heads_and_do_not_connect():
    graph = Graph([Token("w")] * 4, [(1, 2, "x"), (4, 3, "x")], tops=[2, 3])
    figures = statistics_of([graph]).figures()
    assert figures["several_heads"] == 0
    assert figures["fragmented_graphs"] == 1
    assert figures["tops_per_graph"] == 2


def test_a_corpus_without_graphs_has_figures_too():
    figures = Statistics().as_json()
    assert figures["sentences"] == 0
    assert figures["density"] is None
    json.dumps(figures, allow_nan=False)
    assert "NaN" in table({"empty": Statistics()})


def test_every_figure_is_in_the_table():
    assert [name for name, _, _ in ROWS] == [
        name for name in Statistics().figures() if name != "labels"
    ]


def test_the_table_has_a_column_for_each_file_and_a_row_for_each_label():
    one = statistics_of([Graph([Token("w")] * 3, [(1, 2, "rare"), (2, 3, "often")])] * 1000)
    two = statistics_of([Graph([Token("w")] * 2, [(1, 2, "often")], tops=[1])])
    lines = table({"one.sdp": one, "two.sdp": two}, labels=True).splitlines()
    assert len(set(map(len, lines))) == 1
    assert lines[0].split() == ["one.sdp", "two.sdp"]
    assert lines[1].split() == ["sentences", "1,000", "1"]
    assert [line.split() for line in lines[-2:]] == [
        ["label", "often", "1,000", "1"],
        ["label", "rare", "1,000", "0"],
    ]
