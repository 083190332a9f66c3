import pytest
from drawn_graphs import graphs, pairs
from hypothesis import given

from sdp_pointer.graphs import Graph, Token
from sdp_pointer.graphs.draw import dot, html, svg, text
from sdp_pointer.graphs.draw.marks import (
    BOTH,
    MISSING,
    RELABELLED,
    SURPLUS,
    MarkedArc,
    compare,
    describe,
)

WORDS = [Token("Cats"), Token("like"), Token("fish")]


@given(graphs())
def test_a_graph_compared_with_itself_has_no_differences(graph):
    marks, alone = compare(graph, graph), compare(graph)
    assert marks[:3] == alone[:3]
    assert set(marks.statuses) <= {BOTH}
    assert alone.statuses == ()


@given(pairs())
def test_what_is_missing_one_way_is_surplus_the_other_way(pair):
    graph, gold = pair
    there, back = compare(graph, gold), compare(gold, graph)
    mirrored = {MISSING: SURPLUS, SURPLUS: MISSING, BOTH: BOTH, RELABELLED: RELABELLED}
    assert [(*arc[:2], mirrored[arc.status]) for arc in there.arcs] == [
        (*arc[:2], arc.status) for arc in back.arcs
    ]
    assert [(top.word, mirrored[top.status]) for top in there.tops] == list(map(tuple, back.tops))


@given(pairs())
def test_every_arc_of_both_graphs_is_drawn_once(pair):
    graph, gold = pair
    drawn = [arc[:2] for arc in compare(graph, gold).arcs]
    assert len(drawn) == len(set(drawn))
    assert set(drawn) == {arc[:2] for arc in graph.arcs + gold.arcs}


def test_tops_are_compared_like_arcs():
    marks = compare(Graph(WORDS, tops=[1, 2]), Graph(WORDS, tops=[2, 3]))
    assert [top.status for top in marks.tops] == [SURPLUS, BOTH, MISSING]


def test_a_word_is_a_singleton_only_if_it_is_one_in_both_graphs():
    marks = compare(Graph(WORDS, tops=[1]), Graph(WORDS, tops=[2]))
    assert marks.singletons == {3}


def test_the_legend_explains_only_what_is_drawn():
    marks = compare(Graph(WORDS, [(2, 1, "ARG1")]), Graph(WORDS, [(2, 1, "ARG2")], tops=[2]))
    assert marks.statuses == (MISSING, RELABELLED)


@pytest.mark.parametrize("draw", [svg, text, dot, lambda *pair: html([pair])])
def test_a_gold_graph_of_another_length_is_refused(draw):
    with pytest.raises(ValueError, match="graph 'x' has 3 words and its gold graph has 1"):
        draw(Graph(WORDS, id="x"), Graph([Token("Go")]))


@pytest.mark.parametrize("told", [None, 7, {}, {(2, 1): "high"}, {(2, 1): 10**400}, {(2, 1): -1}])
def test_what_is_no_probability_is_not_told(told):
    graph = Graph(WORDS, [(2, 1, "ARG1")], meta={"probabilities": told})
    assert describe(MarkedArc(2, 1, "ARG1", BOTH), graph) == "like -ARG1-> Cats"
