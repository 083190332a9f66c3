"""The parser over HTTP: the page, `/parse`, `/health`, and their description `/openapi.json`.

Every failure is a JSON object with a sentence under `error`.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager
from typing import Optional

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .. import __version__
from ..errors import UserError
from ..parser import Parser
from . import description
from .answers import answer
from .batching import THREAD_ENDED, Batcher, Parsed
from .page import File, page_files
from .questions import Limits, RefusedError, read_question

# Nothing but our own files is ever loaded or run, and no other page may frame this one.
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


def make_app(parser: Parser, limits: Optional[Limits] = None) -> FastAPI:
    """The application, for uvicorn or any other ASGI server; one process, since it has the model.

    # Parameters

    parser : `Parser`
        Shared by all requests.
    limits : `Limits`, optional (default = `Limits()`)
    """
    limits = limits or Limits()
    batcher = Batcher(parser, limits)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(batcher.close)

    app = FastAPI(
        title="sdp-pointer",
        description="Semantic dependency graphs of sentences.",
        version=__version__,
        docs_url=None,  # both load their scripts from the network
        redoc_url=None,
        lifespan=lifespan,
    )
    app.add_middleware(WithHeaders)
    _answer_errors(app)
    for path, file in page_files(parser, limits).items():
        app.get(path, include_in_schema=False)(_sending(file))

    @app.post("/parse", **description.PARSE)
    async def parse(request: Request) -> Response:
        try:
            async with asyncio.timeout(limits.seconds):
                question = read_question(await _body(request, limits.body), limits)
                parsed = await _while_connected(request, batcher.submit(question))
                content = await run_in_threadpool(answer, question, parsed)
        except TimeoutError:
            raise RefusedError(
                504, f"no answer within {limits.seconds:g} seconds: try a shorter sentence or later"
            ) from None
        return Response(content, media_type="application/json")

    @app.get("/health", **description.HEALTH)
    async def health() -> Response:
        state = {
            "status": "ok" if batcher.is_alive else THREAD_ENDED,
            "version": __version__,
            "model": parser.name,
            "beam": parser.beam(),
            "precision": parser.model.precision,
            "needs": parser.columns,
            "pipeline": parser.text.pipeline,
            "waiting": batcher.waiting,
        }
        return JSONResponse(state, 200 if batcher.is_alive else 503)

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


async def _while_connected(request: Request, parsed: "Future[Parsed]") -> Parsed:
    """What was parsed; but nothing is parsed for somebody who has gone away in the meantime."""
    waiting = asyncio.wrap_future(parsed)
    gone = asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait((waiting, gone), return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            raise ClientDisconnect
        return waiting.result()
    finally:
        parsed.cancel()  # at once; by way of `waiting` it would be a moment later
        waiting.cancel()
        gone.cancel()


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
