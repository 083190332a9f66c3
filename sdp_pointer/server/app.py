"""The parser over HTTP: the page, `/parse`, `/health`, and their description `/openapi.json`.

Every failure is a JSON object with a sentence under `error`.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Optional, Protocol

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .. import __version__
from ..errors import UserError
from ..parser import Parser
from . import description
from .about import About
from .engine import Engine
from .hosts import OnlyHosts
from .limits import Limits, RefusedError
from .metrics import Metrics
from .page import File, page_files

# Nothing but our own files is ever loaded or run, and no other page may frame this one.
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


class Answering(Protocol):
    """What answers requests: an `Engine`, or the `Process` that has one."""

    about: About
    restarts: int

    @property
    def problem(self) -> str: ...

    @property
    def waiting(self) -> int: ...

    async def ask(self, body: bytes) -> bytes: ...

    async def close(self) -> None: ...


def make_app(parser: Parser, limits: Optional[Limits] = None) -> FastAPI:
    """The application, for uvicorn or any other ASGI server; one process, since it has the model.

    # Parameters

    parser : `Parser`
        Shared by all requests.
    limits : `Limits`, optional (default = `Limits()`)
    """
    limits = limits or Limits()
    return application(Engine(parser, limits), limits)


def application(
    engine: Answering, limits: Limits, hosts: Optional[Collection[str]] = None
) -> FastAPI:
    """As `make_app`, with what answers; and for given hosts only, if they are given."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        await engine.close()

    app = FastAPI(
        title="sdp-pointer",
        description="Semantic dependency graphs of sentences.",
        version=__version__,
        docs_url=None,  # both load their scripts from the network
        redoc_url=None,
        lifespan=lifespan,
    )
    metrics = Metrics()
    if hosts is not None:
        app.add_middleware(OnlyHosts, hosts=hosts)
    app.add_middleware(WithHeaders)
    app.add_middleware(Counted, metrics=metrics)
    _answer_errors(app)
    for path, file in page_files(engine.about, limits).items():
        app.get(path, include_in_schema=False)(_sending(file))

    @app.post("/parse", **description.PARSE)
    async def parse(request: Request) -> Response:
        try:
            async with asyncio.timeout(limits.seconds):
                body = await _body(request, limits.body)
                content = await _while_connected(request, engine.ask(body))
        except TimeoutError:
            raise RefusedError(
                504, f"no answer within {limits.seconds:g} seconds: try a shorter sentence or later"
            ) from None
        return Response(content, media_type="application/json")

    @app.get("/health", **description.HEALTH)
    async def health() -> Response:
        state = {
            "status": engine.problem or "ok",
            "version": __version__,
            **engine.about._asdict(),
            "waiting": engine.waiting,
        }
        return JSONResponse(state, 503 if engine.problem else 200)

    @app.get("/metrics", include_in_schema=False)
    async def measured() -> Response:
        gauges = {"waiting": engine.waiting, "restarts": engine.restarts}
        return Response(metrics.text(**gauges), media_type="text/plain; version=0.0.4")

    return app


async def _body(request: Request, most: int) -> bytes:
    """The body, of which never more than the limit is read."""
    too_large = RefusedError(413, f"the request is too large: at most {most:,} bytes")
    told = request.headers.get("content-length", "0")
    if told.isdecimal() and int(told) > most:
        raise too_large
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise too_large
    return bytes(body)


async def _while_connected(request: Request, answer: Coroutine[Any, Any, bytes]) -> bytes:
    """The answer; but nothing is done for somebody who has gone away in the meantime."""
    asking = asyncio.ensure_future(answer)
    gone = asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait((asking, gone), return_when=asyncio.FIRST_COMPLETED)
        if not asking.done():
            raise ClientDisconnect
        return asking.result()
    finally:
        gone.cancel()
        asking.cancel()
        await asyncio.wait((asking,))  # until it is given up


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _sending(file: File) -> Callable[[], Awaitable[Response]]:
    async def send() -> Response:
        return Response(file.content, media_type=file.kind)

    return send


def _answer_errors(app: FastAPI) -> None:
    def error(status: int, reason: str) -> Response:
        return JSONResponse({"error": reason}, status)

    @app.exception_handler(RefusedError)
    async def refused(request: Request, refused: RefusedError) -> Response:
        return error(refused.status, str(refused))

    @app.exception_handler(UserError)
    async def mistaken(request: Request, mistake: UserError) -> Response:
        return error(422, str(mistake))

    @app.exception_handler(HTTPException)
    async def not_here(request: Request, exception: HTTPException) -> Response:
        answered = error(exception.status_code, str(exception.detail))
        answered.headers.update(exception.headers or {})
        return answered

    @app.exception_handler(ClientDisconnect)
    async def gone(request: Request, exception: ClientDisconnect) -> Response:
        return error(400, "the request ended too early")

    @app.exception_handler(Exception)
    async def broken(request: Request, exception: Exception) -> Response:
        return error(500, "the server failed; its log says why")


class WithHeaders:
    """Adds `HEADERS` to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *self.headers]
            await send(message)

        await self.app(scope, receive, send_with_headers)


class Counted:
    """Counts every answer."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = time.monotonic()

        async def send_counted(message: Message) -> None:
            await send(message)
            if message["type"] == "http.response.start":
                # Paths that nobody knows are counted together: there is no end of them.
                path = getattr(scope.get("route"), "path", "other")
                self.metrics.add(path, message["status"], time.monotonic() - start)

        await self.app(scope, receive, send_counted)
