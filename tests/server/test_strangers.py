"""What hostile clients do to a server, and to a neighbour who asks for a sentence meanwhile."""

import json
import os
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest

from tests.server.conftest import ServerProcess, until

SENTENCE = {"sentence": "Kim likes the old house."}


@pytest.fixture(scope="module")
def poor_server(words_model):
    """One that may have few files open, and is not needed any more after its tests."""
    server = ServerProcess("--model", str(words_model), files=55)
    yield server
    server.end()


def request(value, *more):
    body = json.dumps(value).encode()
    length = b"Content-Length: %d" % len(body)
    return b"\r\n".join([b"POST /parse HTTP/1.1", b"Host: localhost", length, *more, b"", body])


def test_a_long_request_does_not_hold_up_a_short_one(server):
    long = {"sentences": [{"tokens": ["word"] * 1000}] * 3, "beam": 16}
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(server.ask, long)
        until(lambda: server.health()["waiting"] == 1)
        assert server.ask(SENTENCE).status_code == 200
        assert not asking.done()
        assert len(asking.result().json()["graphs"]) == 3


def test_a_client_that_leaves_leaves_no_work_behind(server):
    long = request({"sentences": [{"tokens": ["word"] * 1000}] * 3, "beam": 16})
    with ExitStack() as stack:
        for _ in range(20):
            connection = stack.enter_context(socket.create_connection(server.address))
            connection.sendall(long)
        until(lambda: server.health()["waiting"] == 20)
    until(lambda: server.health()["waiting"] == 0)
    assert server.ask(SENTENCE).status_code == 200


def test_a_parser_that_hangs_does_not_hang_the_page(server):
    [parser] = server.parsing
    os.kill(parser, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(server.ask, SENTENCE)
        until(lambda: server.health()["waiting"] == 1)
        assert httpx.get(server.url, trust_env=False).status_code == 200
        assert not asking.done()
        os.kill(parser, signal.SIGCONT)
        assert asking.result().status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [("localhost", 200), ("127.0.0.1:8000", 200), ("[::1]:1", 200), ("evil.example:8000", 403)],
)
def test_only_pages_of_this_computer_may_ask(server, host, status):
    headers = {"Host": host}
    response = httpx.get(f"{server.url}/health", headers=headers, timeout=60, trust_env=False)
    assert response.status_code == status
    if status != 200:
        assert "'evil.example' are not answered" in response.json()["error"]


def test_what_it_has_done_can_be_measured(server):
    assert server.ask(SENTENCE).status_code == 200
    assert httpx.get(f"{server.url}/any/thing", timeout=60, trust_env=False).status_code == 404
    lines = httpx.get(f"{server.url}/metrics", timeout=60, trust_env=False).text.splitlines()
    values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert int(values['sdp_pointer_requests_total{path="/parse",status="200"}']) >= 1
    assert int(values['sdp_pointer_requests_total{path="other",status="404"}']) >= 1
    assert float(values['sdp_pointer_request_seconds_sum{path="/parse"}']) > 0
    assert values["sdp_pointer_waiting"] == "0"


def test_more_connections_than_files_hold_up_nobody(poor_server):
    with ExitStack() as stack:
        for given in [b"", b"POST /parse HTTP/1.1\r\nHost: loc"] * 60:
            connection = stack.enter_context(socket.create_connection(poor_server.address))
            connection.sendall(given)
        for _ in range(10):
            assert poor_server.ask(SENTENCE).status_code == 200
    assert len(poor_server.said) == 1, poor_server.said


def test_a_flood_of_nonsense_does_not_flood_the_log(poor_server):
    for _ in range(100):
        with socket.create_connection(poor_server.address) as connection:
            connection.sendall(b"\0" * 100)
            assert connection.recv(12) == b"HTTP/1.1 400"
    assert poor_server.ask(SENTENCE).status_code == 200
    assert len(poor_server.said) < 10, poor_server.said


def test_a_parser_that_dies_is_replaced(poor_server):
    [parser] = poor_server.parsing
    os.kill(parser, signal.SIGKILL)
    until(lambda: poor_server.parsing not in ([], [parser]))
    assert poor_server.health()["status"] != "ok"
    assert poor_server.ask(SENTENCE).status_code == 200
    assert poor_server.health()["status"] == "ok"


def test_it_ends_when_it_is_told_to_whatever_clients_do(poor_server):
    large = {"tokens": ["word"] * 1000, "beam": 16, "n_best": 16, "include": ["svg"]}
    with ExitStack() as stack:

        def connect(given):
            connection = stack.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(poor_server.address)
            connection.sendall(given)
            return connection

        connect(b"")
        connect(b"GET / HT")
        connect(request(large)[:-10])
        unread = connect(request(large))
        assert unread.recv(15, socket.MSG_PEEK) == b"HTTP/1.1 200 OK"
        connect(request(large))
        until(lambda: poor_server.health()["waiting"] == 1)
        [parser] = poor_server.parsing
        os.kill(parser, signal.SIGSTOP)  # as if a turn did not end
        poor_server.process.terminate()
        assert poor_server.process.wait(60) == 143
    assert len(poor_server.said) < 20, poor_server.said
