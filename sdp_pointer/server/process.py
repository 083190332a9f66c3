"""The parser in a process of its own, which can be given up: `worker` is the other side of it."""

import asyncio
import json
import logging
import sys
from asyncio.subprocess import PIPE
from contextlib import suppress
from itertools import count
from typing import Any

from ..errors import UserError
from .about import About
from .frames import ASK, FAILED, FORGET, HEAD, PING, PONG, Frame
from .limits import Limits, RefusedError

logger = logging.getLogger(__name__)

STARTING = "the process that parses is being started again"
# Pings in the time of the longest turn; when so many have no answer, there will be none.
PINGS = 10


class Child:
    """One process, and the frames to it and from it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self.input = process.stdin
        self.output = process.stdout

    @property
    def unsent(self) -> int:
        """Bytes that it has not read yet."""
        return self.input.transport.get_write_buffer_size()

    def send(self, number: int, kind: int, content: bytes = b"") -> None:
        self.input.write(Frame(number, kind, content).packed)

    async def receive(self) -> Frame:
        """The next frame; `IncompleteReadError` if the process ends."""
        number, kind, size = HEAD.unpack(await self.output.readexactly(HEAD.size))
        return Frame(number, kind, await self.output.readexactly(size))

    async def end(self) -> int:
        """End it if it has not ended, and return its exit code."""
        if self.process.returncode is None:
            self.process.kill()
        return await self.process.wait()


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
        self._asked: dict[int, asyncio.Future[bytes]] = {}
        self._numbers = count(1)
        self._is_ready = asyncio.Event()

    async def __aenter__(self) -> "Process":
        self._child = await self._start()
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
        if self._child.unsent > self.limits.waiting_bytes:
            raise RefusedError(503, "too many requests are waiting already: try again later")
        number = next(self._numbers)
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        try:
            self._child.send(number, ASK, body)
            return await answer
        finally:
            if self._asked.pop(number, None):
                self._child.send(number, FORGET)

    async def close(self) -> None:
        """End the process; what is not answered is refused."""
        self._keeping.cancel()
        await asyncio.wait((self._keeping,))
        self._is_ready.clear()
        await self._child.end()
        self._refuse_all("the server has been closed")

    async def _start(self) -> Child:
        """A process that has loaded the model."""
        child = Child(
            await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, limit=2**20
            )
        )
        try:
            frame = await child.receive()
            if frame.kind == FAILED:
                raise UserError(frame.content.decode())
        except asyncio.IncompleteReadError:
            code = await child.process.wait()
            raise UserError(f"the process that parses ended ({code})") from None
        except BaseException:
            await child.end()
            raise
        self.about = About(*json.loads(frame.content))
        self._is_ready.set()
        return child

    async def _keep(self) -> None:
        """Replace the process as often as it ends."""
        while True:
            await self._listen(self._child)
            self._is_ready.clear()
            with suppress(TimeoutError):  # it is about to end by itself
                async with asyncio.timeout(self.limits.turn):
                    await self._child.process.wait()
            code = await self._child.end()
            logger.error("the process that parses ended (%s) and is started again", code)
            self._refuse_all("the process that parses ended: try again")
            self.restarts += 1
            while self.problem:
                try:
                    self._child = await self._start()
                except (UserError, OSError) as error:
                    logger.error("cannot start it: %s", error)
                    await asyncio.sleep(self.limits.turn)

    async def _listen(self, child: Child) -> None:
        """Pass on what the process answers, until it ends; or is made to, by `_watch`."""
        self._unanswered, self._busy = 0, 0.0
        watching = asyncio.create_task(self._watch(child))
        try:
            while True:
                number, kind, content = await child.receive()
                if kind == PONG:
                    self._unanswered, self._busy = 0, float(content)
                else:
                    self._pass_on(number, kind, content)
        except asyncio.IncompleteReadError:
            return
        finally:
            watching.cancel()

    def _pass_on(self, number: int, status: int, content: bytes) -> None:
        answer = self._asked.pop(number, None)
        if answer is None or answer.done():
            return
        if status == 200:
            answer.set_result(content)
        else:
            answer.set_exception(RefusedError(status, content.decode()))

    async def _watch(self, child: Child) -> None:
        """End the process if it does not end its turn, or does not even say how long it lasts."""
        while self._unanswered < PINGS and self._busy < self.limits.turn:
            self._unanswered += 1
            child.send(0, PING)
            await asyncio.sleep(self.limits.turn / PINGS)
        logger.error("a turn of the parser did not end in %g seconds", self.limits.turn)
        await child.end()

    def _refuse_all(self, reason: str) -> None:
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(RefusedError(503, reason))
        self._asked.clear()
