"""What `sdp-pointer info` says of models, without loading them."""

import json
import subprocess
import sys

import pytest

import sdp_pointer
from sdp_pointer.archives.description import describe
from sdp_pointer.archives.shipped import ENGLISH_DM
from sdp_pointer.commands import main


def test_a_training_and_its_archive_and_its_packed_model_agree(words_model, packed_model):
    folder, archive, packed = map(
        describe, map(str, (words_model.parent, words_model, packed_model))
    )
    model = sdp_pointer.load(str(words_model)).model
    assert folder["parameters"] == sum(each.numel() for each in model.state_dict().values())
    assert set(folder["labels"]) == set(model.decoder.labels)
    assert folder["formalism"] == "dm"
    assert folder["needs"] == []
    assert 0 < folder["scores"]["LF"] <= folder["scores"]["UF"] < 1
    assert folder["scores"] == packed["scores"]
    assert archive["scores"] == {}
    for name in ("formalism", "labels", "parameters", "sizes", "needs"):
        assert folder[name] == archive[name] == packed[name]


def test_what_a_model_needs_is_listed(model, configure):
    config = json.loads((model / "config.json").read_text())
    config["dataset_reader"]["token_indexers"]["pos"] = {"type": "x", "feature_name": "tag_"}
    config["model"]["labeller"] = {"type": "json.Labeller"}
    (model / "config.json").write_text(json.dumps(config))
    assert describe(str(model))["needs"] == ["part-of-speech tags", "--include-package json"]


@pytest.mark.parametrize(
    ("name", "text", "licence"),
    [
        ("LICENSE", "\n  MIT License\n\nCopyright", "MIT License"),
        ("README.md", "---\nlicense: cc-by-4.0\n---\n", "cc-by-4.0"),
        ("README.md", "The weights are under the Apache licence 2.0, as ...", "Apache licence 2.0"),
        ("README.md", "Nothing.", None),
    ],
)
def test_the_licence_is_that_of_the_files(model, name, text, licence):
    (model / name).write_text(text)
    assert describe(str(model))["licence"] == licence


def test_the_command_describes_the_model_of_the_package(capsys):
    assert main(["info"]) == 0
    lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert lines["model"] == "english_dm"
    assert lines["parameters"].startswith("32,077,300,")
    assert lines["needs"] == "words alone"
    assert lines["licence"] == "Apache licence 2.0"
    assert main(["info", ENGLISH_DM, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["transformer"]["hidden_size"] == 384


def test_the_command_needs_no_torch():
    program = (
        "import sys; from sdp_pointer.commands import main; main(['info']);"
        " print('torch' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stdout.endswith("False\n"), result.stderr


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda model: (model / "config.json").write_text("{"), "its config.json cannot be read"),
        (
            lambda model: (model / "weights.safetensors").write_bytes(b"?" * 99),
            "weights are damaged",
        ),
        (lambda model: (model / "config.json").unlink(), "contains no config.json"),
    ],
)
def test_a_damaged_model_is_told_in_a_line(model, capsys, damage, message):
    damage(model)
    assert main(["info", str(model)]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"sdp-pointer: error: cannot read {model}: ")
    assert message in line


def test_a_model_that_is_not_there(capsys):
    assert main(["info", "nowhere"]) == 2
    assert "there is no model nowhere" in capsys.readouterr().err
