"""The process that parses for a server: `python -m sdp_pointer.server.worker JSON`.

It reads requests from standard input and writes answers to standard output, as `frames`, and ends
with its input. `process` is the other side of it.
"""

import json
import os
import signal
import sys
from concurrent.futures import Future
from functools import partial
from threading import Lock
from typing import BinaryIO

from ..errors import UserError, reason
from ..parser import load
from .engine import Engine
from .frames import ASK, FAILED, FORGET, HEAD, PING, PONG, READY, Frame
from .limits import Limits, RefusedError
from .log import log_to_stderr


class Answers:
    """Writes frames, of several threads."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = Lock()

    def send(self, frame: Frame) -> None:
        with self._lock:
            self._stream.write(frame.packed)
            self._stream.flush()


def serve(questions: BinaryIO, answers: Answers, engine: Engine) -> None:
    """Do what the frames ask for until there are no more."""
    waiting: dict[int, Future[bytes]] = {}

    def answer(number: int, future: "Future[bytes]") -> None:
        waiting.pop(number, None)
        if not future.cancelled():
            answers.send(_answer(number, future))

    while head := questions.read(HEAD.size):
        number, kind, size = HEAD.unpack(head)
        content = questions.read(size)
        if kind == PING:
            answers.send(Frame(number, PONG, b"%f" % engine.busy))
        elif kind == ASK:
            waiting[number] = future = engine.submit(content)
            future.add_done_callback(partial(answer, number))
        elif kind == FORGET and (given_up := waiting.get(number)):
            given_up.cancel()


def _answer(number: int, future: "Future[bytes]") -> Frame:
    error = future.exception()
    if error is None:
        return Frame(number, 200, future.result())
    status = error.status if isinstance(error, RefusedError) else 422
    return Frame(number, status, str(error).encode("utf-8", "backslashreplace"))


def main() -> None:
    # The server says when it ends; a signal to all processes is for the server alone.
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    log_to_stderr()
    answers = Answers(os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)  # what a library prints is no frame
    given = json.loads(sys.argv[1])
    limits = Limits(*given.pop("limits"))
    try:
        parser = load(**given)
        parser.text.sentence("Ready.")  # or the first request would wait until spaCy is loaded
    except (UserError, OSError) as error:
        what = reason(error) if isinstance(error, OSError) else str(error)
        answers.send(Frame(0, FAILED, what.encode("utf-8", "backslashreplace")))
        sys.exit(2)
    engine = Engine(parser, limits)
    answers.send(Frame(0, READY, json.dumps(engine.about).encode()))
    serve(sys.stdin.buffer, answers, engine)
    os._exit(0)  # at once, whatever the engine is doing


if __name__ == "__main__":
    main()
