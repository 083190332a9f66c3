"""Patterns over HTTP: what is found, and what is refused in good time."""

import json

import pytest
from fastapi.testclient import TestClient

from sdp_pointer.server.app import make_app
from sdp_pointer.server.finding import Matches
from sdp_pointer.server.limits import Limits

GRAPH = {
    "tokens": [{"form": "Cats"}, {"form": "like"}, {"form": "fish"}],
    "tops": [2],
    "arcs": [
        {"head": 2, "dependent": 1, "label": "ARG1"},
        {"head": 2, "dependent": 3, "label": "ARG2"},
    ],
}
LONG = {"tokens": [{"form": "a" * 40 + "!"}] * 200, "tops": [], "arcs": []}


@pytest.fixture(scope="module")
def client(words_parser):
    with TestClient(make_app(words_parser)) as client:
        yield client


def post(client, pattern, *graphs):
    return client.post("/find", content=json.dumps({"pattern": pattern, "graphs": graphs}))


def test_a_pattern_finds_words_labels_and_arcs_in_each_graph(client):
    response = post(client, "like -?role-> ?what=fish", LONG, GRAPH)
    assert response.status_code == 200
    answer = response.json()
    [match] = Matches.model_validate(answer).matches
    assert match.line == 2
    assert match.words["what"]["position"] == 3
    assert match.labels == {"role": "ARG2"}
    assert (match.positions, match.arcs) == ([2, 3], GRAPH["arcs"][1:])


def test_a_note_says_why_nothing_may_be_found(client):
    answer = post(client, "like -ARG9-> *", GRAPH).json()
    assert answer == {"matches": [], "notes": ["no arc here has the label ARG9"]}


@pytest.mark.parametrize("pattern", ["-ARG1->", "--help", "like -ARG1->", "?a ?b", '"'])
def test_a_mistake_in_a_pattern_is_told(client, pattern):
    response = post(client, pattern, GRAPH)
    assert response.status_code == 422
    assert response.json()["error"].startswith("pattern, column ")


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("/(a+)+b/", "too much time"),
        ("?a, ?b, ?c", "too much"),
        ("?a, ?b", "matches too often"),
        ("?a, ?b, ?c, ?d, not ?a < ?b, not ?b < ?c, not ?c < ?d, not ?d < ?a", "too much"),
        ("x" * 2000, "too long"),
        ("\0", "a line of text"),
        (7, "a line of text"),
    ],
)
def test_what_would_take_for_ever_is_refused(client, pattern, reason):
    response = post(client, pattern, LONG)
    assert response.status_code == 422
    assert reason in response.json()["error"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"[]", 422),
        (b'{"pattern": "*", "graphs": []}', 422),
        (b'{"pattern": "*", "graphs": [7]}', 422),
        (b'{"pattern": "*", "graphs": [{"tokens": [], "tops": [], "arcs": []}]}', 422),
        (b"x" * 1_000_001, 413),
    ],
)
def test_what_is_no_search_is_refused_in_a_sentence(client, body, status):
    response = client.post("/find", content=body)
    assert response.status_code == status
    assert response.json()["error"]


def test_every_status_is_declared(client, words_parser):
    declared = client.get("/openapi.json").json()["paths"]["/find"]["post"]["responses"]
    assert set(declared) == {"200", "400", "403", "413", "422", "503", "504"}
    with TestClient(make_app(words_parser, Limits(seconds=0))) as hurried:
        assert post(hurried, "Cats", GRAPH).status_code == 504
