"""A killed training ends as if it had not been killed, or is refused; a failed start is undone."""

import json
import os
import shutil
import signal
import subprocess
import sys

import pytest
import torch

from sdp_pointer.errors import UserError
from sdp_pointer.graphs import read, write
from tests.conftest import WORDS_SETTINGS
from tests.training.tiny import CONFIG, OVERRIDES, Killed, kill_after, metrics, results, train

EPOCHS = "trainer.num_epochs"
EVERY_2_BATCHES = {"trainer.checkpointer": {"save_every_num_batches": 2}}


@pytest.mark.parametrize(
    ("checkpoints", "overrides"),
    [
        (2, {}),
        (3, {}),
        (13, EVERY_2_BATCHES),
        (15, EVERY_2_BATCHES),
        (5, {**EVERY_2_BATCHES, "trainer.num_gradient_accumulation_steps": 3}),
        (2, {"data_loader.batches_per_epoch": 5}),
        (2, {"trainer.moving_average": {"type": "exponential"}}),
        (2, {"trainer.patience": 1, "trainer.validation_metric": "+loss"}),
        (
            2,
            {
                "trainer.learning_rate_scheduler": {
                    "type": "linear_with_warmup",
                    "warmup_steps": 9,
                },
                "trainer.callbacks": [],
            },
        ),
        (
            3,
            {
                EPOCHS: 5,
                # The worse the better, so that the rate falls in every epoch.
                "trainer.validation_metric": "+loss",
                "trainer.learning_rate_scheduler.patience": 0,
            },
        ),
    ],
    ids=[
        *("between epochs", "after the last epoch", "in an epoch"),
        *(
            "at its end",
            "in an epoch of groups",
            "in a pass",
            "with averages",
            "out of patience",
            "with a schedule",
            "with the best weights reloaded",
        ),
    ],
)
def test_a_training_that_was_killed_ends_with_the_same_digits(
    tmp_path, monkeypatch, checkpoints, overrides
):
    expected = train(tmp_path / "whole", overrides)
    kill_after(checkpoints, monkeypatch)
    with pytest.raises(Killed):
        train(tmp_path / "out", overrides)
    assert train(tmp_path / "out", overrides, recover=True) == expected


# Kills the process itself at an exact moment; `torch.save` writes `FILE.part`, which is renamed.
KILLED = """
import os, signal, sys
import torch
import sdp_pointer.components
from allennlp.commands import main

moment, number = sys.argv.pop(1), int(sys.argv.pop(1))

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def at(owner, name, when):
    original = getattr(owner, name)
    def replaced(*args, **kwargs):
        if when(*args):
            die()
        return original(*args, **kwargs)
    setattr(owner, name, replaced)

steps = iter(range(1, 10**9))
if moment == "in an epoch":
    at(torch.optim.Adam, "step", lambda *args: next(steps) == number)
elif moment == "in a file":
    save = torch.save
    def save_half(state, path):
        save(state, path)
        if f"training_state_e{number}_" in str(path):
            os.truncate(path, os.path.getsize(path) // 2)
            die()
    torch.save = save_half
elif moment == "between files":
    at(os, "replace", lambda source, target: f"training_state_e{number}_" in str(target))
main()
"""


def test_sigkill_at_any_moment_does_not_change_a_digit(words_model, offline, tmp_path):
    arguments = ["train", str(CONFIG), "-s", "out"]

    def run(*command):
        result = subprocess.run(
            [sys.executable, *command, *arguments],
            cwd=tmp_path,
            env={**offline, **WORDS_SETTINGS},
            capture_output=True,
            text=True,
            timeout=300,
        )
        return result.returncode, result.stderr

    states = []
    for moment in (("in an epoch", "20"), ("in a file", "3"), ("between files", "4")):
        status, log = run("-c", KILLED, *moment)
        assert status == -signal.SIGKILL, log
        states.append(sorted(path.stem for path in (tmp_path / "out").glob("training_state_*.th")))
        if "--recover" not in arguments:
            arguments.append("--recover")
    assert states == [
        ["training_state_e1_b0", "training_state_e2_b0"],
        ["training_state_e1_b0", "training_state_e2_b0"],
        ["training_state_e2_b0", "training_state_e3_b0"],
    ]
    assert (tmp_path / "out" / "model_state_e4_b0.th").exists()
    status, log = run("-m", "allennlp")
    assert status == 0, log
    assert metrics(tmp_path / "out") == metrics(words_model.parent)


def test_an_archive_is_whole_if_it_is_there(words_model, tmp_path, monkeypatch):
    from allennlp.models import archival

    def die(self, name, *args, **kwargs):
        raise Killed

    folder = shutil.copytree(words_model.parent, tmp_path / "out")
    before = content(folder)
    with monkeypatch.context() as patch:
        patch.setattr(archival.tarfile.TarFile, "add", die)
        with pytest.raises(Killed):
            archival.archive_model(folder)
    assert (folder / "model.tar.gz").read_bytes() == before[folder / "model.tar.gz"]
    assert archival.archive_model(folder) == str(folder / "model.tar.gz")
    assert content(folder).keys() == before.keys()


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """The folder of a training that was killed after its first epoch, and its data."""
    folder = tmp_path_factory.mktemp("stopped")
    shutil.copy(OVERRIDES["train_data_path"], folder / "train.sdp")
    with pytest.MonkeyPatch.context() as patch:
        kill_after(1, patch)
        with pytest.raises(Killed):
            train(folder / "out", {"train_data_path": str(folder / "train.sdp")})
    return folder


@pytest.fixture
def recovered(stopped, tmp_path):
    """Recovers a copy of that training with the same data, or others."""
    shutil.copytree(stopped, tmp_path, dirs_exist_ok=True)

    def recover(**overrides):
        data = {"train_data_path": str(tmp_path / "train.sdp")}
        return train(tmp_path / "out", {**data, **overrides}, recover=True)

    return recover


def shuffle(path):
    write(list(read(path))[::-1], path)


def content(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("change", ["data", "option", "seed", "path"])
def test_a_training_is_not_recovered_with_something_else(recovered, tmp_path, change):
    before = content(tmp_path / "out")
    overrides = {}
    if change == "data":
        shuffle(tmp_path / "train.sdp")
        told = r"train\.sdp has another content"
    elif change == "option":
        overrides = {"model.decoders.dm.dropout": 0.5}
        told = r"model\.decoders\.dm\.dropout became 0\.5 \(it was 0\.1\)"
    elif change == "seed":
        overrides = {"pytorch_seed": 2}
        told = r"pytorch_seed became 2 \(it was 1\)"
    else:
        overrides = {"train_data_path": str(tmp_path / "other.sdp")}
        told = r"train_data_path became \S+other\.sdp"
    with pytest.raises(UserError, match=rf"cannot recover .*{told}.*--force") as error:
        recovered(**overrides)
    assert "\n" not in str(error.value)
    assert content(tmp_path / "out") == before


def test_what_changes_nothing_that_was_trained_may_change(recovered, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    moved = shutil.move(tmp_path / "train.sdp", tmp_path / "elsewhere" / "moved.sdp")
    changes = {"train_data_path": str(moved), EPOCHS: 2, "trainer.patience": 7}
    scores, _ = recovered(**changes, **{"trainer.checkpointer": {"keep_most_recent_by_count": 1}})
    assert scores["epoch"] == 1


def test_epochs_may_not_change_if_the_learning_rate_depends_on_them():
    from sdp_pointer.training.recovery import changes

    def found(kind):
        schedule = {"trainer.learning_rate_scheduler.type": kind}
        return list(changes({**schedule, EPOCHS: 2}, {**schedule, EPOCHS: 3}))

    assert found("reduce_on_plateau") == []
    assert found("linear_with_warmup") == ["trainer.num_epochs became 3 (it was 2)"]


def test_an_option_is_not_free_to_change_for_how_its_name_begins():
    from sdp_pointer.training.recovery import changes

    free = {"trainer.checkpointer": None, "trainer.checkpointer.type": "x", "trainer.patience": 1}
    assert list(changes(free, {})) == []
    assert list(changes({"trainer.patience_of_a_subclass": 1}, {})) == [
        "trainer.patience_of_a_subclass became nothing (it was 1)"
    ]


@pytest.fixture
def older(tmp_path):
    """Makes the training of the fixture `recovered` one that an older version began."""

    def forget():
        config = json.loads((tmp_path / "out" / "config.json").read_text())
        config["train_data_path"] = str(tmp_path / "train.sdp")
        (tmp_path / "out" / "config.json").write_text(json.dumps(config))
        (tmp_path / "out" / "sources.json").unlink()
        [path] = (tmp_path / "out").glob("training_state_*")
        state = torch.load(path, weights_only=False)
        del state["point"]
        torch.save(state, path)

    return forget


def test_a_training_of_an_older_version_is_recovered_with_a_warning(recovered, older, capfd):
    older()
    scores, _ = recovered()
    assert scores["epoch"] == 2
    assert "was begun by an older version" in capfd.readouterr().err


def test_weights_of_an_older_version_keep_their_vocabulary(recovered, older, tmp_path):
    older()
    text = (tmp_path / "train.sdp").read_text()
    shuffle(tmp_path / "train.sdp")
    before = content(tmp_path / "out" / "vocabulary")
    with pytest.raises(UserError, match=r"cannot recover .* vocabulary .*words\.txt.*--force"):
        recovered()
    assert content(tmp_path / "out" / "vocabulary") == before
    (tmp_path / "train.sdp").write_text(text)
    assert recovered()[0]["epoch"] == 2


def test_an_edited_vocabulary_is_refused(recovered, tmp_path):
    path = tmp_path / "out" / "vocabulary" / "words.txt"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([lines[0], *lines[:0:-1]]))
    with pytest.raises(UserError, match=r"cannot recover .* vocabulary .*words\.txt"):
        recovered()


def test_several_workers_go_on_with_the_vocabulary_of_the_weights(recovered, tmp_path, monkeypatch):
    from allennlp.data.data_loaders import MultiProcessDataLoader

    workers = {"data_loader.num_workers": 2}
    shutil.rmtree(tmp_path / "out")
    kill_after(1, monkeypatch)
    with pytest.raises(Killed):
        recovered(**workers)
    before = content(tmp_path / "out" / "vocabulary")
    gather = MultiProcessDataLoader._gather_instances
    monkeypatch.setattr(  # as it happens now and then
        MultiProcessDataLoader, "_gather_instances", lambda *args: reversed(list(gather(*args)))
    )
    assert recovered(**workers)[0]["epoch"] == 2
    assert content(tmp_path / "out" / "vocabulary") == before


def test_processes_that_train_together_are_recovered(allennlp, tmp_path):
    """Each has random numbers of its own, also within an epoch."""
    overrides = {
        **OVERRIDES,
        "distributed": {"cuda_devices": [-1, -1]},
        "trainer.checkpointer": {"save_every_num_batches": 2, "keep_most_recent_by_count": None},
    }
    arguments = ("train", CONFIG, "-o", json.dumps(overrides))
    result = allennlp(tmp_path, *arguments, "-s", "whole")
    assert result.returncode == 0, result.stderr
    out = shutil.copytree(tmp_path / "whole", tmp_path / "out")
    for path in (*out.glob("*_state_e[23]_*"), *out.glob("*_state_e1_b[!02].th")):
        path.unlink()
    (out / "metrics.json").unlink()
    shutil.copy(out / "model_state_e1_b0.th", out / "best.th")
    state = torch.load(out / "training_state_e1_b2.th", weights_only=False)
    assert [len(point["losses"]) for point in state["point"]] == [2, 2]
    result = allennlp(tmp_path, *arguments, "-s", "out", "--recover")
    assert result.returncode == 0, result.stderr
    assert results(out) == results(tmp_path / "whole")


MISTYPED = json.dumps({**OVERRIDES, "validation_data_path": "mistyped.sdp"})


@pytest.mark.parametrize("there", [False, True], ids=["no folder", "an empty folder"])
def test_a_failed_start_leaves_no_folder(run, tmp_path, there):
    out = tmp_path / "out"
    if there:
        out.mkdir()
    for _ in range(2):
        code, log = run("train", CONFIG, "-s", out, "-o", MISTYPED)
        assert (code, log.count("there is no data file mistyped.sdp")) == (2, 1)
        assert out.exists() == there
        assert os.listdir(tmp_path) == (["out"] if there else [])


def test_a_failed_start_with_force_costs_nothing_that_was_there(recovered, run, tmp_path):
    before = content(tmp_path)
    code, log = run("train", CONFIG, "-s", tmp_path / "out", "--force", "-o", MISTYPED)
    assert (code, log.count("there is no data file mistyped.sdp")) == (2, 1)
    assert content(tmp_path) == before


def test_force_replaces_a_training(recovered, tmp_path):
    (tmp_path / "out" / "notes.txt").write_text("of the first training")
    train(tmp_path / "out", {EPOCHS: 1}, force=True)
    assert not (tmp_path / "out" / "notes.txt").exists()
    assert sorted(os.listdir(tmp_path)) == ["out", "train.sdp"]


def test_a_folder_that_no_training_set_aside_is_left_alone(recovered, tmp_path):
    (tmp_path / "out.replaced").mkdir()
    (tmp_path / "out.replaced" / "thesis.tex").write_text("years of work")
    before = content(tmp_path)
    with pytest.raises(UserError, match=r"cannot replace \S+out: .*out\.replaced.*\(-s\)") as error:
        train(tmp_path / "out", force=True)
    assert "\n" not in str(error.value)
    assert content(tmp_path) == before
    shutil.rmtree(tmp_path / "out")
    with pytest.raises(UserError, match="mistyped"):
        train(tmp_path / "out", {"validation_data_path": "mistyped.sdp"})
    assert not (tmp_path / "out").exists()
    train(tmp_path / "out", {EPOCHS: 1})
    assert (tmp_path / "out.replaced" / "thesis.tex").read_text() == "years of work"


def test_a_start_that_was_killed_is_recovered_from_the_beginning(tmp_path, monkeypatch):
    from allennlp.data import Vocabulary

    def die(*args):
        os.makedirs(tmp_path / "killed" / "vocabulary")
        (tmp_path / "killed" / "vocabulary" / "words.txt").write_text("half")
        shutil.copytree(tmp_path / "killed", tmp_path / "left")
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(Vocabulary, "save_to_files", die)
        with pytest.raises(Killed):
            train(tmp_path / "killed")
    expected = train(tmp_path / "whole")
    assert train(tmp_path / "left", recover=True) == expected
    assert sorted(os.listdir(tmp_path)) == ["left", "whole"]


def test_a_folder_without_a_checkpoint_is_not_recovered_over(words_model, tmp_path):
    shutil.copy(words_model, tmp_path)
    with pytest.raises(UserError, match=r"cannot recover .*: it holds no checkpoint"):
        train(tmp_path, recover=True)
    assert os.listdir(tmp_path) == [words_model.name]


def test_recover_and_force_exclude_each_other(tmp_path):
    with pytest.raises(UserError, match="exclude each other"):
        train(tmp_path / "out", recover=True, force=True)
