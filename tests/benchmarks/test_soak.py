"""A server under load: what is a failure, and what is not."""

import asyncio
import json

import httpx
import pytest

from sdp_pointer.graphs import read

from .conftest import DATA


def test_a_server_holds_out_for_a_second(benchmark, words_model):
    few = ("--minutes", 1 / 60, "--connections", 10)
    table, found = benchmark("soak.py", words_model, DATA / "dm.dev.sdp", *few)
    *kinds, everything = found["rows"]
    assert everything["failures"] == {}
    assert everything["requests"] == sum(row["requests"] for row in kinds) > 0
    assert all(f"| {row['kind']} |" in table for row in found["rows"])
    assert min(found["memory_mb"]) > 0
    assert found["log"] == []


GRAPH = {"tokens": [{"form": "Go"}], "tops": [1], "arcs": [], "score": -0.5}
OTHER = {**GRAPH, "tops": []}


def lost(request):
    raise httpx.ReadError("lost")


@pytest.mark.parametrize(
    ("kind", "answers", "failures"),
    [
        ("text", [(200, GRAPH), (200, {**GRAPH, "score": -0.50001})], {}),
        ("text", [(200, GRAPH), (200, OTHER)], {"another graph": 1}),
        ("text", [(200, GRAPH), (504, {"error": "late"})], {"status 504, not 200": 1}),
        ("text", [(200, GRAPH), lost], {"ReadError": 1}),
        ("not JSON", [(400, {"error": "not JSON"})], {}),
        ("not JSON", [(200, GRAPH)], {"status 200, not 400": 1}),
        ("not JSON", [(400, {})], {"no reason": 1}),
    ],
)
def test_what_is_a_failure(programs, kind, answers, failures):
    import soak

    remaining = iter(answers)

    def handle(request):
        answer = next(remaining)
        return answer(request) if callable(answer) else httpx.Response(answer[0], json=answer[1])

    async def ask():
        soaking = soak.Soak("http://server", soak.questions(graphs), 1, seed=1)
        soaking.client = httpx.AsyncClient(
            base_url="http://server", transport=httpx.MockTransport(handle)
        )
        for _ in answers:
            await soaking.once(soaking.by_kind[kind][0])
        return soaking

    graphs = list(read(DATA / "dm.dev.sdp"))
    soaking = asyncio.run(ask())
    assert len(soaking.seconds[kind]) == len(answers)
    assert json.loads(json.dumps(soaking.failures[kind])) == failures
