"""`sdp-pointer find`: what it prints, counts and writes."""

import csv
import gzip
import json
import os
import subprocess
import sys

import pytest

from sdp_pointer.commands import main
from sdp_pointer.graphs import Graph, Token, write
from tests.commands.conftest import GOLD

# What the parser of the package makes of raw text: forms, and where they stand.
PARSED = Graph(
    [Token("Kim"), Token("likes"), Token("cats"), Token("!")],
    [(2, 1, "ARG1"), (2, 3, "ARG2")],
    tops=[2],
    meta={"text": "Kim likes cats!", "offsets": ((0, 3), (4, 9), (10, 14), (14, 15))},
)


def run(capsys, *arguments):
    assert main(["find", *arguments]) == 0
    return capsys.readouterr()


def test_a_match_is_shown_below_its_sentence(folder, capsys):
    output = run(capsys, "like -?role-> ?what, [top]", "gold.sdp")
    assert output.out == (
        "gold.sdp:3 20000001: Cats like fish\n"
        "    like -ARG1-> what=Cats\n"
        "    like -ARG2-> what=fish\n"
        "gold.sdp:8 20000002: like fish\n"
        "    like -ARG2-> what=fish\n"
    )
    assert output.err == "3 matches in 2 of 2 sentences\n"


def test_words_without_an_arc_are_shown_after_the_arcs(folder, capsys):
    output = run(capsys, "?v -ARG2-> fish, ?first=cat", "gold.sdp")
    assert output.out.splitlines()[1:] == ["    v=like -ARG2-> fish, first=Cats"]
    assert run(capsys, "?x[pos=NNS]", "gold.sdp").out.splitlines()[1:] == ["    x=Cats"]


def test_a_pattern_that_only_forbids_shows_the_sentence(folder, capsys):
    assert run(capsys, "not cats", "gold.sdp").out == "gold.sdp:8 20000002: like fish\n"


def test_forms_cannot_move_the_cursor(folder, capsys):
    write([Graph([Token("\x1b[31mred"), Token("is")], [(2, 1, "\x1b[2J")])], "bad.jsonl")
    assert "\x1b" not in run(capsys, "is --> ?x", "bad.jsonl").out


def test_a_terminal_has_colours_and_a_pipe_has_none(folder):
    command = [sys.executable, "-m", "sdp_pointer", "find", "like -ARG1-> ?x", "gold.sdp"]
    inside, outside = os.openpty()
    with subprocess.Popen(command, stdout=outside, stderr=subprocess.DEVNULL) as process:
        os.close(outside)
        shown = b""
        try:
            while part := os.read(inside, 4096):
                shown += part
        except OSError:  # the end, on Linux
            pass
    os.close(inside)
    assert process.returncode == 0
    assert "\x1b[1;31mlike\x1b[0m \x1b[36m-ARG1->\x1b[0m x=\x1b[1;31mCats\x1b[0m" in shown.decode()
    piped = subprocess.run(command, capture_output=True, check=True)
    assert b"\x1b" not in piped.stdout


def test_json_lines_hold_the_match(folder, capsys):
    write([PARSED], "parsed.jsonl")
    [line] = run(capsys, "?v -?r=ARG2-> ?p", "parsed.jsonl", "--to", "jsonl").out.splitlines()
    assert json.loads(line) == {
        **{"file": "parsed.jsonl", "line": 1, "id": "", "text": "Kim likes cats!"},
        "words": {
            "p": {"position": 3, "form": "cats", "start": 10, "end": 14},
            "v": {"position": 2, "form": "likes", "start": 4, "end": 9},
        },
        "labels": {"r": "ARG2"},
        "positions": [2, 3],
        "arcs": [{"head": 2, "dependent": 3, "label": "ARG2"}],
    }


def test_csv_has_a_row_for_each_match(folder, capsys):
    run(capsys, "?v[top], optional ?v -?r=ARG1-> ?a", "gold.sdp", "-o", "found.csv")
    with open("found.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows == [
        {
            **{"file": "gold.sdp", "line": "3", "id": "20000001", "text": "Cats like fish"},
            **{"v": "like", "v.position": "2", "v.lemma": "like", "v.pos": "VBP"},
            **{"a": "Cats", "a.position": "1", "a.lemma": "cat", "a.pos": "NNS", "r": "ARG1"},
        },
        {
            **{"file": "gold.sdp", "line": "8", "id": "20000002", "text": "like fish"},
            **{"v": "like", "v.position": "1", "v.lemma": "like", "v.pos": "VBP"},
            **{"a": "", "a.position": "", "a.lemma": "", "a.pos": "", "r": ""},
        },
    ]


@pytest.mark.parametrize("name", ["found.jsonl.gz", "found.csv.gz", "found.txt.gz"])
def test_the_name_of_the_output_tells_what_to_write(folder, capsys, name):
    assert run(capsys, "like -ARG2-> ?x", "gold.sdp", "-o", name).out == ""
    with gzip.open(name, "rt") as file:
        first = file.readline()
    kinds = {".jsonl": '{"file": "gold.sdp"', ".csv": "file,line,id", ".txt": "gold.sdp:3"}
    assert first.startswith(kinds[name[5:-3]])
    piped = run(capsys, "like -ARG2-> ?x", "gold.sdp", "--to", name[6:-3].replace("txt", "text"))
    assert piped.out.startswith(first)


def test_counts_are_of_each_file_and_all(folder, capsys):
    files = ("gold.sdp", "system.sdp")
    output = run(capsys, "like -ARG2-> ?x", *files, "--count")
    assert output.out == (
        "gold.sdp: 2 matches in 2 of 2 sentences\n"
        "system.sdp: 1 match in 1 of 2 sentences\n"
        "total: 3 matches in 3 of 4 sentences\n"
    )
    assert output.err == ""
    lines = run(capsys, "like -ARG2-> ?x", *files, "--count", "--to", "jsonl").out.splitlines()
    assert json.loads(lines[1]) == {
        **{"file": "system.sdp", "sentences": 2, "sentences_with_a_match": 1, "matches": 1}
    }
    table = run(capsys, "like -ARG2-> ?x", "gold.sdp", "--count", "--to", "csv").out
    assert table == "file,sentences,sentences_with_a_match,matches\ngold.sdp,2,2,2\n"


def test_matches_are_counted_by_words_and_labels(folder, capsys):
    asked = ("like -?role-> ?what, optional ?what=fish -X-> ?x", "gold.sdp", "--count-by")
    assert run(capsys, *asked, "what.lemma,role").out == (
        "count  what.lemma  role\n    2  fish        ARG2\n    1  cat         ARG1\n"
    )
    assert run(capsys, *asked, "?what").out == "count  what\n    2  fish\n    1  Cats\n"
    assert run(capsys, *asked, "x,role").out == ("count  x  role\n    2  -  ARG2\n    1  -  ARG1\n")
    assert run(capsys, *asked, "what.pos", "--to", "csv").out == "what.pos,count\nNN,2\nNNS,1\n"
    lines = run(capsys, *asked, "x,role", "--to", "jsonl").out.splitlines()
    assert json.loads(lines[0]) == {"x": None, "role": "ARG2", "count": 2}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["like -ARG1 ?x"], "pattern, column 6: expected an arc between blanks"),
        (["like -ARG1-> ?x", "--count-by", "y"], "the pattern has no name 'y'; it has ?x"),
        (["like -ARG1-> *", "--count-by", "y"], "no name 'y'; write ?name in it"),
        (["?v", "--count-by", "v.upos"], "expected v or one of v.form, v.lemma, v.pos, v.frame"),
        (["* -?r-> *", "--count-by", "r.form"], "--count-by r.form: expected r"),
        (["like", "-o", "gold.sdp"], "gold.sdp cannot be read and written at once"),
    ],
)
def test_wrong_use_is_refused_before_a_file_is_read(folder, capsys, arguments, message):
    pattern, *options = arguments
    assert main(["find", pattern, "gold.sdp", *options]) == 2
    output = capsys.readouterr()
    assert message in output.err
    assert output.err.count("\n") == 1
    assert output.out == ""


def test_a_slip_in_the_pattern_is_told_if_nothing_is_found(folder, capsys):
    write([PARSED], "parsed.jsonl")
    output = run(capsys, "?v[lemma=like] -ARG1|agr2-> ?x", "parsed.jsonl")
    assert output.err == (
        "0 matches in 0 of 1 sentences\n"
        "note: the pattern asks for a lemma, and no word here has one (all are _)\n"
        "note: no arc here has the label agr2\n"
    )
    assert "note" not in run(capsys, "likes -ARG1|agr2-> ?x", "parsed.jsonl").err
    assert "note" not in run(capsys, "?v[lemma=dog] -ARG1-> ?x", "gold.sdp").err


def test_graphs_are_read_one_by_one(folder):
    """A match is printed while the input goes on."""
    command = [sys.executable, "-m", "sdp_pointer", "find", "like", "-", "--from", "jsonl"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    write(GOLD, "gold.jsonl")
    first, second = (folder / "gold.jsonl").read_bytes().splitlines(keepends=True)
    with subprocess.Popen(command, **pipes) as process:
        process.stdin.write(first)
        process.stdin.flush()
        assert process.stdout.readline() == b"<stdin>:1 20000001: Cats like fish\n"
        output, errors = process.communicate(second)
    assert output.endswith(b"<stdin>:2 20000002: like fish\n    like\n")
    assert errors == b"2 matches in 2 of 2 sentences\n"


def test_a_broken_file_is_told_line_by_line(folder, capsys):
    text = (folder / "gold.sdp").read_text().replace("Cats\tcat", "Cats")
    (folder / "broken.sdp").write_text(text)
    assert main(["find", "like", "broken.sdp"]) == 1
    assert capsys.readouterr().err.startswith("broken.sdp:3: ")
