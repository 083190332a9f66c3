"""A server as a user starts it: the command, in a process of its own."""

import os
import re
import subprocess
import sys

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
                return
        pytest.fail(f"the server did not start: {''.join(self.said)}")

    @property
    def memory(self) -> int:
        """In megabytes."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 2**20

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(20)
        self.process.stderr.close()


@pytest.fixture(scope="session")
def server(words_model):
    server = Server("--model", str(words_model))
    yield server
    server.end()


def same(one, other):
    """Whether two graphs as JSON are the same; the last digits depend on who else is in a batch."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == (pytest.approx(other, abs=1e-3) if isinstance(other, float) else other)
