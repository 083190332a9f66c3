"""What README and guides show is run, in a folder that has the files they name."""

import io
import re
import runpy
import shlex
import shutil

import pytest

import sdp_pointer
from sdp_pointer.commands import main
from sdp_pointer.graphs import read
from tests.conftest import FIXTURES

ROOT = FIXTURES.parent
GUIDES = ("index", "getting-started", "parsing", "training", "large-corpora", "formalisms")
PAGES = ("README.md", *(f"docs/{name}.md" for name in GUIDES))
DOCUMENTS = {path.name: path.read_text() for path in map(ROOT.joinpath, PAGES)}
TEXT = "Kim likes the old house.\nCats purr.\n"


def commands(*program):
    """The indented lines that run a program, as words."""
    for name, text in DOCUMENTS.items():
        for line in re.findall(r"^    (.*)$", text, re.M):
            words = shlex.split(line, comments=True)
            # What loads a part of one's own is run by tests/commands/test_own_part.py.
            others = {"serve", "--include-package"} & {*words}
            if shlex.join(program) in shlex.join(words) and not others:
                yield pytest.param(words, id=f"{name}: {shlex.join(words)[:60]}")


def programs():
    for name, text in DOCUMENTS.items():
        for number, program in enumerate(re.findall(r"```python\n(.*?)```", text, re.DOTALL)):
            if ">>>" not in program and ".register(" not in program:
                yield pytest.param(program, id=f"{name}: {number}")


@pytest.fixture
def folder(words_model, tmp_path, monkeypatch):
    """A folder with everything that the documents name in capitals."""
    shutil.copy(words_model, tmp_path / "MODEL")
    runpy.run_path(str(FIXTURES / "make_treebank.py"))["make_treebank"](tmp_path / "ERG")
    for name in ("GOLD", "SYSTEM", "BASELINE", "FILE", "IN.sdp", "TRAIN", "DEV"):
        shutil.copy(FIXTURES / "data" / "dm.dev.sdp", tmp_path / name)
    for name in ("parsed.sdp", "system.sdp"):
        shutil.copy(FIXTURES / "data" / "dm.dev.sdp", tmp_path / name)
    (tmp_path / "fixtures").symlink_to(FIXTURES)
    shutil.copy(words_model, tmp_path / "my-model")
    for name in ("FILE.txt", "SENTENCES", "sentences.txt"):
        (tmp_path / name).write_text(TEXT)
    (tmp_path / "INPUT.jsonl").write_text('{"sentence": "Cats purr."}\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("words", commands("sdp-pointer"))
def test_commands_run(words, folder, monkeypatch, capsys):
    # `cat SENTENCES | sdp-pointer ... > OUT` without a shell
    words = words[words.index("sdp-pointer") + 1 : words.index(">") if ">" in words else None]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    # Trainings are run by tests/commands/test_train.py.
    shown = ["--show"] if words[0] == "train" else []
    assert main([*words, *shown]) == 0, capsys.readouterr().err
    for output in (word for word in words if word.startswith("OUT.")):
        assert list(read(output))


@pytest.mark.parametrize("words", commands("allennlp", "predict"))
def test_predictions_run(words, folder, allennlp):
    result = allennlp(folder, *words[1:])
    assert result.returncode == 0, result.stderr
    assert list(read(folder / words[words.index("--output-file") + 1]))


@pytest.mark.parametrize("program", programs())
def test_programs_run(program, folder):
    names = {"sdp_pointer": sdp_pointer, "sentences": TEXT.splitlines()}
    exec(program, names)
    graph = names["graph"] if "graph" in names else next(iter(read("OUT.jsonl.gz")))
    assert graph.tokens
