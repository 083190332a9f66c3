"""The parser as a new user runs it: train, evaluate, predict, with AllenNLP's commands."""

import json

import pytest

from sdp_pointer.graphs import read
from sdp_pointer.graphs.score import Scorer, pair
from tests.conftest import FIXTURES

CONFIG = FIXTURES.parent / "training_config" / "tiny.jsonnet"
DEV = FIXTURES / "data" / "dm.dev.sdp"


@pytest.fixture(scope="module")
def parser(allennlp, offline, tmp_path_factory):
    """A folder in which the tiny parser has been trained for a few epochs."""
    folder = tmp_path_factory.mktemp("parser")
    offline["SDP_DATA"] = str(FIXTURES / "data")
    overrides = json.dumps({"trainer.num_epochs": 12})
    result = allennlp(folder, "train", CONFIG, "-s", "out", "--overrides", overrides)
    assert result.returncode == 0, result.stderr
    return folder


def test_training_learns_and_selects_by_the_official_score(parser):
    metrics = json.loads((parser / "out" / "metrics.json").read_text())
    first = json.loads((parser / "out" / "metrics_epoch_0.json").read_text())
    assert metrics["best_validation_LF"] > 0.1
    assert metrics["training_loss"] < first["training_loss"]


def test_evaluate_and_predict_agree_with_the_official_scorer(allennlp, parser):
    model = "out/model.tar.gz"
    evaluated = allennlp(parser, "evaluate", model, DEV, "--output-file", "scores.json")
    assert evaluated.returncode == 0, evaluated.stderr
    predicted = allennlp(
        parser, "predict", model, DEV, "--use-dataset-reader", "--output-file", "parsed.jsonl"
    )
    assert predicted.returncode == 0, predicted.stderr
    scorer = Scorer()
    for gold, system in pair(read(DEV), read(parser / "parsed.jsonl")):
        scorer.add(gold, system)
    metrics = json.loads((parser / "scores.json").read_text())
    assert metrics["LF"] == pytest.approx(scorer.scores().with_top.as_metric()["LF"])


def test_two_processes_and_accumulated_gradients_train_and_score_the_whole_dev_set(
    allennlp, parser
):
    overrides = {
        "trainer.num_epochs": 2,
        "trainer.num_gradient_accumulation_steps": 2,
        "distributed": {"cuda_devices": [-1, -1]},
    }
    result = allennlp(parser, "train", CONFIG, "-s", "two", "--overrides", json.dumps(overrides))
    assert result.returncode == 0, result.stderr
    metrics = json.loads((parser / "two" / "metrics.json").read_text())
    evaluated = allennlp(parser, "evaluate", "two/model.tar.gz", DEV, "--output-file", "two.json")
    assert evaluated.returncode == 0, evaluated.stderr
    alone = json.loads((parser / "two.json").read_text())
    for name in ("LP", "LR", "LF", "UF", "LM"):
        assert metrics[f"best_validation_{name}"] == pytest.approx(alone[name])
