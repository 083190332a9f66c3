"""The Graph value: what it accepts, what it refuses, what it knows."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdp_pointer.graphs import Arc, Graph, GraphError, Token
from sdp_pointer.graphs import graph as graph_module

WORDS = [Token("a"), Token("b"), Token("c")]


def test_arcs_are_kept_in_the_order_in_which_they_are_attached():
    graph = Graph(WORDS, [(3, 2, "x"), (1, 3, "y"), (1, 2, "z")])
    assert graph.arcs == (Arc(1, 2, "z"), Arc(3, 2, "x"), Arc(1, 3, "y"))


def test_arcs_may_be_given_as_lists():
    assert Graph(WORDS, [[1, 2, "x"]]) == Graph(WORDS, [(1, 2, "x")])


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"tokens": []}, "at least one token"),
        ({"tokens": ["a"]}, "token 1"),
        ({"tokens": [Token("a"), Token("")]}, "token 2"),
        ({"tokens": [Token("a", lemma=None)]}, "token 1"),
        ({"arcs": [(0, 1, "x")]}, "leaves the sentence"),
        ({"arcs": [(1, 4, "x")]}, "leaves the sentence"),
        ({"arcs": [(True, 2, "x")]}, "leaves the sentence"),
        ({"arcs": [(1, 2, "")]}, "no label"),
        ({"arcs": [(1, 2)]}, "is not"),
        ({"arcs": [7]}, "head, dependent, label"),
        ({"arcs": [(1, 2, "x"), (1, 2, "y")]}, "2 arcs 1 -> 2"),
        ({"tops": [4]}, "top 4"),
        ({"tops": [1, 1]}, "given twice"),
        ({"bare_predicates": [0]}, "bare predicate 0"),
        ({"arcs": [(1, 2, "x")], "bare_predicates": [1]}, "has outgoing arcs"),
        ({"id": 7}, "not a string"),
        ({"formalism": "DM"}, "the formalism 'DM' is not a name of letters a to z, digits and _"),
        ({"formalism": ""}, "the formalism '' is not a name"),
        ({"formalism": 7}, "the formalism 7 is not a name"),
    ],
)
def test_what_is_no_graph_is_refused_with_the_reason(arguments, reason):
    with pytest.raises(GraphError, match=reason):
        Graph(**{"tokens": WORDS, **arguments})


def test_all_reasons_are_given_at_once():
    with pytest.raises(GraphError) as refused:
        Graph(WORDS, [(1, 9, "x")], tops=[8])
    assert "9" in str(refused.value)
    assert "8" in str(refused.value)


def test_a_graph_cannot_be_changed():
    graph = Graph(WORDS, id="1")
    with pytest.raises(AttributeError, match=r"graph\.replace\(id=\.\.\.\)"):
        graph.id = "2"
    with pytest.raises(AttributeError):
        del graph.tokens
    assert graph.replace(id="2").id == "2"
    assert graph.id == "1"


def test_equality_and_hash_ignore_the_order_of_arcs_and_the_meta_data():
    one = Graph(WORDS, [(1, 2, "x"), (1, 3, "y")], tops=[2, 1], meta={"text": "abc"})
    other = Graph(WORDS, [(1, 3, "y"), (1, 2, "x")], tops=[1, 2])
    assert one == other
    assert hash(one) == hash(other)
    assert one != other.replace(id="2")
    assert one != "abc"


def test_a_graph_survives_pickling():
    graph = Graph(WORDS, [(1, 2, "x")], tops=[1], id="1", bare_predicates=[3], meta={"k": 1})
    copy = pickle.loads(pickle.dumps(graph))
    assert copy == graph
    assert copy.meta == {"k": 1}


def test_a_formalism_is_a_part_of_the_value():
    graph = Graph(WORDS, [(1, 2, "x")], id="1", formalism="psd")
    assert graph.formalism == "psd"
    assert graph == graph.replace(formalism="psd")
    for other in (None, "dm"):
        assert graph != graph.replace(formalism=other)
        assert hash(graph) != hash(graph.replace(formalism=other))
    assert graph.replace(id="2").formalism == "psd"
    assert pickle.loads(pickle.dumps(graph)) == graph
    assert repr(graph) == "Graph(psd '1': a b c | a -x-> b)"
    assert repr(graph.replace(id="")) == "Graph(psd: a b c | a -x-> b)"
    with pytest.raises(AttributeError, match=r"graph\.replace\(formalism=\.\.\.\)"):
        graph.formalism = "dm"


def test_predicates_include_the_bare_ones():
    assert Graph(WORDS, [(1, 2, "x")], bare_predicates=[3]).predicates == {1, 3}


def test_heads_of_a_word_outside_the_sentence_are_refused():
    for word in (-1, 0, 4):
        with pytest.raises(IndexError):
            Graph(WORDS).heads(word)


def test_control_characters_do_not_reach_the_terminal():
    assert "\x1b" not in repr(Graph([Token("\x1b[31mred")]))


def test_a_graph_draws_itself_in_a_notebook():
    assert Graph(WORDS)._repr_svg_().startswith("<svg")


@given(st.integers(1, 7).flatmap(lambda n: st.sets(st.tuples(*[st.integers(1, n)] * 2))))
def test_a_cycle_is_found_exactly_if_there_is_one(pairs):
    n = max((word for pair in pairs for word in pair), default=1)
    graph = Graph([Token("w")] * n, [(h, d, "x") for h, d in pairs])
    reach = {(h, d) for h, d in pairs}
    for middle in range(1, n + 1):  # Warshall
        reach |= {(h, d) for h, m in reach if m == middle for m2, d in reach if m2 == middle}
    cycle = graph.find_cycle()
    assert bool(cycle) == any((word, word) in reach for word in range(1, n + 1))
    assert graph.is_dag == (not cycle)
    for head, dependent in zip(cycle, (*cycle[1:], *cycle[:1])):
        assert (head, dependent) in pairs


def test_a_cycle_is_found_in_a_chain_longer_than_pythons_stack():
    n = 5000
    arcs = [(word, word % n + 1, "x") for word in range(1, n + 1)]
    assert len(Graph([Token("w")] * n, arcs).find_cycle()) == n
    assert Graph([Token("w")] * n, arcs[:-1]).is_dag


@pytest.mark.parametrize("arcs", [[], [(1, 2, "x")], [(1, 2, "x"), (2, 1, "x")]])
def test_a_graph_is_searched_for_cycles_once(monkeypatch, arcs):
    searched = []

    def search(arcs, search=graph_module._cycle):
        searched.append(arcs)
        return search(arcs)

    monkeypatch.setattr(graph_module, "_cycle", search)
    graph = Graph(WORDS, arcs)
    assert graph.find_cycle() == graph.find_cycle()
    assert graph.is_dag == (not graph.find_cycle()) == (len(arcs) < 2)
    assert searched == [graph.arcs]
    assert graph.replace(arcs=[(3, 3, "x")]).find_cycle() == (3,)


def test_what_was_given_can_change_and_the_graph_does_not():
    tokens, arcs, meta = [Token("a"), Token("b")], [(1, 2, "x")], {"source": "y"}
    graph = Graph(tokens, arcs, meta=meta)
    tokens.pop(), arcs.pop(), meta.clear()
    assert (len(graph), len(graph.arcs), graph.meta) == (2, 1, {"source": "y"})
    with pytest.raises(TypeError):
        graph.meta["source"] = "z"


def test_predicates_without_arguments_are_sorted():
    assert Graph([Token("w")] * 3, bare_predicates=[3, 1]).bare_predicates == (1, 3)
