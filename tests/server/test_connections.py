"""Clients that do not send, do not read or send too much, at a server in a thread."""

import asyncio
import errno
import socket
from contextlib import ExitStack
from queue import Queue
from threading import Event

import pytest

from sdp_pointer.server.connections import Server
from sdp_pointer.server.limits import Limits
from tests.server.conftest import serving, until

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\n"
IMPATIENT = Limits(patience=0.2, rate=10_000_000)


class Answers:
    """An application that answers each request after it has read its body, by `content`.

    It notes the requests that have come, and holds their answers back while it is told to.
    """

    def __init__(self, content=b"answer"):
        self.content = content
        self.came = Queue()
        self.may_answer = Event()
        self.may_answer.set()

    async def __call__(self, scope, receive, send):
        if scope["type"] == "lifespan":
            while (message := await receive())["type"]:
                await send({"type": f"{message['type']}.complete"})
                if message["type"] == "lifespan.shutdown":
                    return
        message = {"more_body": True}
        while message.get("more_body"):
            message = await receive()
        if message["type"] == "http.disconnect":
            return
        self.came.put(scope["path"])
        await asyncio.to_thread(self.may_answer.wait, 20)
        length = [(b"content-length", b"%d" % len(self.content))]
        await send({"type": "http.response.start", "status": 200, "headers": length})
        await send({"type": "http.response.body", "body": self.content})


class Refuses:
    """An application that answers a request without reading its body."""

    async def __call__(self, scope, receive, send):
        if scope["type"] == "lifespan":
            await Answers()(scope, receive, send)
            return
        headers = [(b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 413, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def connect(server, receive_buffer=None):
    connection = socket.socket()
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.settimeout(20)
    host, port = server.url.removeprefix("http://").split(":")
    connection.connect((host, int(port)))
    return connection


def received(connection):
    """All that comes until the server closes the connection."""
    content = b""
    try:
        while some := connection.recv(2**20):
            content += some
    except ConnectionResetError:
        pass
    return content


def sent(connection, head, piece, most=100_000_000):
    """How many bytes the server let a client send."""
    number = 0
    try:
        connection.sendall(head)
        while number < most:
            connection.sendall(piece)
            number += len(piece)
    except (BrokenPipeError, ConnectionResetError):
        pass
    return number


@pytest.mark.parametrize(
    "given",
    [b"", b"GET / HT", GET[:-2], POST + b"Content-Length: 9\r\n\r\nhalf", GET + b"GET / HT"],
    ids=["nothing", "half a line", "half a head", "half a body", "half a second request"],
)
def test_a_client_that_sends_no_more_is_left(given):
    with serving(Answers(), IMPATIENT) as server, connect(server) as connection:
        connection.sendall(given)
        assert received(connection).endswith(b"answer" if given.startswith(GET) else b"")


def test_a_client_that_goes_on_sending_bytes_of_a_head_is_left():
    limits = Limits(patience=0.2, rate=10**12, head=10**12)
    with serving(Answers(), limits) as server, connect(server) as connection:
        assert sent(connection, b"GET / HTTP/1.1\r\nX: ", b"x", most=10**12) > 0


def test_a_client_that_sends_slowly_but_steadily_is_waited_for():
    answers, limits = Answers(), Limits(patience=0.2, rate=1)
    with serving(answers, limits) as server, connect(server) as slow, connect(server) as silent:
        slow.sendall(POST + b"Content-Length: 200\r\n\r\n")
        slow.sendall(b"x" * 150)
        assert received(silent) == b""  # the time of the other one has not come yet
        slow.sendall(b"x" * 50)
        assert slow.recv(15) == b"HTTP/1.1 200 OK"


def test_a_client_that_waits_for_its_answer_is_not_left():
    answers = Answers()
    answers.may_answer.clear()
    with serving(answers, IMPATIENT) as server, connect(server) as waiting:
        waiting.sendall(GET)
        answers.came.get(timeout=20)
        for _ in range(2):
            with connect(server) as silent:
                assert received(silent) == b""
        answers.may_answer.set()
        assert waiting.recv(15) == b"HTTP/1.1 200 OK"


def test_a_client_that_does_not_read_is_left():
    answers = Answers(b"x" * 20_000_000)
    limits = IMPATIENT._replace(rate=1_000_000_000)
    with serving(answers, limits) as server, connect(server, 2**17) as connection:
        connection.sendall(GET)
        answers.came.get(timeout=20)
        with connect(server) as silent:
            received(silent)  # takes as long
        assert 0 < len(received(connection)) < 20_000_000


def test_answers_that_nobody_reads_are_limited_together():
    answers = Answers(b"x" * 20_000_000)
    with serving(answers, Limits(unread=30_000_000)) as server, ExitStack() as stack:
        first, second = (stack.enter_context(connect(server, 2**17)) for _ in range(2))
        for connection in (first, second):
            connection.sendall(GET)
            answers.came.get(timeout=20)
        until(lambda: len(server.connections) == 1)
        assert len(received(first)) < 20_000_000
        assert received(second)[-20_000_000:] == answers.content


def test_the_connection_that_was_silent_for_longest_makes_room():
    with serving(Answers(), Limits(connections=3)) as server, ExitStack() as stack:
        silent = [stack.enter_context(connect(server)) for _ in range(3)]
        with connect(server) as connection:
            connection.sendall(GET)
            assert connection.recv(15) == b"HTTP/1.1 200 OK"
        assert received(silent[0]) == b""
        for other in silent[1:]:
            other.sendall(GET)
            assert other.recv(15) == b"HTTP/1.1 200 OK"


def test_room_is_made_for_some_at_a_time():
    with serving(Answers(), Limits(connections=100)) as server, ExitStack() as stack:
        silent = [stack.enter_context(connect(server)) for _ in range(100)]
        with connect(server) as connection:
            connection.sendall(GET)
            assert connection.recv(15) == b"HTTP/1.1 200 OK"
            assert len(server.connections) == 99
        assert received(silent[0]) == received(silent[1]) == b""


def test_a_request_at_work_makes_no_room():
    answers = Answers()
    answers.may_answer.clear()
    with serving(answers, Limits(connections=2)) as server, ExitStack() as stack:
        connections = [stack.enter_context(connect(server)) for _ in range(2)]
        for connection in connections:
            connection.sendall(GET)
            answers.came.get(timeout=20)
        connections.append(stack.enter_context(connect(server)))
        connections[-1].sendall(GET)
        answers.may_answer.set()
        for connection in connections:
            assert connection.recv(15) == b"HTTP/1.1 200 OK"


@pytest.mark.parametrize(
    "size", [b"Content-Length: 300000000\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n"]
)
def test_after_an_answer_the_rest_of_the_body_is_not_read(size):
    with serving(Refuses()) as server, connect(server) as connection:
        piece = b"10000\r\n" + b"x" * 65536 + b"\r\n"
        assert sent(connection, POST + size, piece) < 30_000_000  # the system's buffers
        answer = received(connection)
    assert answer.startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        (b"GET / HTTP/1.1\r\nX: ", b"x" * 65536),
        (b"GET / HTTP/1.1\r\n", b"Header: value\r\n" * 1000),
        (b"GET /", b"x" * 65536),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n1;", b"x" * 65536),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n" * 10_000),
    ],
    ids=["one long header", "many headers", "a long path", "a comment of a chunk", "tiny chunks"],
)
def test_a_head_or_frame_without_an_end_is_refused(head, piece, caplog):
    with serving(Answers()) as server, connect(server) as connection:
        assert sent(connection, head, piece) < 30_000_000
        assert received(connection)[:12] in (b"HTTP/1.1 400", b"HTTP/1.1 431")


def test_some_requests_may_be_sent_ahead_but_not_too_many():
    with serving(Answers()) as server:
        with connect(server) as connection:
            connection.sendall(GET * 10)
            connection.shutdown(socket.SHUT_WR)
        with connect(server) as connection:
            connection.sendall(
                GET * 10 + GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
            )
            assert received(connection).count(b"HTTP/1.1 200 OK") == 11
        with connect(server) as connection:
            connection.sendall(GET * 1000)
            assert b"HTTP/1.1 400" in received(connection)


def test_no_more_files_are_told_once_and_survived(monkeypatch, caplog):
    accept = asyncio.SelectorEventLoop.sock_accept
    failures = iter(range(3))

    async def sometimes(loop, listener):
        if next(failures, None) is not None:
            raise OSError(errno.EMFILE, "Too many open files")
        return await accept(loop, listener)

    monkeypatch.setattr(asyncio.SelectorEventLoop, "sock_accept", sometimes)
    with serving(Answers()) as server, connect(server) as connection:
        connection.sendall(GET)
        assert connection.recv(15) == b"HTTP/1.1 200 OK"
    ours = [record for record in caplog.records if record.name.startswith("sdp_pointer")]
    assert [record.getMessage() for record in ours] == [
        "cannot accept a connection: [Errno 24] Too many open files"
    ] * 3


def test_files_that_the_server_may_open_are_enough_for_its_connections(monkeypatch):
    monkeypatch.setattr("sdp_pointer.server.connections._files", lambda: 55)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        assert Server(Answers(), listener, Limits()).most == 23
        assert Server(Answers(), listener, Limits(connections=9)).most == 9


def test_the_server_ends_whatever_clients_do():
    answers = Answers(b"x" * 20_000_000)
    with serving(answers, Limits(closing=0.2)) as server, ExitStack() as stack:
        silent, half, unread, waiting = (
            stack.enter_context(connect(server, 2**17)) for _ in range(4)
        )
        half.sendall(POST + b"Content-Length: 9\r\n\r\nhalf")
        unread.sendall(GET)
        answers.came.get(timeout=20)
        answers.may_answer.clear()
        waiting.sendall(GET)
        answers.came.get(timeout=20)
        server.should_exit = True
        assert received(silent) == received(half) == received(waiting) == b""
        answers.may_answer.set()
