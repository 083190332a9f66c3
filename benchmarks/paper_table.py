"""The paper's table of results: trains on the official files and prints our rows beside its own.

    python benchmarks/paper_table.py DATA OUT [--formalisms dm pas] [--blocks words] [--seeds 1 2]

DATA is the folder of the official files (LDC2016T10): en.dm.sdp for training and development, and
en.id.dm.sdp and en.ood.dm.sdp for testing; likewise pas and psd. Settings such as SDP_VECTORS and
SDP_BERT are passed on. A run that is in OUT is not run again, and one that was killed is gone on
with, so the command can be repeated until the table is full. OUT/BLOCK.svg is the paper's Figure 3
for the parsers of the first seed.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from figure_3 import figure
from measuring import agree

import sdp_pointer
from sdp_pointer.dataset_readers.sdp import section_of
from sdp_pointer.graphs import Graph, read, write
from sdp_pointer.graphs.score import Scorer, pair

CONFIGS = Path(__file__).parent.parent / "training_config"
TESTS = ("id", "ood")
DEVELOPMENT = 20  # the section of the Wall Street Journal

# Ending of the config's name.
BLOCKS = {
    "words": "",
    "char_lemma": "_char_lemma",
    "bert": "_bert",
    "finetuned": "_finetuned",
}
# LF of the paper's table: in-domain and out-of-domain.
PUBLISHED = {
    ("words", "dm"): (92.5, 87.7),
    ("words", "pas"): (94.2, 91.0),
    ("words", "psd"): (81.0, 78.7),
    ("words", "Avg"): (89.2, 85.8),  # of all three
    ("char_lemma", "dm"): (93.9, 89.6),
    ("char_lemma", "pas"): (94.2, 91.2),
    ("char_lemma", "psd"): (81.8, 79.8),
    ("char_lemma", "Avg"): (90.0, 86.9),
    ("bert", "dm"): (94.4, 91.0),
    ("bert", "pas"): (95.1, 93.4),
    ("bert", "psd"): (82.6, 82.0),
    ("bert", "Avg"): (90.7, 88.8),
}


class Run:
    """One training, and what the parser makes of the development and test files."""

    def __init__(self, given: argparse.Namespace, block: str, formalism: str, seed: int) -> None:
        self.given, self.formalism, self.seed = given, formalism, seed
        self.config = CONFIGS / f"{formalism}{BLOCKS[block]}.jsonnet"
        self.folder: Path = given.out / f"{self.config.stem}.{seed}"

    def scores(self) -> tuple[float, ...]:
        """LF in per cent, in-domain and out-of-domain."""
        found = []
        for test in TESTS:
            scorer = Scorer()
            for gold, system in pair(self.gold(test), read(self.parsed(test))):
                scorer.add(gold, system)
            found.append(100 * scorer.scores().with_top.as_metric()["LF"])
        return tuple(found)

    def gold(self, name: str) -> Iterator[Graph]:
        """Of `id`, `ood` or `dev`."""
        if name in TESTS:
            return iter(read(self.given.data / f"en.{name}.{self.formalism}.sdp"))
        whole = read(self.given.data / f"en.{self.formalism}.sdp")
        return (graph for graph in whole if section_of(graph) == DEVELOPMENT)

    def parsed(self, name: str) -> Path:
        path = self.folder / f"{name}.beam{self.given.beam}.sdp"
        if not path.exists():
            self.train()
            parser = sdp_pointer.load(str(self.folder / "model.tar.gz"))
            draft = path.with_suffix(".draft")
            write(parser.parse_batch(self.gold(name), beam=self.given.beam), str(draft), "sdp")
            draft.rename(path)  # so that what is there is whole
        return path

    def train(self) -> None:
        if (self.folder / "model.tar.gz").exists():
            return
        # One that was killed before it began has no config.
        recover = "--recover" if (self.folder / "config.json").exists() else "--force"
        command = ["train", self.config, "-s", self.folder, "-o", self.given.overrides, recover]
        settings = {"SDP_DATA": str(self.given.data), "SDP_SEED": str(self.seed)}
        subprocess.run(
            [sys.executable, "-m", "allennlp", *map(str, command)],
            env={**os.environ, **settings},
            check=True,
        )


def cell(values: Iterable[float]) -> str:
    """Mean and deviation.

    >>> cell([93.0, 94.0]), cell([93.0])
    ('93.50 ±0.71', '93.00')
    """
    values = list(values)
    return f"{mean(values):.2f}" + (f" ±{stdev(values):.2f}" if len(values) > 1 else "")


def average(rows: list[dict[str, Any]]) -> list[list[float]]:
    """Over formalisms, for each seed.

    >>> average([{"scores": [(90.0, 80.0)]}, {"scores": [(80.0, 70.0)]}])
    [[85.0, 75.0]]
    """
    by_seed = zip(*(row["scores"] for row in rows))
    return [[mean(column) for column in zip(*scores)] for scores in by_seed]


def line(row: dict[str, Any], whole: bool) -> str:
    known = whole or row["formalism"] != "Avg"
    published = PUBLISHED.get((row["block"], row["formalism"])) if known else None
    ours = (cell(column) for column in zip(*row["scores"]))
    cells = chain.from_iterable(zip(ours, published or ("", "")))
    return "{:<11} {:<4} {:>12} {:>6} {:>12} {:>6}".format(
        row["block"], row["formalism"], *cells
    ).rstrip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path, help="folder of the official files")
    parser.add_argument("out", type=Path, help="folder for the trained models")
    formalisms = ("dm", "pas", "psd")
    parser.add_argument("--formalisms", nargs="+", choices=formalisms, default=formalisms)
    parser.add_argument("--blocks", nargs="+", choices=tuple(BLOCKS), default=tuple(BLOCKS))
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5], metavar="N")
    parser.add_argument("--beam", type=int, default=5, metavar="K", help="the paper's is 5")
    parser.add_argument("--overrides", default="", help="of the configs, as for allennlp train")
    given = parser.parse_args()
    missing = [
        str(given.data / name)
        for formalism in given.formalisms
        for name in (f"en.{formalism}.sdp", *(f"en.{test}.{formalism}.sdp" for test in TESTS))
        if not (given.data / name).is_file()
    ]
    if missing:
        parser.error(f"there is no {', no '.join(missing)}; they come from LDC2016T10")

    settings = {name: os.environ.get(name) for name in ("SDP_VECTORS", "SDP_BERT", "SDP_EPOCHS")}
    data = str(given.data.resolve())
    agree(given.out / "job.json", {"data": data, "overrides": given.overrides, **settings})
    rows = []
    for block in given.blocks:
        of_block = []
        for formalism in given.formalisms:
            runs = [Run(given, block, formalism, seed) for seed in given.seeds]
            scores = [run.scores() for run in runs]
            of_block.append({"block": block, "formalism": formalism, "scores": scores})
        rows += [*of_block, {"block": block, "formalism": "Avg", "scores": average(of_block)}]
        first = [Run(given, block, name, given.seeds[0]).parsed("dev") for name in given.formalisms]
        (given.out / f"{block}.svg").write_text(figure(first)[0], encoding="utf-8")
    print(f"{'block':<11} {'':<4} {'ID':>12} {'paper':>6} {'OOD':>12} {'paper':>6}")
    whole = set(given.formalisms) == set(formalisms)
    print(*(line(row, whole) for row in rows), sep="\n")
    print(json.dumps({"seeds": given.seeds, "beam": given.beam, "rows": rows}))


if __name__ == "__main__":
    main()
