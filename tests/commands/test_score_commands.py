"""The commands that compare files: `score` and `compare`."""

import io
import json
import sys

import pytest

from sdp_pointer.commands import main
from sdp_pointer.graphs import Graph, Token, dumps, write
from tests.commands.conftest import GOLD, SYSTEM, WORDS


def test_score_prints_the_official_figures(folder, capsys):
    assert main(["score", "gold.sdp", "system.sdp"]) == 0
    output = capsys.readouterr().out
    assert "LP: 0.800000  LR: 0.800000  LF: 0.800000  LM: 0.500000" in output
    assert "UP: 1.000000  UR: 1.000000  UF: 1.000000  UM: 1.000000" in output


def test_score_prints_json_with_the_oracles_keys(folder, capsys, fixtures):
    assert main(["score", "gold.sdp", "system.sdp", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    oracle = json.loads((fixtures / "oracle" / "expected.json").read_text())
    expected = oracle["pairs"]["p01_identity"]["default"]
    assert document.keys() == expected.keys()
    assert document["with_top"].keys() == expected["with_top"].keys()
    assert document["with_top"]["by_label"]["ARG2"] == {
        "P": 1,
        "R": 0.5,
        "n_gold": 2,
        "n_system": 1,
    }


def test_score_shows_nan_where_the_official_tool_does(folder, capsys):
    write([graph.replace(arcs=(), tops=()) for graph in GOLD], "empty.sdp")
    assert main(["score", "gold.sdp", "empty.sdp"]) == 0
    assert "LP: NaN       LR: 0.000000  LF: NaN " in capsys.readouterr().out
    main(["score", "gold.sdp", "empty.sdp", "--json"])
    assert json.loads(capsys.readouterr().out)["with_top"]["LP"] is None


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--by", "label"], "ARG2             2        1  1.000000  0.500000"),
        (["--by", "length"], "1             3        3  0.666667  0.666667"),
        (["--by", "sentence"], "20000001              3       3       2  0.666667  0.666667"),
        (["--by", "words"], "1-10           2        5        5  0.800000  0.500000  1.000000"),
        (["--by", "mood"], "other          2        5        5  0.800000  0.500000  1.000000"),
        (["--max", "1"], "LP: 0.666667"),
    ],
)
def test_score_has_the_official_options_and_breakdowns(folder, capsys, options, line):
    assert main(["score", "gold.sdp", "system.sdp", *options]) == 0
    assert line in capsys.readouterr().out


OPTIONS = {
    "default": [],
    "DM": ["--representation", "DM"],
    "PAS": ["--representation", "pas"],
    "PSD": ["--representation", "psd"],
    "excludePunctuation": ["--exclude-punctuation"],
    "treatEdgesAsUndirected": ["--undirected"],
    "max2": ["--max", "2"],
}


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("pair", ["p08_punctuation", "p09_noisy_psd", "p12_handmade_dm"])
def test_every_option_gives_the_official_figures(capsys, fixtures, pair, option):
    files = [str(fixtures / "oracle" / "pairs" / f"{pair}.{side}.sdp") for side in ("gold", "sys")]
    oracle = json.loads((fixtures / "oracle" / "expected.json").read_text())
    assert main(["score", *files, *OPTIONS[option], "--json"]) == 0
    sections = json.loads(capsys.readouterr().out)
    for name, expected in oracle["pairs"][pair][option].items():
        for figure, value in expected.items():
            if isinstance(value, float):
                assert sections[name][figure] == pytest.approx(value, abs=1e-6), (name, figure)
            elif not isinstance(value, dict):
                assert sections[name][figure] == value, (name, figure)


@pytest.mark.parametrize(
    ("name", "options", "noted"),
    [
        ("en.psd.sdp", [], True),
        ("psd.mrp", [], True),
        ("en.psd.sdp", ["--representation", "psd"], False),
        ("en.psd.sdp", ["--representation", "dm"], False),
        ("en.dm.sdp", [], False),
        ("gold.sdp", [], False),
    ],
)
def test_a_known_formalism_changes_no_figure_but_its_core_arguments_are_noted(
    folder, capsys, name, options, noted
):
    """The same graphs have the same figures, whatever their file is called."""
    gold = [graph.replace(formalism="psd") for graph in GOLD]
    write(gold, name)
    assert main(["score", "gold.sdp", "system.sdp", *options]) == 0
    expected = capsys.readouterr().out
    assert main(["score", name, "system.sdp", *options]) == 0
    output = capsys.readouterr()
    assert output.out == expected
    note = "note: psd graphs: PP to FF count all arcs; --representation psd counts core arguments"
    assert output.err == (f"{note} alone\n" if noted else "")


def test_the_core_arguments_of_any_formalism_can_be_counted(folder, capsys):
    words = [Token("Cats", pos="NNS"), Token("sleep", pos="VBP"), Token("here", pos="RB")]
    gold = Graph(words, [(2, 1, "nsubj"), (2, 3, "advmod")], id="1", formalism="eud")
    write([gold], "gold.conllu")
    write([gold.replace(arcs=[(2, 1, "nsubj"), (2, 3, "obl")])], "system.conllu")
    for options, expected in (([], 0), (["--representation", "eud"], 1)):
        assert main(["score", "gold.conllu", "system.conllu", "--json", *options]) == 0
        assert json.loads(capsys.readouterr().out)["with_top"]["PR"] == expected


def test_score_gives_json_for_each_sentence(folder, capsys):
    main(["score", "gold.sdp", "system.sdp", "--by", "sentence", "--json"])
    first, second = json.loads(capsys.readouterr().out)["sentences"]
    assert first["id"] == "20000001"
    assert first["with_top"]["LM"] == 0
    assert second["with_top"]["LM"] == 1


def test_score_gives_json_for_each_length_of_sentences(folder, capsys):
    long = Graph([Token("so")] * 11, tops=[1], id="20000003")
    write([*GOLD, long], "gold.sdp")
    write([*SYSTEM, long], "system.sdp")
    main(["score", "gold.sdp", "system.sdp", "--by", "words", "--json"])
    words = json.loads(capsys.readouterr().out)["words"]
    assert {name: bin["with_top"]["LM"] for name, bin in words.items()} == {"1-10": 0.5, "11-20": 1}


def test_score_gives_json_for_each_mood(folder, capsys):
    order = Graph([Token("Go", pos="VB"), Token("!", pos=".")], tops=[1], id="20000003")
    write([*GOLD, order], "gold.sdp")
    write([*SYSTEM, order.replace(tops=[2])], "system.sdp")
    main(["score", "gold.sdp", "system.sdp", "--by", "mood", "--json"])
    moods = json.loads(capsys.readouterr().out)["mood"]
    assert {name: group["with_top"]["LM"] for name, group in moods.items()} == {
        "imperative": 0,
        "other": 0.5,
    }


def test_score_refuses_files_that_do_not_fit_and_shows_the_first_difference(folder, capsys):
    other = [SYSTEM[0], SYSTEM[1].replace(tokens=[WORDS[1], Token("milk")])]
    write(other, "other.sdp")
    assert main(["score", "gold.sdp", "other.sdp"]) == 1
    message = capsys.readouterr().err
    assert message == (
        "gold.sdp:9 and other.sdp:9: sentence 2 (gold '20000002', system '20000002'):"
        " token 2 is 'fish' in gold but 'milk' in system;"
        " gold.sdp has 2 graphs, other.sdp has 2 graphs\n"
    )
    assert main(["score", "gold.sdp", "other.sdp", "--positional"]) == 0


def test_score_refuses_a_file_that_is_too_short(folder, capsys):
    write(SYSTEM[:1], "short.sdp")
    assert main(["score", "gold.sdp", "short.sdp", "--positional"]) == 1
    assert capsys.readouterr().err == (
        "gold.sdp:8: system ends after 1 graphs, gold goes on with '20000002';"
        " gold.sdp has 2 graphs, short.sdp has 1 graph\n"
    )


@pytest.fixture
def stdin(monkeypatch):
    """Puts graphs into the standard input."""

    def put(graphs, format):
        stream = io.TextIOWrapper(io.BytesIO(dumps(graphs, format).encode()))
        monkeypatch.setattr(sys, "stdin", stream)

    return put


def test_score_names_the_standard_input(folder, capsys, stdin):
    stdin([GOLD[0], GOLD[1].replace(id="7"), GOLD[0]], "jsonl")
    assert main(["score", "gold.sdp", "-"]) == 1
    assert capsys.readouterr().err == (
        "gold.sdp:8 and <stdin>:2: sentence 2 (gold '20000002', system '7'): the ids differ"
        " (--positional pairs by position, whatever the ids and words);"
        " gold.sdp has 2 graphs, <stdin> has 3 graphs\n"
    )


def test_score_tells_the_number_of_graphs_whatever_is_wrong_with_the_rest(folder, capsys):
    text = dumps([SYSTEM[1], *SYSTEM], "sdp").replace("Cats\tcat", "Cats")
    (folder / "broken.sdp").write_text(text)
    assert main(["score", "gold.sdp", "broken.sdp", "--max", "1"]) == 1
    assert capsys.readouterr().err.endswith(
        "; gold.sdp has 2 graphs, broken.sdp has at least 1 graph\n"
    )


@pytest.mark.parametrize(
    ("files", "where"),
    [
        (["gold.sdp", "-", "gold.sdp"], "gold.sdp:8: baseline ends after 1 graphs, gold goes on"),
        (["gold.sdp", "gold.sdp", "-"], "gold.sdp:8: system ends after 1 graphs, gold goes on"),
        (["-", "gold.sdp", "gold.sdp"], "gold.sdp:8: gold ends after 1 graphs, baseline goes on"),
    ],
)
def test_compare_names_the_files_that_do_not_fit(folder, capsys, stdin, files, where):
    stdin(GOLD[:1], "conllu")
    assert main(["compare", *files]) == 1
    has = {"-": "<stdin> has 1 graph", "gold.sdp": "gold.sdp has 2 graphs"}
    sizes = [has[file] for file in dict.fromkeys(files)]
    assert capsys.readouterr().err == f"{where} with '20000002'; {', '.join(sizes)}\n"


def test_compare_shows_the_first_difference_in_words(folder, capsys):
    write([GOLD[0], GOLD[1].replace(tokens=[WORDS[1], Token("milk")])], "other.sdp")
    assert main(["compare", "gold.sdp", "system.sdp", "other.sdp"]) == 1
    assert capsys.readouterr().err == (
        "gold.sdp:9 and other.sdp:9: sentence 2 (gold '20000002', system '20000002'):"
        " token 2 is 'fish' in gold but 'milk' in system; gold.sdp has 2 graphs,"
        " system.sdp has 2 graphs, other.sdp has 2 graphs\n"
    )


def test_compare_tells_who_is_better_and_whether_by_chance(folder, capsys):
    assert main(["compare", "gold.sdp", "system.sdp", "gold.sdp", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["delta"] == pytest.approx(0.2)
    assert 0 <= result["p"] <= 1
    assert main(["compare", "gold.sdp", "gold.sdp", "system.sdp"]) == 0
    assert "The baseline is better than the system" in capsys.readouterr().out
