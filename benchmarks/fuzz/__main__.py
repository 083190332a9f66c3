"""Can hostile input do more than be refused? Mutates files, texts, requests and models for minutes.

    make fuzz FUZZ="--minutes 10 --only formats lines"
    python benchmarks/fuzz --replay out/fuzz/formats/crash-0123abcd

Each target (a module of benchmarks/fuzz/targets) has an equal share of the time in a process of its
own, in which atheris makes inputs of real ones, led by the code that they reach. A finding is an
exception that is not documented, no end within the target's seconds, 2 GB of memory, a file outside
of the target's folder, a request to the network. It is saved in out/fuzz, and the program ends with
1. Inputs that reached new code stay in out/fuzz for the next time.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
OUT = HERE.parents[1] / "out" / "fuzz"
TARGETS = sorted(
    path.stem for path in (HERE / "targets").glob("*.py") if "def run" in path.read_text()
)

MEGABYTES = 2048
# A target that fails so often needs to be mended before it is fuzzed on.
MOST_FINDINGS = 5


class Fuzzed:
    """One target: how many inputs it had, and what was found."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.folder = OUT / target
        self.inputs = 0
        self.findings: list[str] = []

    def for_seconds(self, seconds: float, seed: int) -> None:
        for name in ("seeds", "corpus"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        (self.folder / "known").unlink(missing_ok=True)
        end = time.monotonic() + seconds
        self._once(round(seconds), seed)
        while time.monotonic() < end and len(self.findings) < MOST_FINDINGS:
            self._once(max(1, round(end - time.monotonic())), seed + len(self.findings))

    def _once(self, seconds: int, seed: int) -> None:
        """Fuzzes until something is found, or the time is over; without time, what is known."""
        limit = f"-max_total_time={seconds}" if seconds else "-runs=0"
        options = [limit, f"-seed={seed}", "-print_final_stats=1"]
        folders = [str(self.folder / name) for name in ("corpus", "seeds")]
        log = child(self.target, [*options, *folders])
        inputs = re.search(r"number_of_executed_units: (\d+)", log)
        saved = re.search(r"Test unit written to (\S+/(?:crash|timeout|oom)-\w+)", log)
        if not inputs and not saved:
            sys.exit(f"the target {self.target} did not start:\n{log[-3000:]}")
        self.inputs += int(inputs[1]) if inputs else 0
        if saved:
            path = Path(saved[1]).relative_to(OUT.parents[1])
            self.findings.append(f"{path}: {reason(log)}")


def child(target: str, options: list[str]) -> str:
    """What a process said that runs a target until something is found, or as long as told."""
    folder = OUT / target
    command = [sys.executable, str(HERE / "child.py"), target, str(folder), *options]
    limits = [f"-rss_limit_mb={MEGABYTES}", f"-artifact_prefix={folder}/"]
    log = folder / "log"
    # In a session of its own, so that it ends together with a server that it started.
    with (
        log.open("wb") as file,
        subprocess.Popen(
            [*command, *limits], stdout=file, stderr=file, start_new_session=True
        ) as process,
    ):
        try:
            process.wait()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    shutil.rmtree(folder / "work", ignore_errors=True)
    return log.read_text("utf-8", "replace")


def reason(log: str) -> str:
    """What was found, in a line."""
    found = re.findall(r"^(?:==\d+== )?ERROR: (.*)$", log, re.M)
    return found[0][:300] if found else log.strip()[-200:]


def replay(path: Path) -> int:
    """Gives a saved input to its target, whose folder it is in, and shows what happens."""
    target = path.resolve().parent.name
    if target not in TARGETS:
        sys.exit(f"{path} is in no folder of a target; they are {', '.join(TARGETS)}")
    (OUT / target).mkdir(parents=True, exist_ok=True)
    (OUT / target / "known").unlink(missing_ok=True)
    print(log := child(target, [str(path.resolve())]))
    return int("ERROR: " in log)


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--minutes",
        type=float,
        default=10,
        help="in all (default: 10); 0 tries old inputs and no new ones",
    )
    parser.add_argument(
        "--only",
        nargs="+",
        choices=TARGETS,
        default=TARGETS,
        metavar="TARGET",
        help=f"some of {', '.join(TARGETS)}",
    )
    parser.add_argument("--seed", type=int, default=int(time.time()), help="default: the time")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="an input that was saved")
    options = parser.parse_args()
    if options.replay:
        return replay(options.replay)
    print(f"seed {options.seed}", flush=True)
    share = 60 * options.minutes / len(options.only)
    rows: list[dict[str, Any]] = []
    print("| target | inputs | findings |\n|---|---|---|", flush=True)
    for target in options.only:
        fuzzed = Fuzzed(target)
        fuzzed.for_seconds(share, options.seed)
        print(f"| {target} | {fuzzed.inputs:,} | {len(fuzzed.findings)} |", flush=True)
        for finding in fuzzed.findings:
            print(finding, file=sys.stderr, flush=True)
        rows.append({"target": target, "inputs": fuzzed.inputs, "findings": fuzzed.findings})
    print(json.dumps({"seed": options.seed, "minutes": options.minutes, "targets": rows}))
    return int(any(row["findings"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
