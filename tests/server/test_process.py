"""The process that parses: it is told what is asked and given up, and replaced if it fails."""

import asyncio
import json
import logging
import os
import signal
import sys
from contextlib import asynccontextmanager

import pytest

from sdp_pointer.errors import UserError
from sdp_pointer.graphs.formats import jsonl
from sdp_pointer.server.about import about
from sdp_pointer.server.limits import Limits, RefusedError
from sdp_pointer.server.process import Process

GO = b'{"sentence": "Go home!"}'

# Does what a test wants: each frame is given to `do`.
FAKE = """
import json, sys, time
from sdp_pointer.server.frames import *

def send(*parts):
    sys.stdout.buffer.write(Frame(*parts).packed)
    sys.stdout.buffer.flush()

%s

send(0, READY, json.dumps(["fake", 1, [], None]).encode())
while head := sys.stdin.buffer.read(HEAD.size):
    number, kind, size = HEAD.unpack(head)
    do(number, kind, sys.stdin.buffer.read(size))
"""


@asynccontextmanager
async def fake(do, limits):
    """A process that answers as the lines of a function say."""
    process = Process({}, limits)
    lines = "".join(f"    {line}\n" for line in do.splitlines())
    process._command = [sys.executable, "-c", FAKE % f"def do(number, kind, content):\n{lines}"]
    async with process:
        yield process


async def refused(asking):
    with pytest.raises(RefusedError) as caught:
        await asking
    return caught.value.status, str(caught.value)


def test_it_answers_as_the_parser_does(words_model, words_parser):
    async def ask():
        async with Process({"model": str(words_model)}, Limits(beam=4)) as process:
            assert process.about == about(words_parser)
            with pytest.raises(RefusedError) as caught:
                await process.ask(b"{")
            assert caught.value.status == 400
            status, reason = await refused(process.ask(b'{"sentence": "Go!", "beam": 5}'))
            assert (status, reason) == (422, '"beam" must be a whole number between 1 and 4')
            return await asyncio.gather(process.ask(GO), process.ask(b'{"sentence": "Cats"}'))

    answers = [json.loads(answer) for answer in asyncio.run(ask())]
    texts = ("Go home!", "Cats")
    assert answers == [jsonl.to_json(words_parser.parse(text)) for text in texts]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "stopped"])
def test_a_process_that_ends_or_hangs_is_replaced(words_model, caplog, number):
    async def ask():
        # Pings remain without an answer for so long that a busy machine does not stop them.
        async with Process({"model": str(words_model)}, Limits(turn=2)) as process:
            before = process._child.process.pid
            os.kill(before, signal.SIGSTOP)
            asking = asyncio.create_task(process.ask(GO))
            await asyncio.sleep(0)  # now it has been asked
            os.kill(before, number)
            assert (await refused(asking))[0] == 503
            answer = json.loads(await process.ask(GO))
            assert (process.restarts, process.problem) == (1, "")
            assert process._child.process.pid != before
            return answer

    with caplog.at_level(logging.ERROR, "sdp_pointer"):
        assert asyncio.run(ask())["text"] == "Go home!"
    assert "the process that parses ended (-9) and is started again" in caplog.text


def test_a_turn_without_an_end_is_ended(caplog):
    async def ask():
        do = "if kind == PING: send(number, PONG, b'99')"
        async with fake(do, Limits(turn=1)) as process:
            assert (await refused(process.ask(GO)))[0] == 503

    asyncio.run(ask())
    assert "a turn of the parser did not end in 1 seconds" in caplog.text


def test_what_is_given_up_is_forgotten():
    async def ask():
        do = "if kind == FORGET: send(number + 1, 200, b'forgotten')"
        async with fake(do, Limits()) as process:
            given_up = asyncio.create_task(process.ask(GO))
            await asyncio.sleep(0)
            waiting = asyncio.create_task(process.ask(GO))
            await asyncio.sleep(0)
            assert process.waiting == 2
            given_up.cancel()
            assert await waiting == b"forgotten"
            assert process.waiting == 0

    asyncio.run(ask())


def test_what_comes_while_it_starts_again_is_answered_then():
    async def ask():
        do = "if kind == ASK: sys.exit(1) if content == b'end' else send(number, 200, content)"
        async with fake(do, Limits()) as process:
            assert (await refused(process.ask(b"end"))) == (
                503,
                "the process that parses ended: try again",
            )
            assert process.problem == "the process that parses is being started again"
            assert await process.ask(b"later") == b"later"

    asyncio.run(ask())


def test_a_process_that_cannot_be_started_again_is_tried_again(caplog):
    async def ask():
        async with fake("if kind == ASK: sys.exit(1)", Limits(turn=0.1)) as process:
            process._command = [sys.executable, "-c", "raise SystemExit(3)"]
            assert (await refused(process.ask(GO)))[0] == 503
            while "cannot start it: the process that parses ended (3)" not in caplog.text:
                await asyncio.sleep(0.001)
            do = "def do(number, kind, content): send(number, 200, b'yes')"
            process._command = [sys.executable, "-c", FAKE % do]
            return await process.ask(GO)

    assert asyncio.run(ask()) == b"yes"


def test_more_than_the_process_reads_is_refused():
    async def ask():
        do = "time.sleep(60)"
        async with fake(do, Limits(waiting_bytes=1_000_000)) as process:
            asking = [asyncio.create_task(process.ask(b"x" * 900_000)) for _ in range(3)]
            done, _ = await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED)
            return [await refused(each) for each in done]

    assert asyncio.run(ask()) == [(503, "too many requests are waiting already: try again later")]


def test_a_model_that_cannot_be_loaded_is_told_in_a_sentence(tmp_path):
    async def start():
        async with Process({"model": str(tmp_path / "nowhere")}, Limits()):
            pytest.fail("there is no such model")

    with pytest.raises(UserError, match="nowhere"):
        asyncio.run(start())


def test_it_ends_with_its_server(words_model):
    async def start():
        async with Process({"model": str(words_model)}, Limits()) as process:
            for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # which are for the server alone
                process._child.process.send_signal(getattr(signal, name))
            assert json.loads(await process.ask(GO))["text"] == "Go home!"
            process._child.input.close()
            return await process._child.process.wait()

    assert asyncio.run(start()) == 0
