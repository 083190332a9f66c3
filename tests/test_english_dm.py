"""The model that comes with the package; a small one stands in where it needs none of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import spacy
import uvicorn
from safetensors import safe_open

import sdp_pointer
from sdp_pointer.commands import main
from sdp_pointer.errors import UserError
from sdp_pointer.graphs import loads
from sdp_pointer.parser import ENGLISH_DM

TEXT = "The results were in line with analysts' expectations."

# Runs the command where nothing can be reached.
OFFLINE = """
import runpy, socket, sys
def refuse(*args, **kwargs): raise SystemExit("something asked for the network")
socket.getaddrinfo = socket.socket.connect = refuse
runpy.run_module("sdp_pointer", run_name="__main__")
"""


@pytest.fixture(params=["packed", "shipped"])
def model(request, packed_model, monkeypatch) -> Path:
    """What `load()` takes: a small packed model, and the real one."""
    if request.param == "packed":
        monkeypatch.setattr("sdp_pointer.parser.loading.ENGLISH_DM", str(packed_model))
        return packed_model
    return Path(ENGLISH_DM)


def test_it_parses_text_without_a_network_and_without_settings(model, tmp_path):
    settings = ("SDP_", "HF_", "TRANSFORMERS_", "ALLENNLP_")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(settings)}
    named = [] if str(model) == ENGLISH_DM else ["--model", str(model)]
    result = subprocess.run(
        [sys.executable, "-c", OFFLINE, "parse", TEXT, *named],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    [graph] = loads(result.stdout, "jsonl")
    assert graph.is_dag
    assert graph.arcs
    assert graph.forms[-3:] == ("'", "expectations", ".")
    assert list(tmp_path.iterdir()) == []


def test_it_is_small_and_holds_text_and_plain_tensors(model):
    sizes = {path: path.stat().st_size for path in model.rglob("*") if path.is_file()}
    assert sum(sizes.values()) <= 40_000_000
    for path in sizes:
        if path.suffix == ".safetensors":
            with safe_open(path, "pt") as tensors:
                assert list(tensors.keys())
        else:
            assert path.suffix in (".json", ".md", ".txt")
            path.read_text(encoding="utf-8")


def test_the_documents_have_the_scores_of_its_card():
    root = Path(__file__).parents[1]
    paths = (Path(ENGLISH_DM, "README.md"), root / "docs" / "results.md", root / "README.md")
    card, results, readme = (path.read_text(encoding="utf-8") for path in paths)
    [overview] = re.findall(r"^\| the model of the package.*$", readme, re.MULTILINE)
    cells = re.findall(r"(\d+\.\d), (\d+\.\d)", overview)
    for name, cell in zip(("dev", "test", "ood"), cells, strict=True):
        row = rf"^\| {name} \|.* (\S+) \| (\S+) \| (\S+) \|$"
        # Of the edition that it was trained on, and of the present one.
        first, last = (tuple(map(float, row)) for row in re.findall(row, card, re.MULTILINE))
        assert "| {}, beam 1 | {:.2f} | {:.2f} | {:.1f} |".format(name, *first) in results
        assert [*map(float, cell)] == pytest.approx(last[:2], abs=0.0501)


def test_load_needs_no_argument(model):
    graph = sdp_pointer.load().parse(TEXT)
    assert graph.is_dag
    assert graph.arcs


def test_parse_needs_no_model(model, capsys):
    assert main(["parse", "Kim likes the old house."]) == 0
    assert '"text":"Kim likes the old house."' in capsys.readouterr().out


def test_serve_needs_no_model(model, monkeypatch, capsys):
    served = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, *_: served.append(self.config.app))
    assert main(["serve", "--port", "0"]) == 0
    assert len(served) == 1
    assert "http://127.0.0.1:" in capsys.readouterr().err


def test_the_component_of_spacy_needs_no_model(model):
    nlp = spacy.blank("en")
    nlp.add_pipe("sdp_pointer")
    [graph] = nlp(TEXT)._.sdp
    assert graph.is_dag


def test_where_it_is_missing_one_sentence_says_so(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("sdp_pointer.parser.loading.ENGLISH_DM", str(tmp_path / "nowhere"))
    with pytest.raises(UserError, match="no model was named, and none came with the package"):
        sdp_pointer.load()
    for command in (["parse", TEXT], ["serve", "--port", "0"]):
        assert main(command) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
