"""Clients that go away before their request is whole, or before it is answered."""

import asyncio
import json
import socket
from queue import Queue
from threading import Event

import httpx
import pytest

from sdp_pointer.server.app import make_app
from sdp_pointer.server.engine import Engine
from sdp_pointer.server.finding import Finder
from tests.server.conftest import serving


class Watched:
    """An application that tells when it is done with a request."""

    def __init__(self, app):
        self.app = app
        self.done = Queue()

    async def __call__(self, scope, receive, send):
        await self.app(scope, receive, send)
        self.done.put(scope["type"])


class HeldParser:
    """Makes a parser wait at each batch until it may go on, and notes what it parses."""

    def __init__(self, parser, monkeypatch):
        self.batches = []
        self.began, self.may_go_on = Event(), Event()
        parse_steps = parser.parse_steps

        def held(sentences, *args, **kwargs):
            self.batches.append([" ".join(graph.forms) for graph in sentences])
            self.began.set()
            assert self.may_go_on.wait(20)
            return parse_steps(sentences, *args, **kwargs)

        monkeypatch.setattr(parser, "parse_steps", held)


@pytest.fixture
def held(words_parser, monkeypatch):
    return HeldParser(words_parser, monkeypatch)


@pytest.fixture
def submitted(monkeypatch):
    """Gets an item for each question that was put into the queue."""
    questions = Queue()
    submit = Engine.submit

    def noting(self, question):
        future = submit(self, question)
        questions.put(question)
        return future

    monkeypatch.setattr(Engine, "submit", noting)
    return questions


def send(url, sentence, more=0):
    """The socket of a request whose header tells some bytes more than there are."""
    return post(url, "/parse", {"sentence": sentence}, more)


def post(url, path, value, more=0):
    body = json.dumps(value).encode()
    host, port = url.removeprefix("http://").split(":")
    connection = socket.create_connection((host, int(port)), timeout=20)
    head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body) + more}\r\n\r\n"
    connection.sendall(head.encode() + body)
    return connection


def ask(url, sentence):
    question = {"sentence": sentence}
    response = httpx.post(f"{url}/parse", json=question, timeout=60, trust_env=False)
    assert response.status_code == 200, response.text
    return [token["form"] for token in response.json()["tokens"]]


def complaints(caplog):
    return [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")]


def test_half_a_request_is_forgotten(words_parser, submitted, caplog):
    watched = Watched(make_app(words_parser))
    with serving(watched) as server:
        url = server.url
        send(url, "Half sent", more=100).close()
        assert watched.done.get(timeout=20) == "http"
        assert submitted.empty()
        assert ask(url, "Go home!") == ["Go", "home", "!"]
    assert complaints(caplog) == []


def test_nothing_is_parsed_for_a_client_that_has_gone_away(words_parser, held, submitted, caplog):
    watched = Watched(make_app(words_parser))
    with serving(watched) as server:
        url = server.url
        try:
            first = send(url, "The first")
            assert held.began.wait(20)
            gone = send(url, "Gone away")
            for _ in range(2):
                submitted.get(timeout=20)
            gone.close()
            # While the first is still being parsed, the server has done with the second.
            assert watched.done.get(timeout=20) == "http"
        finally:
            held.may_go_on.set()
        assert first.recv(15) == b"HTTP/1.1 200 OK"
        first.close()
        assert ask(url, "The third") == ["The", "third"]
    assert held.batches == [["The first"], ["The third"]]
    assert complaints(caplog) == []


def test_nothing_is_looked_for_for_a_client_that_has_gone_away(words_parser, monkeypatch, caplog):
    began, ended = Event(), Event()

    async def find(self, pattern, graphs):
        began.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    monkeypatch.setattr(Finder, "find", find)
    with serving(make_app(words_parser)) as server:
        graph = {"tokens": [{"form": "Go"}], "tops": [], "arcs": []}
        connection = post(server.url, "/find", {"pattern": "go", "graphs": [graph]})
        assert began.wait(20)
        connection.close()
        assert ended.wait(20)
    assert complaints(caplog) == []
