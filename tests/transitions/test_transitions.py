"""The transition system against the paper, and against a plain graph search."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdp_pointer.graphs import Graph, Token
from sdp_pointer.transitions import (
    Configuration,
    TransitionError,
    break_cycles,
    execute,
    oracle,
)

# The paper's Table 2: The results were in line with analysts ' expectations .
SENTENCE = "The results were in line with analysts ' expectations ."
TABLE_2 = [
    # pointer, focus word afterwards, added arc
    (1, 2, None),
    (1, 2, (1, 2)),
    (4, 2, (4, 2)),
    (2, 3, None),
    (3, 4, None),
    (0, 4, (0, 4)),
    (6, 4, (6, 4)),
    (4, 5, None),
    (4, 5, (4, 5)),
    (5, 6, None),
    (6, 7, None),
    (7, 8, None),
    (8, 9, None),
    (6, 9, (6, 9)),
    (7, 9, (7, 9)),
    (9, 10, None),
    (10, 11, None),
]
PAPER = Graph(
    [Token(form) for form in SENTENCE.split()],
    [(1, 2, "BV"), (4, 2, "ARG1"), (6, 4, "ARG1"), (4, 5, "ARG2"), (6, 9, "ARG2"), (7, 9, "poss")],
    tops=[4],
)


@st.composite
def dags(draw, most_words=9):
    """DAGs over words in any order of position: arcs follow a random permutation."""
    n = draw(st.integers(1, most_words))
    order = draw(st.permutations(range(1, n + 1)))
    pairs = [(order[i], order[j]) for i in range(n) for j in range(i + 1, n)]
    chosen = draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    tops = draw(st.sets(st.integers(1, n)))
    return Graph([Token("w")] * n, [(h, d, "x") for h, d in chosen], tops)


@st.composite
def digraphs(draw):
    """Any directed graph, cycles and self-loops included."""
    n = draw(st.integers(1, 6))
    words = st.integers(1, n)
    chosen = draw(st.sets(st.tuples(words, words)))
    return Graph([Token("w")] * n, [(h, d, "x") for h, d in chosen])


def arcs_with_root(graph):
    return {(0, top) for top in graph.tops} | {(h, d) for h, d, _ in graph.arcs}


def test_the_oracle_gives_the_papers_table_2():
    assert oracle(PAPER) == tuple(pointer for pointer, _, _ in TABLE_2)
    assert len(TABLE_2) == 17  # the paper's table has an 18th row, the initial configuration


def test_the_executor_follows_the_papers_table_2_step_by_step():
    parse = Configuration(10)
    assert parse.focus == 1
    for pointer, focus, arc in TABLE_2:
        before = len(parse.arcs)
        parse.point(pointer)
        assert parse.focus == focus
        assert parse.arcs[before:] == ([arc] if arc else [])
    assert parse.finished


@given(dags())
def test_oracle_and_executor_are_inverse_for_every_dag(graph):
    pointers = oracle(graph)
    assert set(execute(len(graph), pointers)) == arcs_with_root(graph)
    assert len(pointers) == len(graph) + len(graph.arcs) + len(graph.tops)


@given(digraphs())
def test_the_oracle_refuses_exactly_the_cyclic_graphs(graph):
    if graph.is_dag:
        assert set(execute(len(graph), oracle(graph))) == arcs_with_root(graph)
    else:
        with pytest.raises(TransitionError, match="cycle"):
            oracle(graph)


@given(st.data(), st.booleans(), st.none() | st.integers(1, 3))
def test_whatever_is_permitted_gives_a_dag_and_whatever_is_not_is_refused(
    data, ascending, max_heads
):
    n = data.draw(st.integers(1, 7))
    parse = Configuration(n, ascending=ascending, max_heads=max_heads)
    shifts = 0
    while not parse.finished:
        permitted = parse.permitted()
        for position in range(-1, n + 3):
            expected = naive_permitted(parse, position, ascending, max_heads)
            assert (position in permitted) == expected, (parse.arcs, parse.focus, position)
        position = data.draw(st.sampled_from(permitted))
        shifts += position == parse.focus
        parse.point(position)
    assert shifts == n
    built = [(h, d, "x") for h, d in parse.arcs if h]
    assert Graph([Token("w")] * n, built).is_dag
    assert parse.permitted() == []


def naive_permitted(parse, position, ascending, max_heads):
    if not 0 <= position <= parse.n:
        return False
    if position == parse.focus:
        return True
    heads = [h for h, d in parse.arcs if d == parse.focus]
    if position in heads or (max_heads is not None and len(heads) == max_heads):
        return False
    if ascending and any(position < head for head in heads):
        return False
    arcs = [(h, d, "x") for h, d in [*parse.arcs, (position, parse.focus)] if h]
    return Graph([Token("w")] * parse.n, arcs).is_dag


def test_without_the_constraint_cycles_are_built():
    assert execute(2, (2, 1, 1, 2), acyclic=False) == ((2, 1), (1, 2))
    with pytest.raises(TransitionError, match="not permitted"):
        execute(2, (2, 1, 1, 2))


def test_an_incomplete_sequence_is_refused():
    with pytest.raises(TransitionError, match="ends at focus word 2 of 2"):
        execute(2, (1,))


def cheaply_forbidden(arcs, number, head, dependent):
    """The paper's test: the same weak component, and a greater topological number."""
    component = {dependent}
    for _ in arcs:
        component |= {word for arc in arcs if component & set(arc) for word in arc}
    return head in component and number[head] > number[dependent]


def test_the_papers_cheap_test_would_forbid_this_legal_arc():
    # 2 and 3 have a common head, neither reaches the other, and an order may have 3 first.
    parse = Configuration(3)
    for pointer in (1, 1, 2, 1):
        parse.point(pointer)
    assert (parse.focus, parse.arcs) == (3, [(1, 2), (1, 3)])
    number = {1: 0, 2: 2, 3: 1}
    assert all(number[head] < number[dependent] for head, dependent in parse.arcs)
    assert cheaply_forbidden(parse.arcs, number, 2, 3)
    assert 2 in parse.permitted()
    parse.point(2)
    assert Graph([Token("w")] * 3, [(h, d, "x") for h, d in parse.arcs]).is_dag


@given(digraphs())
def test_breaking_cycles_drops_only_arcs_that_close_one(graph):
    broken, dropped = break_cycles(graph)
    assert broken.is_dag
    assert set(broken.arcs) | set(dropped) == set(graph.arcs)
    assert not set(broken.arcs) & set(dropped)
    assert broken.predicates == graph.predicates
    for arc in dropped:
        closed = Graph(graph.tokens, [*broken.arcs, arc])
        assert not closed.is_dag


def test_predicates_stay_predicates_when_cycles_are_broken():
    cyclic = Graph([Token("w")] * 4, [(1, 2, "x"), (2, 1, "y")], bare_predicates=[4])
    broken, dropped = break_cycles(cyclic)
    assert [arc.label for arc in dropped] == ["x"]
    assert broken.bare_predicates == (1, 4)
