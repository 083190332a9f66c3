"""The fuzzer finds what no input may lead to, and nothing in what is fine."""

import importlib
import json
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from tests.conftest import FIXTURES

FUZZ = FIXTURES.parent / "benchmarks" / "fuzz"

pytestmark = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"),
    reason="atheris is built for Linux on x86-64 alone",
)

# Each is found by any input.
PLANTED = {
    "error": "print({}[data])",
    "hang": "while True: pass",
    "file": "open('/tmp/sdp_planted', 'w')",
    "network": "import socket; socket.create_connection(('127.0.0.1', 9))",
    "program": "import subprocess; subprocess.run(['true'])",
    # What is done is told, though the code goes on as if nothing were.
    "hidden": "try: open('/tmp/sdp_planted', 'w')\n    except BaseException: pass",
    "nothing": "pass",
}
FOUND = {
    "error": "KeyError",
    "hang": "libFuzzer: timeout",
    "file": "TrespassError: open '/tmp/sdp_planted'",
    "network": "TrespassError: socket.getaddrinfo ('127.0.0.1', 9)",
    "program": "TrespassError: subprocess.Popen ('true'",
    "hidden": "TrespassError: open '/tmp/sdp_planted'",
}


@pytest.fixture
def fuzz(tmp_path):
    """Runs a copy of the fuzzer, to which targets may be added; it writes beside itself."""
    folder = tmp_path / "benchmarks" / "fuzz"
    hidden = shutil.ignore_patterns("__pycache__")
    shutil.copytree(FUZZ, folder, ignore=hidden)
    (tmp_path / "fixtures").symlink_to(FIXTURES)

    def run(*arguments):
        command = [sys.executable, str(folder), *map(str, arguments)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)

    run.folder = folder
    return run


def plant(fuzz):
    for name, code in PLANTED.items():
        target = (
            f"SECONDS = 1\n\n\ndef seeds():\n    yield b'seed'\n\n\ndef run(data):\n    {code}\n"
        )
        (fuzz.folder / "targets" / f"{name}.py").write_text(target)


def test_nothing_is_found_in_files_and_lines_of_the_fixtures(fuzz):
    result = fuzz("--minutes", 0, "--only", "formats", "lines", "--seed", 1)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.startswith("seed 1\n")
    found = json.loads(result.stdout.splitlines()[-1])
    assert [row["target"] for row in found["targets"]] == ["formats", "lines"]
    # The seeds at least, each with the format that is declared and without one.
    assert all(row["inputs"] > 40 for row in found["targets"])
    assert all(row["findings"] == [] for row in found["targets"])


def test_what_no_input_may_lead_to_is_found_saved_and_replayed(fuzz, tmp_path):
    plant(fuzz)
    result = fuzz("--minutes", 0.02 * len(PLANTED), "--only", *PLANTED)
    assert result.returncode == 1, result.stdout + result.stderr
    rows = json.loads(result.stdout.splitlines()[-1])["targets"]
    findings = {row["target"]: row["findings"] for row in rows}
    assert findings.pop("nothing") == []
    for name, reason in FOUND.items():
        path, _, found = findings[name][0].partition(": ")
        assert reason in found
        assert (tmp_path / path).exists()
        assert findings[name][0] in result.stderr
    # It is found once, and the rest of the time is for others.
    assert len(findings["error"]) == 1
    again = fuzz("--replay", tmp_path / findings["error"][0].partition(":")[0])
    assert again.returncode == 1
    assert "KeyError" in again.stdout


def test_a_target_that_cannot_start_is_told(fuzz):
    (fuzz.folder / "targets" / "broken.py").write_text("import nowhere\n\n\ndef run(data): ...\n")
    result = fuzz("--minutes", 0.02, "--only", "broken")
    assert result.returncode == 1
    assert "the target broken did not start" in result.stderr
    assert "No module named 'nowhere'" in result.stderr


@pytest.fixture
def targets(monkeypatch):
    """Makes the modules of the fuzzer importable."""
    monkeypatch.syspath_prepend(str(FUZZ))


def test_the_models_that_are_fuzzed_are_small(targets, monkeypatch):
    from allennlp.common import Params
    from targets import trained

    monkeypatch.setenv("SDP_BERT", "bert")
    for config in trained.CONFIGS:
        path = str(FIXTURES.parent / "training_config" / config)
        model = Params.from_file(path, json.dumps(trained.SMALL))["model"]
        assert model["decoders"]["dm"]["labeller"]["size"] == 8


MODEL = {
    "config.json": json.dumps({"model": {"type": "a", "encoder": {"type": "b"}}}).encode(),
    "weights.safetensors": (2).to_bytes(8, "little") + b"{}" + bytes(400),
    "vocabulary/words.txt": b"a\nb\n",
}


def test_whatever_is_done_to_a_model_can_be_put_into_an_archive_and_into_a_folder(
    targets, tmp_path
):
    from atheris import FuzzedDataProvider
    from targets import archives, folders
    from targets.edits import EDITS, Member

    original = [Member(name, content) for name, content in MODEL.items()]
    rng = Random(1)
    for number in range(40 * len(EDITS)):
        members = [*original]
        EDITS[number % len(EDITS)](members, FuzzedDataProvider(rng.randbytes(100)))
        assert len(archives._tar(members, str(tmp_path))) % 512 == 0
        with TemporaryDirectory(dir=tmp_path) as folder:
            folders._write(members, Path(folder, "model"))
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("deed", "told"),
    [
        ("(folder / 'outside' / 'secret').write_text('changed')", "somebody's file was changed"),
        ("(folder / 'outside' / 'new').touch()", "files were made or left: .*outside/new"),
        ("tempfile.mkstemp()", "files were made or left: .*temporary/"),
        ("importlib.import_module(CANARY)", "a stranger's module was imported"),
        ("(folder / 'model').touch(); (folder / 'packed').mkdir()", None),
    ],
)
def test_what_the_model_of_a_stranger_does_is_seen(targets, tmp_path, deed, told):
    from targets import edits

    def do():
        with edits.stranger(str(tmp_path)) as folder:
            names = {"folder": folder, "tempfile": tempfile, "importlib": importlib}
            exec(deed, {**names, "CANARY": edits.CANARY})

    try:
        if told is None:
            do()
        else:
            with pytest.raises(AssertionError, match=told):
                do()
    finally:
        sys.modules.pop(edits.CANARY, None)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_not_written_through_its_links(targets, tmp_path):

    from targets import folders
    from targets.edits import Member

    (tmp_path / "outside").mkdir()
    link = Member("link", kind=tarfile.SYMTYPE, target="WORK/outside")
    folders._write([link, Member("link/new", b"x"), Member("../new", b"x")], tmp_path / "model")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["link", "model", "outside"]
    assert (tmp_path / "model" / "link").resolve() == tmp_path / "outside"
