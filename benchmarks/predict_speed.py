"""How fast `allennlp predict` is beside the Python interface: the same sentences, loading aside.

    python benchmarks/predict_speed.py MODEL.tar.gz FILE.sdp [--batch-size 32] [--rounds 5]

The sentences of FILE are written as JSON lines, with lemmas and tags. `predict` reads that file and
writes another, by what `allennlp predict MODEL INPUT --output-file OUTPUT --silent` runs once the
model is loaded; the Python interface parses the same words, read beforehand, and keeps the graphs
in memory. They take turns in one process. Seconds of CPU, and medians of the rounds: other programs
disturb them less.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import torch
from allennlp.commands.predict import _PredictManager
from allennlp.models import load_archive
from allennlp.predictors import Predictor

import sdp_pointer.components  # noqa: F401
from sdp_pointer.graphs import Graph, read


def line(graph: Graph) -> str:
    """A sentence as a user writes it."""
    columns = zip(*((token.form, token.lemma, token.pos) for token in graph.tokens))
    names = ("tokens", "lemmas", "pos")
    return json.dumps({"id": graph.id, **dict(zip(names, map(list, columns)))}) + "\n"


def seconds(run: Callable[[], Any]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model", help="archive of a trained parser")
    parser.add_argument("file", help="graphs in any format; their arcs are not shown to the parser")
    parser.add_argument("--batch-size", type=int, default=32, metavar="N")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    arguments = parser.parse_args()
    torch.set_num_threads(1)

    sentences = [Graph(graph.tokens, id=graph.id) for graph in read(arguments.file)]
    predictor = Predictor.from_archive(load_archive(arguments.model))
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "input.jsonl"), Path(folder, "output.jsonl")
        source.write_text("".join(map(line, sentences)), encoding="utf-8")

        def predict() -> None:
            files = (str(source), str(target))
            _PredictManager(predictor, *files, arguments.batch_size, False, False).run()

        def python() -> list[Graph]:
            return list(predictor.parser.parse_batch(sentences, arguments.batch_size))

        graphs = python()  # warms up
        predict()
        if [(each.tops, each.arcs) for each in read(target)] != [(g.tops, g.arcs) for g in graphs]:
            raise SystemExit("the two ways gave different graphs")
        rounds = [(seconds(predict), seconds(python)) for _ in range(arguments.rounds)]
    taken, needed = (median(column) for column in zip(*rounds))
    ratio = median(ours / theirs for ours, theirs in rounds)
    print("sentences  batch  predict  Python  ratio")
    number, size = len(sentences), arguments.batch_size
    print(f"{number:>9} {size:>6} {taken:>6.2f} s {needed:>5.2f} s {ratio:>6.2f}")
    result = {"predict": taken, "python": needed, "ratio": ratio, "rounds": rounds}
    print(json.dumps({**result, "sentences": number, "batch_size": size}))


if __name__ == "__main__":
    main()
