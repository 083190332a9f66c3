"""A running server, from another process: many at once, and too much at once."""

import asyncio
import json

import httpx
import pytest

from sdp_pointer.commands import main
from sdp_pointer.graphs import read
from sdp_pointer.graphs.formats import jsonl
from sdp_pointer.parser import with_alternatives
from tests.conftest import FIXTURES
from tests.server.conftest import same

CONCURRENT = 200
ROUNDS = 30


@pytest.fixture(scope="module")
def asked_and_expected(words_parser):
    """So many different questions, with what the parser answers to each alone."""
    forms = [graph.forms for graph in read(FIXTURES / "data" / "dm.train.sdp")]
    pairs = []
    for number in range(CONCURRENT):
        words = [*forms[number % len(forms)], *forms[number // len(forms)]][: 3 + number % 20]
        n_best, beam = ((1, 1), (1, 1), (1, 4), (3, 4))[number % 4]
        graphs = words_parser.n_best(words, n_best, beam)
        best = (graphs[0] if n_best == 1 else with_alternatives(graphs)).replace(id=str(number))
        question = {"tokens": words, "id": number, "beam": beam, "n_best": n_best}
        pairs.append((question, jsonl.to_json(best)))
    return pairs


async def ask_all(url, questions):
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(limits=limits, timeout=60, trust_env=False) as client:
        posts = (client.post(f"{url}/parse", json=question) for question in questions)
        return await asyncio.gather(*posts)


def test_200_at_once_are_all_answered_rightly_and_memory_stays_flat(server, asked_and_expected):
    questions = [question for question, _ in asked_and_expected]
    memory = []
    for _ in range(ROUNDS):
        responses = asyncio.run(ask_all(server.url, questions))
        assert [response.status_code for response in responses] == [200] * CONCURRENT
        for response, (_, expected) in zip(responses, asked_and_expected, strict=True):
            assert same(response.json(), expected)
        memory.append(server.memory)
        # The first rounds fill caches. A leak of 100 kB a request would be 60 MB in three of them.
        if len(memory) > 3 and memory[-1] - memory[-4] < 30:
            return
    raise AssertionError(f"memory grows: {memory}")


def test_the_good_are_answered_among_the_bad(server, asked_and_expected):
    good = [question for question, _ in asked_and_expected[:20]]
    bad = [{"sentence": ""}, {"sentence": "word " * 3000}, {"sentence": "a", "beam": 99}] * 5
    responses = asyncio.run(ask_all(server.url, [*good[:10], *bad, *good[10:]]))
    codes = [response.status_code for response in responses]
    assert codes == [200] * 10 + [422] * 15 + [200] * 10


def test_ten_megabytes_are_refused_before_they_are_read(server):
    body = json.dumps({"sentence": "x" * 10_000_000})
    response = httpx.post(f"{server.url}/parse", content=body, timeout=60, trust_env=False)
    assert response.status_code == 413
    assert "at most 1,000,000 bytes" in response.json()["error"]
    health = httpx.get(f"{server.url}/health", timeout=60, trust_env=False)
    assert health.json()["status"] == "ok"


def test_a_long_sentence_with_a_long_word_does_not_take_all_memory(server):
    before = server.memory
    tokens = ["x" * 200, *["a"] * 999]
    response = httpx.post(
        f"{server.url}/parse", json={"tokens": tokens, "beam": 2}, timeout=60, trust_env=False
    )
    assert len(response.json()["tokens"]) == 1000
    assert server.memory - before < 500


def test_a_port_in_use_is_told_in_one_sentence(server, capsys):
    port = server.url.rpartition(":")[2]
    assert main(["serve", "--model", "model.tar.gz", "--port", port]) == 2
    assert capsys.readouterr().err == (
        f"sdp-pointer: error: cannot listen on 127.0.0.1, port {port}: Address already in use\n"
    )
