"""Every format is the same sentences, from a file or a pipe, gzipped or not, for every command."""

import gzip
import os
from contextlib import ExitStack
from itertools import product

import pytest

from sdp_pointer.commands import main
from sdp_pointer.graphs import dumps, read
from sdp_pointer.graphs.formats import FORMATS
from tests.commands.conftest import GOLD

SOURCES = ("named file", "file", "pipe")


@pytest.fixture
def given(tmp_path, monkeypatch):
    """What to call a source that holds a text, after it was put there."""
    monkeypatch.chdir(tmp_path)

    def put(text, source, suffix, gzipped):
        data = gzip.compress(text.encode()) if gzipped else text.encode()
        if source == "pipe":
            end, start = os.pipe()
            with open(start, "wb") as file:
                file.write(data)
            monkeypatch.setattr("sys.stdin", opened.enter_context(os.fdopen(end)))
            return "-"
        name = f"graphs{suffix if source == 'named file' else ''}{'.gz' if gzipped else ''}"
        (tmp_path / name).write_bytes(data)
        return name

    with ExitStack() as opened:
        yield put


@pytest.fixture
def parse(words_parser, monkeypatch):
    """Parses a source by command and returns the graphs."""
    monkeypatch.setattr("sdp_pointer.parser.load", lambda *_, **__: words_parser)

    def run(source):
        assert main(["parse", source, "-o", "parsed.jsonl"]) == 0
        return list(read("parsed.jsonl"))

    return run


every_source = pytest.mark.parametrize(
    ("source", "gzipped"), list(product(SOURCES, (False, True))), ids=str
)


@every_source
@pytest.mark.parametrize("format", FORMATS)
def test_every_command_reads_the_same(given, parse, capsys, format, source, gzipped):
    graphs = [graph.replace(formalism="psd") for graph in GOLD]
    put = (dumps(graphs, format), source, FORMATS[format].suffix, gzipped)

    assert main(["check", given(*put)]) == 0
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.endswith("2 graphs read, 0 problems found\n")

    assert main(["convert", given(*put), "converted.jsonl"]) == 0
    assert list(read("converted.jsonl", formalism="psd")) == graphs

    assert main(["find", "like -ARG1-> ?who", given(*put), "--count-by", "who.lemma"]) == 0
    assert capsys.readouterr().out == "count  who.lemma\n    1  cat\n"

    parsed = parse(given(*put))
    assert [(graph.id, graph.tokens) for graph in parsed] == [(g.id, g.tokens) for g in GOLD]
    assert [graph.formalism for graph in parsed] == ["dm", "dm"]  # that of the parser


def test_parse_tells_once_that_the_formalism_is_not_known(
    given, parse, capsys, words_parser, monkeypatch
):
    monkeypatch.setattr(words_parser.model.decoder, "formalism", None)  # as in version 0.1
    name = given(dumps([graph.replace(formalism="psd") for graph in GOLD], "mrp"), "file", "", True)
    assert main(["parse", name, "-o", "parsed.mrp"]) == 0
    assert capsys.readouterr().err.count("written as MRP framework 'dm'") == 1
    assert [graph.formalism for graph in read("parsed.mrp")] == ["dm", "dm"]


TEXTS = {
    "a sentence": "Kim likes cats.\n",
    "blank lines": "\n  \nKim likes cats.\n\n",
    "a heading": "# Cats\n\nKim likes cats.\n",
    "a comment as in CoNLL-U": "# text = Kim likes cats.\nKim likes cats.\n",
    "a brace": "{laughs} Kim likes cats.\n",
    "numbers": "1\tKim likes cats.\n2\tCats purr.\n",
    "a table": "Kim\tlikes\tthe\tcat\n",
    "a byte order mark": "\ufeffKim likes cats.\n",
}


@every_source
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_raw_text_is_parsed_line_by_line(given, parse, text, source, gzipped):
    parsed = parse(given(text, source, ".txt", gzipped))
    lines = [line for line in text.removeprefix("\ufeff").split("\n") if line.strip()]
    assert [graph.meta["text"] for graph in parsed] == lines


LINES = {
    "sentences": '{"sentence": "Kim likes cats."}\n{"sentence": "Cats purr."}\n',
    "words": '{"tokens": ["Kim", "likes", "cats", "."]}\n{"tokens": ["Cats", "purr", "."]}\n',
    "a blank": ' { "sentence": "Kim likes cats."}\n{"sentence": "Cats purr."}\n',
    "keys of MRP": '{"sentence": "Kim likes cats.", "framework": 1}\n{"tokens": ["a", "b", "c"]}\n',
}


@every_source
@pytest.mark.parametrize("text", LINES.values(), ids=LINES)
def test_sentences_in_json_are_parsed(given, parse, text, source, gzipped):
    assert [len(graph) for graph in parse(given(text, source, ".jsonl", gzipped))] == [4, 3]
