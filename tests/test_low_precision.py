"""What the model of the package says in each precision, beside float32."""

import pytest

import sdp_pointer
from sdp_pointer.errors import UserError
from sdp_pointer.graphs import read
from sdp_pointer.graphs.score import Scorer, scores


@pytest.fixture
def sentences(fixtures):
    return (fixtures / "golden" / "sentences.txt").read_text().splitlines()


@pytest.fixture(scope="module", params=["bfloat16", "int8"])
def parser(request):
    return sdp_pointer.load(precision=request.param)


def test_graphs_and_probabilities_are_nearly_those_of_float32(parser, sentences, fixtures):
    expected = list(read(fixtures / "golden" / "graphs.jsonl"))
    scorer = Scorer()
    for golden, graph in zip(expected, parser.parse_batch(sentences)):
        scorer.add(golden, graph)
        ours, theirs = (g.meta["probabilities"] for g in (graph, golden))
        differences = sorted(abs(ours[arc] - theirs[arc]) for arc in ours.keys() & theirs)
        assert differences[len(differences) // 2] < 0.01
        assert all(0 <= probability <= 1 for probability in ours.values())
    assert scores(scorer.counts).with_top.as_metric()["LF"] > 0.97


def test_the_best_graphs_are_dags_in_order_of_their_scores(parser, sentences):
    for graphs in parser.n_best_batch(sentences, 4):
        assert all(graph.is_dag for graph in graphs)
        found = [graph.meta["score"] for graph in graphs]
        assert found == sorted(found, reverse=True)
        assert len(set(graphs)) == len(graphs)


def test_the_parser_says_its_precision(parser):
    assert f"precision {parser.model.precision}" in repr(parser)
    assert parser.model.precision in ("bfloat16", "int8")


def test_an_unknown_precision_is_refused():
    with pytest.raises(UserError, match="there is no precision 'int4'"):
        sdp_pointer.load(precision="int4")
