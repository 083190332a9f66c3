"""What the README and the documents show is what happens."""

import ast
import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_examples_run_as_shown(path):
    result = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert result.failed == 0


def test_every_command_of_the_readme_exists(capsys):
    from sdp_pointer.commands import SUBCOMMANDS

    readme = (ROOT / "README.md").read_text()
    named = {line.split()[1] for line in readme.splitlines() if line.startswith("    sdp-pointer ")}
    assert named == set(SUBCOMMANDS)


def test_every_config_is_in_the_readme():
    readme = (ROOT / "README.md").read_text()
    for path in (ROOT / "training_config").glob("*.jsonnet"):
        assert f"`{path.stem}`" in readme


def messages():
    """Every text in what is installed, with an ellipsis for what is filled in."""
    for path in (ROOT / "_sdp_pointer_startup.py", *(ROOT / "sdp_pointer").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.JoinedStr):
                parts = (
                    part.value if isinstance(part, ast.Constant) else "…" for part in node.values
                )
                yield "".join(parts)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def test_every_message_in_troubleshooting_is_one_of_ours():
    told = re.findall("^### `(.*)`$", (ROOT / "docs" / "troubleshooting.md").read_text(), re.M)
    ours = list(messages())
    assert len(told) > 15
    assert [message for message in told if not any(message in text for text in ours)] == []


def test_every_file_that_a_document_names_is_there():
    for path in DOCUMENTS:
        for name in re.findall(
            r"`((?:docs|benchmarks|fixtures|tests)/[\w./]+\w)`", path.read_text()
        ):
            assert (ROOT / name).exists(), f"{path.name} names {name}"
