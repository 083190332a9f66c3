"""How fast a model parses: precision by threads, batch size and beam, in one table.

    python benchmarks/parse_speed.py MODEL FILE [--text] [--threads 1 2] [--batch-sizes 32]
        [--beams 1 5] [--precisions float32 bfloat16 int8] [--against CHECKOUT]

The time is that from sentences to graphs, or with --text from raw text. Every precision has a
process of its own, and so has --against, an older checkout of this repository. They take turns, so
that a busy moment of the machine does not hit one of them alone, and the median of --rounds counts.

`ratio` is to --against, or else to float32: the median of the ratios within a round. `in CPU time`
is the same by the seconds that the process computed, on whatever number of cores, which a busy
machine changes less. `of peak` compares the products of matrices that the
network needs, without padding, with what a product of two 1024x1024 matrices reaches on as many
threads in float32 or bfloat16, whichever is faster: by it different machines can be compared.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

from measuring import peak_memory

PRECISIONS = ("float32", "bfloat16", "int8")


class Worker:
    """A process that parses when it is asked to."""

    def __init__(self, name: str, arguments: argparse.Namespace, checkout: str = "") -> None:
        self.name = name
        command = [sys.executable, "-W", "ignore", __file__, arguments.model, arguments.file]
        command += ["--worker", "" if checkout else name] + ["--text"] * arguments.text
        path = os.pathsep.join(filter(None, [checkout, os.environ.get("PYTHONPATH", "")]))
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *error: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()

    def ask(self, **question: Any) -> dict[str, float]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(question), file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"{self.name}: its process ended; its message is above")
        found: dict[str, float] = json.loads(answer)
        return found


def work(model: str, path: str, precision: str, text: bool) -> None:
    """Answers questions, one a line; without a precision it is an older checkout that has none."""
    import torch

    import sdp_pointer
    from sdp_pointer.graphs import Graph, Token, read

    options = {"precision": precision} if precision else {}
    parser = sdp_pointer.load(model, **options)
    forms = [graph.forms for graph in read(path)]
    words = sum(map(len, forms))
    sentences: list[Any] = [
        " ".join(words) if text else Graph([Token(word) for word in words]) for words in forms
    ]
    for line in sys.stdin:
        question = json.loads(line)
        torch.set_num_threads(question["threads"])
        if question.get("peak"):
            answer = {"peak": peak()}
        else:
            call = {"batch_size": question["batch_size"], "beam": question["beam"]}
            Path("/proc/self/clear_refs").write_text("5")  # starts a new peak
            start, computed = time.perf_counter(), time.process_time()
            for _ in parser.parse_batch(sentences, **call):
                pass
            answer = {
                "rate": words / (time.perf_counter() - start),
                "rate in CPU time": words / (time.process_time() - computed),
                "memory": peak_memory(),
            }
            if question.get("operations"):
                answer["operations"] = operations(parser, forms[:50], call)
        print(json.dumps(answer), flush=True)


def peak(rounds: int = 10) -> float:
    """Operations a second in products of two 1024x1024 matrices, in the best type for it."""
    import torch

    best = float("inf")
    for dtype in (torch.float32, torch.bfloat16) * rounds:
        matrix = torch.ones(1024, 1024, dtype=dtype)
        start = time.perf_counter()
        matrix @ matrix
        best = min(best, time.perf_counter() - start)
    return 2 * 1024**3 / best


def operations(parser: Any, sentences: list[Any], call: dict[str, int]) -> float:
    """Those for a word in products of matrices, one sentence at a time: without padding."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    lstms = 0

    def count(lstm: Any, inputs: Any, output: Any) -> None:
        nonlocal lstms
        rows = inputs[0].shape[:-1].numel()
        lstms += 2 * rows * sum(w.numel() for w in lstm.parameters() if w.dim() == 2)

    modules = [m for m in parser.model.modules() if isinstance(m, torch.nn.LSTM)]
    hooks = [module.register_forward_hook(count) for module in modules]
    with FlopCounterMode(display=False) as counter:
        for _ in parser.parse_batch(sentences, **{**call, "batch_size": 1}):
            pass
    for hook in hooks:
        hook.remove()
    return (counter.get_total_flops() + lstms) / sum(map(len, sentences))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model", help="archive or folder of a trained parser")
    parser.add_argument("file", help="graphs in any format; the parser is shown the words alone")
    parser.add_argument("--text", action="store_true", help="begin with raw text")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], metavar="N")
    parser.add_argument("--batch-sizes", type=int, nargs="+", default=[32], metavar="N")
    parser.add_argument("--beams", type=int, nargs="+", default=[1, 5], metavar="K")
    parser.add_argument("--precisions", choices=PRECISIONS, nargs="+", default=PRECISIONS)
    parser.add_argument("--against", default="", metavar="CHECKOUT", help="an older checkout")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="the median counts")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker is not None:
        work(arguments.model, arguments.file, arguments.worker, arguments.text)
        return
    with ExitStack() as stack:
        workers = [Worker(name, arguments) for name in arguments.precisions]
        if arguments.against:
            workers.insert(0, Worker("before", arguments, arguments.against))
        for worker in workers:
            stack.enter_context(worker)
        columns = "precision | threads | batch | beam | words/s | ratio | in CPU time | of peak"
        print(f"| {columns} | peak MB |")
        print("|---" * 9 + "|")
        for threads in arguments.threads:
            fastest = workers[-1].ask(threads=threads, peak=True)["peak"]
            for batch_size in arguments.batch_sizes:
                for beam in arguments.beams:
                    question = {"threads": threads, "batch_size": batch_size, "beam": beam}
                    print_rows(workers, question, fastest, arguments.rounds)


def print_rows(
    workers: list[Worker], question: dict[str, int], fastest: float, rounds: int
) -> None:
    needed = [w for w in workers if w.name == "float32"] or workers
    of_a_word = needed[0].ask(**question, operations=True)["operations"]
    found = [[worker.ask(**question) for worker in workers] for _ in range(rounds)]
    names = [worker.name for worker in workers]
    base = names.index("float32") if names[0] != "before" and "float32" in names else 0
    for name, answers in zip(names, zip(*found)):
        bases = [answers[base] for answers in found]
        rate = median(answer["rate"] for answer in answers)
        ratio, in_cpu_time = (
            median(answer[key] / other[key] for answer, other in zip(answers, bases))
            for key in ("rate", "rate in CPU time")
        )
        print(
            f"| {name} | {question['threads']} | {question['batch_size']} | {question['beam']}"
            f" | {rate:,.0f} | {ratio:.2f} | {in_cpu_time:.2f} | {rate * of_a_word / fastest:.2f}"
            f" | {answers[-1]['memory']:,.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
