"""How long a neighbour waits for a sentence while hostile clients are at work on the same server.

    python benchmarks/hostile.py MODEL [--seconds 60] [--only KIND]

`sdp-pointer serve` runs in a process of its own, each hostile client in another, and the neighbour
in this one: it connects, asks for a short sentence, and does so again at once. First it is alone,
then with one client of each kind, then with all of them. The model must do without tags.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any, Optional

import httpx
from soak import print_table, row, serving

SENTENCE = {"sentence": "The results were in line with analysts' expectations."}
WORDS = SENTENCE["sentence"].split()

# One connection after another, or some at the same time, each of which does this again and again.
Attack = Callable[["Target"], Awaitable[None]]


class Target:
    """What a hostile client does to a server."""

    def __init__(self, url: str) -> None:
        self.url = httpx.URL(url)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(self.url.host, self.url.port, limit=2**16)

    async def send(
        self, head: str, body: bytes = b"", path: str = "/parse"
    ) -> tuple[asyncio.StreamReader, Any]:
        reader, writer = await self.connect()
        first = f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{head}\r\n\r\n"
        writer.write(first.encode() + body)
        await writer.drain()
        return reader, writer

    async def ask(self, value: Any, path: str = "/parse") -> tuple[asyncio.StreamReader, Any]:
        body = json.dumps(value).encode()
        return await self.send(f"Connection: close\r\nContent-Length: {len(body)}", body, path)

    async def answered(self, value: Any, path: str = "/parse") -> None:
        """Asks, and reads the answer."""
        reader, writer = await self.ask(value, path)
        while await reader.read(2**20):
            pass
        writer.close()


def words(number: int) -> list[str]:
    return (WORDS * (number // len(WORDS) + 1))[:number]


async def runs(target: Target) -> None:
    for character in "$_(#'\U0001f600":
        await target.answered({"sentence": character * 20_000})


async def drawings(target: Target) -> None:
    await target.answered({"tokens": words(100), "include": ["svg"] * 3000})


async def leaves(target: Target) -> None:
    sentences = [{"tokens": words(20)} for _ in range(50)]
    _, writer = await target.ask({"sentences": sentences})
    await asyncio.sleep(1)
    writer.close()


async def many_words(target: Target) -> None:
    await target.answered({"sentences": [{"tokens": words(1000)}] * 5})


async def wide_beam(target: Target) -> None:
    await target.answered({"sentences": [{"tokens": words(1000)}] * 3, "beam": 16})


async def many_graphs(target: Target) -> None:
    question = {"n_best": 16, "include": ["svg", "sdp"]}
    await target.answered({**question, "sentences": [{"tokens": words(1000)}] * 5})
    await target.answered({**question, "tokens": words(1000)})


async def many_rows(target: Target) -> None:
    await target.answered({"tokens": words(1000), "n_best": 16, "include": ["svg"], "width": 1})


async def long_searches(target: Target) -> None:
    graph = {"tokens": [{"form": "a" * 40 + "!"}] * 200, "tops": [], "arcs": []}
    await target.answered({"pattern": "/(a+)+b/", "graphs": [graph]}, "/find")


async def silent(target: Target) -> None:
    reader, _ = await target.connect()
    await reader.read()


async def half_sent(target: Target) -> None:
    reader, _ = await target.send("Content-Length: 1000", b"half")
    await reader.read()


async def unread(target: Target) -> None:
    _, writer = await target.ask({"tokens": words(1000), "n_best": 8, "include": ["svg"]})
    writer.transport.pause_reading()
    await asyncio.sleep(60)


async def endless(target: Target) -> None:
    _, writer = await target.send("Transfer-Encoding: chunked")
    while True:
        writer.write((b"10000\r\n" + b"x" * 65536 + b"\r\n") * 16)
        await writer.drain()


async def small_chunks(target: Target) -> None:
    _, writer = await target.send("Transfer-Encoding: chunked")
    while True:
        writer.write(b"1\r\nx\r\n" * 10_000)
        await writer.drain()


async def nonsense(target: Target) -> None:
    reader, writer = await target.connect()
    writer.write(b"\0" * 1000)
    await reader.read()
    writer.close()


# What it does, and on how many connections at the same time.
KINDS: dict[str, tuple[Attack, int]] = {
    "20,000 characters without a space": (runs, 1),
    "a drawing, asked for 3,000 times": (drawings, 42),
    "leaves after 50 sentences": (leaves, 60),
    "5,000 words": (many_words, 1),
    "3,000 words with beam 16": (wide_beam, 1),
    "1,000 words, 16 graphs, drawn": (many_graphs, 1),
    "1,000 words, drawn in 1,000 rows": (many_rows, 1),
    "patterns that take for ever": (long_searches, 10),
    "sends nothing": (silent, 1000),
    "sends half a request": (half_sent, 1000),
    "does not read": (unread, 20),
    "a body without an end": (endless, 1),
    "a body in chunks of a byte": (small_chunks, 1),
    "sends nonsense": (nonsense, 10),
}


def attack(url: str, kind: str, begun: Any) -> None:
    """Do it until somebody ends this process."""
    act, connections = KINDS[kind]
    target = Target(url)
    os.nice(10)

    async def again_and_again() -> None:
        while True:
            begun.set()
            with suppress(OSError, asyncio.IncompleteReadError):
                await act(target)
            await asyncio.sleep(0.01)  # where a connection is refused at once

    async def all_connections() -> None:
        async with asyncio.TaskGroup() as group:
            for _ in range(connections):
                group.create_task(again_and_again())

    asyncio.run(all_connections())


@contextmanager
def attacking(url: str, kinds: list[str]) -> Iterator[None]:
    """Clients of these kinds, while the context lasts."""
    processes = []
    try:
        for kind in kinds:
            begun = multiprocessing.Event()
            process = multiprocessing.Process(target=attack, args=(url, kind, begun), daemon=True)
            process.start()
            processes.append(process)
            begun.wait()
        yield
    finally:
        for process in processes:
            process.kill()
            process.join()


def neighbour(url: str, seconds: float) -> tuple[list[float], Counter[str]]:
    """How long each sentence took, and what went wrong."""
    taken: list[float] = []
    failures: Counter[str] = Counter()
    end = monotonic() + seconds
    while monotonic() < end:
        start = monotonic()
        failure: Optional[str] = None
        try:
            response = httpx.post(f"{url}/parse", json=SENTENCE, timeout=60, trust_env=False)
            if response.status_code != 200:
                failure = f"status {response.status_code}"
        except httpx.HTTPError as error:
            failure = type(error).__name__
        taken.append(monotonic() - start)
        if failure:
            failures[failure] += 1
    return taken, failures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model", help="archive or folder of a parser that needs no tags")
    parser.add_argument("--seconds", type=float, default=60, metavar="N", help="for each kind")
    parser.add_argument("--only", action="append", choices=KINDS, metavar="KIND")
    arguments = parser.parse_args()

    chosen = arguments.only or list(KINDS)
    groups = {"none": [], **{kind: [kind] for kind in chosen}}
    if len(chosen) > 1:
        groups["all of them"] = chosen
    rows = []
    with serving(arguments.model) as (url, _, said):
        neighbour(url, 1)
        for kind, kinds in groups.items():
            with attacking(url, kinds):
                taken, failures = neighbour(url, arguments.seconds)
            rows.append(row(kind, taken, failures))
    print_table("hostile client", rows)
    print(f"\nLines in the server's log: {len(said)}.")
    print(json.dumps({"seconds": arguments.seconds, "rows": rows, "log": said}))
    sys.exit(any(each["failures"] for each in rows))


if __name__ == "__main__":
    main()
