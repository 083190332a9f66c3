"""Parsers side by side: trained on the same files for the same time, and scored by one scorer.

    python benchmarks/compare.py DATA OUT --minutes 60 [--threads 1] [--vectors VECTORS.txt.gz]
        [--python /path/to/supar/python] [--parser NAME KIND [OVERRIDES]] ...

DATA is a folder with train.sdp and dev.sdp, and test.sdp and ood.sdp if there are any. KIND is a
config of ours, or SuPar's biaffine-sdp or vi-sdp, which run in a Python of their own; OVERRIDES is
JSON: for ours as for `allennlp train`, for SuPar the arguments of its `build` and `train`. By
default open_dm.jsonnet is put beside SuPar's two parsers in their own sizes. What is not said to
the contrary is the same for all: words, tags, characters and lemmas, seed, threads, vectors.

Each parser trains for so many minutes, from its first batch, with its scores on dev after every
epoch in them; the best epoch parses the files. p is of the official paired bootstrap test against
the first parser (first beam).

Parsers run one after another. What OUT has is not done again, so that the command can be repeated
after a kill; only a training that was interrupted starts anew. To use several cores, run a parser
on each, into an OUT of its own, move their folders into one OUT, and give the command with all.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple, Optional

from measuring import agree
from supar_files import HOW_TO, WORKER, to_supar, why_not

from sdp_pointer.graphs import read
from sdp_pointer.graphs.bootstrap import paired_bootstrap
from sdp_pointer.graphs.score import Scorer, pair

OURS = str(Path(__file__).with_name("compare_worker.py"))
CONFIG = Path(__file__).parent.parent / "training_config" / "open_dm.jsonnet"
SCORED = ("dev", "test", "ood")
FIGURES = ("LF", "UF", "LM")


class Entry(NamedTuple):
    """A parser that takes part."""

    name: str
    kind: str
    overrides: dict[str, Any]

    @property
    def is_ours(self) -> bool:
        return self.kind.endswith((".jsonnet", ".json"))


class Comparison:
    """The files, the conditions, and the folder of the results."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.out: Path = arguments.out
        self.python: Optional[str] = arguments.python
        self.vectors = str(arguments.vectors.resolve()) if arguments.vectors else ""
        self.conditions = {
            "minutes": arguments.minutes,
            "threads": arguments.threads,
            "seed": arguments.seed,
        }
        self.beams: list[int] = arguments.beams
        self.files = {
            name: str(path.resolve())
            for name in ("train", *SCORED)
            if (path := arguments.data / f"{name}.sdp").exists()
        }
        self.scored = [name for name in SCORED if name in self.files]

    def rows(self, entry: Entry) -> list[dict[str, Any]]:
        """What is to be said of a parser: one row for each of our beams, or one of SuPar's."""
        folder = self.out / entry.name
        folder.mkdir(parents=True, exist_ok=True)
        job = {**entry._asdict(), **self.conditions}
        job |= self._our_job() if entry.is_ours else self._supar_job()
        # Where OUT is, and so SuPar's own files, does not matter; what they are made of does.
        counts = None if entry.is_ours else (*Entry._fields, *self.conditions, "from")
        agree(folder / "job.json", job, counts)
        trained = self._done(entry, folder, "train")
        return [
            {
                "parser": " ".join(filter(None, (entry.name, run["search"]))),
                "scores": {
                    name: self._score(name, folder / run["files"][name]) for name in self.scored
                },
                "training": trained,
                "parsing": {key: run[key] for key in ("words_per_second", "peak_mb")},
                "files": {name: str(folder / file) for name, file in run["files"].items()},
            }
            for run in self._done(entry, folder, "parse")
        ]

    def p_values(self, ours: dict[str, Any], other: dict[str, Any]) -> dict[str, Optional[float]]:
        """Of the better one of two parsers, on each file."""
        found = {}
        for name in self.scored:
            both = sorted((ours, other), key=lambda row: row["scores"][name]["LF"])
            graphs = (read(path) for path in (self.files[name], *(r["files"][name] for r in both)))
            found[name] = paired_bootstrap(*graphs).p
        return found

    def _our_job(self) -> dict[str, Any]:
        files = {name: self.files[name] for name in self.scored}
        return {
            "train": self.files["train"],
            "dev": self.files["dev"],
            "parse": files,
            "vectors": self.vectors,
            "beams": self.beams,
        }

    def _supar_job(self) -> dict[str, Any]:
        folder = self.out.resolve() / "supar_files"
        folder.mkdir(exist_ok=True)
        vectors = self.vectors
        if vectors.endswith(".gz"):
            vectors = str(folder / "vectors.txt")
            Path(vectors).write_bytes(gzip.decompress(Path(self.vectors).read_bytes()))
        return {
            "train": to_supar(self.files["train"], folder / "train.conllu"),
            "dev": to_supar(self.files["dev"], folder / "dev.conllu"),
            "parse": {
                name: to_supar(self.files[name], folder / f"{name}.bare.conllu", arcs=False)
                for name in self.scored
            },
            "vectors": vectors,
            "from": {**self.files, "vectors": self.vectors},
        }

    def _done(self, entry: Entry, folder: Path, what: str) -> Any:
        result = folder / f"{what}.json"
        if not result.exists():
            print(f"{entry.name}: {what}, see {folder / what}.log", file=sys.stderr, flush=True)
            python, worker = (sys.executable, OURS) if entry.is_ours else (self.python, WORKER)
            settings = {
                "OMP_NUM_THREADS": str(self.conditions["threads"]),
                "SDP_SEED": str(self.conditions["seed"]),
                "SDP_VECTORS": self.vectors,
                "CUDA_VISIBLE_DEVICES": "",
                "TQDM_MININTERVAL": "60",  # for a log that can be read
            }
            with (folder / f"{what}.log").open("w") as log:
                done = subprocess.run(
                    [str(python), "-W", "ignore", worker, what, str(folder.resolve())],
                    env={**os.environ, **settings},
                    stdout=log,
                    stderr=log,
                )
            if done.returncode:
                last = (folder / f"{what}.log").read_text().strip().rpartition("\n")[2]
                sys.exit(f"{entry.name}: {what}: {last}")
        return json.loads(result.read_text())

    def _score(self, name: str, path: Path) -> dict[str, float]:
        scorer = Scorer()
        for gold, system in pair(read(self.files[name]), read(path)):
            scorer.add(gold, system)
        figures = scorer.scores().with_top.as_metric()
        return {figure: 100 * figures[figure] for figure in FIGURES}


def table(rows: list[dict[str, Any]], scored: list[str]) -> str:
    """As Markdown, to be published as it is."""
    head = [
        "parser",
        *(f"{name} {' / '.join(FIGURES)}" for name in scored),
        f"p {' / '.join(scored)}",
        "epochs (best)",
        "words/s training / parsing",
        "M parameters (trained)",
        "peak MB training / parsing",
    ]
    lines = [head, ["---"] * len(head)]
    for row in rows:
        training, parsing = row["training"], row["parsing"]
        sizes = [training[name] / 1e6 for name in ("parameters", "trained_parameters")]
        p_values = (row["p"][name] for name in scored) if "p" in row else ()
        lines.append(
            [
                row["parser"],
                *(" / ".join(f"{row['scores'][n][f]:.2f}" for f in FIGURES) for n in scored),
                " / ".join("-" if p is None else f"{p:.4f}" for p in p_values),
                f"{training['epochs']} ({training['best_epoch']})",
                f"{training['words_per_second']:.0f} / {parsing['words_per_second']:.0f}",
                f"{sizes[0]:.1f} ({sizes[1]:.1f})",
                f"{training['peak_mb']} / {parsing['peak_mb']}",
            ]
        )
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def entries(given: Optional[list[list[str]]], parser: argparse.ArgumentParser) -> list[Entry]:
    found = []
    default = [["ours", str(CONFIG)], ["biaffine", "biaffine-sdp"], ["vi", "vi-sdp"]]
    for one in given or default:
        if not 2 <= len(one) <= 3:
            parser.error(f"--parser takes NAME KIND [OVERRIDES], not {' '.join(one)}")
        name, kind, *overrides = one
        entry = Entry(name, kind, json.loads(overrides[0]) if overrides else {})
        if not entry.is_ours and kind not in ("biaffine-sdp", "vi-sdp"):
            parser.error(f"{kind} is neither a .jsonnet config nor biaffine-sdp nor vi-sdp")
        found.append(entry._replace(kind=str(Path(kind).resolve())) if entry.is_ours else entry)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path, help="folder with train.sdp, dev.sdp, test.sdp, ood.sdp")
    parser.add_argument("out", type=Path, help="folder for the results")
    parser.add_argument("--minutes", type=float, required=True, metavar="N", help="for each parser")
    parser.add_argument("--threads", type=int, default=1, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--vectors", type=Path, help="in GloVe's text format, gzipped or not")
    parser.add_argument("--beams", type=int, nargs="+", default=[1, 5], metavar="K", help="of ours")
    parser.add_argument("--python", help="interpreter of an environment with SuPar 1.1.4")
    parser.add_argument(
        "--parser",
        nargs="+",
        action="append",
        metavar=("NAME KIND", "OVERRIDES"),
        help="a parser that takes part; can be repeated",
    )
    arguments = parser.parse_args()
    chosen = entries(arguments.parser, parser)
    if any(not entry.is_ours for entry in chosen) and (reason := why_not(arguments.python)):
        sys.exit(f"{reason}: {HOW_TO}")

    comparison = Comparison(arguments)
    rows = [row for entry in chosen for row in comparison.rows(entry)]
    for row in rows[1:]:
        row["p"] = comparison.p_values(rows[0], row)
    print(table(rows, comparison.scored))
    print(json.dumps({**comparison.conditions, "rows": rows}))


if __name__ == "__main__":
    main()
