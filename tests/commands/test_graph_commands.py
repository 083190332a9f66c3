"""The subcommands on graphs, with their exit codes and what they print."""

import io
import json
import os
import subprocess
import sys

import pytest

from sdp_pointer.commands import main
from sdp_pointer.graphs import Graph, Token, dumps, loads, read, write

WORDS = [Token("Cats", "cat", "NNS"), Token("like", "like", "VBP"), Token("fish", "fish", "NN")]
GOLD = [
    Graph(WORDS, [(2, 1, "ARG1"), (2, 3, "ARG2")], tops=[2], id="20000001"),
    Graph(WORDS[1:], [(1, 2, "ARG2")], tops=[1], id="20000002"),
]
SYSTEM = [GOLD[0].replace(arcs=[(2, 1, "ARG1"), (2, 3, "ARG3")]), GOLD[1]]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(GOLD, "gold.sdp")
    write(SYSTEM, "system.sdp")
    return tmp_path


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


# Two predicates, but one column of arguments: as many columns as in the format of 2014.
LOST_COLUMN = """\
#SDP 2015
#20000001
1\tCats\tcat\tNNS\t-\t-\tn:x\tARG1
2\tlike\tlike\tVBP\t+\t+\tv:e-i-p\t_
3\traw\traw\tJJ\t-\t+\ta:e-p\t_
4\tfish\tfish\tNN\t-\t-\tn:x\tARG2

"""


@pytest.mark.parametrize("lenient", [[], ["--lenient"]])
def test_what_the_header_says_holds(folder, capsys, lenient):
    (folder / "lost.sdp").write_text(LOST_COLUMN)
    assert main(["score", "lost.sdp", "lost.sdp", *lenient]) == 1
    output = capsys.readouterr()
    expected = "8 columns; expected 9: 7 and one for each of the 2 predicates"
    assert f"lost.sdp:3: {expected}\n" in output.err
    assert output.out == ""


@pytest.mark.parametrize("command", [["check"], ["stats"], ["score", "gold.sdp"]])
def test_a_file_without_a_header_is_read_as_2014_and_this_is_told_once(folder, capsys, command):
    for name, times in (("dev.sdp", 1), ("dev.sdp2014", 0)):
        (folder / name).write_text(dumps(GOLD, "sdp2014"))
        assert main([*command, name]) == 0
        warning = "warning: dev.sdp:1: no '#SDP 2015' in the first line: read as SemEval 2014"
        assert capsys.readouterr().err.count(warning) == times


def test_a_broken_file_is_told_line_by_line(folder, capsys):
    text = dumps(GOLD, "sdp").replace("Cats\tcat", "Cats").replace("\t+\t+\t", "\t?\t+\t")
    (folder / "broken.sdp").write_text(text)
    assert main(["score", "gold.sdp", "broken.sdp"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("broken.sdp:3: ")
    assert len(lines) >= 3


def test_compare_tells_who_is_better_and_whether_by_chance(folder, capsys):
    assert main(["compare", "gold.sdp", "system.sdp", "gold.sdp", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["delta"] == pytest.approx(0.2)
    assert 0 <= result["p"] <= 1
    assert main(["compare", "gold.sdp", "gold.sdp", "system.sdp"]) == 0
    assert "does not beat" in capsys.readouterr().out


def test_check_accepts_a_valid_file(folder, capsys):
    assert main(["check", "gold.sdp", "system.sdp"]) == 0
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err == "4 graphs read, 0 problems found\n"


def test_check_tells_every_problem_and_goes_on(folder, capsys):
    cyclic = GOLD[0].replace(arcs=[(1, 2, "a"), (2, 1, "b")], id="20000009")
    text = dumps([*GOLD, cyclic, cyclic], "sdp").replace("1\tlike", "7\tlike")
    (folder / "bad.sdp").write_text(text)
    assert main(["check", "bad.sdp"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "bad.sdp:8: token id '7'; expected 1"
    assert "bad.sdp:12: a cycle, 1 Cats -> 2 like -> 1 Cats" in lines
    assert "bad.sdp:17: the id '20000009' occurs before, at bad.sdp:12" in lines


def test_check_is_lenient_on_request(folder, capsys):
    text = dumps(GOLD, "sdp").replace("1\tlike", "7\tlike")
    (folder / "bad.sdp").write_text(text)
    assert main(["check", "--lenient", "bad.sdp"]) == 0


def test_stats_describes_each_file_in_a_column(folder, capsys):
    assert main(["stats", "gold.sdp", "system.sdp", "--labels"]) == 0
    output = capsys.readouterr().out
    assert "label ARG3" in output
    assert main(["stats", "gold.sdp", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["gold.sdp"]["tokens"] == 5


@pytest.mark.parametrize("name", ["out.jsonl", "out.mrp", "out.conllu", "out.sdp.gz"])
def test_convert_guesses_both_formats_and_loses_nothing(folder, name):
    assert main(["convert", "gold.sdp", name]) == 0
    assert main(["convert", name, "back.sdp"]) == 0
    assert (folder / "back.sdp").read_bytes() == (folder / "gold.sdp").read_bytes()


def test_convert_wants_to_know_the_format_of_an_unknown_name(folder, capsys):
    assert main(["convert", "gold.sdp", "out.txt"]) == 2
    assert "--to" in capsys.readouterr().err
    assert main(["convert", "gold.sdp", "out.txt", "--to", "jsonl"]) == 0
    assert list(read("out.txt", "jsonl")) == GOLD


def test_convert_names_the_folder_that_is_not_there(folder, capsys):
    assert main(["convert", "gold.sdp", "nowhere/out.sdp"]) == 2
    assert capsys.readouterr().err == (
        "sdp-pointer: error: nowhere/out.sdp: there is no such folder\n"
    )


def test_convert_keeps_the_old_file_when_the_input_is_broken(folder, capsys):
    (folder / "broken.sdp").write_text(dumps(GOLD, "sdp") + "#3\n1\tonly\n\n")
    assert main(["convert", "broken.sdp", "system.sdp"]) == 1
    assert list(read("system.sdp")) == SYSTEM
    assert "broken.sdp:12" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["convert", "gold.sdp", "gold.sdp"],
        ["convert", "gold.sdp", "link.jsonl"],
        ["draw", "gold.sdp", "--from", "sdp", "-o", "link.svg"],
        ["draw", "system.sdp", "--gold", "gold.sdp", "-o", "link.svg"],
    ],
)
def test_a_file_that_is_read_is_not_replaced(folder, capsys, arguments):
    for name in ("link.jsonl", "link.svg"):
        os.link("gold.sdp", name)
    assert main(arguments) == 2
    assert capsys.readouterr().err == (
        "sdp-pointer: error: gold.sdp cannot be read and written at once: name another file for"
        " the output\n"
    )
    assert list(read("gold.sdp")) == GOLD
    assert len(os.listdir()) == 4


@pytest.mark.parametrize("name", ["out.svg", "out.html", "out.dot"])
def test_draw_writes_files(folder, name):
    assert main(["draw", "gold.sdp", "-o", name]) == 0
    content = (folder / name).read_text()
    assert "Cats" in content
    assert "ARG2" in content


def test_draw_puts_every_graph_on_a_page_and_one_into_an_image(folder):
    main(["draw", "system.sdp", "--gold", "gold.sdp", "-o", "out.html"])
    assert (folder / "out.html").read_text().count("<svg") == 2
    main(["draw", "system.sdp", "--id", "20000002", "-o", "out.svg"])
    assert "Cats" not in (folder / "out.svg").read_text()


def test_draw_in_the_terminal(folder, capfdbinary):
    assert main(["draw", "gold.sdp", "--index", "2"]) == 0
    output = capfdbinary.readouterr().out.decode()
    assert "like" in output
    assert "ARG2" in output


@pytest.mark.parametrize("options", [["--id", "x"], ["--index", "3"], ["-o", "out.png"]])
def test_draw_says_what_it_cannot_do(folder, capsys, options):
    assert main(["draw", "gold.sdp", *options]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments", [[], ["nonsense"], ["score"], ["score", "a", "b", "--max", "0"]]
)
def test_wrong_use_ends_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert "usage:" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["score", "-", "-"], ["compare", "gold.sdp", "-", "-"], ["stats", "-", "-"]]
)
def test_the_standard_input_can_be_read_once(folder, capsys, arguments):
    assert main(arguments) == 2
    assert capsys.readouterr().err == "sdp-pointer: error: only one input can be -\n"


def test_what_a_lenient_reader_passes_over_is_told(folder, capsys):
    text = dumps(GOLD, "sdp").replace("1\tlike", "7\tlike")
    (folder / "bad.sdp").write_text(text)
    assert main(["convert", "--lenient", "bad.sdp", "good.sdp"]) == 0
    assert capsys.readouterr().err == "warning: bad.sdp:8: token id '7'; expected 1\n"
    assert list(read("good.sdp")) == GOLD


def test_draw_compares_sentences_whatever_comes_before(folder):
    write([GOLD[1], GOLD[0]], "reordered.sdp")
    assert main(["draw", "system.sdp", "--gold", "reordered.sdp", "--id", "20000001"]) == 0


def test_a_missing_file_is_named_in_one_line(folder, capsys):
    assert main(["stats", "nowhere.sdp"]) == 2
    assert capsys.readouterr().err == (
        "sdp-pointer: error: nowhere.sdp: No such file or directory\n"
    )


def run(*arguments, **kwargs):
    return subprocess.run(
        [sys.executable, "-m", "sdp_pointer", *arguments], capture_output=True, **kwargs
    )


def test_pipes_work_in_both_directions(folder):
    text = dumps(GOLD, "sdp").encode()
    result = run("convert", "-", "-", "--to", "jsonl", input=text)
    assert loads(result.stdout.decode(), "jsonl") == GOLD
    assert run("score", "-", "gold.sdp", input=result.stdout).returncode == 0


def test_a_closed_pipe_is_no_error(folder):
    write(GOLD[:1] * 3000, "long.sdp")
    process = subprocess.Popen(
        [sys.executable, "-m", "sdp_pointer", "convert", "long.sdp", "-", "--to", "jsonl"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 0


def test_the_graph_commands_start_without_torch_or_numpy(folder):
    program = (
        "import sys; from sdp_pointer.commands import main; main(sys.argv[1:]);"
        "print(*({'torch', 'numpy', 'allennlp', 'spacy'} & set(sys.modules)), file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, "score", "gold.sdp", "system.sdp"],
        capture_output=True,
        text=True,
    )
    assert result.stderr == "\n"


@pytest.mark.parametrize(
    "arguments",
    [["draw"], ["stats", "--labels"], ["check"], ["convert", "--to", "jsonl"]],
    ids=lambda arguments: arguments[0],
)
def test_words_of_any_language_are_shown_on_a_terminal_of_any(folder, arguments):
    write([Graph([Token("Zoë"), Token("sieht")], [(2, 1, "é"), (1, 2, "ü")])], "foreign.sdp")
    command, *options = arguments
    files = ["foreign.sdp", "-"] if command == "convert" else ["foreign.sdp"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    result = run(command, *files, *options, env=environment)
    assert b"Traceback" not in result.stderr
    assert result.stdout


def test_a_closed_standard_input_is_told(folder):
    result = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m sdp_pointer check - <&-"], capture_output=True
    )
    assert result.stderr == b"sdp-pointer: error: the standard input is closed\n"
