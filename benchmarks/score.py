"""How fast `sdp-pointer score` is: a file against itself, and a corpus of the official size.

    python benchmarks/score.py DEV.sdp [--tokens 760000]

The second file repeats the first until it has that many tokens, as the official training data has.
CPU time of the whole command, and what of it is Python's own start-up; peak memory.
"""

import argparse
import json
import sys
import tempfile
from itertools import cycle, islice
from pathlib import Path

from measuring import cpu_and_memory

from sdp_pointer.graphs import read, write


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", help="a file of graphs, such as dev.sdp")
    parser.add_argument("--tokens", type=int, default=760_000, metavar="N")
    arguments = parser.parse_args()

    graphs = list(read(arguments.file))
    bare, _ = min(cpu_and_memory(sys.executable, "-c", "pass") for _ in range(5))
    with tempfile.TemporaryDirectory() as folder:
        large = str(Path(folder) / "large.sdp")
        tokens = sum(map(len, graphs))
        sentences = -(-arguments.tokens * len(graphs) // tokens)
        write(islice(cycle(graphs), sentences), large)
        rows = []
        for name, file, n_sentences, n_tokens in (
            ("file", arguments.file, len(graphs), tokens),
            ("large", large, sentences, sum(map(len, islice(cycle(graphs), sentences)))),
        ):
            score = (sys.executable, "-m", "sdp_pointer", "score", file, file)
            seconds, memory = min(cpu_and_memory(*score) for _ in range(3))
            rows.append(
                {
                    "input": name,
                    "sentences": n_sentences,
                    "tokens": n_tokens,
                    "cpu_seconds": round(seconds, 3),
                    "beyond_start_up": round(seconds - bare, 3),
                    "peak_mb": round(memory),
                }
            )
    print(f"{'input':<8}{'sentences':>10}{'tokens':>10}{'CPU s':>8}{'- start':>9}{'MB':>6}")
    for row in rows:
        print(
            f"{row['input']:<8}{row['sentences']:>10,}{row['tokens']:>10,}"
            f"{row['cpu_seconds']:>8}{row['beyond_start_up']:>9}{row['peak_mb']:>6}"
        )
    print(json.dumps({"python_start_up": round(bare, 3), "rows": rows}))


if __name__ == "__main__":
    main()
