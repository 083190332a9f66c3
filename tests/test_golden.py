"""What the model of the package says, held fast while the code around it changes.

`fixtures/golden/graphs.jsonl` was written when version 0.1 parsed `sentences.txt` by a model with
`config.json`, and is written anew only with another model.
"""

import shutil

import pytest

import sdp_pointer
from sdp_pointer.graphs import read
from sdp_pointer.graphs.score import Scorer, scores
from sdp_pointer.parser import ENGLISH_DM


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


def test_a_model_that_version_0_1_packed_says_the_same(fixtures, golden, tmp_path):
    model = tmp_path / "model"
    shutil.copytree(ENGLISH_DM, model)
    # Its config; the weights of the package still have the names of version 0.1.
    shutil.copy(fixtures / "golden" / "config.json", model)
    before = sdp_pointer.load(str(model), precision="float32")
    assert before.model.formalisms == ()
    sentences = (fixtures / "golden" / "sentences.txt").read_text().splitlines()
    parsed = before.parse_batch(sentences)
    assert list(parsed) == [graph.replace(formalism=None) for graph in golden]


def test_simple_sentences_are_parsed_well(parser, fixtures):
    gold = list(read(fixtures / "data" / "dm.dev.sdp"))
    scorer = Scorer()
    for graph, parsed in zip(gold, parser.parse_batch([graph.forms for graph in gold])):
        scorer.add(graph, parsed.replace(id=graph.id, tokens=graph.tokens))
    assert scores(scorer.counts).with_top.as_metric()["LF"] > 0.9
