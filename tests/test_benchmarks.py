"""The programs of benchmarks/ run to their tables; their figures are nobody's business here."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sdp_pointer.commands import main
from sdp_pointer.graphs import Graph, Token, read, write
from tests.conftest import FIXTURES

BENCHMARKS = FIXTURES.parent / "benchmarks"
DATA = FIXTURES / "data"
SMALL = {
    "model.encoder.hidden_size": 16,
    "model.encoder.num_layers": 1,
    "model.decoder_size": 16,
    "model.arc_size": 16,
    "trainer.num_epochs": 1,
}


@pytest.fixture
def run(offline, tmp_path):
    """Runs a program of benchmarks/."""

    def run(name, *arguments, **settings):
        return subprocess.run(
            [sys.executable, str(BENCHMARKS / name), *map(str, arguments)],
            cwd=tmp_path,
            env={**offline, **settings},
            capture_output=True,
            text=True,
            timeout=600,
        )

    return run


@pytest.fixture
def benchmark(run):
    """Runs a program of benchmarks/ and returns its table and its JSON."""

    def benchmark(name, *arguments, **settings):
        result = run(name, *arguments, **settings)
        assert result.returncode == 0, result.stderr
        table, _, last = result.stdout.strip().rpartition("\n")
        return table, json.loads(last)

    return benchmark


@pytest.fixture
def programs(monkeypatch):
    """Makes the modules of benchmarks/ importable."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))


def test_the_papers_table_is_trained_scored_drawn_and_not_trained_twice(benchmark, tmp_path):
    arguments = ("paper_table.py", FIXTURES / "official", "out", "--formalisms", "dm", "psd")
    more = ("--blocks", "words", "--seeds", "7", "--overrides", json.dumps(SMALL))
    table, found = benchmark(*arguments, *more)
    rows = [line.split() for line in table.splitlines()[-3:]]
    assert [(row[0], row[1], row[3], row[5]) for row in rows] == [
        ("words", "dm", "92.5", "87.7"),
        ("words", "psd", "81.0", "78.7"),
        ("words", "Avg", "89.2", "85.8"),
    ]
    [[dm], [psd], [average]] = [row["scores"] for row in found["rows"]]
    assert average == pytest.approx([(one + other) / 2 for one, other in zip(dm, psd)])
    out = tmp_path / "out"
    assert json.loads((out / "dm.7" / "config.json").read_text())["pytorch_seed"] == 7
    assert len(list(read(out / "dm.7" / "dev.beam5.sdp"))) == 14  # of section 20
    drawing = (out / "words.svg").read_text()
    assert drawing.count("<circle") == 2 * 14
    weights = out / "dm.7" / "model.tar.gz"
    before = weights.stat().st_mtime_ns
    assert benchmark(*arguments, *more)[1] == found
    assert weights.stat().st_mtime_ns == before


def test_predict_is_compared_with_python_on_the_same_sentences(benchmark, words_model):
    file = FIXTURES / "data" / "dm.dev.sdp"
    table, found = benchmark("predict_speed.py", words_model, file, "--rounds", "1")
    assert "ratio" in table
    assert found["sentences"] == 14
    assert found["ratio"] == pytest.approx(found["predict"] / found["python"])


def test_the_papers_table_says_which_official_files_are_missing(run, tmp_path):
    result = run("paper_table.py", tmp_path, "out", "--formalisms", "dm")
    assert result.returncode == 2
    assert "en.dm.sdp" in result.stderr
    assert "LDC2016T10" in result.stderr


def test_figure_3_fits_a_line(benchmark, tmp_path):
    # Two transitions a word but for the last word, which no arc enters.
    graphs = [
        Graph([Token("a")] * n, [(i + 1, i, "x") for i in range(1, n)], id=str(n))
        for n in (2, 5, 9)
    ]
    write(graphs, str(tmp_path / "chains.sdp"))
    _, [row] = benchmark("figure_3.py", "chains.sdp", "-o", "figure.svg")
    assert (row["slope"], row["intercept"]) == pytest.approx((2, -1))
    assert "2.00 n -1.00" in (tmp_path / "figure.svg").read_text()


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
    sys.exit()
what, folder = sys.argv[4], pathlib.Path(sys.argv[5])
job = json.loads((folder / "job.json").read_text())
speed = {{"words_per_second": 1.0, "peak_mb": 1}}
result = {{"epochs": 2, "best_epoch": 1, "parameters": 3, "trained_parameters": 2, **speed}}
if what == "parse":
    files = {{name: str(shutil.copy(path, folder / (name + ".conllu")))
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


def test_what_a_transformer_gains_is_measured_once(benchmark, tmp_path):
    for name, source in (("train", "dm.train.sdp"), ("dev", "dm.dev.sdp"), ("ood", "dm.wsj.sdp")):
        (tmp_path / f"{name}.sdp").symlink_to(DATA / source)
    bert = tmp_path / "bert"
    subprocess.run([sys.executable, str(FIXTURES / "make_bert.py"), str(bert)], check=True)
    arguments = ("bert_ablation.py", bert, "out", "--epochs", 1, "--sentences", 8)
    settings = {"SDP_DATA": str(tmp_path)}
    table, found = benchmark(*arguments, "--only", "fine-tuned", **settings)
    [row] = found["rows"]
    assert row["parser"] == "fine-tuned"
    assert len(row["dev_curve"]) == 1
    assert table.splitlines()[1].startswith("fine-tuned")
    model = tmp_path / "out" / "fine-tuned" / "model.tar.gz"
    before = model.stat().st_mtime_ns
    assert benchmark(*arguments, "--only", "fine-tuned", **settings)[1] == found
    assert model.stat().st_mtime_ns == before


def test_an_analysis_has_every_table(benchmark, words_model):
    table, found = benchmark("analysis.py", words_model, DATA / "dm.dev.sdp")
    sentences = len(list(read(DATA / "dm.dev.sdp")))
    assert [row["sentences"] for row in found["overall"]] == [sentences, sentences]
    beams = found["beam 5 beside beam 1, by words in the sentence"]
    assert beams[-1]["words"] == "all"
    for row in beams:
        assert row["sentences"] == row["better"] + row["worse"] + row["as good"]
        assert row["same graph"] <= row["as good"]
    assert sum(row["sentences"] for row in beams[:-1]) == sentences
    arcs = sum(len(graph.arcs) for graph in read(DATA / "dm.dev.sdp"))
    assert sum(row["gold"] for row in found["beam 1, by length of the arcs"]) == arcs
    for title in found:
        assert f"# {title}" in table


def test_what_cycles_cost_and_what_labels_are_taken_for(programs):
    import analysis

    words = [Token("a"), Token("b"), Token("c")]
    gold = Graph(words, [(1, 2, "x"), (2, 3, "x")], tops=[1])
    free = gold.replace(arcs=[*gold.arcs, (3, 1, "x")])
    wrong = gold.replace(arcs=[(1, 2, "x"), (2, 3, "y")])
    rows = analysis.cycles([(gold, wrong), (gold, gold)], [(gold, free), (gold, gold)])
    assert [(row["number"], row["search"], row["UF"]) for row in rows[:2]] == [
        (1, "acyclic", 1),
        (1, "cycles allowed", pytest.approx(6 / 7)),
    ]
    assert [row["number"] for row in rows[2:]] == [2, 2]
    [row] = analysis.labels([(gold, wrong)])
    assert (row["label"], row["gold"], row["R"], row["taken for"]) == ("x", 2, 0.5, "y 1")
    [narrower, everything] = analysis.beams([(gold, wrong), (gold, gold)], [(gold, gold)] * 2)
    assert narrower == {**everything, "words": "1-10"}
    assert (everything["better"], everything["worse"], everything["same graph"]) == (1, 0, 1)


def test_the_model_card_has_the_figures_that_parse_and_score_print(
    benchmark, packed_model, tmp_path, capsys
):
    folder = shutil.copytree(packed_model, tmp_path / "model")
    for name, file in (("dev", "dm.dev"), ("test", "dm.train"), ("ood", "dm.wsj")):
        shutil.copy(FIXTURES / "data" / f"{file}.sdp", tmp_path / f"{name}.sdp")
    _, found = benchmark("model_card.py", folder, tmp_path, "--threads", 1)
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert not re.search(r"[{}]", card)
    assert "epochs, number" in card
    for row in found["scores"]:
        gold, parsed = str(tmp_path / f"{row['file']}.sdp"), str(tmp_path / "parsed.sdp")
        assert main(["parse", gold, "--model", str(folder), "-o", parsed]) == 0
        assert main(["score", gold, parsed, "--json"]) == 0
        printed = json.loads(capsys.readouterr().out)["with_top"]
        figures = [f"{100 * printed[name]:.2f}" for name in ("LF", "UF", "LM")]
        assert re.search(rf"^\| {row['file']} \|.*{re.escape(' | '.join(figures))}", card, re.M)
