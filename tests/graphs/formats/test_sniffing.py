"""Which format lines are in that nobody has named, and how many are looked at."""

import gzip
import io

import pytest

from sdp_pointer.graphs import FormatError, dumps, loads, read
from sdp_pointer.graphs.formats.sniffing import MOST_LINES, sniff
from sdp_pointer.graphs.formats.streams import Lines, open_source
from tests.graphs.formats.examples import CATS, GO, back, every_format

# By `sdp` all three variants are meant.
SNIFFED = {"sdp2014": "sdp", "allennlp": "sdp"}


@pytest.mark.parametrize(
    ("line", "format"),
    [
        ('{"tokens": [{"form": "nodes"}, {"form": "flavor"}]}', "jsonl"),
        ('{"tokens": [{"form": "Go"}], "framework": "dm"}', "jsonl"),
        ('{"sentence": "Go home.", "framework": "my own"}', "jsonl"),
        ('{"error": "too long", "line": 3}', "jsonl"),
        (' { "tokens": [', "jsonl"),
        ("{'tokens': []}", "jsonl"),
        ("{", "jsonl"),
        ('\ufeff{"tokens": []}', "jsonl"),
        ('{"id": "1", "framework": "dm", "input": "tokens"}', "mrp"),
        ('{"flavor": 0, "nodes": [', "mrp"),
        ('{"flavor": ' + "[" * 100000, "mrp"),
        ("1\tdo\tdo\tAUX\t_\t_\t2\taux\t_\t_", "conllu"),
        ("1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_", "conllu"),
        ("0.1\tnothing\t_\t_\t_\t_\t_\t_\t_\t_", "conllu"),
        ("1\ta\ta\tNN\t+\t+\t_\tA\tB\tC", "sdp"),
        ("1\ta\ta\tNN\t0\troot\t+\t+\t_\tA", "sdp"),
        ("1\ta\ta\tNN", "sdp"),
        ("#SDP 2015", "sdp"),
        ("#SDP 2015\r\n", "sdp"),
    ],
)
def test_the_first_line_tells_the_format(line, format):
    assert sniff(Lines([line])) == format


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["", "  "],
        ["Kim likes cats."],
        ["{laughs} Kim likes cats."],
        ["[1, 2]"],
        ["#1 in the charts", "Kim likes cats."],
        ["# text about cats", "Kim likes cats."],
        ["# text = Kim likes cats."],
        ["1\tKim likes cats."],
        ["Kim\tlikes\tthe\tcat\t."],
        ["1. Kim likes cats.", "2. Cats purr."],
        ["Kim likes cats.", "1\ta\ta\tNN\t+\t+"],
        ["#a comment", '{"tokens": []}'],
        [b"caf\xe9 and more"],
    ],
)
def test_raw_text_is_no_format_of_graphs(lines):
    assert sniff(Lines(lines)) is None


def test_one_broken_row_does_not_tell_another_format():
    whole = [f"{n}\ta\ta\tNN\t-\t+\tx\tx\tx\tx" for n in range(1, 4)]
    assert sniff(Lines([whole[0].replace("-\t+\tx", "-\t?\tx"), *whole[1:]])) == "sdp"
    words = [f"{n}\ta\ta\tNN\t_\t_\t0\troot\t_\t_" for n in range(1, 4)]
    assert sniff(Lines([words[0] + "\t_", *words[1:]])) == "conllu"


def test_a_header_tells_sdp_though_a_row_is_broken():
    assert sniff(Lines(["#SDP 2015", "#1", "1\ta\ta\tNN\tx\ty\tz\t_\t_\t_"])) == "sdp"


def test_the_second_graph_tells_nothing():
    row = "1\ta\ta\tNN\t_\t_\t0\troot\t_\t_"
    assert sniff(Lines([row, "", *["1\ta\ta\tNN\t+\t+"] * 5])) == "conllu"


@every_format
@pytest.mark.parametrize("bytes_or_text", [str.encode, str])
@pytest.mark.parametrize("before", ["", "\n", "\ufeff"])
def test_what_is_looked_at_is_read_all_the_same(format, bytes_or_text, before):
    text = before + dumps([CATS, GO], format)
    given = [bytes_or_text(line) for line in text.splitlines(keepends=True)]
    lines = Lines(given)
    assert sniff(lines) == sniff(lines) == SNIFFED.get(format, format)
    assert list(lines) == given
    assert list(read(Lines(given), lenient=True)) == back(format, CATS, GO)


@every_format
def test_graphs_are_read_from_lines_that_are_no_file(format):
    lines = dumps([CATS, GO], format).splitlines(keepends=True)
    assert list(read(lines)) == list(read(iter(lines), format)) == back(format, CATS, GO)


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        (["", "Kim likes cats.", "Cats purr."], 2),
        (['{"sentence": "Kim likes cats."}', '{"sentence": "Cats purr."}'], 1),
        (["#SDP 2015", "#1", "1\tGo\tgo\tVB\t+\t-\t_"], 1),
        (["#1", "1\tGo\tgo\tVB\t+\t-", "", "#2", "1\tGo\tgo\tVB\t+\t-", ""], 3),
        (["#"] * 2 * MOST_LINES, MOST_LINES),
    ],
)
def test_no_more_is_looked_at_than_tells_the_format(lines, number):
    given = iter(lines)
    sniff(Lines(given))
    assert list(given) == lines[number:]


def test_a_line_that_cannot_be_read_is_passed_over():
    broken = gzip.compress(dumps([CATS], "mrp").encode())[:-20]
    with open_source(io.BytesIO(broken)) as stream:
        assert sniff(Lines(stream)) is None
    with pytest.raises(FormatError, match="the compressed data is damaged"):
        list(read(io.BytesIO(broken)))


def test_a_table_of_no_format_is_told_in_the_terms_of_sdp():
    with pytest.raises(FormatError, match="a graph must begin with its id"):
        loads("Kim\tKim\tNNP\n")


def test_raw_text_is_told_in_one_line():
    with pytest.raises(FormatError) as caught:
        loads("\nKim likes cats.\nCats purr.\n")
    [problem] = caught.value.problems
    assert problem.message == "no graphs, but raw text: sdp-pointer parse makes graphs of it"
