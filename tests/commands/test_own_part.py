"""The own part of docs/training.md is trained, parses, and is served."""

import re
import subprocess
import sys

import pytest

from sdp_pointer.graphs import read, write
from tests.conftest import FIXTURES
from tests.server.conftest import ServerProcess

PAGE = (FIXTURES.parent / "docs" / "training.md").read_text().partition("## Train with a part")[2]
[CODE] = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)
COMMANDS = re.findall("^    ((?:sdp-pointer|allennlp|echo) .*)$", PAGE, re.M)
SENTENCE = "Kim likes the old house."


@pytest.fixture(scope="module")
def folder(tmp_path_factory, offline):
    """Where the commands of the page have run."""
    folder = tmp_path_factory.mktemp("own_part")
    (folder / "my_gru.py").write_text(CODE)
    graphs = list(read(FIXTURES / "data" / "dm.dev.sdp"))
    for name in ("TRAIN", "DEV"):
        write(graphs[:4], folder / name, "sdp")
    *training, parse = COMMANDS
    assert parse == f'sdp-pointer parse --model OUT --include-package my_gru "{SENTENCE}"'
    modules = {"sdp-pointer": "sdp_pointer", "allennlp": "allennlp"}
    for command in training:
        name, _, rest = command.partition(" ")
        if name in modules:
            command = f"{sys.executable} -m {modules[name]} {rest}"
        subprocess.run(
            command.replace("--show", "--epochs 1 --size 16 --show"),
            shell=True,
            cwd=folder,
            env=offline,
            check=True,
        )
    return folder


@pytest.fixture
def run(folder, offline):
    def run(*arguments):
        command = [sys.executable, *arguments]
        return subprocess.run(command, cwd=folder, env=offline, capture_output=True, text=True)

    return run


def test_the_command_parses_with_it(run):
    parse = ("-m", "sdp_pointer", "parse", "--model", "OUT", SENTENCE)
    result = run(*parse, "--include-package", "my_gru")
    assert (result.returncode, "house" in result.stdout) == (0, True), result.stderr
    result = run(*parse)
    assert result.returncode == 2
    assert "; if it is a part of your own, import its module first: --inc" in result.stderr
    assert "You should" not in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_python_loads_and_saves_it(run):
    code = f"""
import my_gru, sdp_pointer
parser = sdp_pointer.load("OUT")
parser.save("SAVED")
assert sdp_pointer.load("SAVED").parse({SENTENCE!r}) == parser.parse({SENTENCE!r})
"""
    result = run("-c", code)
    assert result.returncode == 0, result.stderr
    result = run("-c", code.replace("my_gru, ", ""))
    assert result.stderr.splitlines()[-1].startswith(
        "sdp_pointer.allennlp_compat.patches.archives.ConfigError: cannot load OUT: my_gru not in"
    )


def test_the_server_answers_with_it(folder, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(folder))
    server = ServerProcess("--model", str(folder / "OUT"), "--include-package", "my_gru")
    try:
        answer = server.ask({"sentence": SENTENCE}).json()
    finally:
        server.end()
    assert [token["form"] for token in answer["tokens"]] == [*SENTENCE[:-1].split(), "."]
