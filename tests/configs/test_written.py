"""The config that is written for files, as AllenNLP reads it."""

import json
from pathlib import Path

import pytest
from allennlp.common import Params

import sdp_pointer.components  # noqa: F401
from sdp_pointer.archives.shipped import ENGLISH_DM
from sdp_pointer.configs.survey import Survey
from sdp_pointer.configs.written import Choice, continued_config, new_config
from sdp_pointer.errors import UserError

FILES = Survey(
    sentences=100, words=900, arcs=800, labels=9, cyclic=0, tags=True, lemmas=True, formalism="psd"
)


@pytest.fixture
def read(tmp_path, monkeypatch):
    """What AllenNLP reads in a config of some folder, in which there is no sdp.libsonnet."""
    monkeypatch.chdir(tmp_path)

    def read(text):
        (tmp_path / "train.jsonnet").write_text(text)
        return Params.from_file(tmp_path / "train.jsonnet").as_dict()

    return read


def new(files=FILES, **choice):
    return new_config("a.conllu", "b.conllu", files, Choice(**choice))


def features(config):
    return list(config["dataset_reader"]["token_indexers"])


def test_a_parser_of_words_learns_to_tag_if_the_files_have_tags(read, tmp_path):
    config = read(new())
    assert config["train_data_path"] == str(tmp_path / "a.conllu")
    assert config["validation_data_path"] == str(tmp_path / "b.conllu")
    assert features(config) == ["characters", "words"]
    assert config["dataset_reader"]["tags"]
    assert list(config["model"]["decoders"]) == ["psd"]
    assert "tags" not in read(new(FILES._replace(tags=False)))["dataset_reader"]


def test_columns_are_used_if_asked_for(read):
    assert features(read(new(columns=True))) == ["characters", "lemmas", "pos", "words"]
    no_tags = FILES._replace(tags=False)
    assert features(read(new(no_tags, columns=True))) == ["characters", "lemmas", "words"]


def test_more_sentences_get_a_larger_parser_and_fewer_epochs(read):
    small, large = read(new()), read(new(FILES._replace(sentences=30_000)))
    size = ["model", "backbone", "encoder", "hidden_size"]
    assert at(small, size) < at(large, size)
    assert at(small, ["trainer", "num_epochs"]) > at(large, ["trainer", "num_epochs"])
    assert at(read(new(size=77)), size) == 77
    assert at(read(new(epochs=3)), ["trainer", "num_epochs"]) == 3


def at(config, keys):
    for key in keys:
        config = config[key]
    return config


def test_device_format_and_leniency_are_in_the_config(read):
    config = read(new(device=1, format="conllu", lenient=True))
    assert config["trainer"]["cuda_device"] == 1
    assert config["dataset_reader"]["format"] == "conllu"
    assert config["validation_dataset_reader"]["lenient"]


def test_the_transformer_of_the_package_is_named_by_its_model(read):
    config = read(new(transformer="english_dm"))
    assert features(config) == ["transformer"]
    indexer = config["dataset_reader"]["token_indexers"]["transformer"]
    assert indexer["model_name"] == f"{ENGLISH_DM}/transformer"
    groups = config["trainer"]["optimizer"]["parameter_groups"]
    assert groups[0][1] == {"lr": 2e-4}  # it is narrow


def test_a_model_is_continued_with_its_own_config(read):
    files = FILES._replace(formalism=None)
    config = read(continued_config("english_dm", "a.sdp", "b.sdp", files, Choice()))
    trained = json.loads(Path(ENGLISH_DM, "config.json").read_text())
    backbone = config["model"]["backbone"]
    assert backbone["encoder"] == trained["model"]["backbone"]["encoder"]
    assert config["vocabulary"]["extends"] == f"{ENGLISH_DM}/vocabulary"
    for part in (
        config["dataset_reader"]["token_indexers"],
        backbone["text_field_embedder"]["token_embedders"],
    ):
        assert part["transformer"]["model_name"] == f"{ENGLISH_DM}/transformer"


def test_only_a_folder_is_continued(tmp_path):
    (tmp_path / "model.tar.gz").touch()
    with pytest.raises(UserError, match=r"sdp-pointer pack .* FOLDER makes"):
        continued_config(str(tmp_path / "model.tar.gz"), "a", "b", FILES, Choice())


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("englishdm", "there is no model .*englishdm: name the folder of one; english_dm is"),
        ("", "cannot continue from .*: it contains no config.json"),
    ],
)
def test_what_is_no_model_is_not_continued(name, message, tmp_path):
    with pytest.raises(UserError, match=message):
        continued_config(str(tmp_path / name), "a", "b", FILES, Choice())
