"""Whether a server holds out: many connections for minutes, with good, bad and broken requests.

    python benchmarks/soak.py MODEL FILE.sdp [--minutes 10] [--connections 200] [--seed 1]

`sdp-pointer serve` runs in a process of its own, and this one has the connections: each asks, waits
for the answer and asks again at once. All kinds of requests are equally frequent. First every
question is asked alone; among the others it must have the same graphs. What deserves a refusal must
have it. Another status, another graph, a lost connection, no answer within a minute or a line in
the server's log is a failure, and then the program ends with 1. The time of a client that leaves is
the time until it has left. The model must do without tags.
"""

import argparse
import asyncio
import json
import math
import random
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any, NamedTuple, Optional

import httpx
from measuring import memory

from sdp_pointer.graphs import Graph, read

SENTENCES = 40


class Request(NamedTuple):
    """What is sent, the status that it deserves, and how much of it is missing."""

    kind: str
    path: str
    body: bytes
    status: int = 200
    leaves: bool = False
    """Whether the client closes the connection instead of waiting for the answer."""
    missing: int = 0
    """How many bytes of the body never come."""


def questions(graphs: list[Graph]) -> list[Request]:
    """Requests of all kinds."""
    texts = [" ".join(graph.forms) for graph in graphs]

    def parse(kind: str, value: Any, *rest: Any) -> Request:
        return Request(kind, "/parse", json.dumps(value).encode(), *rest)

    requests = [
        Request("the page", "/", b""),
        Request("health", "/health", b""),
        Request("no such path", "/nowhere", b"", 404),
        Request("not JSON", "/parse", b'{"sentence": "Cats purr."', 400),
        Request("two megabytes", "/parse", b"x" * 2_000_000, 413),
        parse("no words", {"sentence": " "}, 422),
        parse("beam 99", {"sentence": "Cats purr.", "beam": 99}, 422),
        parse("3,000 words", {"sentence": "word " * 3000}, 422),
    ]
    for number, (graph, text) in enumerate(zip(graphs, texts)):
        several = [texts[(number + step) % len(texts)] for step in range(5)]
        requests += [
            parse("text", {"sentence": text}),
            parse("words, 3 graphs", {"tokens": graph.forms, "beam": 4, "n_best": 3}),
            parse("with a drawing", {"sentence": text, "include": ["svg", "sdp"]}),
            parse("5 sentences", {"sentences": several}),
            parse("leaves before the answer", {"sentence": text}, 200, True),
            parse("leaves amid its body", {"sentence": text}, 200, True, 100),
        ]
    return requests


class Soak:
    """Connections to a server, and what became of their requests."""

    def __init__(self, url: str, requests: list[Request], connections: int, seed: int) -> None:
        self.url = url
        self.connections = connections
        self.random = random.Random(seed)
        self.by_kind: dict[str, list[Request]] = defaultdict(list)
        for request in requests:
            self.by_kind[request.kind].append(request)
        self.alone: dict[Request, Any] = {}
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.failures: dict[str, Counter[str]] = defaultdict(Counter)
        limits = httpx.Limits(
            max_connections=None,
            # The server closes what is idle for 5 seconds, perhaps just when it is used again.
            keepalive_expiry=2,
        )
        self.client = httpx.AsyncClient(
            base_url=url, limits=limits, timeout=60, trust_env=False, verify=False
        )

    async def run(self, minutes: float, process: int) -> list[int]:
        """The server's memory at the start, after each tenth of the time, and at the end."""
        async with self.client:
            for requests in self.by_kind.values():
                for request in requests:
                    await self.once(request)
            self.seconds.clear()
            used = [memory(process)]
            start = time.monotonic()
            async with asyncio.TaskGroup() as group:
                for _ in range(self.connections):
                    group.create_task(self.one_connection(start + 60 * minutes))
                for tenth in range(1, 11):
                    await asyncio.sleep(start + 6 * minutes * tenth - time.monotonic())
                    used.append(memory(process))
            return [*used, memory(process)]

    async def one_connection(self, end: float) -> None:
        while time.monotonic() < end:
            kind = self.random.choice(list(self.by_kind))
            await self.once(self.random.choice(self.by_kind[kind]))

    async def once(self, request: Request) -> None:
        start = time.monotonic()
        try:
            failure = await (self.leave if request.leaves else self.answered)(request)
        except (httpx.HTTPError, OSError) as error:
            failure = type(error).__name__
        self.seconds[request.kind].append(time.monotonic() - start)
        if failure:
            self.failures[request.kind][failure] += 1

    async def answered(self, request: Request) -> Optional[str]:
        """What is wrong with the answer."""
        method = "POST" if request.path == "/parse" else "GET"
        response = await self.client.request(method, request.path, content=request.body)
        if response.status_code != request.status:
            return f"status {response.status_code}, not {request.status}"
        if request.status != 200:
            return None if response.json().get("error") else "no reason"
        if request.path != "/parse":
            return None
        graphs = response.json()
        return None if same(graphs, self.alone.setdefault(request, graphs)) else "another graph"

    async def leave(self, request: Request) -> None:
        """Sends a request, or a part of it, and closes the connection."""
        address = httpx.URL(self.url)
        _, writer = await asyncio.open_connection(address.host, address.port)
        length = len(request.body) + request.missing
        head = f"POST {request.path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}"
        writer.write(f"{head}\r\n\r\n".encode() + request.body)
        await writer.drain()
        writer.close()
        await writer.wait_closed()


def same(one: Any, other: Any) -> bool:
    """Whether two answers are the same, but for the last digits, which depend on the batch.

    >>> same({"arcs": [], "score": -1.23451}, {"arcs": [], "score": -1.23449})
    True
    >>> same({"tops": [1]}, {"tops": [2]})
    False
    """
    if isinstance(one, dict) and isinstance(other, dict):
        # A drawing has probabilities in it, as text.
        keys = one.keys() - {"svg"}
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in keys)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=0, abs_tol=1e-3)
    return bool(one == other)


@contextmanager
def serving(model: str) -> Iterator[tuple[str, int, list[str]]]:
    """The address of a server, the number of its process, and the lines of its log since then."""
    command = [sys.executable, "-m", "sdp_pointer", "serve", "--port", "0", "--model", model]
    command += ["--precision", "float32"]  # in a lower one a graph depends on its neighbours
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    said: list[str] = []
    try:
        for line in process.stderr:
            if found := re.match(r"(http://\S+) \(Ctrl-C ends it\)", line):
                break
            said.append(line)
        else:
            sys.exit(f"the server did not start: {''.join(said)}")
        said.clear()  # what a library warns of when it starts is not the load's fault
        reading = Thread(target=said.extend, args=[process.stderr])
        reading.start()
        yield found[1], process.pid, said
    finally:
        process.terminate()
        process.wait()
    reading.join()


def row(kind: str, seconds: list[float], failures: Counter[str]) -> dict[str, Any]:
    """A line of the table.

    >>> row("text", [0.001, 0.002, 0.003], Counter(ReadTimeout=1))["p99_ms"]
    3.0
    """
    ordered = sorted(seconds)

    def at(percent: int) -> Optional[float]:
        return round(1000 * ordered[len(ordered) * percent // 100], 1) if ordered else None

    requests, failed = len(seconds), dict(failures)
    figures = {"requests": requests, "failures": failed, "median_ms": at(50), "p99_ms": at(99)}
    return {"kind": kind, **figures}


def print_table(kind: str, rows: list[dict[str, Any]]) -> None:
    print(f"| {kind} | requests | failures | median ms | 99% ms |\n|---|---|---|---|---|")
    for each in rows:
        failed = ", ".join(f"{n} {what}" for what, n in each["failures"].items()) or 0
        figures = (each["kind"], f"{each['requests']:,}", failed, each["median_ms"], each["p99_ms"])
        print(f"| {' | '.join(map(str, figures))} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model", help="archive or folder of a parser that needs no tags")
    parser.add_argument("file", help="graphs in any format; what is asked are their words")
    parser.add_argument("--minutes", type=float, default=10, metavar="N")
    parser.add_argument("--connections", type=int, default=200, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    arguments = parser.parse_args()

    requests = questions(list(read(arguments.file))[:SENTENCES])
    with serving(arguments.model) as (url, process, said):
        soak = Soak(url, requests, arguments.connections, arguments.seed)
        used = asyncio.run(soak.run(arguments.minutes, process))

    rows = [row(kind, soak.seconds[kind], soak.failures[kind]) for kind in soak.by_kind]
    everything = [second for kind in soak.seconds.values() for second in kind]
    rows.append(row("all", everything, sum(soak.failures.values(), Counter())))
    print_table("request", rows)
    print(
        f"\nMemory of the server: {used[0]} MB at the start; {', '.join(map(str, used[1:-1]))} MB"
        f" after each tenth of the time; {used[-1]} MB at the end. Lines in its log: {len(said)}."
    )
    settings = {"minutes": arguments.minutes, "connections": arguments.connections}
    print(json.dumps({**settings, "rows": rows, "memory_mb": used, "log": said}))
    sys.exit(bool(said or rows[-1]["failures"]))


if __name__ == "__main__":
    main()
