"""A server as a user starts it, and one in this process, in which a test can take part."""

import os
import re
import socket
import subprocess
import sys
from contextlib import contextmanager
from threading import Thread

import pytest


class Server:
    """A running server: its address and its process."""

    def __init__(self, *arguments):
        command = [sys.executable, "-m", "sdp_pointer", "serve", "--port", "0", *arguments]
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            command, env=environment, stderr=subprocess.PIPE, text=True, bufsize=1
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
    def memory(self) -> int:
        """In megabytes."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 2**20

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(20)
        self._reading.join()
        self.process.stderr.close()


@pytest.fixture(scope="session")
def server(words_model):
    server = Server("--model", str(words_model))
    yield server
    server.end()


@contextmanager
def serving(app):
    """The address of an application that uvicorn serves from a thread."""
    import uvicorn

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None))
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            # Who connects before it has started is answered when it has.
            yield "http://{}:{}".format(*listener.getsockname())
        finally:
            server.should_exit = True
            thread.join()


def same(one, other):
    """Whether two graphs as JSON are the same; the last digits depend on who else is in a batch."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == (pytest.approx(other, abs=1e-3) if isinstance(other, float) else other)
