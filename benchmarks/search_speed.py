"""How fast a trained parser parses: words per second from a file to graphs, and peak memory.

    python benchmarks/search_speed.py MODEL.tar.gz FILE.sdp [--threads 1 2] [--batch-sizes 1 32 128]

`encoder` is everything but the decoder: reading, indexing, embedding, encoding. The ratios to it,
within one run, are what can be compared between machines. The model needs no good scores, but it
should make about as many transitions as a good one: train it for an epoch, with `shift_score`, and
give --like-gold, which sets the bias of Shift so that beam 1 makes as many as the file's graphs.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import cycle, islice
from math import log
from pathlib import Path
from statistics import linear_regression
from typing import Any
from unittest.mock import patch

import torch
from allennlp.models import load_archive
from measuring import peak_memory

import sdp_pointer.components  # noqa: F401
from sdp_pointer.graphs import Graph, Token, read
from sdp_pointer.models import SdpPointer
from sdp_pointer.steps import Steps
from sdp_pointer.transitions import oracle


class Parsing:
    """A parser and a file."""

    def __init__(self, model: str, path: str, like_gold: bool = False) -> None:
        archive = load_archive(model)
        self.model = archive.model.eval()
        self.reader = archive.validation_dataset_reader
        self.path = path
        self.words = sum(map(len, read(path)))
        if like_gold:
            self._shift_like_gold()

    def parse(
        self, sentences: Iterable[Sequence[Token]], batch_size: int, beam: int
    ) -> list[Graph]:
        instances = [self.reader.text_to_instance(tokens) for tokens in sentences]
        for instance in instances:
            self.reader.apply_token_indexers(instance)
        options = self.model.options._replace(beam_size=beam)
        return [graphs[0] for graphs in self.model.parse(instances, batch_size, options)]

    def run(self, batch_size: int, beam: int) -> tuple[float, float, int]:
        """Words per second, transitions a word, and peak memory in MB; beam 0 only encodes."""
        Path("/proc/self/clear_refs").write_text("5")  # starts a new peak
        start = time.perf_counter()
        sentences = (graph.tokens for graph in read(self.path))
        with nullcontext() if beam else encoding_only(self.model):
            graphs = self.parse(sentences, batch_size, max(beam, 1))
        seconds = time.perf_counter() - start
        transitions = sum(len(oracle(graph)) for graph in graphs)
        return self.words / seconds, transitions / self.words, peak_memory()

    def _shift_like_gold(self, steps: int = 12) -> None:
        """Sets the bias of Shift so that beam 1 makes as many transitions as the file's graphs."""
        shift = self.model.decoder.network.shift
        if shift is None:
            sys.exit("--like-gold: the model has no bias of Shift; train it with shift_score")
        gold = sum(len(graph) + len(graph.arcs) + len(graph.tops) for graph in read(self.path))
        bias = shift.bias.data
        low, high = bias.item() - 8, bias.item() + 8
        for _ in range(steps):
            bias.fill_((low + high) / 2)
            _, transitions, _ = self.run(32, 1)
            if transitions > gold / self.words:
                low = bias.item()
            else:
                high = bias.item()

    def worse(self, beam: int) -> int:
        """For how many sentences the beam finds a graph that scores less than the greedy one."""
        sentences = [graph.tokens for graph in read(self.path)]
        pairs = zip(self.parse(sentences, 32, beam), self.parse(sentences, 32, 1))
        return sum(wide.meta["score"] < greedy.meta["score"] - 1e-3 for wide, greedy in pairs)

    def seconds_of_length(self, length: int, beam: int, sentences: int = 32) -> float:
        """Seconds for a sentence of a length, made by cutting the file's words into pieces."""
        words = cycle(token for graph in list(read(self.path)) for token in graph.tokens)
        start = time.perf_counter()
        self.parse([list(islice(words, length)) for _ in range(sentences)], sentences, beam)
        return (time.perf_counter() - start) / sentences


def encoding_only(model: SdpPointer) -> AbstractContextManager[Any]:
    """A parser that stops after the encoder and returns the sentences without arcs."""

    def parse_steps(encoded: Any, sentences: list[Graph], options: Any) -> Steps[list[list[Graph]]]:
        yield
        return [[sentence] for sentence in sentences]

    return patch.object(model.decoder, "parse_steps", parse_steps)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model", help="archive of a trained parser")
    parser.add_argument("file", help="graphs in any format; their arcs are not shown to the parser")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], metavar="N")
    parser.add_argument("--batch-sizes", type=int, nargs="+", default=[1, 32, 128], metavar="N")
    parser.add_argument("--beams", type=int, nargs="+", default=[1, 5], metavar="K")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="the best counts")
    parser.add_argument("--like-gold", action="store_true", help="set the bias of Shift")
    arguments = parser.parse_args()

    parsing = Parsing(arguments.model, arguments.file, arguments.like_gold)
    rows = []
    print("threads  batch  what     words/s  of encoder  transitions/word  peak MB")
    for threads in arguments.threads:
        torch.set_num_threads(threads)
        for batch_size in arguments.batch_sizes:
            parsing.run(batch_size, 0)  # warms up
            beams = (0, *arguments.beams)
            # In turns, so that a busy moment of the machine does not hit one of them alone.
            rounds = [[parsing.run(batch_size, k) for k in beams] for _ in range(arguments.rounds)]
            best = [max(runs) for runs in zip(*rounds)]
            alone = best[0][0]
            for beam, (rate, transitions, memory) in zip(beams, best):
                row = {
                    "threads": threads,
                    "batch_size": batch_size,
                    "what": f"beam {beam}" if beam else "encoder",
                    "words_per_second": round(rate),
                    "of_encoder": round(rate / alone, 3),
                    "transitions_per_word": round(transitions, 3) if beam else None,
                    "peak_mb": memory,
                }
                rows.append(row)
                print(
                    f"{threads:>7} {batch_size:>6}  {row['what']:<8} {row['words_per_second']:>6}"
                    f" {row['of_encoder']:>11} {row['transitions_per_word'] or '':>17} {memory:>8}"
                )
    torch.set_num_threads(arguments.threads[0])
    worse = parsing.worse(max(arguments.beams))
    print(f"beam {max(arguments.beams)} scores below beam 1 in {worse} of the sentences")
    growth = [grown(parsing, beam) for beam in arguments.beams]
    print(json.dumps({"words": parsing.words, "rows": rows, "worse": worse, "growth": growth}))


def grown(parsing: Parsing, beam: int) -> dict[str, Any]:
    """How the time of a sentence grows with its length."""
    lengths = (20, 40, 80, 160)
    seconds = {length: parsing.seconds_of_length(length, beam) for length in lengths}
    fit = linear_regression([log(n) for n in lengths], [log(seconds[n]) for n in lengths])
    times = ", ".join(f"{n} words {1000 * seconds[n]:.1f} ms" for n in lengths)
    print(f"beam {beam}: {times}; time grows as length^{fit.slope:.2f}")
    return {"beam": beam, "seconds": seconds, "exponent": round(fit.slope, 3)}


if __name__ == "__main__":
    main()
