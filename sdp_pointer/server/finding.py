"""What a pattern finds in graphs, looked for in a process of its own.

A stranger's pattern could take for ever, or all the memory: a regular expression may try every way
to match, and words that no arc joins may be any words. So `sdp-pointer find` runs within limits of
time and memory, and the server goes on whatever becomes of it.
"""

import asyncio
import sys
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import IO, Any

from pydantic import BaseModel

from ..errors import UserError
from ..graphs.formats.strict_json import encode
from .limits import Limits, RefusedError
from .openapi import WRONG_HOST, body_of
from .questions import check_number, decoded
from .schemas import Error, Graph

# Of the processor, and of memory with what the process shares with others.
SECONDS = 2
MEMORY = 2**30
LONGEST_PATTERN = 1_000
# That come back.
MOST_BYTES = 4_000_000
# At a time; each may keep a core busy.
PROCESSES = 2

_OUT_OF_MEMORY = 3
_PROGRAM = f"""
import sys
from resource import RLIMIT_AS, RLIMIT_CPU, setrlimit
setrlimit(RLIMIT_AS, ({MEMORY}, {MEMORY}))
setrlimit(RLIMIT_CPU, ({SECONDS}, {SECONDS}))
from sdp_pointer.commands import main
try:
    sys.exit(main(sys.argv[1:]))
except MemoryError:
    sys.exit({_OUT_OF_MEMORY})
"""


class Search(BaseModel):
    """A pattern (docs/asking.md), and graphs to look into, as /parse returns them."""

    pattern: str
    graphs: list[Graph]


class Match(BaseModel):
    """What the pattern's names stand for, and all words and arcs of the match."""

    line: int
    words: dict[str, dict[str, Any]]
    labels: dict[str, str]
    positions: list[int]
    arcs: list[dict[str, Any]]


class Matches(BaseModel):
    """The matches in all graphs; `line` is the number of the graph, the first being 1."""

    matches: list[Match]
    notes: list[str]


FIND: dict[str, Any] = {
    "summary": "Find a pattern in graphs",
    "response_model": Matches,
    "openapi_extra": body_of(Search),
    "responses": {
        400: {"model": Error, "description": "Not JSON."},
        403: {"model": Error, "description": WRONG_HOST},
        413: {"model": Error, "description": "Too many bytes."},
        422: {"model": Error, "description": "A mistake in the pattern, or too much to look for."},
        503: {"model": Error, "description": "Too many requests are waiting."},
        504: {"model": Error, "description": "Too many patterns are waiting."},
    },
}


class Finder:
    """Runs as many processes at a time as there should be, one for each request."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._free = asyncio.Semaphore(PROCESSES)

    async def find(self, pattern: str, graphs: bytes) -> bytes:
        """The body of the answer to such a search."""
        try:
            async with asyncio.timeout(self.limits.seconds), self._free:
                return await _matches(pattern, graphs)
        except TimeoutError:
            raise RefusedError(
                504, f"no answer within {self.limits.seconds:g} seconds: try again later"
            ) from None

    def read(self, body: bytes) -> tuple[str, bytes]:
        """The pattern in a body, and the graphs as JSON lines."""
        value = decoded(body)
        pattern = value.get("pattern") if isinstance(value, dict) else None
        if not isinstance(pattern, str) or not pattern.isprintable():
            raise UserError('"pattern" must be a line of text, such as "like -ARG1-> ?who"')
        if len(pattern) > LONGEST_PATTERN:
            raise UserError(f"the pattern is too long: at most {LONGEST_PATTERN:,} characters")
        graphs = value.get("graphs")
        if not isinstance(graphs, list) or not graphs:
            raise UserError('"graphs" must be a list of at least one graph')
        check_number(graphs, self.limits)
        return pattern, "".join(f"{encode(graph)}\n" for graph in graphs).encode("utf-8")


async def _matches(pattern: str, graphs: bytes) -> bytes:
    options = ("--from", "jsonl", "--to", "jsonl", "--", pattern, "-")
    with TemporaryFile() as given, TemporaryFile() as said:
        given.write(graphs)
        given.seek(0)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _PROGRAM, "find", *options),
            stdin=given,
            stdout=asyncio.subprocess.PIPE,
            stderr=said,
        )
        try:
            lines = await _read(process)
            status = await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        said.seek(0)
        if status:
            raise UserError(_reason(status, said))
        notes = [line.partition(": ")[2] for line in _lines(said) if line.startswith("note: ")]
    found = b",".join(lines.splitlines())
    return b'{"matches":[' + found + b'],"notes":' + encode(notes).encode("utf-8") + b"}"


async def _read(process: asyncio.subprocess.Process) -> bytes:
    assert process.stdout is not None
    output = bytearray()
    while chunk := await process.stdout.read(2**16):
        output += chunk
        if len(output) > MOST_BYTES:
            raise UserError("the pattern matches too often: make it more specific")
    return bytes(output)


def _reason(status: int, said: IO[bytes]) -> str:
    if status in (1, 2):
        return next(_lines(said), "").removeprefix("sdp-pointer: error: ")
    what = "memory" if status == _OUT_OF_MEMORY else "time"
    return f"the pattern takes too much {what}: make it more specific"


def _lines(said: IO[bytes]) -> Iterator[str]:
    return (line.decode("utf-8", "replace").rstrip("\n") for line in said)
