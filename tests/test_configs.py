"""Every training config can be read, and says what is missing in one sentence."""

import json
import re
from pathlib import Path

import pytest
import torch
from allennlp.common import Params
from allennlp.training.learning_rate_schedulers import LearningRateScheduler

import sdp_pointer.components  # noqa: F401


def embedders_of(config):
    return config["model"]["backbone"]["text_field_embedder"]["token_embedders"]


CONFIGS = sorted((Path(__file__).parent.parent / "training_config").glob("*.jsonnet"))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_a_config_is_read_and_takes_its_settings_from_the_environment(path, monkeypatch):
    monkeypatch.setenv("SDP_DATA", "/somewhere")
    monkeypatch.setenv("SDP_SEED", "7")
    monkeypatch.setenv("SDP_EPOCHS", "3")
    monkeypatch.setenv("SDP_VECTORS", "vectors.txt.gz")
    monkeypatch.setenv("SDP_BERT", "some_bert")
    config = Params.from_file(path).as_dict()
    files = config["train_data_path"]
    for file in [files] if isinstance(files, str) else files:
        assert file.startswith("/somewhere/")
    assert config["pytorch_seed"] == 7
    assert config["trainer"]["num_epochs"] == 3
    assert config["trainer"]["validation_metric"] == "+LF"
    embedders = embedders_of(config)
    indexers = config["dataset_reader"]["token_indexers"]
    assert set(embedders) == set(indexers)
    if "words" in embedders:
        assert embedders["words"]["pretrained_file"] == "vectors.txt.gz"
    if "transformer" in embedders:
        assert embedders["transformer"]["model_name"] == "some_bert"
        assert indexers["transformer"]["model_name"] == "some_bert"
    assert "words" in embedders or "transformer" in embedders


@pytest.mark.parametrize("formalism", ["dm", "pas", "psd"])
def test_the_papers_configs_have_its_schedule_and_sections(formalism):
    [path] = [path for path in CONFIGS if path.stem == f"{formalism}_char_lemma"]
    config = Params.from_file(path).as_dict()
    assert config["train_data_path"].endswith(f"en.{formalism}.sdp#00-19")
    assert config["validation_data_path"].endswith(f"en.{formalism}.sdp#20")
    # An archive of it must be able to read the test files, which are of no section.
    assert "sections" not in config["validation_dataset_reader"]
    assert set(config["dataset_reader"]["token_indexers"]) == {
        "words",
        "pos",
        "characters",
        "lemmas",
    }
    assert config["model"]["decoders"][formalism]["search"] == {"beam_size": 5}
    trainer = config["trainer"]
    assert (trainer["optimizer"]["lr"], trainer["optimizer"]["betas"]) == (0.001, [0.9, 0.9])
    assert trainer["grad_norm"] == 5.0
    assert config["data_loader"]["batch_sampler"]["batch_size"] == 32


def test_the_rate_falls_after_20_evaluations_without_a_better_one():
    [path] = [path for path in CONFIGS if path.stem == "dm"]
    optimizer = torch.optim.SGD(torch.nn.Linear(1, 1).parameters(), lr=1.0)
    scheduler = LearningRateScheduler.from_params(
        Params.from_file(path)["trainer"]["learning_rate_scheduler"], optimizer=optimizer
    )
    rates = []
    for score in (0.5, *[0.4] * 20):
        scheduler.step(score)
        rates.append(optimizer.param_groups[0]["lr"])
    assert rates == [1.0] * 20 + [0.75]


@pytest.mark.parametrize("formalism", ["dm", "pas", "psd"])
def test_the_bert_configs_are_the_papers_best(formalism, monkeypatch):
    monkeypatch.delenv("SDP_BERT", raising=False)
    [plain] = [path for path in CONFIGS if path.stem == f"{formalism}_char_lemma"]
    [bert] = [path for path in CONFIGS if path.stem == f"{formalism}_bert"]
    without = Params.from_file(plain).as_dict()
    config = Params.from_file(bert).as_dict()
    reader, validation = config["dataset_reader"], config["validation_dataset_reader"]
    for part in (reader["token_indexers"], validation["token_indexers"]):
        assert part.pop("transformer")["model_name"] == "bert-base-uncased"
    embedder = embedders_of(config).pop("transformer")
    assert embedder["model_name"] == "bert-base-uncased"
    assert embedder["layers"] == -2
    assert not embedder.get("trainable", False)
    assert config == without


@pytest.mark.parametrize("formalism", ["dm", "pas", "psd"])
def test_the_fine_tuned_configs_see_words_alone(formalism):
    [path] = [path for path in CONFIGS if path.stem == f"{formalism}_finetuned"]
    config = Params.from_file(path).as_dict()
    assert set(config["dataset_reader"]["token_indexers"]) == {"transformer"}
    embedder = embedders_of(config)["transformer"]
    assert embedder["trainable"]
    assert embedder["layers"] == [-4, -3, -2, -1]
    optimizer = config["trainer"]["optimizer"]
    assert (optimizer["type"], optimizer["lr"]) == ("adamw", 1e-3)
    [[[regex], options]] = optimizer["parameter_groups"]
    assert options == {"lr": 5e-5}
    embedder = "backbone.text_field_embedder.token_embedder_transformer"
    names = [
        f"{embedder}.encoder.model.encoder.layer.0.x.weight",
        f"{embedder}.mix.gamma",
        "encoder.rightward.0.weight_ih_l0",
    ]
    assert [bool(re.search(regex, name)) for name in names] == [True, False, False]
    assert config["trainer"]["learning_rate_scheduler"]["type"] == "linear_with_warmup"


def test_the_model_of_the_package_sees_words_alone(monkeypatch):
    monkeypatch.delenv("SDP_BERT", raising=False)
    [path] = [path for path in CONFIGS if path.stem == "english_dm"]
    config = Params.from_file(path).as_dict()
    assert [Path(file).name for file in config["train_data_path"]] == ["train.sdp", "extra.sdp"]
    embedders = embedders_of(config)
    [(name, embedder)] = embedders.items()
    assert embedder["trainable"]
    for part in (config["dataset_reader"], config["validation_dataset_reader"]):
        assert part["token_indexers"][name]["model_name"] == embedder["model_name"]
    assert embedder["model_name"] == "sentence-transformers/all-MiniLM-L6-v2"


def test_the_open_bert_config_adds_nothing_but_the_transformer():
    without, with_bert = (
        Params.from_file(path).as_dict()
        for name in ("open_words_char", "open_words_char_bert")
        for path in CONFIGS
        if path.stem == name
    )
    for reader in ("dataset_reader", "validation_dataset_reader"):
        with_bert[reader]["token_indexers"].pop("transformer")
    embedders_of(with_bert).pop("transformer")
    assert with_bert == without


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
@pytest.mark.parametrize("vectors", [None, "", "vectors.txt"], ids=["unset", "none", "given"])
def test_a_config_that_wants_vectors_and_has_none_warns(path, vectors, monkeypatch, capsys):
    if vectors is None:
        monkeypatch.delenv("SDP_VECTORS", raising=False)
    else:
        monkeypatch.setenv("SDP_VECTORS", vectors)
    config = Params.from_file(path).as_dict()
    told = capsys.readouterr().err.splitlines()
    official = path.stem.partition("_")[0] in ("dm", "pas", "psd")
    if vectors is None and official and not path.stem.endswith("_finetuned"):
        [line] = told
        assert line.startswith(f"{path}: warning: SDP_VECTORS is not set")
    else:
        assert told == []
    assert "warning" not in config


def test_a_missing_data_file_is_told_in_one_line(allennlp, tmp_path):
    [path] = [path for path in CONFIGS if path.stem == "psd"]
    result = allennlp(tmp_path, "train", path, "-s", "out")
    assert result.returncode == 2
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("allennlp: error: there is no data file data/en.psd.sdp")


def test_overrides_reach_every_part():
    [path] = [path for path in CONFIGS if path.stem == "dm"]
    overrides = json.dumps({"model.backbone.encoder.hidden_size": 8, "trainer.use_amp": True})
    config = Params.from_file(path, overrides).as_dict()
    assert config["model"]["backbone"]["encoder"]["hidden_size"] == 8
    assert config["trainer"]["use_amp"] is True


@pytest.mark.parametrize(("given", "expected"), [(None, True), ("", False)])
def test_open_dm_has_vectors_unless_they_are_switched_off(given, expected, monkeypatch):
    if given is None:
        monkeypatch.delenv("SDP_VECTORS", raising=False)
    else:
        monkeypatch.setenv("SDP_VECTORS", given)
    [path] = [path for path in CONFIGS if path.stem == "open_dm"]
    config = Params.from_file(path).as_dict()
    embedders = embedders_of(config)
    assert ("pretrained_file" in embedders["words"]) == expected
    assert ("pretrained_files" in config["vocabulary"]) == expected
