"""Packages of the user's own, in every command that loads a model."""

import json
import os
import subprocess
import sys

import pytest

from tests.conftest import FIXTURES

COMPONENTS = """
from allennlp.modules.seq2seq_encoders import LstmSeq2SeqEncoder, Seq2SeqEncoder

Seq2SeqEncoder.register("theirs")(LstmSeq2SeqEncoder)
"""
ENCODER = {"type": "theirs", "hidden_size": 8, "bidirectional": True}
PARSE = ("parse", "Kim likes the house.", "--to", "text", "--model")


@pytest.fixture(scope="module")
def trained_with_own_encoder(allennlp, tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    (folder / "their_encoder.py").write_text(COMPONENTS)
    result = allennlp(
        folder,
        *("train", FIXTURES.parent / "training_config" / "tiny.jsonnet", "-s", "out"),
        *("--overrides", json.dumps({"model.backbone.encoder": ENCODER})),
        # AllenNLP's commands know the variable, too.
        settings={
            "SDP_DATA": str(FIXTURES / "data"),
            "SDP_EPOCHS": "1",
            "SDP_INCLUDE_PACKAGE": "their_encoder",
        },
    )
    assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture
def run(trained_with_own_encoder, offline):
    """Runs `sdp-pointer ARGUMENTS` beside the package; its exit code and what it said."""

    def run(*arguments, cwd=trained_with_own_encoder, **settings):
        result = subprocess.run(
            [sys.executable, "-m", "sdp_pointer", *arguments],
            cwd=cwd,
            env={**offline, **settings},
            capture_output=True,
            text=True,
        )
        return result.returncode, result.stdout + result.stderr

    return run


@pytest.fixture
def plugins(trained_with_own_encoder):
    path = trained_with_own_encoder / ".allennlp_plugins"
    path.write_text("their_encoder\n")
    yield path
    path.unlink()


def test_nothing_is_imported_that_nobody_named(run):
    code, said = run(*PARSE, "out")
    assert code == 2
    assert "theirs" in said


def test_a_package_is_named_by_an_option(run):
    code, said = run(*PARSE, "out", "--include-package", "their_encoder")
    assert (code, "Kim" in said) == (0, True), said


def test_a_package_is_named_by_the_environment(run):
    code, said = run(*PARSE, "out", SDP_INCLUDE_PACKAGE="their_encoder")
    assert (code, "Kim" in said) == (0, True), said


def test_a_package_is_named_by_the_plugins_file_of_the_folder(run, plugins):
    code, said = run(*PARSE, "out")
    assert (code, "Kim" in said) == (0, True), said


def test_the_plugins_file_in_a_model_is_not_the_users(run, plugins, trained_with_own_encoder):
    stranger = trained_with_own_encoder / "out"
    (stranger / ".allennlp_plugins").write_text("evil\n")
    (stranger / "evil.py").write_text("import pathlib; pathlib.Path('exploded').touch()\n")
    code, said = run(*PARSE, ".", cwd=stranger)
    (stranger / ".allennlp_plugins").unlink()
    assert code == 2
    assert "run the command in another folder" in said
    assert not (stranger / "exploded").exists()


def test_a_package_that_is_not_there_is_named(run):
    code, said = run(*PARSE, "out", "--include-package", "nowhere.to_be")
    assert code == 2
    assert said.startswith("sdp-pointer: error: there is no package 'nowhere.to_be': looked for in")
    assert len(said.splitlines()) == 1


def test_an_error_in_a_package_is_seen_as_it_is(run, trained_with_own_encoder):
    (trained_with_own_encoder / "broken.py").write_text("import no_such_module_at_all\n")
    code, said = run(*PARSE, "out", "--include-package", "broken")
    assert code == 1
    assert "ModuleNotFoundError: No module named 'no_such_module_at_all'" in said


def test_a_model_with_a_part_of_ones_own_is_packed(run, tmp_path):
    name = os.fspath(tmp_path / "small")
    assert run("pack", "out", name, "--include-package", "their_encoder")[0] == 0
    assert run(*PARSE, name, "--include-package", "their_encoder")[0] == 0
