"""Bodies take no more memory together than they may, and small ones always have room."""

import asyncio
import threading
from types import SimpleNamespace

import pytest

from sdp_pointer.server.bodies import LARGE, SMALL, Bodies
from sdp_pointer.server.limits import Limits, RefusedError


def request(size, told=None):
    async def stream():
        for start in range(0, size, 1000):
            yield b"x" * min(1000, size - start)

    headers = {} if told is None else {"content-length": told}
    return SimpleNamespace(headers=headers, stream=stream)


def reading(*requests, **limits):
    """How many bytes each request has, or why it has none; all are held until the last is read."""
    bodies = Bodies(Limits(**limits))

    async def read(rest):
        if not rest:
            return []
        try:
            async with bodies.read(rest[0]) as body:
                return [len(body), *await read(rest[1:])]
        except RefusedError as refused:
            return [(refused.status, str(refused)), *await read(rest[1:])]

    read_all = asyncio.run(read(requests))
    assert bodies._held == 0
    return read_all


def test_a_small_body_has_room_whatever_others_hold():
    first, small, large = reading(request(20_000), request(SMALL), request(SMALL + 1), held=20_000)
    assert (first, small) == (20_000, SMALL)
    assert large == (503, "requests of 20,000 bytes are waiting already: try again later")


@pytest.mark.parametrize("told", [None, "5001", "99999999999999999999"])
def test_a_body_that_is_too_large_is_not_held(told):
    [refused] = reading(request(5001, told), body=5000)
    assert refused == (413, "the request is too large: at most 5,000 bytes")


@pytest.mark.parametrize("size", [10, LARGE])
def test_large_bodies_are_understood_apart(size):
    def read(body):
        return len(body), threading.current_thread() is threading.main_thread()

    understood = Bodies(Limits()).understood(b"x" * (size + 1), read)
    assert asyncio.run(understood) == (size + 1, size < LARGE)
