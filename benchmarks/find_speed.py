"""How fast `sdp-pointer find` is: whole commands over files, and where their time goes.

    python benchmarks/find_speed.py DATA/*.sdp [--rounds 3] [--pattern 'like -ARG1-> ?who']

For each pattern the best of several rounds, which take turns: CPU time of the command with its
start, sentences per second of CPU, memory. The first row reads the graphs and looks for nothing;
in the last column is what the pattern costs beyond that. One process, one core.
"""

import argparse
import json
import os
import sys

from measuring import cpu_and_memory

from sdp_pointer.graphs import read

READ = "import sys; from sdp_pointer.graphs import read; [0 for f in sys.argv[1:] for _ in read(f)]"
PATTERNS = (
    "like -ARG1-> ?who",
    "?v[pos=/V.*/] -ARG1-> ?agent, ?v -ARG2-> ?patient",
    "?v[pos=/V.*/] -ARG1-> *, not ?v -ARG2-> *, optional ?v -ARG3-> ?x",
    "?v -ARG1-> ?x <-ARG1- ?w, ?v << ?w",
    "?v -?role-> ?x",
    "/.*ing/",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="+", help="files of graphs")
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("--pattern", action="append", metavar="PATTERN", help="in place of ours")
    arguments = parser.parse_args()

    files = [os.path.abspath(file) for file in arguments.files]
    sentences = sum(1 for file in files for _ in read(file))
    commands = {"(reading alone)": (sys.executable, "-c", READ, *files)} | {
        pattern: (sys.executable, "-m", "sdp_pointer", "find", pattern, *files)
        for pattern in arguments.pattern or PATTERNS
    }
    best: dict[str, tuple[float, float]] = {}
    for _ in range(arguments.rounds):
        for name, command in commands.items():
            best[name] = min(best.get(name, (float("inf"), 0.0)), cpu_and_memory(*command))
    width = max(map(len, commands))
    reading, _ = best["(reading alone)"]
    rows = [
        {
            "pattern": name,
            "cpu_seconds": round(seconds, 2),
            "sentences_per_second": round(sentences / seconds),
            "beyond_reading": round(seconds - reading, 2),
            "peak_mb": round(memory),
        }
        for name, (seconds, memory) in best.items()
    ]
    print(f"{sentences:,} sentences in {len(files)} files")
    print(f"{'':<{width}}{'CPU s':>8}{'sentences/s':>13}{'- reading':>11}{'MB':>5}")
    for row in rows:
        print(
            f"{row['pattern']:<{width}}{row['cpu_seconds']:>8}{row['sentences_per_second']:>13,}"
            f"{row['beyond_reading']:>11}{row['peak_mb']:>5}"
        )
    print(json.dumps({"sentences": sentences, "rows": rows}))


if __name__ == "__main__":
    main()
