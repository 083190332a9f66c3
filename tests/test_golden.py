"""What the model of the package says, held fast while the code around it changes.

`fixtures/golden/graphs.jsonl` was written when version 0.1 parsed `sentences.txt`, and is written
anew only with another model.
"""

import pytest

import sdp_pointer
from sdp_pointer.graphs import read
from sdp_pointer.graphs.score import Scorer, scores


@pytest.fixture(scope="module")
def parser():
    return sdp_pointer.load(precision="float32")


@pytest.fixture
def golden(fixtures):
    # Models of version 0.1 did not name their formalism.
    return list(read(fixtures / "golden" / "graphs.jsonl", formalism="dm"))


def test_the_graphs_are_those_of_version_0_1(parser, golden, fixtures):
    sentences = (fixtures / "golden" / "sentences.txt").read_text().splitlines()
    parsed = [parser.parse(sentence) for sentence in sentences]
    assert len(parsed) == 20
    assert parsed == golden
    for graph, before in zip(parsed, golden):
        # The last digits are those of the machine.
        assert graph.meta["score"] == pytest.approx(before.meta["score"], abs=2e-3)
        probabilities = before.meta["probabilities"]
        assert graph.meta["probabilities"] == pytest.approx(probabilities, abs=2e-3)


def test_together_with_others_a_sentence_gets_the_same_graph(parser, golden, fixtures):
    sentences = (fixtures / "golden" / "sentences.txt").read_text().splitlines()
    assert list(parser.parse_batch(sentences)) == golden


def test_simple_sentences_are_parsed_well(parser, fixtures):
    gold = list(read(fixtures / "data" / "dm.dev.sdp"))
    scorer = Scorer()
    for graph, parsed in zip(gold, parser.parse_batch([graph.forms for graph in gold])):
        scorer.add(graph, parsed.replace(id=graph.id, tokens=graph.tokens))
    assert scores(scorer.counts).with_top.as_metric()["LF"] > 0.9
