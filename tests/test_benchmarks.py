"""The programs of benchmarks/ run to their tables; their figures are nobody's business here."""

import json
import subprocess
import sys

import pytest

from tests.conftest import FIXTURES

BENCHMARKS = FIXTURES.parent / "benchmarks"


@pytest.fixture
def benchmark(offline, tmp_path):
    """Runs a program of benchmarks/ and returns its table and its JSON."""

    def run(name, *arguments, **settings):
        result = subprocess.run(
            [sys.executable, str(BENCHMARKS / name), *map(str, arguments)],
            cwd=tmp_path,
            env={**offline, **settings},
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert result.returncode == 0, result.stderr
        table, _, last = result.stdout.strip().rpartition("\n")
        return table, json.loads(last)

    return run


def test_the_papers_table_is_trained_scored_and_not_trained_twice(benchmark, tmp_path):
    arguments = ("paper_table.py", FIXTURES / "official", "out", "--formalisms", "dm")
    more = ("--blocks", "words", "--seeds", "7")
    table, found = benchmark(*arguments, *more, SDP_EPOCHS="1")
    assert "92.5" in table
    assert "87.7" in table
    [[in_domain, out_of_domain]] = found["rows"][0]["scores"]
    assert 0 <= in_domain <= 100
    assert 0 <= out_of_domain <= 100
    config = json.loads((tmp_path / "out" / "dm.7" / "config.json").read_text())
    assert config["pytorch_seed"] == 7
    weights = tmp_path / "out" / "dm.7" / "model.tar.gz"
    before = weights.stat().st_mtime_ns
    assert benchmark(*arguments, *more)[1] == found
    assert weights.stat().st_mtime_ns == before


def test_predict_is_compared_with_python_on_the_same_sentences(benchmark, words_model):
    file = FIXTURES / "data" / "dm.dev.sdp"
    table, found = benchmark("predict_speed.py", words_model, file, "--rounds", "1")
    assert "ratio" in table
    assert found["sentences"] == 14
    assert found["ratio"] == pytest.approx(found["predict"] / found["python"])
