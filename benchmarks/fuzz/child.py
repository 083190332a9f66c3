"""One target in a process of its own, driven by atheris: libFuzzer makes its inputs.

python benchmarks/fuzz/child.py TARGET FOLDER [OPTIONS OF LIBFUZZER]
"""

import importlib
import os
import resource
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import atheris
from watch import TrespassError, Watch

# Bytes. libFuzzer looks at the memory every second and stops at 2 GB; this saves the machine.
MOST_MEMORY = 6_000_000_000
MOST_WRITTEN = 1_000_000_000


def main(name: str, folder: Path, options: list[str]) -> None:
    work = folder / "work"
    work.mkdir(exist_ok=True)
    tempfile.tempdir = str(work)
    os.environ.update(TMPDIR=str(work), HOME=str(work), SDP_CACHE=str(work / "cache"))
    os.environ["HF_HUB_OFFLINE"] = "1"
    warnings.simplefilter("ignore")
    with atheris.instrument_imports(include=["sdp_pointer"], enable_loader_override=False):
        target: Any = importlib.import_module(f"targets.{name}")
    for number, seed in enumerate(target.seeds() if "-seed=" in " ".join(options) else ()):
        (folder / "seeds" / str(number)).write_bytes(seed)
    prepare = getattr(target, "prepare", None)
    address = prepare(work) if prepare else None
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_WRITTEN, MOST_WRITTEN))
    once = guarded(target.run, Watch(str(work), address), folder / "known")
    mutators = {"custom_mutator": target.mutate} if hasattr(target, "mutate") else {}
    timeout = f"-timeout={getattr(target, 'SECONDS', 20)}"
    atheris.Setup([sys.argv[0], timeout, *options], once, **mutators)
    atheris.Fuzz()


def guarded(run: Callable[[bytes], None], watch: Watch, known: Path) -> Callable[[bytes], None]:
    """A target that lets each finding out once; the next process does not stop at it again."""
    places = set(known.read_text("utf-8").splitlines()) if known.exists() else set()

    def once(data: bytes) -> None:
        try:
            with watch.on():
                run(data)
        except BaseException as error:
            place = place_of(error)
            if place in places:
                return
            with known.open("a", encoding="utf-8") as file:
                file.write(f"{place}\n")
            raise

    return once


def place_of(error: BaseException) -> str:
    """What tells one finding from another: the kind of error, and where it was raised.

    >>> def fail():
    ...     raise KeyError("x")
    >>> try:
    ...     fail()
    ... except KeyError as error:
    ...     print(place_of(error))
    KeyError, fail, ... raise KeyError("x")
    """
    if isinstance(error, TrespassError):
        return str(error).partition(" ")[0]
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "sdp_pointer" in frame.filename] or frames
    return f"{type(error).__name__}, {ours[-1].name}, {ours[-1].line}"


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
