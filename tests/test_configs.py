"""Every training config can be read, and says what is missing in one sentence."""

import json
from pathlib import Path

import pytest
from allennlp.common import Params

import sdp_pointer.components  # noqa: F401

CONFIGS = sorted((Path(__file__).parent.parent / "training_config").glob("*.jsonnet"))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_a_config_is_read_and_takes_its_settings_from_the_environment(path, monkeypatch):
    monkeypatch.setenv("SDP_DATA", "/somewhere")
    monkeypatch.setenv("SDP_SEED", "7")
    monkeypatch.setenv("SDP_EPOCHS", "3")
    monkeypatch.setenv("SDP_VECTORS", "vectors.txt.gz")
    config = Params.from_file(path).as_dict()
    assert config["train_data_path"].startswith("/somewhere/")
    assert config["pytorch_seed"] == 7
    assert config["trainer"]["num_epochs"] == 3
    assert config["trainer"]["validation_metric"] == "+LF"
    embedders = config["model"]["text_field_embedder"]["token_embedders"]
    assert embedders["words"]["pretrained_file"] == "vectors.txt.gz"


@pytest.mark.parametrize("formalism", ["dm", "pas", "psd"])
def test_the_papers_configs_have_its_schedule_and_sections(formalism):
    [path] = [path for path in CONFIGS if path.stem == f"{formalism}_char_lemma"]
    config = Params.from_file(path).as_dict()
    assert config["dataset_reader"]["sections"] == "00-19"
    assert config["validation_dataset_reader"]["sections"] == "20"
    assert config["train_data_path"].endswith(f"en.{formalism}.sdp")
    assert set(config["dataset_reader"]["token_indexers"]) == {
        "words",
        "pos",
        "characters",
        "lemmas",
    }
    trainer = config["trainer"]
    assert (trainer["optimizer"]["lr"], trainer["optimizer"]["betas"]) == (0.001, [0.9, 0.9])
    assert trainer["learning_rate_scheduler"]["factor"] == 0.75
    assert trainer["grad_norm"] == 5.0
    assert config["data_loader"]["batch_sampler"]["batch_size"] == 32


def test_a_missing_data_file_is_told_in_one_line(allennlp, tmp_path):
    [path] = [path for path in CONFIGS if path.stem == "psd"]
    result = allennlp(tmp_path, "train", path, "-s", "out")
    assert result.returncode == 2
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("allennlp: error: there is no data file data/en.psd.sdp")


def test_overrides_reach_every_part():
    [path] = [path for path in CONFIGS if path.stem == "dm"]
    overrides = json.dumps({"model.encoder.hidden_size": 8, "trainer.use_amp": True})
    config = Params.from_file(path, overrides).as_dict()
    assert config["model"]["encoder"]["hidden_size"] == 8


@pytest.mark.parametrize(("given", "expected"), [(None, True), ("", False)])
def test_open_dm_has_vectors_unless_they_are_switched_off(given, expected, monkeypatch):
    if given is None:
        monkeypatch.delenv("SDP_VECTORS", raising=False)
    else:
        monkeypatch.setenv("SDP_VECTORS", given)
    [path] = [path for path in CONFIGS if path.stem == "open_dm"]
    config = Params.from_file(path).as_dict()
    embedders = config["model"]["text_field_embedder"]["token_embedders"]
    assert ("pretrained_file" in embedders["words"]) == expected
    assert ("pretrained_files" in config["vocabulary"]) == expected
