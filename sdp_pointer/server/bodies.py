"""Reads the bodies of requests, of which the server never holds more than a limit in memory."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from fastapi import Request

from .limits import Limits, RefusedError

# Bytes: a body up to this size is small, and there is always room for it.
SMALL = 4_000
# Bytes of a body whose JSON takes some milliseconds.
LARGE = 50_000

T = TypeVar("T")


class Bodies:
    """The bodies of all requests that are not answered yet.

    # Parameters

    limits : `Limits`
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._held = 0
        self._turns = asyncio.Lock()

    @asynccontextmanager
    async def read(self, request: Request) -> AsyncIterator[bytes]:
        """The body, for which there is room until the context ends."""
        too_large = RefusedError(
            413, f"the request is too large: at most {self.limits.body:,} bytes"
        )
        length = request.headers.get("content-length", "0")
        if length.isdecimal() and int(length) > self.limits.body:
            raise too_large
        body = bytearray()
        try:
            async for chunk in request.stream():
                body += chunk
                self._held += len(chunk)
                if len(body) > self.limits.body:
                    raise too_large
                if len(body) > SMALL and self._held > self.limits.held:
                    raise RefusedError(
                        503,
                        f"requests of {self.limits.held:,} bytes are waiting already: try again"
                        " later",
                    )
            yield bytes(body)
        finally:
            self._held -= len(body)

    async def understood(self, body: bytes, read: Callable[[bytes], T]) -> T:
        """What a function makes of a body; large ones one at a time, while others go on."""
        if len(body) <= LARGE:
            return read(body)
        async with self._turns:
            return await asyncio.to_thread(read, body)
