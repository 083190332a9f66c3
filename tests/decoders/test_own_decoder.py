"""The decoder of somebody else in docs/decoders.md, used by the ordinary commands."""

import importlib
import json
import re
import sys

import pytest
from fastapi.testclient import TestClient

import sdp_pointer
from sdp_pointer.commands import main
from sdp_pointer.errors import UserError
from sdp_pointer.graphs import read
from sdp_pointer.server.app import make_app
from tests.conftest import FIXTURES

ROOT = FIXTURES.parent


@pytest.fixture(scope="module")
def trained_with_own_decoder(allennlp, tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    document = (ROOT / "docs" / "decoders.md").read_text()
    [example] = re.findall(r"```python\n(.*?)```", document, re.DOTALL)
    (folder / "my_decoder.py").write_text(example)
    config = ROOT / "training_config" / "tiny.jsonnet"
    result = allennlp(
        folder,
        *("train", config, "-s", "out", "--include-package", "my_decoder"),
        *("--overrides", json.dumps({"model.decoders": {"dm": {"type": "pairs"}}})),
        settings={"SDP_DATA": str(FIXTURES / "data"), "SDP_EPOCHS": "20"},
    )
    assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture
def own_parser(trained_with_own_decoder, monkeypatch):
    monkeypatch.syspath_prepend(str(trained_with_own_decoder))
    # A class is registered under a name once.
    if "my_decoder" not in sys.modules:
        importlib.import_module("my_decoder")
    return sdp_pointer.load(str(trained_with_own_decoder / "out"))


def test_it_is_trained_and_scored(trained_with_own_decoder):
    metrics = json.loads((trained_with_own_decoder / "out" / "metrics.json").read_text())
    first = json.loads((trained_with_own_decoder / "out" / "metrics_epoch_0.json").read_text())
    assert metrics["training_loss"] < first["training_loss"] / 2
    assert metrics["best_validation_UF"] > 0.3


def test_it_is_loaded_and_parses(own_parser):
    graphs = list(read(FIXTURES / "data" / "dm.dev.sdp"))
    parsed = list(own_parser.parse_batch(graphs))
    assert any(graph.arcs for graph in parsed)
    assert all(graph.is_dag for graph in parsed)
    assert {graph.formalism for graph in parsed} == {"dm"}
    assert "decoder pairs" in repr(own_parser)


def test_it_is_served(own_parser):
    with TestClient(make_app(own_parser)) as client:
        answer = client.post("/parse", json={"sentences": ["Cats purr.", "Go!"]})
        assert answer.status_code == 200, answer.text
        assert [graph["formalism"] for graph in answer.json()["graphs"]] == ["dm", "dm"]
        health = client.get("/health").json()
        assert (health["formalisms"], health["beam"]) == (["dm"], 1)
        answer = client.post("/parse", json={"sentence": "Cats purr.", "beam": 2})
        assert answer.status_code == 422
        assert "this model has no option beam" in answer.text


def test_options_that_it_does_not_have_are_refused(own_parser):
    with pytest.raises(UserError, match="this model has no option beam; it has n_best"):
        own_parser.parse("Cats purr.", beam=5)
    with pytest.raises(UserError, match="this model makes one graph of a sentence"):
        own_parser.n_best("Cats purr.", 2)


def test_the_command_parses_with_it(own_parser, trained_with_own_decoder, capsys):
    model = str(trained_with_own_decoder / "out")
    assert main(["parse", "Cats purr.", "--model", model]) == 0
    assert json.loads(capsys.readouterr().out)["formalism"] == "dm"
    assert main(["parse", "Cats purr.", "--model", model, "--beam", "2"]) == 2
    assert "this model has no option beam" in capsys.readouterr().err
