"""The fuzzer finds what no input may lead to, and nothing in what is fine."""

import json
import platform
import shutil
import subprocess
import sys

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
