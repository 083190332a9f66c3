"""AllenNLP's commands in processes of their own, from a folder outside of the repository."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from torch.multiprocessing import ProcessRaisedException, spawn

from sdp_pointer.allennlp_compat.patches.commands import message_of_child_process

from .failing import MESSAGE, fail

CONFIG = Path(__file__).parents[2] / "fixtures" / "classifier" / "config.jsonnet"


def metrics(folder):
    return json.loads((folder / "metrics.json").read_text())


def test_the_console_script_and_the_module_tell_the_version(allennlp, tmp_path):
    script = Path(sys.executable).with_name("allennlp")
    for command in ([script], [sys.executable, "-m", "allennlp"]):
        result = subprocess.run(
            [*command, "--version"], cwd=tmp_path, capture_output=True, text=True
        )
        assert result.stdout.strip() == "allennlp 2.10.1"


def test_train_learns_and_finds_our_components_by_itself(trained):
    assert metrics(trained / "out")["best_validation_accuracy"] == 1.0
    log = (trained / "stderr").read_text()
    assert "Plugin sdp_pointer.components available" in log


def test_include_package_is_allowed_though_not_needed(allennlp, trained, fixtures):
    result = allennlp(
        trained,
        "evaluate",
        "out/model.tar.gz",
        fixtures / "classifier" / "dev.jsonl",
        "--include-package",
        "sdp_pointer",
        "--output-file",
        "evaluated.json",
    )
    assert result.returncode == 0, result.stderr
    assert json.loads((trained / "evaluated.json").read_text())["accuracy"] == 1.0


def test_predict_reads_json_lines(allennlp, trained):
    (trained / "input.jsonl").write_text('{"sentence": "the film was lovely"}\n')
    result = allennlp(
        trained, "predict", "out/model.tar.gz", "input.jsonl", "--output-file", "output.jsonl"
    )
    assert result.returncode == 0, result.stderr
    assert json.loads((trained / "output.jsonl").read_text())["label"] == "pos"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "nowhere.jsonnet", "-s", "new"], "nowhere.jsonnet"),
        (["train", "broken.jsonnet", "-s", "new"], "broken.jsonnet"),
        (["train", str(CONFIG), "-s", "out"], "not empty"),
        (["evaluate", "nowhere.tar.gz", "dev.jsonl"], "nowhere.tar.gz: no such file"),
        (["evaluate", "out/model.tar.gz", "nowhere.jsonl"], "nowhere.jsonl"),
    ],
    ids=["no config", "broken config", "used folder", "no archive", "no data"],
)
def test_what_the_user_can_mend_is_told_without_a_traceback(allennlp, trained, arguments, message):
    (trained / "broken.jsonnet").write_text("{ a: }")
    result = allennlp(trained, *arguments)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    told = result.stderr[result.stderr.rindex("allennlp: error: ") :]
    assert message in told


@pytest.mark.parametrize("command", ["evaluate", "predict"])
def test_a_data_file_that_cannot_be_read_is_told_in_one_line(run, words_model, tmp_path, command):
    data = tmp_path / "bad.sdp"
    data.write_text("#SDP 2015\n#1\n1\tGo\n\n")
    options = ["--use-dataset-reader"] if command == "predict" else []
    code, log = run(command, words_model, data, *options)
    assert code == 2
    assert "Traceback" not in log
    last = log.strip().splitlines()[-1]
    assert last.startswith(f"allennlp: error: {data}:3: 2 columns")


def test_what_the_user_can_mend_is_told_by_processes_that_train_together():
    with pytest.raises(ProcessRaisedException) as error:
        spawn(fail)
    assert message_of_child_process(error.value) == MESSAGE
    other = str(error.value).replace("UserError", "RuntimeError")
    assert message_of_child_process(ProcessRaisedException(other, 0, 1)) == ""


def test_two_processes_train_together(allennlp, tmp_path):
    overrides = json.dumps({"distributed": {"cuda_devices": [-1, -1]}, "trainer.num_epochs": 20})
    result = allennlp(tmp_path, "train", CONFIG, "-s", "out", "--overrides", overrides)
    assert result.returncode == 0, result.stderr
    assert metrics(tmp_path / "out")["best_validation_accuracy"] > 0.8
    assert "worker_1_memory_MB" in " ".join(metrics(tmp_path / "out"))


@pytest.mark.parametrize("start_method", ["fork", "spawn"])
def test_data_loader_workers_read_the_data(allennlp, tmp_path, start_method):
    loader = {"num_workers": 1, "start_method": start_method, "batch_size": 4}
    overrides = json.dumps({"data_loader": loader, "trainer.num_epochs": 1})
    result = allennlp(tmp_path, "train", CONFIG, "-s", "out", "--overrides", overrides)
    assert result.returncode == 0, result.stderr
    assert metrics(tmp_path / "out")["epoch"] == 0


def test_a_killed_training_is_recovered(allennlp, killed, tmp_path):
    killed(tmp_path, 3, CONFIG)
    result = allennlp(tmp_path, "train", CONFIG, "-s", "out", "--recover")
    assert result.returncode == 0, result.stderr
    # The epochs that were trained before are not trained again.
    assert 0 < result.stdout.count("Epoch duration") <= 57
    assert metrics(tmp_path / "out")["epoch"] == 59
