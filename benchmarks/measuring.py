"""What several benchmarks measure by; standard library only, since SuPar's Python has no more."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Optional


class OutOfTime(KeyboardInterrupt):
    """Ends a training as if somebody had pressed Ctrl-C: AllenNLP then archives the best epoch."""


class Budget:
    """A time limit for a training, and how fast it was; to be called before each forward pass.

    The clock starts with the first pass, so that reading the files is not counted. What comes
    between two passes (backward, optimizer, next batch) belongs to the first of them; whatever
    follows a pass that is not for training, such as scores on the dev set, only costs time.
    """

    def __init__(self, minutes: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.limit = 60 * minutes
        self.clock = clock
        self.start: Optional[float] = None
        self.words = 0
        self.seconds = 0.0
        self._last, self._words, self._training = 0.0, 0, False

    def __call__(self, words: int, training: bool) -> None:
        now = self.clock()
        if self.start is None:
            self.start = now
        if self._training:
            self.words += self._words
            self.seconds += now - self._last
        if now - self.start > self.limit:
            raise OutOfTime
        self._last, self._words, self._training = now, words, training

    @property
    def words_per_second(self) -> float:
        return self.words / self.seconds if self.seconds else 0.0


def parameters(model: Any) -> dict[str, int]:
    """How many numbers a network consists of, and how many of them are trained."""
    sizes = [(parameter.numel(), parameter.requires_grad) for parameter in model.parameters()]
    return {
        "parameters": sum(size for size, _ in sizes),
        "trained_parameters": sum(size for size, trained in sizes if trained),
    }


def cpu_and_memory(*command: str) -> tuple[float, float]:
    """Seconds of CPU and peak memory in MB of a command."""
    program = (
        "import resource, subprocess, sys;"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
        "u = resource.getrusage(resource.RUSAGE_CHILDREN);"
        "print(u.ru_utime + u.ru_stime, u.ru_maxrss / 1024)"
    )
    output = subprocess.check_output([sys.executable, "-c", program, *command], text=True)
    seconds, memory = map(float, output.split())
    return seconds, memory


def peak_memory() -> int:
    """Of this process so far, in MB."""
    return _memory("self", "VmHWM")


def memory(process: int) -> int:
    """Of a process now, in MB."""
    return _memory(str(process), "VmRSS")


def _memory(process: str, name: str) -> int:
    lines = Path("/proc", process, "status").read_text().splitlines()
    [line] = [line for line in lines if line.startswith(name)]
    return int(line.split()[1]) // 1024


def agree(path: Path, job: dict[str, Any], keys: Optional[Iterable[str]] = None) -> None:
    """Notes what results are made by, or ends the program if they were made by something else.

    What counts are the keys, by default all; what is noted is the whole job.
    """
    before = json.loads(path.read_text()) if path.exists() else job
    differing = [key for key in keys or job if before.get(key) != job[key]]
    if differing:
        was = ", ".join(f"{key} {json.dumps(before.get(key))}" for key in differing)
        sys.exit(f"{path} says that this was another comparison ({was}): take another folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    save(path, job)


def save(path: Path, value: Any) -> None:
    """Writes JSON that is whole if it is there."""
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
    draft.replace(path)
