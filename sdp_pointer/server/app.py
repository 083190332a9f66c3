"""The parser over HTTP: the page, `/parse`, `/find`, `/health`; described by `/openapi.json`.

Every failure is a JSON object with a sentence under `error`.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
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
from .bodies import Bodies
from .engine import THREAD_ENDED, Engine
from .finding import FIND, Finder, Search
from .hosts import OnlyHosts
from .limits import Limits, RefusedError
from .metrics import Counted, Metrics
from .openapi import HEALTH, add_requests, of_parse
from .page import File, page_files
from .questions import Questions

# Nothing but our own files is ever loaded or run, and no other page may frame this one.
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


def make_app(
    parser: Parser, limits: Optional[Limits] = None, hosts: Optional[Collection[str]] = None
) -> FastAPI:
    """The application, for uvicorn or any other ASGI server; one process, since it has the model.

    # Parameters

    parser : `Parser`
        Shared by all requests.
    limits : `Limits`, optional (default = `Limits()`)
        Those of connections are for the server: see `connections`.
    hosts : `Collection[str]`, optional
        By which names clients may reach the server; by default any.
    """
    limits = limits or Limits()
    engine = Engine(parser, limits)
    bodies, questions, metrics = Bodies(limits), Questions(limits), Metrics()
    finder = Finder(limits)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(engine.close)

    app = FastAPI(
        title="sdp-pointer",
        description="Semantic dependency graphs of sentences.",
        version=__version__,
        docs_url=None,  # both load their scripts from the network
        redoc_url=None,
        lifespan=lifespan,
    )
    if hosts is not None:
        app.add_middleware(OnlyHosts, hosts=hosts)
    app.add_middleware(WithHeaders)
    app.add_middleware(Counted, metrics=metrics)
    _answer_errors(app)
    for path, file in page_files(parser, limits).items():
        app.get(path, include_in_schema=False)(_sending(file))

    @app.post("/parse", **of_parse(limits, questions.models))
    async def parse(request: Request) -> Response:
        try:
            async with asyncio.timeout(limits.seconds), bodies.read(request) as body:
                question = await bodies.understood(body, questions.read)
                answer = engine.submit(question)
                try:
                    content = await _while_connected(request, asyncio.wrap_future(answer))
                finally:
                    answer.cancel()  # at once; by way of what was awaited it would be later
        except TimeoutError:
            raise RefusedError(
                504, f"no answer within {limits.seconds:g} seconds: try a shorter sentence or later"
            ) from None
        return Response(content, media_type="application/json")

    @app.post("/find", **FIND)
    async def find(request: Request) -> Response:
        async with bodies.read(request) as body:
            search = await bodies.understood(body, finder.read)
            content = await _while_connected(request, asyncio.create_task(finder.find(*search)))
        return Response(content, media_type="application/json")

    @app.get("/health", **HEALTH)
    async def health() -> Response:
        state = {
            "status": "ok" if engine.is_alive else THREAD_ENDED,
            "version": __version__,
            "model": parser.name,
            "formalisms": parser.formalisms,
            "beam": parser.beam(),
            "precision": parser.model.precision,
            "needs": parser.columns,
            "pipeline": parser.text.pipeline,
            "waiting": engine.waiting,
        }
        return JSONResponse(state, 200 if engine.is_alive else 503)

    @app.get("/metrics", include_in_schema=False)
    async def measured() -> Response:
        text = metrics.text(waiting=engine.waiting)
        return Response(text, media_type="text/plain; version=0.0.4")

    add_requests(app, (*questions.models, Search))
    return app


async def _while_connected(request: Request, waiting: "asyncio.Future[bytes]") -> bytes:
    """The answer, which is given up when the client disconnects."""
    gone = asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait((waiting, gone), return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            raise ClientDisconnect
        return waiting.result()
    finally:
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
