"""`sdp-pointer train`: from two files in any format to a parser, and on from there."""

import json
import signal
import subprocess
import sys
import time

import pytest
import torch

import sdp_pointer
from sdp_pointer.commands import main
from sdp_pointer.graphs import read, write
from tests.conftest import FIXTURES

TRAIN, DEV = (FIXTURES / "data" / f"dm.{part}.sdp" for part in ("train", "dev"))


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder with two files of CoNLL-U, and a small parser that was trained on them."""
    folder = tmp_path_factory.mktemp("own")
    write(read(TRAIN, formalism="dm"), folder / "ours.conllu")
    write(read(DEV, formalism="dm"), folder / "theirs.conllu")
    arguments = ["train", "ours.conllu", "theirs.conllu", "-o", "out", "--size", "64"]
    result = run(folder, *arguments, "--epochs", "6")
    assert result.returncode == 0, result.stderr
    (folder / "stdout").write_text(result.stdout)
    (folder / "stderr").write_text(result.stderr)
    return folder


def run(folder, *arguments):
    command = [sys.executable, "-m", "sdp_pointer", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_the_config_is_shown_and_stays(trained):
    config = (trained / "out" / "train.jsonnet").read_text()
    assert config in (trained / "stdout").read_text()
    assert 'formalism="dm"' in config


def test_each_epoch_has_a_line_and_the_best_one_a_table(trained):
    lines = (trained / "stderr").read_text().splitlines()
    assert lines[0].startswith("ours.conllu: 60 sentences, 590 words, 399 arcs with 18 labels")
    assert lines[2].split() == ["epoch", "loss", "dev", "loss", "dev", "LF", "dev", "UF"]
    assert [line.split()[0] for line in lines[3:]] == list("123456")
    metrics = json.loads((trained / "out" / "metrics.json").read_text())
    cells = [f"{100 * metrics[f'best_validation_L{kind}']:.2f}" for kind in "PRFM"]
    table = (trained / "stdout").read_text().splitlines()
    assert next(line for line in table if line.startswith("labelled")).split()[1:] == cells


def test_the_parser_parses_raw_text(trained):
    graph = sdp_pointer.load(str(trained / "out")).parse("Cats purr.")
    assert (graph.forms, graph.formalism) == (("Cats", "purr", "."), "dm")


def test_the_edited_config_trains_in_another_folder(trained, allennlp):
    config = (trained / "out" / "train.jsonnet").read_text()
    (trained / "edited.jsonnet").write_text(config + "+ { trainer+: { num_epochs: 1 } }\n")
    result = allennlp(trained, "train", "edited.jsonnet", "-s", "again")
    assert result.returncode == 0, result.stderr
    assert json.loads((trained / "again" / "metrics.json").read_text())["epoch"] == 0


def test_a_folder_that_is_not_empty_is_left_alone(trained, monkeypatch, capsys):
    monkeypatch.chdir(trained)
    assert main(["train", "ours.conllu", "theirs.conllu", "-o", "out"]) == 2
    assert "out is not empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ours.conllu"], "name two files of graphs"),
        (["ours.conllu", "theirs.conllu", "--recover"], "name no others"),
        (["--recover"], "sdp-pointer train began no training there"),
        (["ours.conllu", "nowhere.sdp"], "nowhere.sdp: No such file"),
        (["ours.conllu", "theirs.conllu", "--device", "gpu7"], "there is no device 'gpu7'"),
        (
            ["ours.conllu", "theirs.conllu", "--continue-from", "english_dm", "--columns"],
            "--columns is for a new model",
        ),
        (["ours.conllu", "theirs.conllu", "--transformer", "nowhere"], "'nowhere'"),
    ],
)
def test_wrong_use_is_told_before_anything_is_trained(
    arguments, message, trained, monkeypatch, capsys
):
    monkeypatch.chdir(trained)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert main(["train", *arguments, "-o", "new"]) == 2
    assert message in capsys.readouterr().err
    assert not (trained / "new").exists()


def test_a_training_that_cannot_begin_leaves_no_folder(trained):
    arguments = ("ours.conllu", "theirs.conllu", "-o", "new", "--vectors", "nowhere.txt")
    result = run(trained, "train", *arguments)
    assert result.returncode == 2
    assert "nowhere.txt" in result.stderr
    assert not (trained / "new").exists()


def test_problems_that_lenient_accepts_are_told_with_it(tmp_path, capsys):
    path = tmp_path / "empty_node.conllu"
    path.write_text(
        "1\tGo\tgo\tVERB\tVB\t_\t0\troot\t0:root\t_\n1.1\tit\t_\t_\t_\t_\t_\t_\t1:obj\t_\n\n"
    )
    assert main(["train", str(path), str(path), "-o", str(tmp_path / "out")]) == 1
    assert capsys.readouterr().err.endswith("--lenient accepts all of these\n")


def test_a_model_is_continued_with_new_labels(trained):
    graphs = [
        graph.replace(arcs=[arc._replace(label="ARG1-new") for arc in graph.arcs])
        for graph in read(trained / "theirs.conllu")
    ]
    write(graphs, trained / "new_labels.sdp")
    files = ("new_labels.sdp", "new_labels.sdp", "--formalism", "dm")
    result = run(trained, "train", *files, "-o", "tuned", "--continue-from", "out", "--epochs", "1")
    assert result.returncode == 0, result.stderr
    before, after = (sdp_pointer.load(str(trained / name)).model for name in ("out", "tuned"))
    labels = [model.vocab.get_token_to_index_vocabulary("arc_labels") for model in (before, after)]
    assert labels[0].items() < labels[1].items()
    assert labels[1].keys() - labels[0].keys() == {"ARG1-new"}
    name = "backbone.encoder.rightward.0.weight_hh_l0"
    distance = (before.state_dict()[name] - after.state_dict()[name]).abs().max()
    assert 0 < distance < 0.05


def test_the_model_of_the_package_is_continued_with_its_transformer(trained):
    lines = list(read(trained / "theirs.conllu"))[:4]
    write(lines, trained / "few.conllu")
    result = run(
        trained,
        *("train", "few.conllu", "few.conllu", "-o", "english", "--epochs", "1"),
        *("--continue-from", "english_dm"),
    )
    assert result.returncode == 0, result.stderr
    metrics = json.loads((trained / "english" / "metrics.json").read_text())
    # What has to be learnt from four sentences would be nothing.
    assert metrics["best_validation_LF"] > 0.7
    ours, theirs = sdp_pointer.load(), sdp_pointer.load(str(trained / "english" / "model.tar.gz"))
    name = "backbone.text_field_embedder.token_embedder_transformer.encoder.model.encoder.layer.0"
    name += ".attention.output.dense.weight"
    weights = [parser.model.state_dict()[name] for parser in (ours, theirs)]
    assert torch.allclose(*weights, atol=0.01)


def test_a_training_that_is_interrupted_goes_on(trained):
    arguments = ["train", "ours.conllu", "theirs.conllu", "-o", "cut", "--size", "16"]
    command = [sys.executable, "-m", "sdp_pointer", *arguments, "--epochs", "40"]
    process = subprocess.Popen(
        command, cwd=trained, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    checkpoint = trained / "cut" / "training_state_e2_b0.th"
    while not checkpoint.exists():
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate()
    assert process.returncode == 143
    assert said.endswith(
        "sdp-pointer: interrupted; go on with sdp-pointer train -o cut --recover\n"
    )
    assert (trained / "cut" / "train.jsonnet").exists()
    result = run(trained, "train", "-o", "cut", "--recover")
    assert result.returncode == 0, result.stderr
    assert not (trained / "cut" / "metrics_epoch_40.json").exists()
    assert json.loads((trained / "cut" / "metrics.json").read_text())["epoch"] == 39
