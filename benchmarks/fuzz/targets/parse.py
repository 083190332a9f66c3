"""The command `parse` with the model of the package: any text to any format.

The first byte chooses the options; what follows is the text, or lines of JSON.
"""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sdp_pointer.parser
from sdp_pointer.graphs.formats import FORMATS

from .commands import outcome
from .lines import requests, texts
from .mutations import bytes_or_json

# Of a busy machine, for a thousand words.
SECONDS = 120
TO = ("text", "html", *FORMATS)
OPTIONS = (("--format", "text"), ("--format", "jsonl"), ("--n-best", "3"), ("--split",))

mutate = bytes_or_json


def prepare(work: Path) -> None:
    """Loads the parser once; the command is given it each time."""
    parser = sdp_pointer.parser.load()

    def load(*arguments: Any, **options: Any) -> Any:
        return parser

    sdp_pointer.parser.load = load


def seeds() -> Iterator[bytes]:
    for text in texts():
        yield b"\0" + text.encode()
    for request in requests():
        yield b"\1" + json.dumps(request).encode()


def run(data: bytes) -> None:
    choice = data[0] if data else 0
    options, to = OPTIONS[choice % len(OPTIONS)], TO[choice // len(OPTIONS) % len(TO)]
    if "--n-best" in options:
        to = "jsonl"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "lines")
        file.write_bytes(data[1:])
        status, printed, told = outcome(["parse", str(file), "--to", to, *options])
        assert status in (0, 1, 2), f"exit code {status}"
        assert "Traceback" not in told
        if status == 1:
            assert "not parsed" in told
        if to == "jsonl":
            for line in printed.split("\n")[:-1]:
                json.loads(line)
