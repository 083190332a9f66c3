"""The parser as a new user runs it: train, evaluate, predict, with AllenNLP's commands."""

import errno
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from typing import NamedTuple

import pytest

from sdp_pointer.commands import main
from sdp_pointer.graphs import read, write
from sdp_pointer.graphs.score import Scorer, pair
from tests.conftest import FIXTURES

CONFIG = FIXTURES.parent / "training_config" / "tiny.jsonnet"
DEV = FIXTURES / "data" / "dm.dev.sdp"
SETTINGS = {"SDP_DATA": str(FIXTURES / "data")}


@pytest.fixture(scope="module")
def parser(allennlp, tmp_path_factory):
    """A folder in which the tiny parser has been trained for a few epochs."""
    folder = tmp_path_factory.mktemp("parser")
    overrides = json.dumps({"trainer.num_epochs": 12})
    arguments = ("train", CONFIG, "-s", "out", "--overrides", overrides)
    result = allennlp(folder, *arguments, settings=SETTINGS)
    assert result.returncode == 0, result.stderr
    return folder


def test_training_learns_and_selects_by_the_official_score(parser):
    metrics = json.loads((parser / "out" / "metrics.json").read_text())
    first = json.loads((parser / "out" / "metrics_epoch_0.json").read_text())
    assert metrics["best_validation_LF"] > 0.1
    assert metrics["training_loss"] < first["training_loss"]


def test_evaluate_and_predict_agree_with_the_official_scorer(allennlp, parser):
    model = "out/model.tar.gz"
    evaluated = allennlp(parser, "evaluate", model, DEV, "--output-file", "scores.json")
    assert evaluated.returncode == 0, evaluated.stderr
    predicted = allennlp(
        parser, "predict", model, DEV, "--use-dataset-reader", "--output-file", "parsed.jsonl"
    )
    assert predicted.returncode == 0, predicted.stderr
    scorer = Scorer()
    for gold, system in pair(read(DEV), read(parser / "parsed.jsonl")):
        scorer.add(gold, system)
    metrics = json.loads((parser / "scores.json").read_text())
    assert metrics["LF"] == pytest.approx(scorer.scores().with_top.as_metric()["LF"])


def test_two_processes_and_accumulated_gradients_train_and_score_the_whole_dev_set(
    allennlp, parser
):
    # One process has a sentence, and a batch, more than the other; the tagger has a metric, too.
    odd = parser / "odd.sdp"
    write(list(read(DEV))[:7], odd)
    overrides = {
        "trainer.num_epochs": 2,
        "trainer.num_gradient_accumulation_steps": 2,
        "distributed": {"cuda_devices": [-1, -1]},
        "validation_data_path": str(odd),
        "validation_data_loader": {"batch_size": 1},
        "dataset_reader.tags": True,
        "validation_dataset_reader.tags": True,
        "model.backbone.tagger": {"hidden_size": 16},
    }
    arguments = ("train", CONFIG, "-s", "two", "--overrides", json.dumps(overrides))
    result = allennlp(parser, *arguments, settings=SETTINGS)
    assert result.returncode == 0, result.stderr
    metrics = json.loads((parser / "two" / "metrics.json").read_text())
    evaluated = allennlp(parser, "evaluate", "two/model.tar.gz", odd, "--output-file", "two.json")
    assert evaluated.returncode == 0, evaluated.stderr
    alone = json.loads((parser / "two.json").read_text())
    for name in ("LP", "LR", "LF", "UF", "LM", "tag_accuracy"):
        assert metrics[f"best_validation_{name}"] == pytest.approx(alone[name])


class Result(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def sdp_pointer(monkeypatch, capsys):
    """Runs `sdp-pointer ARGUMENTS` in a folder, in this process, for a start costs seconds."""

    def run(folder, *arguments, input=""):
        monkeypatch.chdir(folder)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(input.encode())))
        returncode = main(list(map(str, arguments)))
        return Result(returncode, *capsys.readouterr())

    return run


LINES = """\
{"sentence": "Kim likes the old house.", "id": "a", "page": 3}
this is not JSON

{"tokens": ["Go", "!"], "pos": ["VB"]}
{"tokens": ["The", "dog", "sleeps", "."]}
"""


def test_predict_tells_bad_lines_and_goes_on(allennlp, parser):
    (parser / "lines.jsonl").write_bytes(LINES.encode() + b'{"sentence": "caf\xe9"}\n')
    arguments = ("--output-file", "lines.out", "--silent", "--batch-size", "2")
    result = allennlp(parser, "predict", "out/model.tar.gz", "lines.jsonl", *arguments)
    assert result.returncode == 1
    assert "2 sentences parsed, 3 refused" in result.stderr
    assert "lines.jsonl:2: not JSON" in result.stderr
    outputs = [json.loads(line) for line in (parser / "lines.out").read_text().splitlines()]
    assert [output.get("line") for output in outputs] == [None, 2, 4, None, 6]
    assert outputs[0]["id"] == "a"
    assert outputs[0]["page"] == 3
    assert outputs[2]["error"] == "1 pos for 2 tokens"


def test_predict_writes_a_file_for_the_official_tools(allennlp, parser):
    result = allennlp(
        parser,
        *("predict", "out/model.tar.gz", DEV, "--use-dataset-reader", "--silent"),
        *("--output-file", "parsed.sdp", "--predictor-args", '{"n_best": 2}'),
        *("--overrides", '{"model.decoders.dm.search.beam_size": 2}'),
    )
    assert result.returncode == 0, result.stderr
    assert (parser / "parsed.sdp").read_text().startswith("#SDP 2015\n")
    assert len(list(pair(read(DEV), read(parser / "parsed.sdp")))) == len(list(read(DEV)))


def test_predict_gives_as_many_graphs_as_the_overrides_say(allennlp, parser):
    (parser / "one.jsonl").write_text('{"sentence": "Kim likes the old house."}\n')
    result = allennlp(
        parser,
        *("predict", "out/model.tar.gz", "one.jsonl", "--silent", "--output-file", "three.jsonl"),
        *("--overrides", '{"model.beam_size": 3, "model.n_best": 3}'),
    )
    assert result.returncode == 0, result.stderr
    assert len(json.loads((parser / "three.jsonl").read_text())["n_best"]) == 3


@pytest.mark.parametrize(
    ("arguments", "stdin", "expected"),
    [
        (["Kim likes the old house."], "", '"text":"Kim likes the old house."'),
        (
            ["-", "--format", "tokens", "--to", "sdp"],
            "The dog sleeps .\nGo !\n",
            "#20000002\n1\tGo",
        ),
        (["-", "--split", "--to", "conllu"], "Dogs bark. Cats purr.", "1\tCats"),
        (["-", "--to", "text"], "The dog sleeps.\n", "dog"),
        (["-", "--to", "text"], "Go!\nGo!\n", "\n\n\n"),
        (["Go home .", "--to", "svg"], "", "<svg"),
        (["-", "--to", "html", "--beam", "3"], "Go home.\nCome back.\n", "<figure"),
        (["Go home.", "--n-best", "2"], "", '"n_best":[{"score"'),
        (["Go home.", "--n-best", "2", "--to", "text"], "", "2 of 2, score -"),
        (["Go home.", "--n-best", "2", "--to", "html"], "", "2 of 2, score -"),
        ([DEV, "--to", "mrp"], "", '"framework": "dm"'),
    ],
)
def test_parse_reads_and_writes_what_it_is_told(sdp_pointer, parser, arguments, stdin, expected):
    result = sdp_pointer(parser, "parse", "--model", "out/model.tar.gz", *arguments, input=stdin)
    assert result.returncode == 0, result.stderr
    assert expected in result.stdout


def test_parse_tells_bad_lines_and_goes_on(sdp_pointer, parser):
    (parser / "lines.jsonl").write_text(LINES)
    result = sdp_pointer(parser, "parse", "--model", "out", "lines.jsonl", "-o", "out.jsonl")
    assert result.returncode == 1
    assert "lines.jsonl:4: 1 pos for 2 tokens" in result.stderr
    assert result.stderr.endswith("sdp-pointer: 2 lines were not parsed\n")
    assert len((parser / "out.jsonl").read_text().splitlines()) == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.txt"], "there is no file 'nowhere.txt'"),
        (["Go!"], "echo 'Go!' | sdp-pointer parse"),
        (["a b", "--n-best", "2", "--to", "sdp"], "sdp holds one graph a sentence"),
        (["a b", "--beam", "2", "--n-best", "3"], "n_best must be between 1 and the beam"),
        (["a b", "-o", "graphs.foo"], "'graphs.foo' does not tell the format to write: add --to"),
        (["a b", "--device", "toaster"], "there is no device 'toaster'"),
        (["a b", "--pipeline", "en_nothing"], "no spaCy pipeline 'en_nothing'"),
    ],
)
def test_parse_says_in_one_line_what_is_wrong(sdp_pointer, parser, arguments, message):
    result = sdp_pointer(parser, "parse", "--model", "out", *arguments)
    assert result.returncode == 2
    assert result.stderr.startswith("sdp-pointer: error: ")
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_file_gets_no_colours_though_there_is_a_terminal(sdp_pointer, parser, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    result = sdp_pointer(
        parser, "parse", "--model", "out", "Go home.", "-o", "drawn", "--to", "text"
    )
    assert result.returncode == 0, result.stderr
    assert "home" in (parser / "drawn").read_text()
    assert "\x1b" not in (parser / "drawn").read_text()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (".", r"sdp-pointer: error: \.: Is a directory"),
        ("nowhere/out.jsonl", "sdp-pointer: error: nowhere/out.jsonl: there is no such folder"),
        ("link.jsonl", r"sdp-pointer: error: in.jsonl cannot be read and written at once: .*"),
    ],
)
def test_an_output_that_cannot_be_written_is_told_before_a_model_is_loaded(
    sdp_pointer, tmp_path, name, message
):
    (tmp_path / "in.jsonl").write_text(LINES)
    os.link(tmp_path / "in.jsonl", tmp_path / "link.jsonl")
    result = sdp_pointer(
        tmp_path, "parse", "--model", "nowhere", "in.jsonl", "-o", name, "--to", "jsonl"
    )
    assert result.returncode == 2
    assert re.fullmatch(f"{message}\n", result.stderr)
    assert (tmp_path / "in.jsonl").read_text() == LINES
    assert len(os.listdir(tmp_path)) == 2


def test_a_folder_that_is_no_model_is_told(sdp_pointer, tmp_path):
    result = sdp_pointer(tmp_path, "parse", "--model", tmp_path, "Go home.")
    assert result.returncode == 2
    assert "it is not the folder of a training" in result.stderr


def test_an_svg_of_two_sentences_is_refused(sdp_pointer, parser):
    arguments = ("--model", "out", "-", "--to", "svg")
    result = sdp_pointer(parser, "parse", *arguments, input="Go home.\nCome back.\n")
    assert result.returncode == 2
    assert "an SVG holds one graph" in result.stderr


@pytest.fixture
def started(parser, offline, heeded_signals):
    """Starts `python -m ARGUMENTS` in the parser's folder, with pipes."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    processes = []

    def start(*arguments):
        command = [sys.executable, "-m", *arguments]
        process = subprocess.Popen(command, cwd=parser, env=offline, **pipes)
        processes.append(process)
        return process

    yield start
    for process in processes:
        with process:
            process.kill()


def wait_for_part(folder, name, written, process):
    """Waits until a process writes to a file, or has begun to."""
    deadline = time.monotonic() + 120
    while not any(part.stat().st_size >= written for part in folder.glob(f"{name}.part*")):
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline, f"nothing is written to {name}"
        time.sleep(0.01)


def wait_for_reader(pipe, process):
    """Waits until a process reads from a pipe, and opens the other end."""
    deadline = time.monotonic() + 120
    while True:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:  # nobody reads yet
            if error.errno != errno.ENXIO:
                raise
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline, f"nobody reads {pipe}"
        time.sleep(0.01)


def test_an_interrupted_parse_leaves_whole_lines(started):
    process = started("sdp_pointer", "parse", "--model", "out", "--batch-size", "1")
    process.stdin.write(b"The dog sleeps.\n" * 64)
    process.stdin.flush()
    first = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    rest = process.stdout.read()
    assert process.wait() == 130
    lines = (first + rest).decode().splitlines()
    assert 1 <= len(lines) <= 64
    assert all(json.loads(line)["arcs"] is not None for line in lines)


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("sdp_pointer parse --model out --batch-size 1 - -o", "The dog sleeps.\n"),
        (
            "allennlp predict out/model.tar.gz - --batch-size 1 --silent --output-file",
            '{"sentence": "The dog sleeps."}\n',
        ),
    ],
    ids=["parse", "predict"],
)
def test_a_terminated_parse_keeps_what_was_parsed_and_the_old_file(
    parser, started, command, sentence
):
    name = f"{command.split()[1]}.jsonl"
    (parser / name).write_text("old\n")
    process = started(*command.split(), name)
    process.stdin.write(sentence.encode() * 40)  # 16 are read ahead
    process.stdin.flush()
    wait_for_part(parser, name, 1, process)
    process.terminate()
    _, errors = process.communicate()
    assert process.returncode == 143, errors
    program, kept = command.split()[0].replace("_", "-"), name.replace(".", ".interrupted.")
    assert errors.decode().splitlines()[-1] == (
        f"{program}: interrupted; what was written until then is in {kept}; {name} is as it was"
    )
    assert 1 <= len(list(read(parser / kept))) <= 40
    assert (parser / name).read_text() == "old\n"
    assert not list(parser.glob(f"{name}.part*"))


def test_a_parse_interrupted_before_its_first_sentence_leaves_the_old_file(parser, started):
    (parser / "early.jsonl").write_text("old\n")
    os.mkfifo(parser / "sentences")
    command = ("sdp_pointer", "parse", "sentences", "--model", "out", "-o", "early.jsonl")
    process = started(*command)
    pipe = wait_for_reader(parser / "sentences", process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    os.close(pipe)
    assert process.returncode == 130
    assert errors.decode() == (
        "sdp-pointer: interrupted; nothing was written; early.jsonl is as it was\n"
    )
    assert [path.read_text() for path in parser.glob("early*")] == ["old\n"]


def test_a_typed_sentence_is_answered_at_once(parser, offline):
    command = [sys.executable, "-m", "sdp_pointer", "parse", "--model", "out", "--to", "jsonl"]
    keyboard, stdin = os.openpty()
    with subprocess.Popen(
        command, cwd=parser, env=offline, stdin=stdin, stdout=subprocess.PIPE
    ) as process:
        os.close(stdin)
        for sentence in ("#1 dog sleeps.", "Go home."):
            os.write(keyboard, f"{sentence}\n".encode())
            assert json.loads(process.stdout.readline())["text"] == sentence
        os.write(keyboard, b"\x04")  # Ctrl-D
        assert process.stdout.read() == b""
    os.close(keyboard)
    assert process.returncode == 0


def test_a_model_is_not_parsed_as_text(parser, sdp_pointer):
    result = sdp_pointer(parser, "parse", "--model", "out", "out/model.tar.gz")
    assert result.returncode == 2
    assert "out/model.tar.gz is no text; if it is a model, name it by --model" in result.stderr
