"""The commands on files of graphs: what they print, and how they end.

The first two bytes choose the command and the name of the file; what follows is the file.
"""

import contextlib
import io
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sdp_pointer.commands import main
from sdp_pointer.graphs.formats import FORMATS

from .formats import DATA, files
from .mutations import bytes_or_json

GOLD = str(DATA / "dm.dev.sdp")
COMMANDS = (
    ("check", "FILE"),
    ("check", "--lenient", "FILE"),
    ("stats", "--labels", "FILE"),
    ("stats", "--json", "--lenient", "FILE"),
    ("find", "?v -?role-> ?x, optional ?x[pos=/V.*/] -ARG2-> *, not ?x[top]", "FILE"),
    ("find", "?v -?role-> ?x", "--lenient", "FILE", "--count-by", "v.lemma,role"),
    *(("find", "?v << *", "FILE", "-o", f"OUT.{kind}") for kind in ("csv", "jsonl", "txt.gz")),
    *(("convert", "FILE", f"OUT{format.suffix}") for format in FORMATS.values()),
    ("convert", "--lenient", "FILE", "OUT.jsonl.gz"),
    ("draw", "FILE"),
    *(("draw", "--lenient", "FILE", "-o", f"OUT.{kind}") for kind in ("svg", "html", "dot")),
    ("draw", "FILE", "--gold", "FILE"),
    ("score", "FILE", "FILE", "--by", "label"),
    ("score", GOLD, "FILE", "--by", "sentence"),
    ("score", "FILE", GOLD, "--positional", "--lenient", "--json", "--representation", "psd"),
    ("compare", "FILE", "FILE", "FILE", "--samples", "5"),
)
NAMES = ("graphs", *(f"graphs{format.suffix}" for format in FORMATS.values()), "graphs.sdp.gz")

mutate = bytes_or_json


def seeds() -> Iterator[bytes]:
    for number, (_, content) in enumerate(files()):
        yield bytes([number % len(COMMANDS), 0]) + content


def run(data: bytes) -> None:
    command = COMMANDS[data[0] % len(COMMANDS)] if data else COMMANDS[0]
    name = NAMES[data[1] % len(NAMES)] if data[1:] else NAMES[0]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, name)
        file.write_bytes(data[2:])
        out = str(Path(folder, "OUT"))
        arguments = [part.replace("FILE", str(file)).replace("OUT", out) for part in command]
        status, printed, told = outcome(arguments)
        assert status in (0, 1, 2), f"exit code {status}"
        assert status == 0 or printed or told, "it failed, and said nothing"
        assert "Traceback" not in told
        for line in told.splitlines() + ([] if "--json" in command else printed.splitlines()):
            assert line.isprintable(), f"a line that moves the cursor: {line!r}"
        made = {path.name for path in Path(folder).iterdir()} - {name}
        expected = {Path(part).name for part in arguments if part.startswith(out)}
        assert made == (expected if status == 0 else set()), f"files: {made}"


def outcome(arguments: list[str]) -> tuple[int, str, str]:
    """The exit code of a command, what it printed, and what it said on standard error."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(arguments)
    for stream in (out, err):
        stream.flush()
    return status, *(stream.buffer.getvalue().decode("utf-8") for stream in (out, err))
