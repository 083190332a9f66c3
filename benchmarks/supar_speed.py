"""How fast our parser is beside SuPar's biaffine parser: words per second from a file to graphs.

    python benchmarks/supar_speed.py MODEL.tar.gz FILE.sdp --python /path/to/supar/python
        [--train TRAIN.sdp] [--threads 1 2] [--batch-sizes 128] [--tokens 5000]

SuPar (`BiaffineSemanticDependencyParser`, default sizes, with tags, characters and lemmas) runs
in a Python of its own, on the CPU as ours does, and in turns with ours, never at the same time.
Both read the file, index, batch, parse and keep the graphs in memory. SuPar makes batches of so
many tokens, ours of so many sentences: the first of `--tokens` is put beside the first of
`--batch-sizes`, and so on; `--tokens 1 --batch-sizes 1` is sentence by sentence. The machine
should have nothing else to do: threads that wait for each other suffer most from company.

SuPar's weights are untrained, since its cost does not depend on them: it scores every label for
every pair of words, whatever the scores. (With no arcs at all and with an arc between every two
words it takes the same time.) But the number of labels counts: give `--train` the file that our
model was trained on, and SuPar has the same ones. Ours must be trained; see search_speed.py.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch
from measuring import parameters
from search_speed import Parsing
from supar_files import HOW_TO, WORKER, to_supar, why_not


class Supar:
    """SuPar's parser and a file, in a process of its own."""

    def __init__(self, python: str, train: str, path: str) -> None:
        self.process = subprocess.Popen(
            # what torch says of SuPar's deprecated calls is of no use here
            [python, "-W", "ignore", WORKER, "speed", train, path],
            env={**os.environ, "CUDA_VISIBLE_DEVICES": ""},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.described = self.answer()

    def run(self, threads: int, tokens: int) -> dict[str, Any]:
        """Words, and words per second once warm."""
        request = json.dumps({"threads": threads, "tokens": tokens})
        print(request, file=self.process.stdin, flush=True)
        return self.answer()

    def answer(self) -> dict[str, Any]:
        line = self.process.stdout.readline()
        if not line:
            sys.exit("SuPar's process ended; what it said is above")
        return json.loads(line)

    def close(self) -> None:
        self.process.communicate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model", help="archive of a trained parser")
    parser.add_argument("file", help="graphs in any format; the parsers do not see the arcs")
    parser.add_argument("--python", help="interpreter of an environment with SuPar 1.1.4")
    parser.add_argument("--train", help="gives SuPar's vocabularies; FILE itself by default")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], metavar="N")
    parser.add_argument("--batch-sizes", type=int, nargs="+", default=[128], metavar="N")
    parser.add_argument("--tokens", type=int, nargs="+", default=[5000], metavar="N")
    parser.add_argument("--beams", type=int, nargs="+", default=[1, 5], metavar="K")
    parser.add_argument("--like-gold", action="store_true", help="as in search_speed.py")
    arguments = parser.parse_args()
    if len(arguments.batch_sizes) != len(arguments.tokens):
        parser.error("give as many --tokens as --batch-sizes")
    if reason := why_not(arguments.python):
        sys.exit(f"{reason}: {HOW_TO}")

    parsing = Parsing(arguments.model, arguments.file, arguments.like_gold)
    with tempfile.TemporaryDirectory() as folder:
        train = to_supar(arguments.train or arguments.file, Path(folder, "train.conllu"))
        supar = Supar(
            arguments.python, train, to_supar(arguments.file, Path(folder, "file.conllu"))
        )
        rows = []
        print("threads  batch            parser         words/s  of SuPar")

        def report(threads: int, batch: str, what: str, rate: float, beside: float) -> None:
            row = {
                "threads": threads,
                "batch": batch,
                "parser": what,
                "words_per_second": round(rate),
                "of_supar": round(rate / beside, 2),
            }
            rows.append(row)
            print(f"{threads:>7}  {batch:<15}  {what:<13} {rate:>8.0f} {row['of_supar']:>9}")

        for threads in arguments.threads:
            torch.set_num_threads(threads)
            for batch_size, tokens in zip(arguments.batch_sizes, arguments.tokens):
                answer = supar.run(threads, tokens)
                beside = answer["words_per_second"]
                assert answer["words"] == parsing.words, "SuPar must parse the same words"
                report(threads, f"{tokens} tokens", "SuPar", beside, beside)
                for beam in arguments.beams:
                    parsing.run(batch_size, beam)  # warms up
                    rate, _, _ = parsing.run(batch_size, beam)
                    report(threads, f"{batch_size} sentences", f"ours, beam {beam}", rate, beside)
        supar.close()
    ours = {"torch": torch.__version__, **parameters(parsing.model)}
    result = {"words": parsing.words, "ours": ours, "supar": supar.described, "rows": rows}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
