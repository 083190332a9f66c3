"""The parser in a process of its own, which can be given up: `worker` is the other side of it."""

import asyncio
import json
import logging
import sys
from asyncio.subprocess import PIPE
from itertools import count
from typing import Any, Optional

from ..errors import UserError
from .about import About
from .frames import ASK, FAILED, FORGET, HEAD, PING, PONG, Frame
from .limits import Limits, RefusedError

logger = logging.getLogger(__name__)

STARTING = "the process that parses is being started again"
# Pings in the time of the longest turn; when so many have no answer, there will be none.
PINGS = 10


class Process:
    """Answers requests like an `Engine`, which it has in another process.

    That process is replaced if it ends, or does not end a turn: then what it was asked is refused,
    and what comes in the meantime waits. Use it as a context, within which `about` is known.

    # Parameters

    options : `Dict[str, Any]`
        Of `sdp_pointer.load`.
    limits : `Limits`
    """

    about: About

    def __init__(self, options: dict[str, Any], limits: Limits) -> None:
        self.limits = limits
        self.restarts = 0
        given = json.dumps({**options, "limits": limits})
        self._command = [sys.executable, "-m", f"{__package__}.worker", given]
        self._process: Optional[asyncio.subprocess.Process] = None
        self._asked: dict[int, asyncio.Future[bytes]] = {}
        self._numbers = count(1)
        self._is_ready = asyncio.Event()
        self._unanswered = 0  # pings
        self._busy = 0.0

    async def __aenter__(self) -> "Process":
        try:
            await self._start()
        except BaseException:
            await self._kill()
            raise
        self._keeping = asyncio.create_task(self._keep())
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    @property
    def waiting(self) -> int:
        """How many requests are not answered yet."""
        return len(self._asked)

    @property
    def problem(self) -> str:
        """Why nothing is answered now, or nothing."""
        return "" if self._is_ready.is_set() else STARTING

    async def ask(self, body: bytes) -> bytes:
        """The body of the answer; cancelled, the request is given up."""
        await self._is_ready.wait()
        # The process reads at once, unless it is stuck.
        if self._input.transport.get_write_buffer_size() > self.limits.waiting_bytes:
            raise RefusedError(503, "too many requests are waiting already: try again later")
        number = next(self._numbers)
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        try:
            self._send(Frame(number, ASK, body))
            return await answer
        finally:
            if self._asked.pop(number, None) and not self.problem:
                self._send(Frame(number, FORGET))

    async def close(self) -> None:
        self._keeping.cancel()
        await self._kill()
        self._refuse_all("the server has been closed")

    @property
    def _input(self) -> asyncio.StreamWriter:
        assert self._process is not None
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def _output(self) -> asyncio.StreamReader:
        assert self._process is not None
        assert self._process.stdout is not None
        return self._process.stdout

    @property
    def _code(self) -> Optional[int]:
        return None if self._process is None else self._process.returncode

    async def _start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stdin=PIPE, stdout=PIPE, limit=2**20
        )
        try:
            frame = await self._receive()
        except asyncio.IncompleteReadError:
            await self._process.wait()
            raise UserError(f"the process that parses ended ({self._code})") from None
        if frame.kind == FAILED:
            raise UserError(frame.content.decode())
        self.about = About(*json.loads(frame.content))
        self._unanswered, self._busy = 0, 0.0
        self._is_ready.set()

    async def _kill(self) -> None:
        self._is_ready.clear()
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    async def _keep(self) -> None:
        """Listen to the process, and replace it as often as it ends."""
        while True:
            watching = asyncio.create_task(self._watch())
            try:
                await self._listen()
            except asyncio.IncompleteReadError:
                await self._kill()
            finally:
                watching.cancel()
            logger.error("the process that parses ended (%s) and is started again", self._code)
            self._refuse_all("the process that parses ended: try again")
            self.restarts += 1
            while self.problem:
                try:
                    await self._start()
                except (UserError, OSError) as error:
                    logger.error("cannot start it: %s", error)
                    await asyncio.sleep(self.limits.turn)

    async def _listen(self) -> None:
        while True:
            number, kind, content = await self._receive()
            if kind == PONG:
                self._unanswered, self._busy = 0, float(content)
            elif answer := self._asked.pop(number, None):
                if answer.done():
                    continue
                if kind == 200:
                    answer.set_result(content)
                else:
                    answer.set_exception(RefusedError(kind, content.decode()))

    async def _watch(self) -> None:
        """End the process if it does not end its turn, or does not even say how long it lasts."""
        while self._unanswered < PINGS and self._busy < self.limits.turn:
            self._unanswered += 1
            self._send(Frame(0, PING))
            await asyncio.sleep(self.limits.turn / PINGS)
        logger.error("a turn of the parser did not end in %g seconds", self.limits.turn)
        await self._kill()

    def _send(self, frame: Frame) -> None:
        self._input.write(frame.packed)

    async def _receive(self) -> Frame:
        number, kind, size = HEAD.unpack(await self._output.readexactly(HEAD.size))
        return Frame(number, kind, await self._output.readexactly(size))

    def _refuse_all(self, reason: str) -> None:
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(RefusedError(503, reason))
        self._asked.clear()
