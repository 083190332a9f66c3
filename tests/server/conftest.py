"""A server as a user starts it, and one in this process, in which a test can take part."""

import os
import re
import resource
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import partial
from threading import Thread

import httpx
import pytest

from sdp_pointer.server.connections import Server
from sdp_pointer.server.limits import Limits


class ServerProcess:
    """A running server: its address and its process, which may have so many files open."""

    def __init__(self, *arguments, files=None):
        command = [sys.executable, "-m", "sdp_pointer", "serve", "--port", "0", *arguments]
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            command,
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
            preexec_fn=files
            and partial(resource.setrlimit, resource.RLIMIT_NOFILE, (files, files)),
        )
        self.said = []
        for line in self.process.stderr:
            self.said.append(line)
            found = re.match(r"(http://\S+) \(Ctrl-C ends it\)", line)
            if found:
                self.url = found[1]
                break
        else:
            pytest.fail(f"the server did not start: {''.join(self.said)}")
        # A pipe that nobody reads is full at some time, and then the server waits.
        self._reading = Thread(target=self.said.extend, args=[self.process.stderr], daemon=True)
        self._reading.start()

    @property
    def address(self):
        host, port = self.url.removeprefix("http://").split(":")
        return host, int(port)

    @property
    def memory(self) -> int:
        """In megabytes."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 2**20

    def ask(self, value):
        return httpx.post(f"{self.url}/parse", json=value, timeout=60, trust_env=False)

    def get(self, path, **headers):
        return httpx.get(f"{self.url}{path}", headers=headers, timeout=60, trust_env=False)

    def health(self):
        return self.get("/health").json()

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(60)
        self._reading.join()
        self.process.stderr.close()


@pytest.fixture(scope="session")
def server(words_model):
    server = ServerProcess("--model", str(words_model))
    yield server
    server.end()


@contextmanager
def serving(app, limits=None):
    """A server in a thread of this process, whose `url` is its address."""
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
        server = Server(app, listener, limits or Limits())
        server.url = "http://{}:{}".format(*listener.getsockname())
        thread = Thread(target=server.run)
        thread.start()
        try:
            # Who connects before it has started is answered when it has.
            yield server
        finally:
            server.should_exit = True
            thread.join()


def until(condition):
    """Wait for it."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it has not come"
        time.sleep(0.001)


def same(one, other):
    """Whether two graphs as JSON are the same; the last digits depend on who else is in a batch."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == (pytest.approx(other, abs=1e-3) if isinstance(other, float) else other)
