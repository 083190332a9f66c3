"""Whole editions: what is in the files, and what the manifest says of it."""

import hashlib
import json
import shutil
from importlib.metadata import version

import pytest

from sdp_pointer.errors import UserError
from sdp_pointer.graphs import read
from sdp_pointer.redwoods.edition import make_edition
from sdp_pointer.redwoods.splits import SPLITS, chosen
from sdp_pointer.redwoods.treebank import find_treebank

from .conftest import EXPECTED


@pytest.fixture(scope="module")
def made(treebank, tmp_path_factory):
    """The folder of the open edition, and its manifest."""
    folder = tmp_path_factory.mktemp("edition") / "data"
    return folder, make_edition(find_treebank(treebank), str(folder), SPLITS["open"])


def test_the_files_are_those_expected_byte_for_byte(made):
    folder, _ = made
    for path in EXPECTED.iterdir():
        assert (folder / path.name).read_text() == path.read_text(), path.name


def test_all_files_of_the_split_are_there_and_nothing_else(made):
    folder, manifest = made
    names = {f"{file.name}.sdp" for file in SPLITS["open"].files}
    assert (
        {path.name for path in folder.iterdir()}
        == {*names, "manifest.json"}
        == {
            *manifest["files"],
            "manifest.json",
        }
    )


def test_the_manifest_is_written_as_it_is_returned(made):
    folder, manifest = made
    assert json.loads((folder / "manifest.json").read_text()) == manifest


def test_the_manifest_counts_what_is_in_the_files(made):
    folder, manifest = made
    for name, said in manifest["files"].items():
        graphs = list(read(folder / name))
        assert said["sentences"] == len(graphs)
        assert said["words"] == sum(map(len, graphs))
        assert said["arcs"] == sum(len(graph.arcs) for graph in graphs)
        assert said["sha256"] == hashlib.sha256((folder / name).read_bytes()).hexdigest()


def test_the_manifest_says_what_was_dropped_and_why(made):
    _, manifest = made
    assert manifest["profiles"]["ws201"] == {
        "file": "train.sdp",
        "items": 17,
        "gold": 16,
        "graphs": 13,
        "dropped": {"unreadable reading": ["113"], "no top": ["114"], "cycle": ["115"]},
    }
    dropped = manifest["files"]["train.sdp"]["dropped"]
    assert dropped == {"repeated": 1, "in a file for evaluation": 1}
    assert manifest["files"]["dev.sdp"]["dropped"] == {}


def test_the_manifest_says_what_it_was_made_of_and_by(made, treebank):
    _, manifest = made
    assert manifest["made by"]["pydelphin"] == version("pydelphin")
    assert manifest["treebank"]["commit"] is None
    for name, checksum in manifest["treebank"]["sha256"].items():
        content = (treebank / "etc" / name).read_bytes()
        assert checksum == hashlib.sha256(content).hexdigest()
    assert {"dm.cfg", "erg.smi"} <= set(manifest["treebank"]["sha256"])


def test_the_same_treebank_gives_the_same_bytes(made, treebank, tmp_path):
    folder, _ = made
    make_edition(find_treebank(treebank), str(tmp_path / "again"), SPLITS["open"])
    for path in folder.iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


@pytest.fixture
def small(treebank, tmp_path):
    """A treebank of two profiles of the open split, one that is kept apart, and one withheld."""
    folder = tmp_path / "small"
    for name in ("etc", "ws213", "sh-spec"):
        shutil.copytree(treebank / name, folder / name)
    shutil.copytree(treebank / "ws213", folder / "trec")
    shutil.copytree(treebank / "ws213", folder / "bcs")
    return folder


def test_what_is_not_there_or_not_used_is_in_the_manifest(small, tmp_path):
    manifest = make_edition(find_treebank(small), str(tmp_path / "data"), SPLITS["open"])
    assert list(manifest["files"]) == ["dev.sdp", "ood.sdp"]
    assert manifest["missing"]["test"] == ["ws214"]
    assert manifest["not used"] == {
        "trec": "kept apart: parsers are tested on it",
        "bcs": "its text needs a licence",
    }


def test_other_files_have_the_ids_of_the_items_and_no_edition(small, tmp_path):
    manifest = make_edition(find_treebank(small), str(tmp_path / "data"), chosen(["trec"]))
    assert [graph.id for graph in read(tmp_path / "data" / "trec.sdp")] == ["201", "202", "203"]
    assert "edition" not in manifest
    assert manifest["not used"]["ws213"] == "not in this split"


def test_a_split_without_any_file_is_refused_and_leaves_no_folder(small, tmp_path):
    with pytest.raises(UserError, match=r"there is no profile vm6 in .*small"):
        make_edition(find_treebank(small), str(tmp_path / "data"), chosen(["vm6"]))
    assert not (tmp_path / "data").exists()


def test_a_broken_profile_is_named_and_leaves_no_folder(small, tmp_path):
    path = small / "ws213" / "result.gz"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(UserError, match=r"ws213/result.gz:\d+: the compressed data is damaged"):
        make_edition(find_treebank(small), str(tmp_path / "data"), SPLITS["open"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["small"]


def test_a_folder_that_is_there_is_left_alone(small, tmp_path):
    (tmp_path / "data").mkdir()
    with pytest.raises(UserError, match="data exists already: remove it, or name another folder"):
        make_edition(find_treebank(small), str(tmp_path / "data"), SPLITS["open"])
