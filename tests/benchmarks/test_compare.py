"""Parsers side by side."""

import json
import sys
from pathlib import Path

import pytest

from sdp_pointer.graphs import Graph, Token, read, write
from tests.conftest import FIXTURES

from .conftest import DATA, SMALL


def test_a_budget_counts_words_of_training_and_ends_with_the_time(programs):
    from measuring import Budget, OutOfTime

    seconds = iter([100, 102, 104, 110, 161])
    budget = Budget(minutes=1, clock=lambda: next(seconds))
    budget(10, training=True)
    budget(20, training=True)
    budget(99, training=False)  # what follows costs time, but is no training
    budget(30, training=True)
    assert (budget.words, budget.seconds) == (30, 4)
    with pytest.raises(OutOfTime):
        budget(1, training=True)


def test_graphs_come_back_from_supars_format(programs, tmp_path):
    from supar_files import to_supar

    words = [Token("Cats", "cat", "NNS"), Token("like", "like", "VBP"), Token("fish", "fish", "NN")]
    arcs = [(3, 1, "ARG1"), (2, 3, "ARG2"), (3, 2, "a:b")]  # from and to the last token
    graphs = [
        Graph(words, arcs, tops=[2, 3], id="1"),
        Graph(words, id="2", meta={"text": "left out"}),
        *read(DATA / "dm.dev.sdp"),
    ]
    write(graphs, str(tmp_path / "gold.jsonl"))
    path = to_supar(str(tmp_path / "gold.jsonl"), tmp_path / "all.conllu")
    assert list(read(path)) == graphs
    lines = Path(path).read_text().split("\n")
    assert [line.split("\t")[8] for line in lines[1:4]] == [
        "3:ARG1",
        "0:root|3:a:b",
        "0:root|2:ARG2",
    ]
    assert lines[3].split("\t")[1:5] == ["fish", "fish", "_", "NN"]
    assert lines[-2:] == ["", ""]  # or SuPar drops the last sentence
    bare = read(to_supar(str(tmp_path / "gold.jsonl"), tmp_path / "bare.conllu", arcs=False))
    assert list(bare) == [g.replace(arcs=(), tops=()) for g in graphs]


# Stands for a Python with SuPar: it "predicts" the gold graphs of dev, known from training, and for
# the other files what it was given, which should be no arcs.
FAKE_SUPAR = """#!{python}
import json, pathlib, shutil, sys
if sys.argv[1] == "-c":
    sys.exit(print("1.1.4"))
what, folder = sys.argv[4], pathlib.Path(sys.argv[5])
job = json.loads((folder / "job.json").read_text())
speed = {{"words_per_second": 1.0, "peak_mb": 1}}
result = {{"epochs": 2, "best_epoch": 1, "parameters": 3, "trained_parameters": 2, **speed}}
if what == "parse":
    files = {{name: shutil.copy(path, folder / (name + ".conllu")).name
             for name, path in {{**job["parse"], "dev": job["dev"]}}.items()}}
    result = [{{"search": "", "files": files, **speed}}]
(folder / (what + ".json")).write_text(json.dumps(result))
"""


def test_parsers_are_compared_and_a_comparison_goes_on_where_it_was(benchmark, run, tmp_path):
    for name, source in (("train", "dm.train.sdp"), ("dev", "dm.dev.sdp"), ("test", "dm.wsj.sdp")):
        (tmp_path / f"{name}.sdp").symlink_to(DATA / source)
    python = tmp_path / "python"
    python.write_text(FAKE_SUPAR.format(python=sys.executable))
    python.chmod(0o755)
    tiny = FIXTURES.parent / "training_config" / "tiny.jsonnet"
    arguments = ("compare.py", ".", "out", "--minutes", 60, "--python", python, "--beams", 1, 2)
    ours = ("--parser", "ours", tiny, json.dumps({"trainer.num_epochs": 10}))
    parsers = (*ours, "--parser", "biaffine", "biaffine-sdp")
    table, found = benchmark(*arguments, *parsers)
    assert [line.split("|")[1].strip() for line in table.splitlines()[2:]] == [
        "ours beam 1",
        "ours beam 2",
        "biaffine",
    ]
    greedy, _, supar = found["rows"]
    assert supar["scores"]["dev"] == {"LF": 100, "UF": 100, "LM": 100}
    assert supar["scores"]["test"]["UF"] == 0
    assert supar["p"]["dev"] < 0.05
    assert set(greedy["scores"]) == {"dev", "test"}
    assert greedy["training"]["epochs"] == 10

    trained = tmp_path / "out" / "ours" / "model" / "model.tar.gz"
    before = trained.stat().st_mtime_ns
    (tmp_path / "out" / "biaffine" / "parse.json").unlink()
    assert benchmark(*arguments, *parsers)[1] == found
    assert trained.stat().st_mtime_ns == before

    (tmp_path / "out").rename(tmp_path / "moved")
    moved = benchmark("compare.py", ".", "moved", *arguments[3:], *parsers)[1]["rows"]
    assert [row["scores"] for row in moved] == [row["scores"] for row in found["rows"]]
    (tmp_path / "moved").rename(tmp_path / "out")

    for parser in (ours, ("--parser", "biaffine", "biaffine-sdp")):
        other = run(*arguments, "--vectors", DATA / "dm.dev.sdp", *parser)
        assert other.returncode == 1
        assert "this was another comparison" in other.stderr

    other = run(*arguments, "--seed", 2, *parsers)
    assert other.returncode == 1
    assert "take another folder" in other.stderr


def test_a_comparison_with_supar_says_how_to_get_it(run):
    result = run("compare.py", DATA, "out", "--minutes", 1)
    assert result.returncode == 1
    assert "no --python: give --python a Python that has SuPar" in result.stderr


def test_training_ends_with_the_time_and_leaves_the_best_epoch(programs, monkeypatch, tmp_path):
    import compare_worker
    import measuring

    ticks = iter(range(10**6))
    # As if each batch took a second.
    monkeypatch.setattr(
        compare_worker, "Budget", lambda minutes: measuring.Budget(minutes, lambda: next(ticks))
    )
    tiny = FIXTURES.parent / "training_config" / "tiny.jsonnet"
    files = {"train": str(DATA / "dm.train.sdp"), "dev": str(DATA / "dm.dev.sdp")}
    overrides = {**SMALL, "trainer.num_epochs": 50}
    job = {"kind": str(tiny), "overrides": overrides, "minutes": 0.5, **files}
    result = compare_worker.train(tmp_path, job)
    assert 1 <= result["best_epoch"] <= result["epochs"] < 50
    assert (tmp_path / "model" / "model.tar.gz").exists()
