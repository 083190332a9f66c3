"""What the README and the documents show is what happens."""

import doctest
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
