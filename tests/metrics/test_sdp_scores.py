"""The metric `sdp` is the official scorer, also over several processes."""

import json

import pytest
from allennlp.common.testing import run_distributed_test
from allennlp.training.metrics import Metric

import sdp_pointer.components  # noqa: F401
from sdp_pointer.graphs import read
from sdp_pointer.graphs.score import Scorer

NAMES = ["LP", "LR", "LF", "LM", "UP", "UR", "UF", "UM"]


def pairs(fixtures, name):
    folder = fixtures / "oracle" / "pairs"
    return (
        list(read(folder / f"{name}.sys.sdp")),
        list(read(folder / f"{name}.gold.sdp")),
    )


@pytest.mark.parametrize("name", ["p09_noisy_psd", "p12_handmade_dm", "p16_zero_overlap"])
def test_the_metric_gives_the_official_figures_with_0_for_nan(fixtures, name):
    expected = json.loads((fixtures / "oracle" / "expected.json").read_text())
    expected = expected["pairs"][name]["default"]["with_top"]
    metric = Metric.by_name("sdp")()
    metric(*pairs(fixtures, name))
    figures = metric.get_metric(reset=True)
    assert list(figures) == NAMES
    for key in NAMES:
        assert figures[key] == pytest.approx(expected[key] or 0.0, abs=1e-6)


def test_reset_forgets(fixtures):
    metric = Metric.by_name("sdp")()
    metric(*pairs(fixtures, "p01_identity"))
    assert metric.get_metric()["LF"] == metric.get_metric()["LF"] == 1.0
    metric.get_metric(reset=True)
    assert metric.get_metric()["LF"] == 0.0


def test_each_graph_needs_its_gold(fixtures):
    system, gold = pairs(fixtures, "p01_identity")
    with pytest.raises(ValueError, match="longer"):
        Metric.by_name("sdp")()(system[1:], gold)


def count_on_one_rank(rank, world_size, device, system, gold, expected):
    metric = Metric.by_name("sdp")()
    # The ranks get different numbers of sentences, in different numbers of calls.
    mine = slice(0, 3) if rank == 0 else slice(3, None)
    for system_graph, gold_graph in zip(system[mine], gold[mine]):
        metric([system_graph], [gold_graph])
    assert metric.get_metric(reset=True) == pytest.approx(expected)


def test_counts_are_summed_over_the_ranks(fixtures):
    system, gold = pairs(fixtures, "p09_noisy_psd")
    scorer = Scorer()
    for system_graph, gold_graph in zip(system, gold):
        scorer.add(gold_graph, system_graph)
    expected = {key: scorer.scores().with_top.as_metric()[key] for key in NAMES}
    run_distributed_test([-1, -1], count_on_one_rank, system, gold, expected)
