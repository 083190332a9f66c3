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
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn

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
    once = guarded(target.run, Watch(str(work), address), folder)
    mutators = {"custom_mutator": target.mutate} if hasattr(target, "mutate") else {}
    timeout = f"-timeout={getattr(target, 'SECONDS', 20)}"
    atheris.Setup([sys.argv[0], timeout, *options], once, **mutators)
    atheris.Fuzz()


def guarded(run: Callable[[bytes], None], watch: Watch, folder: Path) -> Callable[[bytes], None]:
    """A target that ends the process when it finds something that was not found before."""
    known = folder / "known"
    places = known.read_text("utf-8").splitlines() if known.exists() else []
    inputs = 0

    def once(data: bytes) -> None:
        nonlocal inputs
        inputs += 1
        try:
            with watch.on():
                run(data)
        except BaseException as error:  # noqa: BLE001 (whatever it is, it is found)
            place = place_of(error)
            if place not in places:
                known.write_text("\n".join([*places, place]), "utf-8")
                traceback.print_exc()
                _leave(folder, data, f"{type(error).__name__}: {error}", inputs)

    return once


def _leave(folder: Path, data: bytes, reason: str, inputs: int) -> NoReturn:
    """Ends the process, whatever threads it has, with what libFuzzer would say and save."""
    path = folder / f"crash-{sha256(data).hexdigest()[:16]}"
    path.write_bytes(data)
    print(f"ERROR: {reason}", file=sys.stderr)
    print(f"Test unit written to {path}", file=sys.stderr)
    print(f"stat::number_of_executed_units: {inputs}", file=sys.stderr, flush=True)
    os._exit(1)


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
