"""The paper's table of results: trains on the official files and prints our rows beside its own.

    python benchmarks/paper_table.py DATA OUT [--formalisms dm pas] [--blocks words] [--seeds 1 2]

DATA is the folder of the official files (LDC2016T10): en.dm.sdp for training and development, and
en.id.dm.sdp and en.ood.dm.sdp for testing; likewise pas and psd. Settings such as SDP_VECTORS and
SDP_BERT are passed on. A run that is in OUT is not run again, and one that was killed is gone on
with, so the command can be repeated until the table is full.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from statistics import mean, stdev

CONFIGS = Path(__file__).parent.parent / "training_config"
TESTS = ("id", "ood")

# Ending of the config's name; LF of the paper's tables: in-domain and out-of-domain.
BLOCKS = {
    "words": "",
    "char_lemma": "_char_lemma",
    "bert": "_bert",
    "finetuned": "_finetuned",
}
PUBLISHED = {
    ("words", "dm"): (92.5, 87.7),
    ("words", "pas"): (94.2, 91.0),
    ("words", "psd"): (81.0, 78.7),
    ("char_lemma", "dm"): (93.9, 89.6),
    ("char_lemma", "pas"): (94.2, 91.2),
    ("char_lemma", "psd"): (81.8, 79.8),
    ("bert", "dm"): (94.4, 91.0),
    ("bert", "pas"): (95.1, 93.4),
    ("bert", "psd"): (82.6, 82.0),
}


class Run:
    """One training, and its scores on the test files."""

    def __init__(self, data: Path, out: Path, block: str, formalism: str, seed: int) -> None:
        self.data, self.formalism, self.seed = data, formalism, seed
        self.config = CONFIGS / f"{formalism}{BLOCKS[block]}.jsonnet"
        self.folder = out / f"{self.config.stem}.{seed}"

    def scores(self) -> tuple[float, float]:
        """LF in per cent, in-domain and out-of-domain."""
        model = self.folder / "model.tar.gz"
        if not model.exists():
            recover = ["--recover"] if self.folder.exists() else []
            self._allennlp("train", self.config, "-s", self.folder, *recover)
        in_domain, out_of_domain = (self._score(model, test) for test in TESTS)
        return in_domain, out_of_domain

    def _score(self, model: Path, test: str) -> float:
        output = self.folder / f"{test}.json"
        if not output.exists():
            gold = self.data / f"en.{test}.{self.formalism}.sdp"
            # AllenNLP writes this file at the end only, so that it is whole if it exists.
            self._allennlp("evaluate", model, gold, "--output-file", output)
        return 100 * json.loads(output.read_text())["LF"]

    def _allennlp(self, *arguments: object) -> None:
        settings = {"SDP_DATA": str(self.data), "SDP_SEED": str(self.seed)}
        command = [sys.executable, "-m", "allennlp", *map(str, arguments)]
        subprocess.run(command, env={**os.environ, **settings}, check=True)


def cell(values: Iterable[float]) -> str:
    """Mean and deviation.

    >>> cell([93.0, 94.0]), cell([93.0])
    ('93.50 ±0.71', '93.00')
    """
    values = list(values)
    return f"{mean(values):.2f}" + (f" ±{stdev(values):.2f}" if len(values) > 1 else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path, help="folder of the official files")
    parser.add_argument("out", type=Path, help="folder for the trained models")
    parser.add_argument("--formalisms", nargs="+", choices=("dm", "pas", "psd"))
    parser.add_argument("--blocks", nargs="+", choices=tuple(BLOCKS))
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5], metavar="N")
    arguments = parser.parse_args()
    formalisms = arguments.formalisms or ("dm", "pas", "psd")
    blocks = arguments.blocks or tuple(BLOCKS)
    missing = [
        str(arguments.data / name)
        for formalism in formalisms
        for name in (f"en.{formalism}.sdp", *(f"en.{test}.{formalism}.sdp" for test in TESTS))
        if not (arguments.data / name).is_file()
    ]
    if missing:
        parser.error(f"there is no {', no '.join(missing)}; they come from LDC2016T10")

    rows = []
    for block in blocks:
        for formalism in formalisms:
            scores = [
                Run(arguments.data, arguments.out, block, formalism, seed).scores()
                for seed in arguments.seeds
            ]
            rows.append({"block": block, "formalism": formalism, "scores": scores})
    print(f"{'block':<11} {'':<4} {'ID':>12} {'paper':>6} {'OOD':>12} {'paper':>6}")
    for row in rows:
        published = PUBLISHED.get((row["block"], row["formalism"]), ("", ""))
        ours = [cell(column) for column in zip(*row["scores"])]
        print(
            f"{row['block']:<11} {row['formalism']:<4} {ours[0]:>12} {published[0]:>6}"
            f" {ours[1]:>12} {published[1]:>6}"
        )
    for block in blocks:
        mine = [row["scores"] for row in rows if row["block"] == block]
        by_seed = [[mean(pair) for pair in zip(*seed)] for seed in zip(*mine)]
        ours = [cell(column) for column in zip(*by_seed)]
        print(f"{block:<11} {'Avg':<4} {ours[0]:>12} {'':>6} {ours[1]:>12}")
    print(json.dumps({"seeds": arguments.seeds, "rows": rows}))


if __name__ == "__main__":
    main()
