"""Connections that cannot keep the server waiting: limits that uvicorn has no settings for.

A server waits for a client that is to send a request, the rest of it, or to read the answer. How
long, is limited; and when there is no room for another connection, those that the server has been
waiting for the longest make room.
"""

import asyncio
import logging
import socket
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from operator import attrgetter
from typing import Any, Optional

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .limits import Limits

logger = logging.getLogger(__name__)

# Files that a process needs beside its connections: libraries, pipes to the parser, the log.
RESERVED_FILES = 32
# So many at most are accepted and make room together, a part of all: each time takes a look at all,
# and waits for the thread that parses to let this one go on.
PARTS = 50


class Connection(HttpToolsProtocol):
    """A connection to a client."""

    def __init__(self, limits: Limits, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.limits = limits
        # When the last thing came to its end: the head of a request, its body, its answer.
        self.since = time.monotonic()
        # Since then: bytes of a head; bytes of a body, or of an answer that are on their way; and
        # pieces of a body.
        self._head = self._moved = self._pieces = 0

    @property
    def unread(self) -> int:
        """Bytes of answers that the system has not taken, since the client does not read."""
        return self.transport.get_write_buffer_size()

    @property
    def is_awaited(self) -> bool:
        """Whether the server waits for the client, not the client for the server."""
        is_answered = self.cycle is None or self.cycle.response_complete
        return is_answered or self.cycle.more_body or self.unread > 0

    @property
    def is_late(self) -> bool:
        patience = self.limits.patience + self._moved / self.limits.rate
        return self.is_awaited and time.monotonic() - self.since > patience

    def data_received(self, data: bytes) -> None:
        self._head += len(data)
        super().data_received(data)
        if self._head > self.limits.head and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._ended()
        if len(self.pipeline) > self.limits.pipeline:
            # What is raised here, and below, httptools and uvicorn make a status 400.
            raise ValueError("too many requests sent ahead")

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._head = 0
        self._moved += len(body)
        self._pieces += 1
        if self._pieces > self.limits.pieces:
            raise ValueError("a body in too many pieces")
        if self.cycle.response_complete and self._moved > self.limits.unwanted:
            self.transport.abort()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._ended()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._ended()
        self._moved = self.unread

    def _ended(self) -> None:
        self.since = time.monotonic()
        self._head = self._moved = self._pieces = 0


class Server(uvicorn.Server):
    """Accepts connections, and none that there is no room for.

    # Parameters

    app : `FastAPI`
    listener : `socket.socket`
    limits : `Limits`
    """

    def __init__(self, app: Any, listener: socket.socket, limits: Limits) -> None:
        # Whatever is logged goes to the root's handlers; the connections are `Connection`s.
        config = uvicorn.Config(app, log_config=None, access_log=False, ws="none", lifespan="on")
        super().__init__(config)
        self.listener = listener
        self.limits = limits
        self.most = min(limits.connections, _files() - RESERVED_FILES)
        self.some = max(1, self.most // PARTS)

    async def startup(self, sockets: Optional[list[socket.socket]] = None) -> None:
        await super().startup(sockets=[])
        self.listener.setblocking(False)
        self._tasks = [asyncio.create_task(self._accept()), asyncio.create_task(self._sweep())]

    async def shutdown(self, sockets: Optional[list[socket.socket]] = None) -> None:
        for task in self._tasks:
            task.cancel()
        self.listener.close()
        loop = asyncio.get_running_loop()
        loop.call_later(self.limits.closing, self._abort, self.connections)
        await super().shutdown()

    @property
    def connections(self) -> set[Connection]:
        connections: Any = self.server_state.connections
        return connections

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                arrived = await self._arrivals()
                await self._make_room(len(arrived))
                connecting = (loop.connect_accepted_socket(self._connection, c) for c in arrived)
                await asyncio.gather(*connecting)
            except OSError as error:
                # The client has gone already; or there are no more files, though we count ours.
                logger.error("cannot accept a connection: %s", error)
                await asyncio.sleep(0.1)

    def _connection(self) -> Connection:
        state = {"server_state": self.server_state, "app_state": self.lifespan.state}
        return Connection(self.limits, config=self.config, **state)

    async def _arrivals(self) -> list[socket.socket]:
        """Some connections that have come; waits for the first."""
        first, _ = await asyncio.get_running_loop().sock_accept(self.listener)
        arrived = [first]
        with suppress(OSError):  # there are no more; or the next call says what is wrong
            while len(arrived) < self.some:
                arrived.append(self.listener.accept()[0])
        return arrived

    async def _make_room(self, number: int) -> None:
        while len(self.connections) + number > self.most:
            oldest = sorted(self._awaited, key=attrgetter("since"))[: self.some]
            self._abort(oldest)
            await asyncio.sleep(0 if oldest else 0.05)

    async def _sweep(self) -> None:
        """End connections that are late, and the oldest of those that read too little."""
        while True:
            await asyncio.sleep(min(1, self.limits.patience / 10))
            self._abort(connection for connection in self._awaited if connection.is_late)
            unread = 0
            for connection in sorted(self._awaited, key=attrgetter("since"), reverse=True):
                unread += connection.unread
                if unread > self.limits.unread:
                    connection.transport.abort()

    @property
    def _awaited(self) -> list[Connection]:
        return [connection for connection in self.connections if connection.is_awaited]

    def _abort(self, connections: Iterable[Connection]) -> None:
        for connection in list(connections):
            connection.transport.abort()


def _files() -> int:
    """How many files and connections the system lets a process have."""
    try:
        import resource
    except ImportError:  # Windows, where connections are no files
        return sys.maxsize
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft
