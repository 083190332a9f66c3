"""The paper's table and its figure."""

import json

import pytest

from sdp_pointer.graphs import Graph, Token, read, write
from tests.conftest import FIXTURES

# One config is of dm, another of psd: names that say nothing of it are those of version 0.1.
SMALL = {
    "model.backbone.encoder.hidden_size": 16,
    "model.backbone.encoder.num_layers": 1,
    "model.decoder_size": 16,
    "model.arc_size": 16,
    "trainer.num_epochs": 1,
}


def test_the_papers_table_is_trained_scored_drawn_and_not_trained_twice(benchmark, tmp_path):
    arguments = ("paper_table.py", FIXTURES / "official", "out", "--formalisms", "dm", "psd")
    more = ("--blocks", "words", "--seeds", "7", "--overrides", json.dumps(SMALL))
    table, found = benchmark(*arguments, *more)
    rows = [line.split() for line in table.splitlines()[-3:]]
    assert [(row[0], row[1], row[3], row[5]) for row in rows[:2]] == [
        ("words", "dm", "92.5", "87.7"),
        ("words", "psd", "81.0", "78.7"),
    ]
    assert rows[2][:2] == ["words", "Avg"]
    assert len(rows[2]) == 4, "the paper's average is of three formalisms"
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


def test_the_other_blocks_of_the_papers_table_are_trained(benchmark, settings):
    arguments = ("paper_table.py", FIXTURES / "official", "out", "--formalisms", "pas")
    few = ("--blocks", "char_lemma", "bert", "--seeds", "1", "--overrides", json.dumps(SMALL))
    table, _ = benchmark(*arguments, *few, **settings)
    rows = [line.split() for line in table.splitlines()[1:]]
    assert [(row[0], row[1], row[3], row[5]) for row in rows if len(row) == 6] == [
        ("char_lemma", "pas", "94.2", "91.2"),
        ("bert", "pas", "95.1", "93.4"),
    ]


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
