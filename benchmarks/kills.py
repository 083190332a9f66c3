"""Does a training that was killed end with the same digits? Kills some, recovers them, compares.

    python benchmarks/kills.py OUT [--kills 20] [--seed N] [--epochs 20] [--config CONFIG.jsonnet]

Trains a parser once without a kill. Then as many trainings are killed (SIGKILL), each at a random
moment between its first log line and its end, recovered with `--recover`, and their `metrics.json`
compared to that of the first, but for times and memory, to the last digit. `SDP_DATA` names the
folder of the data; the default is that of the fixtures.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Optional

ROOT = Path(__file__).parent.parent


def command(config: str, folder: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "allennlp", "train", config, "-s", str(folder), *options]


def train(
    arguments: list[str], log: Path, kill_after: Optional[float] = None
) -> tuple[float, bool]:
    """Seconds that a training took, once its folder was there, and whether it was killed."""
    folder = Path(arguments[arguments.index("-s") + 1])
    with log.open("a") as file:
        process = subprocess.Popen(arguments, stdout=file, stderr=file)
    while not (folder / "config.json").exists() and process.poll() is None:
        time.sleep(0.01)
    start = time.monotonic()
    try:
        process.wait(timeout=kill_after)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.returncode > 0:
        sys.exit(f"a training failed; {log} ends with\n{log.read_text()[-2000:]}")
    return time.monotonic() - start, process.returncode < 0


def reached(folder: Path) -> str:
    """How far a killed training had come.

    >>> reached(Path("nowhere"))
    'before the first checkpoint'
    """
    if (folder / "metrics.json").exists():
        return "after the last epoch"
    epochs = [int(path.stem.split("_")[2][1:]) for path in folder.glob("training_state_*.th")]
    return f"after epoch {max(epochs)}" if epochs else "before the first checkpoint"


def metrics(folder: Path) -> dict[str, Any]:
    """All figures of a training that are the same if it is repeated."""
    found = json.loads((folder / "metrics.json").read_text())
    return {
        name: value
        for name, value in found.items()
        if name != "training_duration" and not name.endswith("memory_MB")
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path, help="folder for the trainings; must not exist")
    parser.add_argument("--kills", type=int, default=20, metavar="N")
    parser.add_argument("--seed", type=int, help="of the moments; by default another each time")
    parser.add_argument("--epochs", default="20", metavar="N")
    parser.add_argument("--config", default=str(ROOT / "training_config" / "tiny.jsonnet"))
    given = parser.parse_args()
    seed = random.SystemRandom().randrange(10**6) if given.seed is None else given.seed
    moments = random.Random(seed)
    os.environ.setdefault("SDP_DATA", str(ROOT / "fixtures" / "data"))
    os.environ["SDP_EPOCHS"] = given.epochs
    given.out.mkdir(parents=True)

    whole = given.out / "whole"
    seconds, _ = train(command(given.config, whole), given.out / "whole.log")
    expected = metrics(whole)
    print(f"seed {seed}; {seconds:.1f} seconds without a kill")
    rows = []
    for number in range(1, given.kills + 1):
        folder, log = given.out / f"{number}", given.out / f"{number}.log"
        killed = False
        while not killed:  # it may be over before the moment has come
            shutil.rmtree(folder, ignore_errors=True)
            moment = moments.uniform(0, seconds)
            _, killed = train(command(given.config, folder), log, kill_after=moment)
        state = reached(folder)
        train(command(given.config, folder, "--recover"), log)
        found = metrics(folder)
        differing = sorted(name for name in expected if found.get(name) != expected[name])
        same = found == expected
        rows.append({"seconds": round(moment, 2), "reached": state, "same": same})
        print(
            f"{number:>4} {moment:>7.2f} s  {state:<28} {'same' if same else differing}", flush=True
        )
        if same:
            shutil.rmtree(folder)
    same = sum(row["same"] for row in rows)
    print(f"{same} of {len(rows)} trainings that were killed ended with the same digits")
    print(json.dumps({"seed": seed, "seconds": round(seconds, 1), "same": same, "rows": rows}))
    sys.exit(same < len(rows))


if __name__ == "__main__":
    main()
