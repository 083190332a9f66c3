"""The programs of benchmarks/ run to their tables; their figures are nobody's business here."""

import json
import re
import shutil
import subprocess
import sys

import pytest

from sdp_pointer.commands import main
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


def test_the_model_card_has_the_figures_that_parse_and_score_print(
    benchmark, packed_model, tmp_path, capsys
):
    folder = shutil.copytree(packed_model, tmp_path / "model")
    for name, file in (("dev", "dm.dev"), ("test", "dm.train"), ("ood", "dm.wsj")):
        shutil.copy(FIXTURES / "data" / f"{file}.sdp", tmp_path / f"{name}.sdp")
    _, found = benchmark("model_card.py", folder, tmp_path, "--threads", 1)
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert not re.search(r"[{}]", card)
    assert "epochs, number" in card
    for row in found["scores"]:
        gold, parsed = str(tmp_path / f"{row['file']}.sdp"), str(tmp_path / "parsed.sdp")
        assert main(["parse", gold, "--model", str(folder), "-o", parsed]) == 0
        assert main(["score", gold, parsed, "--json"]) == 0
        printed = json.loads(capsys.readouterr().out)["with_top"]
        figures = [f"{100 * printed[name]:.2f}" for name in ("LF", "UF", "LM")]
        assert re.search(rf"^\| {row['file']} \|.*{re.escape(' | '.join(figures))}", card, re.M)
