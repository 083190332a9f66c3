"""Requests to a real server: each is answered, well or with a reason, and the server lives on.

The first byte is the number of sentences to make of a request; what follows is its body.
"""

import http.client
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

from sdp_pointer.errors import UserError
from sdp_pointer.graphs.formats.strict_json import UnexpectedError, decode
from sdp_pointer.parser.sentences import sentence_of_json

from .formats import one_line
from .lines import PREPARATION, requests
from .mutations import bytes_or_json

# More than the server's own.
SECONDS = 45
# What docs/server.md says a request may deserve.
STATUS = (200, 400, 413, 422)
MEGABYTES = 2048

mutate = bytes_or_json
server: Any = None


class Server:
    """A server in a process of its own."""

    def __init__(self, work: Path) -> None:
        command = [sys.executable, str(Path(__file__).parents[1] / "served.py")]
        environment = {**os.environ, "TMPDIR": str(work), "OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, env=environment, cwd=work
        )
        self.said: list[str] = []
        assert self.process.stderr
        for line in self.process.stderr:
            if found := re.match(r"http://(.*):(\d+) ", line):
                self.address = found[1], int(found[2])
                break
            self.said.append(line)
        else:
            raise OSError(f"the server did not start: {''.join(self.said)}")
        self.said.clear()  # what a library warns of when it starts
        Thread(target=self.said.extend, args=[self.process.stderr], daemon=True).start()

    def ask(self, body: bytes) -> tuple[int, Any]:
        connection = http.client.HTTPConnection(*self.address)
        try:
            connection.request("POST", "/parse", body)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def check(self) -> None:
        assert self.process.poll() is None, f"the server has ended: {''.join(self.said)}"
        assert not self.said, f"in the server's log: {''.join(self.said)}"
        status = Path("/proc", str(self.process.pid), "status").read_text()
        used = int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) // 1024
        assert used < MEGABYTES, f"the server took {used} MB"


def prepare(work: Path) -> tuple[str, int]:
    global server
    PREPARATION.text.sentence("Go!")
    server = Server(work)
    return server.address


def seeds() -> Iterator[bytes]:
    for number, request in enumerate(requests()):
        options = {"beam": 1 + number % 16, "n_best": 1 + number % 2, "include": ["svg", "sdp"]}
        yield b"\0" + json.dumps({**request, **options}).encode()
        yield b"\3" + json.dumps(request).encode()


def run(data: bytes) -> None:
    several, body = (data[0] % 20 if data else 0), data[1:]
    if several:
        body = b'{"sentences": [' + b", ".join([body] * several) + b"]}"
    # By what this process does with it, the fuzzer knows what is new in it.
    with suppress(UserError, UnexpectedError):
        sentence_of_json(decode(data[1:].decode("utf-8", "replace")), PREPARATION.text)
    status, value = server.ask(body)
    assert status in STATUS, f"status {status}: {value}"
    if status == 200:
        assert all(graph["tokens"] for graph in value.get("graphs", [value]))
    else:
        one_line(value["error"])
    server.check()
