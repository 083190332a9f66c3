from itertools import chain, islice
from math import nan
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from score_strategies import graph_pairs

from sdp_pointer.graphs import Graph, Token, read
from sdp_pointer.graphs.bootstrap import Bootstrap, _samples, java_draws, paired_bootstrap
from sdp_pointer.graphs.score import MismatchError

PAIRS = Path(__file__).parents[2] / "fixtures" / "oracle" / "pairs"

# What `new java.util.Random(seed)` of a Java 17 returned from its first calls of `nextInt(bound)`.
JAVA = {
    (42, 1): [0, 0, 0, 0, 0, 0, 0, 0],
    (42, 10): [0, 3, 8, 4, 0, 5, 5, 8],
    (42, 1024): [745, 55, 699, 49, 316, 964, 283, 724],
    (42, 1700): [230, 963, 748, 284, 570, 825, 1105, 318],
    (0, 1410): [1050, 388, 169, 1187, 5, 1103, 731, 711],
    (-1, 1410): [1223, 935, 909, 869, 1214, 498, 567, 768],
    (123456789012345, 1700): [774, 804, 1619, 1352, 685, 1468, 1560, 389],
    # Nearly half of all draws are rejected for this bound.
    (42, 2**30 + 1): [117392763, 102948884, 662969970, 595021505, 196118093, 969067502, 791955276],
    (42, 2**31 - 1): [1562431130, 117392763, 1467211248, 102948884, 662969970, 2023087525],
}


def one_at_a_time(bound, seed):
    """The documented algorithm of `java.util.Random`, in plain Python."""
    state = (seed ^ 0x5DEECE66D) % 2**48
    while True:
        state = (state * 0x5DEECE66D + 0xB) % 2**48
        bits = state >> 17
        if bound & -bound == bound:
            yield (bound * bits) >> 31
        elif bits - bits % bound + (bound - 1) < 2**31:
            yield bits % bound


def first(number, blocks):
    return list(islice(chain.from_iterable(block.tolist() for block in blocks), number))


@pytest.mark.parametrize(("seed", "bound"), JAVA)
def test_draws_are_those_of_java(seed, bound):
    known = JAVA[seed, bound]
    assert first(len(known), java_draws(bound, seed)) == known


@settings(deadline=None)
@given(st.integers(1, 2**31 - 1), st.integers(-(2**63), 2**63 - 1), st.integers(1, 50))
def test_blocks_of_draws_equal_one_draw_at_a_time(bound, seed, block):
    assert first(120, java_draws(bound, seed, block)) == list(
        islice(one_at_a_time(bound, seed), 120)
    )


@settings(deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 50))
def test_samples_continue_from_block_to_block(n, samples, block):
    drawn = [sample for part in _samples(n, samples, 42, block) for sample in part.tolist()]
    draws = one_at_a_time(n, 42)
    assert drawn == [list(islice(draws, n)) for _ in range(samples)]


def naive_lf(pairs):
    def edges(graph, number):
        return {
            (number, *arc) for arc in (*graph.arcs, *((0, top, "-VIRTUAL-") for top in graph.tops))
        }

    gold, system = (
        set().union(*(edges(graphs[side], k) for k, graphs in enumerate(pairs))) for side in (0, 1)
    )
    common = len(gold & system)
    precision = common / len(system) if system else nan
    recall = common / len(gold) if gold else nan
    return 2.0 * precision * recall / (precision + recall) if precision + recall else nan


def naive_bootstrap(gold, baseline, system, samples, seed):
    def delta(numbers):
        return naive_lf([(gold[k], system[k]) for k in numbers]) - naive_lf(
            [(gold[k], baseline[k]) for k in numbers]
        )

    observed = delta(range(len(gold)))
    if observed < 0:
        return naive_bootstrap(gold, system, baseline, samples, seed)
    if not observed > 0:
        return None
    draws = one_at_a_time(len(gold), seed)
    drawn = (list(islice(draws, len(gold))) for _ in range(samples))
    return sum(delta(sample) > 2 * observed for sample in drawn) / samples


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(graph_pairs(), st.booleans()), min_size=1, max_size=6))
def test_p_agrees_with_explicit_resampling(sentences):
    gold = [graphs[0] for graphs, _ in sentences]
    system = [graphs[1] for graphs, _ in sentences]
    baseline = [
        g.replace(tops=[], arcs=g.arcs[::2] if odd else [], bare_predicates=[])
        for (_, g), odd in sentences
    ]
    expected = naive_bootstrap(gold, baseline, system, 40, 7)
    for one, two in ((baseline, system), (system, baseline)):
        assert paired_bootstrap(gold, one, two, 40, 7).p == expected


def degraded(graph, every, offset):
    kept = [arc for k, arc in enumerate(graph.arcs) if (k + offset) % every]
    return Graph(graph.tokens, kept, graph.tops, graph.id)


def test_p_of_ten_thousand_samples_is_the_one_that_java_computes():
    gold = list(read(PAIRS / "p09_noisy_psd.gold.sdp"))
    parsed = list(read(PAIRS / "p09_noisy_psd.sys.sdp"))
    baseline = [degraded(graph, 6, 0) for graph in parsed]
    system = [degraded(graph, 5, 0) for graph in parsed]
    result = paired_bootstrap(iter(gold), iter(baseline), iter(system))
    assert (result.delta, result.p) == (0.006692497358224747, 0.3487)
    assert result.as_json() == {
        "better": "system",
        "delta": result.delta,
        "baseline_lf": result.baseline_lf,
        "system_lf": result.system_lf,
        "p": result.p,
        "sentences": 10,
        "samples": 10_000,
        "seed": 42,
    }
    assert "+0.006692" in str(result)


def test_the_better_one_is_named_whichever_it_is():
    gold = [Graph([Token("a"), Token("b")], [(1, 2, "x")], tops=[1])] * 3
    worse = [graph.replace(tops=[]) for graph in gold]
    one, two = paired_bootstrap(gold, gold, worse), paired_bootstrap(gold, worse, gold)
    assert (one.better, two.better, one.p, two.p) == ("baseline", "system", 0.0, 0.0)
    assert one.delta == -two.delta
    assert str(one).endswith("The baseline is better than the system (p < 0.05).")
    assert "lead of the baseline may well be a matter" in str(Bootstrap(0.6, 0.5, 0.3, 10))


def test_without_a_lead_there_is_no_p():
    gold = [Graph([Token("a"), Token("b")], [(1, 2, "x")], tops=[1])] * 3
    worse = [graph.replace(tops=[]) for graph in gold]
    empty = [graph.replace(tops=[], arcs=[]) for graph in gold]
    assert paired_bootstrap(gold, gold, gold).p is None
    assert "is as good as the baseline" in str(paired_bootstrap(gold, worse, worse))
    result = paired_bootstrap(gold, gold, empty)
    assert (result.as_json()["delta"], result.p, result.better) == (None, None, None)
    assert "cannot be compared with the baseline" in str(result)


def test_without_sentences_there_is_nothing_to_compare():
    result = paired_bootstrap([], [], [])
    figures = {
        "better": None,
        "delta": None,
        "baseline_lf": None,
        "system_lf": None,
        "p": None,
        "sentences": 0,
    }
    assert result.as_json() == figures | {"samples": 10_000, "seed": 42}
    assert str(result) == (
        "baseline LF: NaN\nsystem LF:   NaN  (NaN)\n"
        "The system cannot be compared with the baseline: nothing to test."
    )


def test_a_result_says_what_it_means():
    assert "may well be a matter of chance" in str(Bootstrap(0.5, 0.6, 0.05, 10))
    assert "is better than the baseline" in str(Bootstrap(0.5, 0.6, 0.0499, 10))


@pytest.mark.parametrize(("longer", "message"), [(1, "baseline goes on"), (2, "system goes on")])
def test_all_three_files_must_hold_the_same_sentences(longer, message):
    files = [[Graph([Token("a")], tops=[1])] for _ in range(3)]
    files[longer] *= 2
    with pytest.raises(MismatchError, match=message):
        paired_bootstrap(*files)


def test_at_least_one_sample_is_needed():
    with pytest.raises(ValueError, match="0 samples"):
        paired_bootstrap([], [], [], samples=0)
