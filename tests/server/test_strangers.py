"""What hostile clients do to a server, and to a neighbour who asks for a sentence meanwhile."""

import json
import socket
from contextlib import ExitStack

import pytest

from tests.server.conftest import ServerProcess, until

SENTENCE = {"sentence": "Kim likes the old house."}
LARGE = {"sentences": [{"tokens": ["word"] * 1000}] * 5, "beam": 16, "n_best": 16}


@pytest.fixture(scope="module")
def poor_server(words_model):
    """One that may have few files open, and is not needed any more after its tests."""
    server = ServerProcess("--model", str(words_model), files=55)
    yield server
    server.end()


def request(value):
    body = json.dumps(value).encode()
    head = b"POST /parse HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
    return head % len(body) + body


def test_a_large_request_does_not_hold_up_a_small_one(server):
    with socket.create_connection(server.address) as connection:
        connection.sendall(request({**LARGE, "include": ["svg", "sdp"]}))
        until(lambda: server.health()["waiting"] == 1)
        for _ in range(3):
            assert server.ask(SENTENCE).status_code == 200
        assert server.health()["waiting"] == 1
    until(lambda: server.health()["waiting"] == 0)


def test_a_large_request_is_answered(server):
    value = server.ask({"sentences": [{"tokens": ["word"] * 1000}] * 3}).json()
    assert [len(graph["tokens"]) for graph in value["graphs"]] == [1000] * 3


def test_clients_that_leave_leave_no_work_behind(server):
    with ExitStack() as stack:
        for _ in range(60):
            connection = stack.enter_context(socket.create_connection(server.address))
            connection.sendall(request({"sentences": [{"tokens": ["word"] * 99}] * 50}))
        until(lambda: server.health()["waiting"] > 50)
    until(lambda: server.health()["waiting"] == 0)
    assert server.ask(SENTENCE).status_code == 200


@pytest.mark.parametrize("character", ["$", "_", "(", "#", "'", "\U0001f600"])
def test_a_long_run_of_one_character_is_refused_as_a_word(server, character):
    response = server.ask({"sentence": character * 20_000})
    assert response.status_code == 422
    assert "a word of 20,000 characters is too long" in response.json()["error"]


def test_what_no_parser_needs_to_see_is_refused_while_one_is_busy(server):
    with socket.create_connection(server.address) as connection:
        connection.sendall(request(LARGE))
        until(lambda: server.health()["waiting"] == 1)
        for value in ({"sentence": "word " * 3000}, {"sentence": "Go", "beam": 99}, {}):
            assert server.ask(value).status_code == 422
        assert server.health()["waiting"] == 1


@pytest.mark.parametrize(
    ("host", "status"),
    [("localhost", 200), ("127.0.0.1:8000", 200), ("[::1]:1", 200), ("evil.example:8000", 403)],
)
def test_only_pages_of_this_computer_may_ask(server, host, status):
    response = server.get("/health", Host=host)
    assert response.status_code == status
    if status != 200:
        assert "'evil.example' are not answered" in response.json()["error"]


def test_what_it_has_done_can_be_measured(server):
    assert server.ask(SENTENCE).status_code == 200
    assert server.get("/any/thing").status_code == 404
    lines = server.get("/metrics").text.splitlines()
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


def test_it_ends_when_it_is_told_to_whatever_clients_do(poor_server):
    with ExitStack() as stack:

        def connect(given):
            connection = stack.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(poor_server.address)
            connection.sendall(given)
            return connection

        connect(b"")
        connect(b"GET / HT")
        connect(request(LARGE)[:-10])
        drawn = {"tokens": ["word"] * 1000, "n_best": 4, "include": ["svg"]}
        unread = connect(request(drawn))
        assert unread.recv(15, socket.MSG_PEEK) == b"HTTP/1.1 200 OK"
        connect(request({**LARGE, "include": ["svg", "sdp"]}))
        until(lambda: poor_server.health()["waiting"] == 1)
        poor_server.process.terminate()
        assert poor_server.process.wait(60) == 143
    assert len(poor_server.said) < 20, poor_server.said
