"""What `allennlp predict` does with our predictor: files, console, exit codes."""

import bz2
import gzip
import json
import os
import signal
import sys

import pytest
from allennlp.commands import main

from sdp_pointer.graphs import Graph, Token, dumps, read, write
from sdp_pointer.graphs.formats import FORMATS
from sdp_pointer.predictors import Manager, SdpPointerPredictor

LINES = '{"sentence": "Kim likes the old house."}\n{"tokens": ["Go", "!"]}\n'


@pytest.fixture(scope="module")
def predictor(words_parser):
    return SdpPointerPredictor(words_parser.model, words_parser.reader)


@pytest.fixture
def predict(predictor, tmp_path, monkeypatch):
    """Runs the manager in a folder with an input file and an old output file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.jsonl").write_text(LINES)
    (tmp_path / "out.jsonl").write_text("old\n")

    def run(source="in.jsonl", target="out.jsonl", silent=True):
        Manager(predictor, source, target, None, not silent, False).run()

    return run


def test_predictions_are_printed_unless_silent(predict, capsys, tmp_path):
    predict(silent=True)
    assert capsys.readouterr() == ("", "2 sentences parsed, 0 refused\n")
    predict(silent=False)
    printed = capsys.readouterr().out
    predict(target=None, silent=False)
    assert capsys.readouterr().out == printed
    written = (tmp_path / "out.jsonl").read_text().splitlines()
    assert printed == "".join(f"prediction:  {line}\n\n" for line in written)
    assert [len(json.loads(line)["tokens"]) for line in written] == [6, 2]


@pytest.mark.parametrize("name", ["graphs.jsonl.gz", "graphs.sdp.gz", "lines.gz"])
def test_an_output_file_is_gzipped_if_its_name_says_so(predict, tmp_path, name):
    predict(target=name)
    assert gzip.decompress((tmp_path / name).read_bytes())
    assert [len(graph) for graph in read(name)] == [6, 2]


def test_a_mistyped_input_does_not_cost_the_old_output(predict, tmp_path):
    with pytest.raises(FileNotFoundError):
        predict("typo.jsonl")
    assert (tmp_path / "out.jsonl").read_text() == "old\n"
    assert len(os.listdir(tmp_path)) == 2


def test_an_input_that_is_the_output_is_parsed_whole(predict, tmp_path):
    predict("in.jsonl", "in.jsonl")  # The command refuses it; see below.
    assert [len(graph) for graph in read("in.jsonl")] == [6, 2]


@pytest.mark.usefixtures("heeded_signals")
def test_what_was_parsed_until_a_signal_is_kept_beside_the_old_output(
    predict, predictor, tmp_path, monkeypatch, capsys
):
    parse_prepared = predictor.parser.parse_prepared

    def signalled(*arguments):
        results = parse_prepared(*arguments)
        yield next(results)
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(predictor.parser, "parse_prepared", signalled)
    with pytest.raises(SystemExit) as end:
        predict()
    assert end.value.code == 143
    assert capsys.readouterr().err == (
        "allennlp: interrupted; what was written until then is in out.interrupted.jsonl;"
        " out.jsonl is as it was\n"
    )
    assert [len(graph) for graph in read("out.interrupted.jsonl")] == [6]
    assert (tmp_path / "out.jsonl").read_text() == "old\n"


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("in.jsonl", "in.jsonl cannot be read and written at once: name another file for the out"),
        ("link.jsonl", "in.jsonl cannot be read and written at once: name another file for the "),
        ("nowhere/out.jsonl", "[Errno 2] there is no such folder: 'nowhere/out.jsonl'"),
        (".", "[Errno 21] Is a directory: '.'"),
    ],
)
def test_the_command_refuses_an_output_before_it_loads_a_model(
    tmp_path, monkeypatch, capsys, target, message
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.jsonl").write_text(LINES)
    (tmp_path / "link.jsonl").symlink_to("in.jsonl")
    arguments = ["predict", "nowhere.tar.gz", "in.jsonl", "--silent", "--output-file", target]
    monkeypatch.setattr("sys.argv", ["allennlp", *arguments])
    with pytest.raises(SystemExit) as end:
        main("allennlp")
    assert end.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"allennlp: error: {message}")
    assert (tmp_path / "in.jsonl").read_text() == LINES
    assert len(os.listdir(tmp_path)) == 2


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2"])
def test_graphs_are_recognised_as_by_the_other_commands(predict, tmp_path, format, suffix):
    pack = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress}[suffix]
    words = [Token("Kim"), Token("likes"), Token("cats")]
    graphs = [Graph(words, [(2, 1, "ARG1")], [2], id="1"), Graph(words[1:], id="2")]
    for name in (f"graphs{suffix}", f"graphs{FORMATS[format].suffix}{suffix}"):
        (tmp_path / name).write_bytes(pack(dumps(graphs, format).encode()))
        predict(name)
        assert [(graph.id, len(graph)) for graph in read("out.jsonl")] == [("1", 3), ("2", 2)]


TABBED = '{"tokens": ["Go", "!"]}\n{"tokens": ["a\\tb"], "id": "x"}\n{"tokens": ["Stop", "!"]}\n'


def test_a_sentence_that_the_output_has_no_place_for_is_refused_and_the_run_goes_on(
    predict, capsys, tmp_path
):
    (tmp_path / "in.jsonl").write_text(TABBED)
    with pytest.raises(SystemExit) as ended:
        predict(target="graphs.sdp")
    assert ended.value.code == 1
    assert [graph.forms for graph in read("graphs.sdp")] == [("Go", "!"), ("Stop", "!")]
    told = capsys.readouterr().err
    assert "in.jsonl:2: the sentence cannot be written as sdp: " in told
    assert "2 sentences parsed, 1 refused" in told


def test_a_graph_of_the_dataset_reader_that_cannot_be_parsed_is_refused_and_the_run_goes_on(
    predictor, capsys, tmp_path, monkeypatch
):
    monkeypatch.setattr("sdp_pointer.parser.sentences.LONGEST_SENTENCE", 3)
    monkeypatch.chdir(tmp_path)
    words = (["Go", "!"], ["a"] * 4, ["Stop", "!"])
    write([Graph(map(Token, each), id=str(n)) for n, each in enumerate(words)], "in.sdp")
    with pytest.raises(SystemExit) as ended:
        Manager(predictor, "in.sdp", "out.jsonl", None, False, True).run()
    assert ended.value.code == 1
    outputs = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [output["id"] for output in outputs] == ["0", "1", "2"]
    assert "in.sdp: sentence 2: a sentence of 4 words is too long" in capsys.readouterr().err
    assert outputs[1]["error"].startswith("sentence 2: ")
    assert "line" not in outputs[1]


@pytest.mark.parametrize("option", ["--output-file", "--predictions-output-file"])
def test_evaluate_does_not_write_over_its_data(words_model, tmp_path, monkeypatch, capsys, option):
    gold = tmp_path / "gold.sdp"
    gold.write_text("gold")
    monkeypatch.setattr("sys.argv", ["allennlp", "evaluate", str(words_model), str(gold)])
    monkeypatch.setattr("sys.argv", [*sys.argv, option, str(gold)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "gold.sdp cannot be read and written at once" in capsys.readouterr().err
    assert gold.read_text() == "gold"
