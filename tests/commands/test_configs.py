"""`sdp-pointer configs`: the configs of the repository, wherever the package is installed."""

import shutil

from allennlp.common import Params

import sdp_pointer.components  # noqa: F401
from sdp_pointer.commands import main
from tests.conftest import FIXTURES

CONFIGS = FIXTURES.parent / "training_config"


def test_all_configs_are_listed_with_what_they_are(capsys):
    assert main(["configs"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == sorted(p.stem for p in CONFIGS.glob("*.jsonnet"))
    assert all(len(line.split()) > 4 for line in lines)


def test_a_copy_can_be_read_in_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["configs", "psd"]) == 0
    assert main(["configs", "dm_bert", "-o", "mine.jsonnet"]) == 0
    assert (
        Params.from_file("psd.jsonnet").as_dict()
        == Params.from_file(CONFIGS / "psd.jsonnet").as_dict()
    )
    assert "transformer" in Params.from_file("mine.jsonnet")["dataset_reader"]["token_indexers"]


def test_a_copy_of_what_they_import_comes_first(tmp_path):
    shutil.copy(CONFIGS / "psd.jsonnet", tmp_path)
    assert main(["configs", "sdp.libsonnet", "-o", str(tmp_path / "sdp.libsonnet")]) == 0
    text = (tmp_path / "sdp.libsonnet").read_text()
    (tmp_path / "sdp.libsonnet").write_text(text.replace("lr: 0.001,", "lr: 0.5,"))
    assert Params.from_file(tmp_path / "psd.jsonnet")["trainer"]["optimizer"]["lr"] == 0.5


def test_a_config_that_is_not_there_is_no_config(capsys):
    assert main(["configs", "nowhere"]) == 2
    assert "there is no config 'nowhere'; sdp-pointer configs lists them" in capsys.readouterr().err


def test_an_output_without_a_name_is_refused(capsys):
    assert main(["configs", "-o", "nowhere.jsonnet"]) == 2
    assert "name the config to copy" in capsys.readouterr().err
