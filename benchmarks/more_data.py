"""What more data is worth: trains the model of the package on more and more of the open data.

    SDP_DATA=DATA SDP_BERT=TRANSFORMER python benchmarks/more_data.py OUT [--steps N]

DATA is what `sdp-pointer redwoods ERG -o DATA --hold-out` makes. The first parser learns from
train.sdp, and each of the others from one file more: extra.sdp, and then those called more-NAME.
All are trained by the same number of steps, with the schedule of english_dm scaled to that, each in
a folder of its own in OUT, and none twice, so that this can be stopped and started at any time.

The table has LF of what they parse from the words alone: dev, test and ood; the tenths that were
held out, dev-NAME; and in these tenths together questions, imperatives and other sentences
(`sdp-pointer score --by mood`).
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ablation import allennlp, folder_of
from measuring import agree, save

import sdp_pointer
from sdp_pointer.graphs import Graph, Token, read
from sdp_pointer.graphs.score import MOODS, Counts, Scorer, grouped, mood, pair, scores
from sdp_pointer.parser import Parser

CONFIG = Path(__file__).parent.parent / "training_config" / "english_dm.jsonnet"
FILES = ("train", "extra", "more-written", "more-email", "more-dialogue")
SCORED = ("dev", "test", "ood")
HELD_OUT = ("dev-written", "dev-email", "dev-dialogue")
COLUMNS = (*SCORED, *HELD_OUT, *MOODS)
EPOCHS = 4  # of as many steps each, with scores on dev after each

Scores = dict[str, dict[str, Any]]


def trainings() -> dict[str, tuple[str, ...]]:
    """The files that each parser is trained on.

    >>> list(trainings())[:3], trainings()["and more-written"]
    (['train', 'and extra', 'and more-written'], ('train', 'extra', 'more-written'))
    """
    names = [FILES[0], *(f"and {name}" for name in FILES[1:])]
    return {name: FILES[:number] for number, name in enumerate(names, start=1)}


def overrides(files: tuple[str, ...], data: Path, steps: int) -> dict[str, Any]:
    return {
        "train_data_path": [str(data / f"{name}.sdp") for name in files],
        "data_loader.batches_per_epoch": steps // EPOCHS,
        "trainer.num_epochs": EPOCHS,
        "trainer.learning_rate_scheduler.warmup_steps": steps // 5,
        "trainer.use_amp": True,
    }


def train(folder: Path, changes: dict[str, Any]) -> None:
    resume = "--recover" if (folder / "config.json").exists() else "--force"
    allennlp("train", CONFIG, "-s", folder, resume, "-o", json.dumps(changes))


def evaluate(folder: Path, data: Path) -> Scores:
    """Official scores with tops of each file, and of each mood in the held-out files."""
    output = folder / "scores.json"
    if not output.exists():
        parser = sdp_pointer.load(str(folder / "model.tar.gz"))
        found: list[tuple[str, Counts]] = []
        for name in (*SCORED, *HELD_OUT):
            for kind, counts in parsed(parser, data / f"{name}.sdp"):
                found.append((name, counts))
                if name in HELD_OUT:
                    found.append((kind, counts))
        groups = grouped(found, COLUMNS)
        save(output, {name: figures(counts) for name, counts in groups.items()})
    return json.loads(output.read_text())


def parsed(parser: Parser, path: Path) -> Iterator[tuple[str, Counts]]:
    """Mood and counts of each sentence, parsed from its words alone."""
    scorer = Scorer()
    gold = list(read(path))
    shown = (Graph([Token(form) for form in graph.forms], id=graph.id) for graph in gold)
    for graph, system in pair(gold, parser.parse_batch(shown, beam=1)):
        yield mood(graph), scorer.alone(graph, system)


def figures(counts: Counts) -> dict[str, Any]:
    found = scores(counts).with_top.as_metric()
    return {"sentences": counts.totals.graphs, "LF": found["LF"], "UF": found["UF"]}


def table(rows: dict[str, Scores]) -> str:
    """LF in percent as Markdown, and in the last row how many sentences were scored.

    >>> print(table({"train": {"dev": {"LF": 0.7512, "sentences": 869}}}))
    | trained on | dev |
    |---|---|
    | train | 75.1 |
    | sentences | 869 |
    """
    *_, last = rows.values()
    columns = [name for name in COLUMNS if name in last]
    lines = [["trained on", *columns], ["---"] * (len(columns) + 1)]
    for name, row in rows.items():
        lines.append([name, *(f"{100 * row[column]['LF']:.1f}" for column in columns)])
    lines.append(["sentences", *(f"{last[column]['sentences']:,}" for column in columns)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines).replace(" --- ", "---")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path, help="where the parsers are put")
    parser.add_argument("--only", nargs="+", choices=trainings(), metavar="NAME")
    parser.add_argument("--steps", type=int, default=1000, metavar="N", help="of 16 sentences")
    parser.add_argument("--threads", type=int, default=1, metavar="N")
    arguments = parser.parse_args()
    data = Path(os.environ.get("SDP_DATA", ""))
    missing = [n for n in (*FILES, *SCORED, *HELD_OUT) if not (data / f"{n}.sdp").exists()]
    if missing:
        parser.error(
            f"SDP_DATA must name what sdp-pointer redwoods ERG -o DATA --hold-out made; there is no"
            f" {', '.join(missing)}"
        )
    if arguments.steps % EPOCHS:
        parser.error(f"--steps must be a multiple of {EPOCHS}")
    settings = {
        "steps": arguments.steps,
        "threads": arguments.threads,
        "data": str(data.resolve()),
        "transformer": os.environ.get("SDP_BERT"),
    }
    agree(arguments.out / "job.json", settings)
    os.environ["OMP_NUM_THREADS"] = str(arguments.threads)

    rows = {}
    for name in arguments.only or trainings():
        folder = arguments.out / folder_of(name)
        if not (folder / "model.tar.gz").exists():
            print(f"{name}: train, see {folder / 'out.log'}", file=sys.stderr, flush=True)
            train(folder, overrides(trainings()[name], data, arguments.steps))
        rows[name] = evaluate(folder, data)
    print(table(rows))
    print(json.dumps({**settings, "rows": rows}))


if __name__ == "__main__":
    main()
