"""The predictor: JSON in, a graph as JSON out."""

import pytest
from allennlp.commands import parse_args
from allennlp.commands.predict import _PredictManager

import sdp_pointer.components  # noqa: F401
from sdp_pointer.errors import UserError
from sdp_pointer.graphs import loads, read
from sdp_pointer.predictors import SdpPointerPredictor
from tests.conftest import FIXTURES
from tests.models.test_sdp_pointer import Parser


@pytest.fixture(scope="module")
def predictor():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SDP_DATA", str(FIXTURES / "data"))
        patch.setenv("SDP_EPOCHS", "1")
        parser = Parser()
    # Numbers of a lower precision depend on which sentences are parsed together.
    return SdpPointerPredictor(parser.model, parser.reader, precision="float32")


def test_words_with_lemmas_and_tags_are_parsed(predictor):
    line = {"id": "7", "tokens": ["Cats", "purr"], "lemmas": ["cat", "purr"], "pos": ["NNS", "VBP"]}
    output = predictor.predict_json(line)
    assert output["id"] == "7"
    assert output["tokens"][0] == {"form": "Cats", "lemma": "cat", "pos": "NNS"}
    assert set(output) >= {"tokens", "tops", "arcs"}


def test_raw_text_is_split_and_its_offsets_are_told(predictor):
    text = "  Zoë's cat  sleeps."
    output = predictor.predict_json({"sentence": text})
    assert output["text"] == text
    assert [token["form"] for token in output["tokens"]] == ["Zoë", "'s", "cat", "sleeps", "."]
    for token in output["tokens"]:
        assert text[token["start"] : token["end"]] == token["form"]


def test_unknown_keys_are_kept(predictor):
    output = predictor.predict_json({"tokens": ["Go"], "source": {"page": 3}})
    assert output["source"] == {"page": 3}


def test_several_graphs_are_written_if_asked_for(predictor):
    several = SdpPointerPredictor(
        predictor._model, predictor._dataset_reader, n_best=3, precision="float32"
    )
    output = several.predict_json({"sentence": "Kim likes the old house."})
    assert len(output["n_best"]) == 3
    assert {key: output[key] for key in ("score", "tops", "arcs")}.items() <= output["n_best"][
        0
    ].items()
    [graph] = loads(several.dump_line(output), "jsonl")
    assert len(graph.meta["n_best"]) == 3


def test_a_line_is_written_as_the_graph_layer_reads_it(predictor):
    line = predictor.dump_line(predictor.predict_json({"tokens": ["Zoë", "purrs"], "id": "1"}))
    [graph] = loads(line, "jsonl")
    assert graph.forms == ("Zoë", "purrs")


def test_a_batch_gives_what_single_sentences_give(predictor):
    graphs = list(read(FIXTURES / "data" / "dm.dev.sdp"))[:6]
    lines = [{"tokens": list(graph.forms)} for graph in graphs]
    together = predictor.predict_batch_json(lines)
    for line, output in zip(lines, together, strict=True):
        alone = predictor.predict_json(line)
        assert output.pop("score") == pytest.approx(alone.pop("score"), abs=1e-3)
        assert output.pop("top_probabilities", []) == pytest.approx(
            alone.pop("top_probabilities", []), abs=1e-3
        )
        for arc, same in zip(output["arcs"], alone["arcs"], strict=True):
            assert arc.pop("probability") == pytest.approx(same.pop("probability"), abs=1e-3)
        assert output == alone


def test_a_gold_file_is_parsed_anew(predictor):
    instances = list(predictor._dataset_reader.read(str(FIXTURES / "data" / "dm.dev.sdp")))[:3]
    outputs = predictor.predict_batch_instance(instances)
    assert [output["id"] for output in outputs] == [
        instance["metadata"].metadata.id for instance in instances
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({}, 'neither "sentence" nor "tokens"'),
        ({"sentence": "  "}, "no words"),
        ({"tokens": ["a", "b"], "pos": ["X"]}, "1 pos for 2 tokens"),
    ],
)
def test_a_line_that_is_no_sentence_is_told(predictor, line, message):
    with pytest.raises(UserError, match=message):
        predictor.predict_json(line)


@pytest.mark.parametrize(("options", "size"), [([], 32), (["--batch-size", "7"], 7)])
def test_without_a_batch_size_sentences_are_parsed_together(predictor, monkeypatch, options, size):
    monkeypatch.setattr("sys.argv", ["allennlp", "predict", "MODEL", "INPUT", *options])
    _, arguments = parse_args()
    manager = _PredictManager(predictor, "INPUT", None, arguments.batch_size, True, False)
    assert manager.batch_size == size
