"""`sdp-pointer redwoods`: its options, and what it prints."""

import contextlib
import gzip
import os
import runpy
import shutil
import signal
import subprocess
import sys
import time

import pytest

from sdp_pointer.commands import main
from sdp_pointer.graphs import read
from tests.conftest import FIXTURES


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    folder = tmp_path_factory.mktemp("treebank") / "erg"
    runpy.run_path(str(FIXTURES / "make_treebank.py"))["make_treebank"](folder)
    return folder


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_it_makes_a_folder_and_tells_what_is_in_it(here, treebank, capsys):
    assert main(["redwoods", str(treebank), "-o", "data"]) == 0
    output = capsys.readouterr()
    lines = output.out.splitlines()
    assert lines[0].split() == ["train.sdp", "11", "sentences", "105", "words", "63", "arcs"]
    assert len(lines) == 9
    assert lines[-1].startswith("data/manifest.json says")
    assert output.err == ""
    assert len(list(read("data/dev.sdp"))) == 3


def test_chosen_profiles_make_files_of_their_own(here, treebank, capsys):
    arguments = ["--profiles", "ws213", "train=ws201,ws20[2-9]"]
    assert main(["redwoods", str(treebank), "-o", "data", *arguments]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        "ws213.sdp",
        "train.sdp",
        "data/manifest.json",
    ]


def test_what_is_held_out_makes_files_of_its_own(here, treebank, capsys):
    assert main(["redwoods", str(treebank), "-o", "data", "--hold-out"]) == 0
    made = capsys.readouterr().out
    assert all(f"dev-{name}.sdp" in made for name in ("written", "email", "dialogue"))


def test_what_is_missing_is_told(here, treebank, tmp_path, capsys):
    for name in ("etc", "ws213"):
        shutil.copytree(treebank / name, tmp_path / "erg" / name)
    assert main(["redwoods", "erg", "-o", "data"]) == 1
    errors = capsys.readouterr().err
    assert "sdp-pointer: test.sdp was left out: there is no ws214 in" in errors
    assert "dev.sdp" not in errors


def test_a_licence_is_asked_for_where_the_text_needs_one(here, treebank, tmp_path, capsys):
    shutil.copytree(treebank / "etc", tmp_path / "erg" / "etc")
    for name in ("wsj00a", "wsj19c", "wsj20a", "wsj21a"):
        shutil.copytree(treebank / "ws213", tmp_path / "erg" / name)
    assert main(["redwoods", "erg", "-o", "data", "--split", "deepbank"]) == 0
    output = capsys.readouterr()
    assert (
        "the text of wsj* is the Penn Treebank's: use it only if you have a licence" in output.err
    )
    # The official split has repeats.
    assert [graph.id for graph in read("data/train.sdp")] == ["201", "202", "203"] * 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere", "-o", "data"], "nowhere is no folder; expected a checkout of"),
        ([".", "-o", "data"], "there is no etc/dm.cfg"),
    ],
)
def test_a_treebank_that_is_none_is_one_line(here, arguments, message, capsys):
    assert main(["redwoods", *arguments]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith(f"sdp-pointer: error: {message}")
    assert errors.count("\n") == 1


def test_a_broken_profile_ends_the_command_though_others_wait_with_large_tables(treebank, tmp_path):
    shutil.copytree(treebank / "etc", tmp_path / "erg" / "etc")
    with (tmp_path / "erg" / "etc" / "surface.smi").open("a") as interface:
        for number in range(20_000):
            interface.write(f"  _verb{number}_v_1 : ARG0 e, ARG1 x.\n")
    for number in range(12):
        folder = shutil.copytree(treebank / "ws213", tmp_path / "erg" / f"ws2{number:02}")
        result = folder / "result.gz"
        result.write_bytes(result.read_bytes()[:-20])
    command = [sys.executable, "-m", "sdp_pointer", "redwoods", "erg", "-o", "data"]
    chosen = ["--profiles", "train=ws2*"]
    made = subprocess.run(
        [*command, *chosen], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert made.returncode == 2
    assert made.stderr.startswith("sdp-pointer: error: ")
    assert "get it again" in made.stderr
    assert made.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["erg"]


@pytest.mark.usefixtures("heeded_signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_all_processes_and_leaves_no_folder(here, treebank, tmp_path, number):
    for name in ("etc", "ws201", "ws213"):
        shutil.copytree(treebank / name, tmp_path / "erg" / name)
        if name != "etc":
            path = tmp_path / "erg" / name / "result.gz"
            path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()) * 10_000))
    command = [sys.executable, "-m", "sdp_pointer", "redwoods", "erg", "-o", "data"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, start_new_session=True, **pipes) as process:
        try:
            while not list(tmp_path.glob("data.part*")):
                assert process.poll() is None
                time.sleep(0.01)
            process.send_signal(number)
            # This ends when no process has the pipes any more.
            errors = process.communicate()[1]
            assert process.returncode == 128 + number
            assert errors == "sdp-pointer: interrupted; data was not made\n"
            assert [path.name for path in tmp_path.iterdir()] == ["erg"]
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("missing", ["delphin", "simplemma"])
def test_without_the_extra_it_says_what_to_install(here, treebank, missing, monkeypatch, capsys):
    for name in list(sys.modules):
        if name.startswith((missing, "sdp_pointer.redwoods")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    assert main(["redwoods", str(treebank), "-o", "data"]) == 2
    assert capsys.readouterr().err == (
        f"sdp-pointer: error: there is no {missing}, which reads treebanks: pip install pydelphin"
        " simplemma\n"
    )
