"""The conversion of treebanks beside an edition of their graphs."""

import doctest
import importlib
import runpy

import pytest

from sdp_pointer.graphs import read, write
from tests.conftest import FIXTURES


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    folder = tmp_path_factory.mktemp("treebank") / "erg"
    runpy.run_path(str(FIXTURES / "make_treebank.py"))["make_treebank"](folder)
    return folder


def test_the_examples_are_true(programs):
    found = doctest.testmod(importlib.import_module("redwoods"))
    assert found.attempted
    assert not found.failed


def test_the_same_edition_has_the_same_bytes(benchmark, treebank):
    _, found = benchmark("redwoods.py", treebank, FIXTURES / "redwoods" / "expected")
    assert [(row["file"], row["same_bytes"]) for row in found["rows"]] == [
        ("dev.sdp", True),
        ("more-dialogue.sdp", True),
        ("train.sdp", True),
    ]
    assert found["labels"] == {}
    assert found["cpu_seconds"] > 0


def test_changes_are_counted(benchmark, treebank, tmp_path):
    expected = FIXTURES / "redwoods" / "expected"
    first, _, *rest = read(expected / "train.sdp")
    (tmp_path / "other").mkdir()
    head, dependent, _ = first.arcs[0]
    other = first.replace(arcs=[(head, dependent, "X"), *first.arcs[2:]], tops=[1])
    write([other, *rest], tmp_path / "other" / "train.sdp")
    table, found = benchmark("redwoods.py", treebank, "other", "--made", expected)
    [row] = found["rows"]
    assert (row["sentences"], row["only_here"], row["only_there"]) == (11, 1, 0)
    assert (row["changed_sentences"], row["changed_arcs"], row["changed_tops"]) == (1, 2, 1)
    assert (row["changed_frames"], row["same_bytes"]) == (0, False)
    assert found["labels"] == {"X -> BV": 1, f"+ {first.arcs[1].label}": 1}
    assert "| X -> BV | 1 |" in table
    assert "cpu_seconds" not in found
