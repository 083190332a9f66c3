"""What the tests of benchmarks/ share: its programs run to their tables."""

import json
import subprocess
import sys

import pytest

from tests.conftest import FIXTURES

BENCHMARKS = FIXTURES.parent / "benchmarks"
DATA = FIXTURES / "data"
SMALL = {
    "model.backbone.encoder.hidden_size": 16,
    "model.backbone.encoder.num_layers": 1,
    "model.decoders.dm.state_size": 16,
    "model.decoders.dm.arc_size": 16,
    "trainer.num_epochs": 1,
}


@pytest.fixture
def run(offline, tmp_path):
    """Runs a program of benchmarks/."""

    def run(name, *arguments, **settings):
        return subprocess.run(
            [sys.executable, str(BENCHMARKS / name), *map(str, arguments)],
            cwd=tmp_path,
            env={**offline, **settings},
            capture_output=True,
            text=True,
            timeout=600,
        )

    return run


@pytest.fixture
def benchmark(run):
    """Runs a program of benchmarks/ and returns its table and its JSON."""

    def benchmark(name, *arguments, **settings):
        result = run(name, *arguments, **settings)
        assert result.returncode == 0, result.stderr
        table, _, last = result.stdout.strip().rpartition("\n")
        return table, json.loads(last)

    return benchmark


@pytest.fixture
def programs(monkeypatch):
    """Makes the modules of benchmarks/ importable."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))


@pytest.fixture
def settings(tmp_path):
    """Environment variables that name data and a transformer."""
    files = {"train": "dm.train", "extra": "dm.dev", "dev": "dm.dev", "ood": "dm.wsj"}
    for name, source in files.items():
        (tmp_path / f"{name}.sdp").symlink_to(DATA / f"{source}.sdp")
    bert = tmp_path / "bert"
    subprocess.run([sys.executable, str(FIXTURES / "make_bert.py"), str(bert)], check=True)
    return {"SDP_DATA": str(tmp_path), "SDP_VECTORS": "", "SDP_BERT": str(bert)}
