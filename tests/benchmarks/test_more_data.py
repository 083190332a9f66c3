"""What more data is worth, on a little data."""

import doctest
import importlib
import json

import pytest

from tests.conftest import FIXTURES

DATA = FIXTURES / "data"


@pytest.fixture
def divided(settings, tmp_path):
    """All files of an edition with tenths that are held out, and a transformer."""
    for name in ("more-written", "more-email", "more-dialogue"):
        (tmp_path / f"{name}.sdp").symlink_to(DATA / "dm.train.sdp")
    for name in ("test", "dev-written", "dev-email", "dev-dialogue"):
        (tmp_path / f"{name}.sdp").symlink_to(DATA / "dm.dev.sdp")
    return settings


def test_the_examples_are_true(programs):
    found = doctest.testmod(importlib.import_module("more_data"))
    assert found.attempted
    assert not found.failed


def test_each_parser_has_one_file_more_and_the_same_steps(programs, tmp_path):
    import more_data

    before: list[str] = []
    for files in more_data.trainings().values():
        changes = more_data.overrides(files, tmp_path, 800)
        paths = changes.pop("train_data_path")
        assert paths[:-1] == before
        before = paths
        steps = changes["data_loader.batches_per_epoch"] * changes["trainer.num_epochs"]
        assert (steps, changes["trainer.learning_rate_scheduler.warmup_steps"]) == (800, 160)
    assert [path.rpartition("/")[2] for path in before] == [
        "train.sdp",
        "extra.sdp",
        "more-written.sdp",
        "more-email.sdp",
        "more-dialogue.sdp",
    ]


def test_parsers_are_trained_scored_and_not_trained_twice(benchmark, tmp_path, divided):
    arguments = ("more_data.py", "out", "--steps", 4, "--only", "train", "and extra")
    table, found = benchmark(*arguments, **divided)
    head, _, *rows, sentences = table.splitlines()
    assert head == (
        "| trained on | dev | test | ood | dev-written | dev-email | dev-dialogue"
        " | question | imperative | other |"
    )
    assert [row.split(" | ")[0] for row in rows] == ["| train", "| and extra"]
    assert sentences.count("|") == head.count("|")
    assert list(found["rows"]) == ["train", "and extra"]
    for row in found["rows"].values():
        assert row["dev"] == row["test"] == row["dev-email"]
        moods = (row[name]["sentences"] for name in ("question", "imperative", "other"))
        assert sum(moods) == 3 * row["dev"]["sentences"]
        assert all(0 <= scored["LF"] <= scored["UF"] <= 1 for scored in row.values())
    trained = json.loads((tmp_path / "out" / "and_extra" / "config.json").read_text())
    assert [path.rpartition("/")[2] for path in trained["train_data_path"]] == [
        "train.sdp",
        "extra.sdp",
    ]
    model = tmp_path / "out" / "train" / "model.tar.gz"
    before = model.stat().st_mtime_ns
    assert benchmark(*arguments, **divided)[1] == found
    assert model.stat().st_mtime_ns == before


def test_what_is_missing_is_named(run, settings):
    result = run("more_data.py", "out", **settings)
    assert result.returncode == 2
    assert "--hold-out made; there is no more-written, more-email" in result.stderr
