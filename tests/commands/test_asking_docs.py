"""The commands and patterns of docs/asking.md are run; test_docs.py runs the rest."""

import gzip
import io
import re
import shlex
import shutil

import pytest

from sdp_pointer.commands import main
from sdp_pointer.graphs import Pattern, read
from tests.conftest import FIXTURES

PAGE = (FIXTURES.parent / "docs" / "asking.md").read_text()
EXAMPLES = FIXTURES / "data" / "dm.wsj.sdp"
INDENTED = re.findall(r"^    (.*)$", PAGE, re.M)
COMMANDS = [line for line in INDENTED if "sdp-pointer" in line]
PATTERNS = [line.partition("  #")[0].strip() for line in INDENTED if "  #" in line]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(EXAMPLES, "FILE")
    (tmp_path / "FILE.gz").write_bytes(gzip.compress(EXAMPLES.read_bytes()))
    return tmp_path


def found(command, monkeypatch, capsys):
    """What a command finds, on the standard output or in its file."""
    before, words = command.partition("sdp-pointer")[::2]
    if before.startswith("zcat"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(EXAMPLES.read_bytes())))
    assert main(shlex.split(words)) == 0
    output = capsys.readouterr()
    assert "note" not in output.err
    return output.out


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_finds_something(command, folder, monkeypatch, capsys):
    output = found(command, monkeypatch, capsys)
    if "FOUND.csv" in command:
        assert not output
        output = (folder / "FOUND.csv").read_text()
    assert output.count("\n") >= 1 + ("csv" in command)


def test_the_first_search_prints_what_the_page_shows(folder, monkeypatch, capsys):
    command = next(line for line in COMMANDS if line.endswith("'like -ARG1-> ?who' FILE"))
    shown = [line for line in INDENTED if line.startswith(("FILE:", "    like"))]
    assert found(command, monkeypatch, capsys).splitlines() == shown


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_of_the_page_means_what_its_comment_says(pattern):
    matches = [match for graph in read(EXAMPLES) for match in Pattern(pattern).matches(graph)]
    # Each graph of this file has a top.
    assert bool(matches) != (pattern == "not [top]")
    for match in matches:
        assert {"v", "x"} & set(match)


def test_the_page_has_commands_and_patterns():
    assert (len(COMMANDS), len(PATTERNS)) == (6, 6)
