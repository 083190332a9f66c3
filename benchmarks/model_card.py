"""Measures a packed model and writes its card: scores on words alone, speed, size, start-up.

    python benchmarks/model_card.py FOLDER DATA [--threads 2]

FOLDER is what `sdp-pointer pack` made; its README.md is written from model_card.md. DATA has
dev.sdp, test.sdp and ood.sdp. Each precision is scored in a process of its own, the last of them as
on a CPU without AVX512. --precision NAME prints the scores of one as JSON, and writes nothing.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

import torch

import sdp_pointer
from sdp_pointer.graphs import Graph, Token, read
from sdp_pointer.graphs.score import Scorer, pair
from sdp_pointer.parser import Parser

FIGURES = ("LF", "UF", "LM")
FILES = ("dev", "test", "ood")
WITHOUT_AVX512 = {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2"}
# What a row is called, the precision, and variables of the environment.
PRECISIONS = (
    ("float32", "float32", {}),
    ("bfloat16", "bfloat16", {}),
    ("int8", "int8", {}),
    ("int8 on a CPU with AVX2 alone", "int8", WITHOUT_AVX512),
)


def scores(parser: Parser, path: Path) -> dict[str, Any]:
    """The official scores of a file's sentences, of which the parser is shown the words alone."""
    gold = list(read(path))
    shown = (Graph([Token(form) for form in graph.forms], id=graph.id) for graph in gold)
    scorer = Scorer()
    for graph, system in pair(gold, parser.parse_batch(shown, beam=1)):
        scorer.add(graph, system)
    found = scorer.scores().with_top.as_metric()
    return {
        "file": path.stem,
        "sentences": len(gold),
        "words": sum(map(len, gold)),
        **{name: round(100 * found[name], 2) for name in FIGURES},
    }


def scores_in(
    arguments: argparse.Namespace, precision: str, variables: dict[str, str]
) -> list[dict[str, Any]]:
    """Those of all files, by another process."""
    command = [sys.executable, __file__, str(arguments.folder), str(arguments.data)]
    command += ["--threads", str(arguments.threads), "--precision", precision]
    output = subprocess.check_output(command, env={**os.environ, **variables}, text=True)
    rows: list[dict[str, Any]] = json.loads(output)
    return rows


def words_per_second(parser: Parser, path: Path) -> int:
    """From raw text, which is split into words, to graphs: the median of three runs."""
    texts = [" ".join(graph.forms) for graph in read(path)]

    def rate() -> float:
        start = time.perf_counter()
        words = sum(map(len, parser.parse_batch(texts, beam=1)))
        return words / (time.perf_counter() - start)

    return round(median(rate() for _ in range(3)))


def seconds_from_cold(folder: Path) -> float:
    """From the start of the command to its end, for one sentence: the median of three runs."""

    def seconds() -> float:
        start = time.perf_counter()
        command = (sys.executable, "-m", "sdp_pointer", "parse", "Cats purr.", "--model", folder)
        subprocess.run(command, check=True, capture_output=True)
        return time.perf_counter() - start

    return round(median(seconds() for _ in range(3)), 1)


def edition(data: Path) -> str:
    """Which edition of the open data a folder has, by the manifest of `sdp-pointer redwoods`.

    >>> edition(Path("nowhere"))
    'files of no known edition'
    """
    path = data / "manifest.json"
    number = json.loads(path.read_text(encoding="utf-8")).get("edition") if path.exists() else None
    return f"edition {number} of the open data" if number else "files of no known edition"


def training(folder: Path) -> str:
    """How the training went, by the file that `sdp-pointer pack` took along from its folder."""
    path = folder / "metrics.json"
    if not path.exists():
        return "How long the training took was not recorded."
    metrics = json.loads(path.read_text(encoding="utf-8"))
    duration = metrics["training_duration"].partition(".")[0]
    return (
        f"Training took {duration} (hours, minutes, seconds) on a CPU; of {metrics['epoch'] + 1}"
        f" epochs, number {metrics['best_epoch'] + 1} was the best."
    )


def table(rows: list[dict[str, Any]]) -> str:
    """
    >>> print(table([{"file": "dev", "words": 12345}]))
    | file | words |
    |---|---|
    | dev | 12,345 |
    """
    lines = [list(rows[0]), *([_cell(value) for value in row.values()] for row in rows)]
    first, *others = (f"| {' | '.join(cells)} |" for cells in lines)
    return "\n".join([first, "|---" * len(rows[0]) + "|", *others])


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="a packed model")
    parser.add_argument("data", type=Path, help="folder with dev.sdp, test.sdp and ood.sdp")
    parser.add_argument("--threads", type=int, default=2, metavar="N")
    parser.add_argument("--precision", help="print the scores of this one alone")
    arguments = parser.parse_args()

    torch.set_num_threads(arguments.threads)
    if arguments.precision:
        model = sdp_pointer.load(str(arguments.folder), precision=arguments.precision)
        print(json.dumps([scores(model, arguments.data / f"{name}.sdp") for name in FILES]))
        return
    found = {name: scores_in(arguments, *precision) for name, *precision in PRECISIONS}
    by_precision = [
        {"precision": name, **{row["file"]: row["LF"] for row in rows}}
        for name, rows in found.items()
    ]
    rows = found["float32"]
    trained = sdp_pointer.load(str(arguments.folder), precision="float32").model
    model = sdp_pointer.load(str(arguments.folder))
    size = sum(path.stat().st_size for path in arguments.folder.rglob("*"))
    figures = {
        "parameters": sum(parameter.numel() for parameter in trained.parameters()),
        "megabytes": round(size / 1e6, 1),
        "words_per_second": words_per_second(model, arguments.data / "test.sdp"),
        "threads": arguments.threads,
        "precision": model.model.describe()["precision"],
        "seconds_from_cold": seconds_from_cold(arguments.folder),
    }
    template = Path(__file__).with_suffix(".md").read_text(encoding="utf-8")
    figures_in_words = (
        "{parameters:,} parameters, {megabytes} MB. {words_per_second:,} words per second from raw"
        " text to graphs with {threads} threads in {precision};\n{seconds_from_cold} seconds from"
        " the start of the command to its end, for one sentence (median of three)."
    )
    card = template.format(
        scores=table(rows),
        precisions=table(by_precision),
        edition=edition(arguments.data),
        figures=figures_in_words.format(**figures),
        training=training(arguments.folder),
    )
    (arguments.folder / "README.md").write_text(card, encoding="utf-8")
    print(table(rows))
    print(json.dumps({"scores": rows, "precisions": by_precision, **figures}))


if __name__ == "__main__":
    main()
