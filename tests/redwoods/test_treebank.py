"""Where profiles and tables of the grammar are found."""

import subprocess

import pytest

from sdp_pointer.errors import UserError
from sdp_pointer.redwoods.treebank import find_treebank


@pytest.fixture
def checkout(treebank, tmp_path):
    """The toy treebank, laid out as in a checkout of the ERG."""
    (tmp_path / "erg" / "tsdb").mkdir(parents=True)
    (tmp_path / "erg" / "etc").symlink_to(treebank / "etc")
    gold = tmp_path / "erg" / "tsdb" / "gold"
    gold.mkdir()
    for name in ("ws201", "ws213"):
        (gold / name).symlink_to(treebank / name)
    (gold / "notes").mkdir()
    return tmp_path / "erg"


def git(folder, *arguments):
    names = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    command = ["git", "-C", str(folder), *names, *arguments]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


@pytest.mark.parametrize("inner", ["", "tsdb/gold"])
def test_a_checkout_and_its_gold_folder_are_the_same_treebank(checkout, inner):
    found = find_treebank(checkout / inner)
    assert found == (checkout / "tsdb" / "gold", checkout / "etc", None)
    assert found.available() == ["ws201", "ws213"]


def test_a_folder_of_profiles_has_its_own_etc(treebank):
    found = find_treebank(treebank)
    assert found == (treebank, treebank / "etc", None)
    assert "sh-spec" in found.available()
    assert "etc" not in found.available()


@pytest.mark.parametrize("inner", ["", "tsdb/gold"])
def test_the_commit_of_a_checkout_is_known(checkout, inner):
    git(checkout, "init", "--quiet")
    git(checkout, "commit", "--quiet", "--allow-empty", "--message", "first")
    assert find_treebank(checkout / inner).commit == git(checkout, "rev-parse", "HEAD")


def test_the_commit_of_another_repository_around_it_is_not_taken_for_it(checkout):
    git(checkout.parent, "init", "--quiet")
    git(checkout.parent, "commit", "--quiet", "--allow-empty", "--message", "first")
    assert find_treebank(checkout).commit is None


def test_a_checkout_without_git_has_no_commit(checkout, monkeypatch):
    git(checkout, "init", "--quiet")
    monkeypatch.setenv("PATH", "")
    assert find_treebank(checkout).commit is None


def test_profiles_without_the_grammars_tables_are_told(tmp_path):
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "dm.cfg").touch()
    with pytest.raises(
        UserError, match=r"there is no etc/dm.cfg with etc/erg.smi for .*; expected"
    ):
        find_treebank(tmp_path)


def test_what_is_no_folder_is_told(tmp_path):
    with pytest.raises(UserError, match="nowhere is no folder; expected a checkout of"):
        find_treebank(tmp_path / "nowhere")
