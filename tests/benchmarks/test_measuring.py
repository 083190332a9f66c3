"""Programs that measure a trained parser; their figures are nobody's business here."""

import doctest
import importlib
import json
import re
import shutil

import pytest

from sdp_pointer.commands import main
from sdp_pointer.graphs import Graph, Token, read
from tests.conftest import FIXTURES

from .conftest import DATA


@pytest.mark.parametrize("module", ["ablation", "paper_table", "figure_3", "model_card", "soak"])
def test_the_examples_in_benchmarks_are_true(programs, module):
    found = doctest.testmod(importlib.import_module(module))
    assert found.attempted
    assert not found.failed


def test_predict_is_compared_with_python_on_the_same_sentences(benchmark, words_model):
    file = FIXTURES / "data" / "dm.dev.sdp"
    table, found = benchmark("predict_speed.py", words_model, file, "--rounds", "1")
    assert "ratio" in table
    assert found["sentences"] == 14
    assert found["ratio"] == pytest.approx(found["predict"] / found["python"])


def test_parsing_is_timed_with_as_many_transitions_as_gold_has(benchmark, words_model):
    few = ("--threads", 1, "--batch-sizes", 8, "--beams", 1, "--rounds", 1)
    table, found = benchmark(
        "search_speed.py", words_model, DATA / "dm.dev.sdp", "--like-gold", *few
    )
    graphs = list(read(DATA / "dm.dev.sdp"))
    gold = sum(len(graph) + len(graph.arcs) + len(graph.tops) for graph in graphs)
    encoder, beam = found["rows"]
    assert encoder["of_encoder"] == 1
    assert beam["transitions_per_word"] == pytest.approx(gold / found["words"], rel=0.05)
    assert len(table.splitlines()) == 5


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
        options = ["--model", str(folder), "--precision", "float32"]
        assert main(["parse", gold, *options, "-o", parsed]) == 0
        assert main(["score", gold, parsed, "--json"]) == 0
        printed = json.loads(capsys.readouterr().out)["with_top"]
        figures = [f"{100 * printed[name]:.2f}" for name in ("LF", "UF", "LM")]
        assert re.search(rf"^\| {row['file']} \|.*{re.escape(' | '.join(figures))}", card, re.M)
    assert [row["precision"] for row in found["precisions"]][:3] == ["float32", "bfloat16", "int8"]
    assert f"| bfloat16 | {found['precisions'][1]['dev']:.2f} |" in card
