"""Parsers with a transformer, as a user trains and loads them, without a network."""

import json
import os
import shutil
import subprocess
import sys

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.testing import ModelTestCase
from allennlp.data import DatasetReader
from allennlp.models import load_archive

import sdp_pointer.components  # noqa: F401
from sdp_pointer.archives.packing import pack
from sdp_pointer.errors import UserError
from sdp_pointer.graphs import read
from tests.conftest import FIXTURES
from tests.transformer.conftest import make_transformer

CONFIGS = FIXTURES.parent / "training_config"
DEV = FIXTURES / "data" / "dm.dev.sdp"
EMBEDDER = "model.backbone.text_field_embedder.token_embedders.transformer"
SMALL = {
    "model.backbone.encoder.hidden_size": 16,
    "model.decoders.dm.state_size": 16,
    "model.decoders.dm.arc_size": 16,
    "model.decoders.dm.labeller.size": 8,
}


@pytest.fixture
def own_bert(bert, tmp_path, monkeypatch):
    """A transformer that the test may take away."""
    folder = tmp_path / "own_bert"
    shutil.copytree(bert, folder)
    monkeypatch.setenv("SDP_BERT", str(folder))
    monkeypatch.setenv("SDP_DATA", str(FIXTURES / "official"))
    monkeypatch.setenv("SDP_EPOCHS", "1")
    return folder


def small(formalism="dm"):
    """Overrides that make a parser small."""
    return {name.replace(".dm.", f".{formalism}."): size for name, size in SMALL.items()}


def train(config, folder, **overrides):
    """The parses of the dev set by the trained model, and its archive."""
    overrides = {f"{EMBEDDER}.{key}": value for key, value in overrides.items()}
    params = Params.from_file(CONFIGS / config, json.dumps({**small(), **overrides}))
    model = train_model(params, folder).eval()
    config = Params.from_file(folder / "config.json")["dataset_reader"]
    reader = DatasetReader.from_params(config, serialization_dir=str(folder))
    return parses(model, reader), folder / "model.tar.gz"


def parses(model, reader):
    instances = [reader.text_to_instance(graph.tokens) for graph in read(DEV)]
    for instance in instances:
        reader.apply_token_indexers(instance)
    outputs = model.forward_on_instances(instances)
    return [(output["graph"].tops, output["graph"].arcs) for output in outputs]


def load(archive):
    loaded = load_archive(archive)
    return parses(loaded.model.eval(), loaded.dataset_reader)


def test_a_fine_tuned_parser_needs_nothing_but_its_archive(own_bert, tmp_path, no_network):
    expected, archive = train("dm_finetuned.jsonnet", tmp_path / "out")
    shutil.rmtree(own_bert)
    assert load(archive) == expected


def test_a_fine_tuned_archive_has_the_tuned_weights(own_bert, bert, tmp_path):
    from sdp_pointer.transformer.pretrained import load_model

    _, archive = train("dm_finetuned.jsonnet", tmp_path / "out")
    loaded = load_archive(archive).model.backbone.text_field_embedder.token_embedder_transformer
    name = "encoder.layer.2.output.dense.weight"
    assert not torch.equal(
        loaded.encoder.model.get_parameter(name), load_model(bert).get_parameter(name)
    )


def test_a_frozen_archive_refers_to_its_transformer(own_bert, tmp_path, monkeypatch, no_network):
    expected, archive = train("dm_bert.jsonnet", tmp_path / "out")
    assert load(archive) == expected
    state = torch.load(tmp_path / "out" / "best.th", weights_only=True)
    assert not [name for name in state if "transformer" in name]
    moved = own_bert.rename(tmp_path / "moved")
    with pytest.raises(UserError, match=f"cannot find the transformer '{own_bert}'.*SDP_BERT"):
        load(archive)
    monkeypatch.setenv("SDP_BERT", str(moved))
    assert load(archive) == expected
    make_transformer("bert", own_bert, seed=7)
    assert load(archive) == expected
    monkeypatch.delenv("SDP_BERT")
    with pytest.raises(UserError, match="another transformer"):
        load(archive)


@pytest.mark.parametrize("model", ["out", "out/model.tar.gz", "given"])
def test_a_transformer_beside_the_model_is_found_from_any_folder(
    model, own_bert, tmp_path, monkeypatch, no_network
):
    work = tmp_path / "work"
    work.mkdir()
    shutil.copytree(own_bert, work / "own_bert")
    monkeypatch.setenv("SDP_BERT", "own_bert")
    monkeypatch.chdir(work)
    expected, _ = train("dm_bert.jsonnet", work / "out")
    if model == "given":
        pack("out", "given")
        (work / "own_bert").rename(work / "given" / "own_bert")
    monkeypatch.delenv("SDP_BERT")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    parsed = load(work / model)
    assert len(parsed) == len(expected)
    if model != "given":  # which has weights in 8 bits
        assert parsed == expected


def test_a_frozen_transformer_can_be_put_into_the_archive(own_bert, tmp_path, no_network):
    expected, archive = train("dm_bert.jsonnet", tmp_path / "out", archive_weights=True)
    shutil.rmtree(own_bert)
    assert load(archive) == expected


@pytest.mark.parametrize(
    ("config", "options"),
    [("dm_finetuned.jsonnet", {}), ("dm_bert.jsonnet", {"archive_weights": True})],
)
def test_a_packed_parser_has_its_transformer_and_forgot_where_it_was(
    config, options, own_bert, tmp_path, no_network
):
    train(config, tmp_path / "out", **options)
    pack(str(tmp_path / "out"), str(tmp_path / "packed"))
    pack(str(tmp_path / "packed"), str(tmp_path / "again"))
    shutil.rmtree(own_bert)
    loaded, again = load(tmp_path / "packed"), load(tmp_path / "again")
    assert loaded == again
    for path in (tmp_path / "packed").rglob("*"):
        assert path.is_dir() or str(tmp_path).encode() not in path.read_bytes()


def test_a_packed_parser_without_its_transformer_knows_where_it_was(
    own_bert, tmp_path, monkeypatch
):
    train("dm_bert.jsonnet", tmp_path / "out")
    pack(str(tmp_path / "out"), str(tmp_path / "packed"))
    monkeypatch.delenv("SDP_BERT")
    assert load(tmp_path / "packed")
    shutil.rmtree(own_bert)
    with pytest.raises(UserError, match=f"cannot find the transformer '{own_bert}'.*SDP_BERT"):
        load(tmp_path / "packed")


def test_a_loaded_parser_stores_nothing(own_bert, tmp_path, cache, monkeypatch):
    _, archive = train("dm_bert.jsonnet", tmp_path / "out")
    assert cache.exists()
    monkeypatch.setenv("SDP_CACHE", str(tmp_path / "other"))
    load(archive)
    assert not (tmp_path / "other").exists()


def test_training_is_the_same_with_a_cold_cache_a_warm_one_and_none(own_bert, tmp_path):
    losses = []
    for number, options in enumerate(({}, {}, {"cache": ""})):
        train("dm_bert.jsonnet", tmp_path / str(number), **options)
        metrics = json.loads((tmp_path / str(number) / "metrics.json").read_text())
        losses.append(metrics["training_loss"])
    assert losses[1] == pytest.approx(losses[0], rel=1e-5)
    assert losses[2] == pytest.approx(losses[0], rel=1e-5)


class TestByAllenNLP(ModelTestCase):
    @pytest.mark.parametrize("config", ["pas_bert", "pas_finetuned"])
    def test_it_trains_saves_loads_and_predicts_the_same(self, config, own_bert):
        path = CONFIGS / f"{config}.jsonnet"
        in_order = {"shuffle": False, "padding_noise": 0.0}
        overrides = {f"data_loader.batch_sampler.{key}": value for key, value in in_order.items()}
        overrides = {
            **small("pas"),
            **overrides,
            "model.backbone.text_field_embedder.dropout": 0.0,
        }
        self.set_up_model(path, str(FIXTURES / "official" / "en.pas.sdp"))
        self.ensure_model_can_train_save_and_load(path, overrides=json.dumps(overrides))


REFUSE = """
import runpy, socket, sys
def refuse(*args, **kwargs): raise SystemExit("something asked for the network")
socket.getaddrinfo = socket.socket.connect = refuse
sys.argv[0] = "allennlp"
runpy.run_module("allennlp", run_name="__main__")
"""


def test_a_user_trains_evaluates_and_predicts_by_environment_alone(bert, cache, tmp_path):
    shutil.copytree(bert, tmp_path / "tinybert")
    settings = {
        "SDP_BERT": "tinybert",
        "SDP_DATA": str(FIXTURES / "official"),
        "SDP_EPOCHS": "1",
        "HF_HUB_OFFLINE": "1",
    }

    def allennlp(*arguments):
        command = [sys.executable, "-c", REFUSE, *map(str, arguments)]
        environment = {**os.environ, **settings}
        result = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )
        assert result.returncode == 0, result.stderr

    allennlp("train", CONFIGS / "psd_bert.jsonnet", "-s", "out")
    assert (cache / "data.mdb").exists()
    dev = FIXTURES / "data" / "psd.dev.sdp"
    allennlp("evaluate", "out/model.tar.gz", dev, "--output-file", "scores.json")
    demo = FIXTURES / "demo.jsonl"
    allennlp("predict", "out/model.tar.gz", demo, "--silent", "--output-file", "parsed.jsonl")
    metrics = json.loads((tmp_path / "out" / "metrics.json").read_text())
    scores = json.loads((tmp_path / "scores.json").read_text())
    assert scores["LF"] == pytest.approx(metrics["best_validation_LF"])
    assert len(list(read(tmp_path / "parsed.jsonl"))) == len(demo.read_text().splitlines())
