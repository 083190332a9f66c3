"""The subcommands on graphs, with their exit codes and what they print."""

import json
import os
import subprocess
import sys

import pytest

from sdp_pointer.commands import main
from sdp_pointer.graphs import FORMALISMS, Graph, Token, dumps, loads, read, write
from sdp_pointer.graphs.draw import text as as_text
from tests.commands.conftest import GOLD, SYSTEM

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


@pytest.mark.parametrize(
    ("source", "options", "expected"),
    [
        ("en.psd.sdp", [], "psd"),
        ("en.psd.sdp", ["--formalism", "PAS"], "pas"),
        ("gold.sdp", ["--formalism", "my_scheme"], "my_scheme"),
        ("wrong.mrp", ["--formalism", "psd"], "psd"),
    ],
)
def test_convert_keeps_the_formalism_or_takes_the_one_that_is_given(
    folder, capsys, source, options, expected
):
    write(GOLD, "en.psd.sdp")
    write([graph.replace(formalism="dm") for graph in GOLD], "wrong.mrp")
    for name in ("out.mrp", "out.conllu", "out.jsonl"):
        assert main(["convert", source, name, *options]) == 0
        assert [graph.formalism for graph in read(name)] == [expected] * len(GOLD)
        assert capsys.readouterr().err == ""


def test_convert_warns_once_if_an_mrp_file_needs_a_formalism_that_nobody_knows(folder, capsys):
    assert main(["convert", "gold.sdp", "out.mrp"]) == 0
    assert capsys.readouterr().err == (
        "warning: graph 20000001: its formalism is not known; it is written as MRP framework 'dm';"
        " give another with convert --formalism, or read(..., formalism=...)\n"
    )
    assert {graph.formalism for graph in read("out.mrp")} == {"dm"}


def test_convert_refuses_what_is_no_name_of_a_formalism(folder, capsys):
    with pytest.raises(SystemExit) as end:
        main(["convert", "gold.sdp", "out.mrp", "--formalism", "my scheme"])
    assert end.value.code == 2
    assert "the formalism 'my scheme' is not a name of letters" in capsys.readouterr().err


def test_formalisms_lists_them_with_what_is_known_of_each(capsys):
    assert main(["formalisms"]) == 0
    listed = capsys.readouterr().out
    assert main(["formalisms", "--json"]) == 0
    values = json.loads(capsys.readouterr().out)
    assert [value["name"] for value in values] == list(FORMALISMS)
    assert values[list(FORMALISMS).index("psd")]["core"] == ["*-arg"]
    blocks = listed.split("\n\n")
    for value, block in zip(values, blocks, strict=False):
        assert block.startswith(f"{value['name']} ")
        for text in (value["description"], value["framework"], value["data"]):
            assert text in block
    assert "core labels    all" in blocks[list(FORMALISMS).index("dm")]
    assert "core labels    *-arg" in blocks[list(FORMALISMS).index("psd")]


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


@pytest.mark.parametrize(
    "command",
    [
        *("check x.jsonl", "stats --labels x.jsonl", "draw x.jsonl", "score gold.sdp x.jsonl"),
        *("score x.jsonl x.jsonl --by label", "score x.jsonl x.jsonl --by sentence"),
        "convert x.jsonl x.sdp2014",
    ],
)
def test_nothing_in_a_file_moves_the_cursor_of_a_terminal(folder, capfdbinary, command):
    bad = "\x9b2J\x1b[2J\u2028"
    words = [Token(f"Cats{bad}"), Token("purr", bad, frame=bad)]
    write([Graph(words, [(2, 1, bad)], tops=[2], id=bad)] * 2, "x.jsonl")
    main(command.split())
    output = capfdbinary.readouterr()
    lines = (output.out + output.err).decode().split("\n")
    assert any(lines)
    assert [line for line in lines if not line.isprintable()] == []


def test_labels_are_explained_with_examples(capsys):
    assert main(["labels", "DM"]) == 0
    lines = capsys.readouterr().out.splitlines()
    row = next(number for number, line in enumerate(lines) if line.startswith("BV "))
    assert "quantifies" in lines[row]
    assert lines[row + 1].strip() == "The cat sleeps: The -BV-> cat"
    assert main(["labels", "psd", "--json"]) == 0
    first, *_ = json.loads(capsys.readouterr().out)
    assert first["name"] == "ACT-arg"


def test_draw_in_the_terminal(folder, capfdbinary):
    assert main(["draw", "gold.sdp", "--index", "2"]) == 0
    output = capfdbinary.readouterr().out.decode()
    assert "like" in output
    assert "ARG2" in output


def test_draw_makes_rows_by_a_width(folder, capfdbinary):
    assert main(["draw", "gold.sdp", "--width", "17"]) == 0
    drawn = capfdbinary.readouterr().out.decode()
    assert drawn == as_text(GOLD[0], width=17) + "\n" != as_text(GOLD[0], width=99) + "\n"
    for name in ("out.svg", "out.html"):
        broad, narrow = (
            (main(["draw", "gold.sdp", "-o", name, *options]), (folder / name).read_text())[1]
            for options in ([], ["--width", "150"])
        )
        assert narrow.count("translate(") > broad.count("translate(")


@pytest.mark.parametrize(
    "options",
    [["--id", "x"], ["--index", "3"], ["-o", "out.png"], ["-o", "out.dot", "--width", "9"]],
)
def test_draw_says_what_it_cannot_do(folder, capsys, options):
    assert main(["draw", "gold.sdp", *options]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments", [[], ["nonsense"], ["score"], ["score", "a", "b", "--max", "0"], ["labels", "eud"]]
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


@pytest.mark.parametrize("arguments", [["score", "gold.sdp", "system.sdp"], ["formalisms"]])
def test_the_graph_commands_start_without_torch_or_numpy(folder, arguments):
    program = (
        "import sys; from sdp_pointer.commands import main; main(sys.argv[1:]);"
        "print(*({'torch', 'numpy', 'allennlp', 'spacy'} & set(sys.modules)), file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, *arguments],
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
