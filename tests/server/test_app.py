"""The JSON interface: what is answered, what is refused, and how."""

import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from threading import Event
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sdp_pointer.commands import main
from sdp_pointer.graphs import loads
from sdp_pointer.graphs.formats import jsonl
from sdp_pointer.parser import with_alternatives
from sdp_pointer.server import schemas
from sdp_pointer.server.app import make_app
from sdp_pointer.server.limits import Limits
from sdp_pointer.server.page import page_files
from tests.graphs.formats.schema import SCHEMA
from tests.server.conftest import same

SENTENCE = "Kim likes the old house."
TAGGED = {"tokens": ["Cats", "purr"], "lemmas": ["cat", "purr"], "pos": ["NNS", "VBP"], "id": 7}


@pytest.fixture(scope="module")
def client(words_parser):
    with TestClient(make_app(words_parser)) as client:
        yield client


class Held(NamedTuple):
    """Where a test and a parser that waits for it meet."""

    began: Event
    may_go_on: Event


def post(client, value):
    return client.post("/parse", content=json.dumps(value))


def test_a_sentence_is_answered_as_the_parser_answers(client, words_parser):
    response = post(client, {"sentence": SENTENCE})
    assert response.status_code == 200
    assert response.json() == jsonl.to_json(words_parser.parse(SENTENCE))


def test_words_keep_their_tags_their_id_and_other_keys(client):
    value = post(client, {**TAGGED, "page": {"line": 3}}).json()
    assert (value["id"], value["page"]) == ("7", {"line": 3})
    assert value["tokens"][0] == {"form": "Cats", "lemma": "cat", "pos": "NNS"}


def test_an_answer_is_a_line_that_the_graph_layer_reads(client, words_parser):
    [graph] = loads(post(client, {"sentence": SENTENCE, "n_best": 3}).text, "jsonl")
    assert graph == words_parser.parse(SENTENCE, beam=3)


def test_several_sentences_are_answered_in_their_order(client, words_parser):
    texts = ["Cats purr.", SENTENCE, "Go!"]
    values = post(client, {"sentences": [texts[0], {"sentence": texts[1]}, texts[2]]}).json()
    assert [value["text"] for value in values["graphs"]] == texts
    for value, text in zip(values["graphs"], texts):
        assert same(value, jsonl.to_json(words_parser.parse(text)))


def test_a_text_is_split_into_sentences_on_request(client):
    texts = ["Cats purr.", "Kim likes the old house!", "Go!"]
    for question in (
        {"sentence": " ".join(texts), "page": 3},
        {"sentences": [" ".join(texts[:2]), {"sentence": texts[2]}]},
        {"sentences": texts},
    ):
        values = post(client, {**question, "split": True}).json()["graphs"]
        assert [value["text"] for value in values] == texts
        assert values[0].get("page") == question.get("page")
    assert all("hint" not in value for value in values)
    assert len(post(client, {"sentence": "Go!", "split": True}).json()["graphs"]) == 1
    assert len(post(client, {**TAGGED, "split": True}).json()["graphs"]) == 1


def test_several_sentences_that_are_not_split_are_hinted_at(client):
    text = "Cats purr. Kim likes the old house!"
    [several, one, tokens] = post(
        client, {"sentences": [text, "Cats purr.", {"tokens": text.split()}]}
    ).json()["graphs"]
    assert several["hint"] == 'there are several sentences in this text: "split": true parses each'
    assert "hint" not in one
    assert "hint" not in tokens


def test_a_drawing_is_made_for_a_width(client):
    question = {"sentence": SENTENCE, "include": ["svg"]}
    widths = [
        int(ElementTree.fromstring(post(client, {**question, **width}).json()["svg"]).get("width"))
        for width in ({}, {"width": 250})
    ]
    assert widths[1] <= 250 < widths[0]


def test_beam_and_n_best_are_those_of_the_parser(client, words_parser):
    value = post(client, {"sentence": SENTENCE, "beam": 5, "n_best": 3}).json()
    assert value == jsonl.to_json(with_alternatives(words_parser.n_best(SENTENCE, 3, beam=5)))
    assert len(value["n_best"]) == 3


def test_drawings_and_sdp_come_on_request(client):
    question = {"sentence": SENTENCE, "n_best": 2, "include": ["svg", "sdp"]}
    value = post(client, question).json()
    for graph in [value, *value["n_best"]]:
        image = ElementTree.fromstring(graph["svg"])
        arcs = [group for group in image.iter() if "sdp-arc" in group.get("class", "")]
        assert len(arcs) == len(graph["arcs"]) + len(graph["tops"])
        [read] = loads(graph["sdp"], "sdp")
        assert [arc._asdict() for arc in read.arcs] == [
            {key: arc[key] for key in ("head", "dependent", "label")} for arc in graph["arcs"]
        ]


def test_words_that_have_no_place_in_sdp_are_parsed_all_the_same(client):
    response = post(client, {"tokens": ["two\tcells"], "include": ["sdp"]})
    assert (response.status_code, response.json()["sdp"]) == (200, None)


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (b"", 400, "not JSON"),
        (b"{", 400, "not JSON"),
        (b"\xff", 400, "not UTF-8: byte 0xff"),
        (b'{"sentence": NaN}', 400, "NaN is not JSON"),
        (b'{"sentence": "a", "sentence": "b"}', 400, "given twice"),
        (rb'{"sentence": "half \ud800"}', 400, "half of a character"),
        (b'{"x": ' + b"[" * 100 + b"]" * 100 + b"}", 400, "nested too deeply"),
        (b"[" * 100_000, 400, "nested too deeply"),
        (b'"Cats purr."', 422, "not a JSON object"),
        (b"{}", 422, 'neither "sentence" nor "tokens"'),
        (b'{"sentence": ""}', 422, "no words"),
        (rb'{"sentence": " \n\t\u2003 "}', 422, "no words"),
        (b'{"sentence": 7}', 422, 'neither "sentence" nor "tokens"'),
        (b'{"tokens": []}', 422, "at least one word"),
        (b'{"tokens": ["a", ""]}', 422, "token 2 is no word"),
        (b'{"tokens": ["a"], "pos": []}', 422, "0 pos for 1 tokens"),
        (b'{"sentences": []}', 422, "at least one sentence"),
        (b'{"sentences": ["a", 7]}', 422, "sentence 2: not a JSON object"),
        (b'{"sentence": "a", "beam": 1000000}', 422, "between 1 and 16"),
        (b'{"sentence": "a", "beam": 0}', 422, "between 1 and 16"),
        (b'{"sentence": "a", "beam": true}', 422, "between 1 and 16"),
        (b'{"sentence": "a", "beam": 2, "n_best": 3}', 422, "n_best must be between 1 and"),
        (b'{"sentence": "a", "include": "svg"}', 422, "some of svg, sdp"),
        (b'{"sentence": "a", "width": 0}', 422, '"width" must be a whole number'),
        (b'{"sentence": "a", "split": 1}', 422, '"split" must be true or false'),
        (b'{"sentence": " ", "split": true}', 422, "no words"),
        (b'{"sentence": "' + b"Go! " * 101 + b'", "split": true}', 422, "101 sentences"),
        (b'{"sentences": ["Go!", 7], "split": true}', 422, "sentence 2: not a JSON object"),
        (b'{"sentence": "a", "include": [["svg"]]}', 422, "some of svg, sdp"),
        (b'{"sentence": "a", "probabilities": 1}', 422, "reserved"),
        (b'{"sentence": "%s"}' % (b"word " * 1001), 422, "1,001 words is too long: at most 1,000"),
        (b'{"sentence": "%s"}' % (b"word " * 10_000), 422, "50,000 characters is too long"),
        (b'{"sentence": "%s"}' % (b"a" * 500), 422, "a word of 500 characters is too long"),
        (b'{"tokens": [%s"a"]}' % (b'"a", ' * 9_999), 422, "10,000 words is too long"),
        (b'{"sentences": [%s"a"]}' % (b'"a", ' * 100), 422, "101 sentences are too many"),
        (
            b'{"sentences": [%s"a"]}' % (b'"%s", ' % (b"word " * 999) * 6),
            422,
            "too many words for a request: at most 5,000",
        ),
        (b'{"sentence": "%s"}' % (b"x" * 1_000_000), 413, "at most 1,000,000 bytes"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_cannot_be_parsed_is_refused_in_a_sentence(client, body, status, reason):
    response = client.post("/parse", content=body)
    assert response.status_code == status
    assert list(response.json()) == ["error"]
    assert reason in response.json()["error"]


@pytest.mark.parametrize(
    "word",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "]]>",
        "&amp;",
        "\x00\x01\x1b[31m",
        "\u202egnp",
        "\ufffe",
        "a\u0300" * 50,
        "\U0001f600",
        "字",
        "שלום",
    ],
)
def test_strange_words_are_parsed_and_never_become_markup(client, word):
    response = post(client, {"tokens": [word, "purrs"], "include": ["svg", "sdp"]})
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert response.json()["tokens"][0]["form"] == word
    image = ElementTree.fromstring(response.json()["svg"])
    names = {element.tag.removeprefix("{http://www.w3.org/2000/svg}") for element in image.iter()}
    assert names <= {"svg", "title", "style", "rect", "g", "path", "text"}
    raw = post(client, {"sentence": word + " purrs", "include": ["svg", "sdp"]})
    assert raw.status_code == 200


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
OPTIONS = ("beam", "n_best", "include", "width", "split")
KEYS = ("sentence", "sentences", "tokens", "lemmas", "pos", "id", *OPTIONS)
STRINGS = st.text(st.characters(codec=None), max_size=12)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=3), JSON, max_size=4)
    | st.fixed_dictionaries({"sentence": STRINGS, "include": st.just(["svg", "sdp"])})
    | st.fixed_dictionaries({"tokens": st.lists(STRINGS), "include": st.just(["svg", "sdp"])})
)
def test_whatever_is_asked_is_answered_or_refused(client, value):
    response = post(client, value)
    assert response.status_code in (200, 400, 422)
    if response.status_code != 200:
        assert len(response.json()["error"]) > 5


def test_a_request_that_does_not_tell_its_size_is_not_read_to_the_end(client):
    sent = 0

    def endless():
        nonlocal sent
        while True:
            sent += 10_000
            yield b"x" * 10_000

    app = client.app
    limit = Limits().body

    async def ask():
        chunks = endless()

        async def receive():
            return {"type": "http.request", "body": next(chunks), "more_body": True}

        messages = []

        async def send(message):
            messages.append(message)

        scope = {"type": "http", "method": "POST", "path": "/parse", "raw_path": b"/parse"}
        await app({**scope, "query_string": b"", "headers": []}, receive, send)
        return messages

    messages = client.portal.call(ask)
    assert messages[0]["status"] == 413
    assert sent <= limit + 20_000


@pytest.fixture
def held(words_parser, monkeypatch):
    """The model, which waits at each batch until it may go on."""
    held = Held(Event(), Event())
    parse_steps = words_parser.model.parse_steps

    def waiting(*args, **kwargs):
        held.began.set()
        assert held.may_go_on.wait(20)
        return parse_steps(*args, **kwargs)

    monkeypatch.setattr(words_parser.model, "parse_steps", waiting)
    return held


def test_a_slow_parser_is_not_waited_for(words_parser, held):
    with TestClient(make_app(words_parser, Limits(seconds=0.1))) as client:
        response = post(client, {"sentence": SENTENCE})
        held.may_go_on.set()
    assert response.status_code == 504
    assert "no answer within 0.1 seconds" in response.json()["error"]


def test_a_failure_of_the_parser_is_told_and_survived(words_parser, monkeypatch):
    with TestClient(make_app(words_parser), raise_server_exceptions=False) as client:
        with monkeypatch.context() as patch:
            patch.setattr(words_parser.model, "parse_steps", lambda *args, **kwargs: 1 / 0)
            response = post(client, {"sentence": SENTENCE})
            assert response.status_code == 500
            assert response.json() == {"error": "the server failed; its log says why"}
        assert post(client, {"sentence": SENTENCE}).status_code == 200


def test_its_health_tells_what_the_model_needs(client, words_parser):
    state = client.get("/health").json()
    assert state["model"] == words_parser.name
    assert (state["status"], state["needs"], state["beam"]) == ("ok", [], 1)
    assert schemas.Health.model_validate(state)


def closed(parser):
    """A client of an application whose thread has ended, as it does when the server is closed."""
    app = make_app(parser)
    with TestClient(app):
        pass
    return TestClient(app)


def test_its_health_tells_that_the_thread_has_ended(words_parser):
    response = closed(words_parser).get("/health")
    assert response.status_code == 503
    assert response.json()["status"] == "the thread that parses has ended"
    assert schemas.Health.model_validate(response.json())


def test_nobody_waits_for_a_thread_that_has_ended(words_parser):
    response = post(closed(words_parser), {"sentence": SENTENCE})
    assert response.status_code == 503
    assert response.json() == {"error": "the thread that parses has ended: restart the server"}


def test_too_many_at_once_are_refused_and_the_others_answered(words_parser, held):
    with (
        TestClient(make_app(words_parser, Limits(waiting=2))) as client,
        ThreadPoolExecutor(4) as pool,
    ):
        first = pool.submit(post, client, {"sentence": SENTENCE})
        assert held.began.wait(20)
        # One of them is accepted.
        others = as_completed([pool.submit(post, client, {"sentence": "Go!"}) for _ in range(3)])
        for _ in range(2):
            refused = next(others).result()
            assert refused.status_code == 503
            assert "2 requests are waiting already" in refused.json()["error"]
        held.may_go_on.set()
        assert [first.result().status_code, next(others).result().status_code] == [200, 200]


def test_every_status_is_declared_and_every_declared_one_is_answered(words_parser, monkeypatch):
    app = make_app(words_parser)
    with TestClient(app, raise_server_exceptions=False) as client:
        paths = client.get("/openapi.json").json()["paths"]
        bodies = (b'{"sentence": "Go!"}', b"{", b"x" * 1_000_001, b"{}")
        parsed = [client.post("/parse", content=body) for body in bodies]
        healths = [client.get("/health")]
        monkeypatch.setattr(words_parser.model, "parse_steps", lambda *args, **kwargs: 1 / 0)
        parsed.append(post(client, {"sentence": SENTENCE}))
    ended = TestClient(app)
    parsed.append(post(ended, {"sentence": SENTENCE}))
    healths.append(ended.get("/health"))
    with TestClient(make_app(words_parser, Limits(seconds=0))) as client:
        parsed.append(post(client, {"sentence": SENTENCE}))
    app = make_app(words_parser, hosts=["example.org"])
    with TestClient(app, base_url="http://example.com") as client:
        parsed.append(post(client, {"sentence": SENTENCE}))
        healths.append(client.get("/health"))
    for operation, responses in (
        (paths["/parse"]["post"], parsed),
        (paths["/health"]["get"], healths),
    ):
        declared = [int(status) for status in operation["responses"]]
        assert sorted(declared) == sorted(response.status_code for response in responses)
    for response in [*parsed[1:], healths[-1]]:
        assert schemas.Error.model_validate(response.json())


def test_other_paths_and_methods_are_refused_in_the_same_way(client):
    assert client.get("/nowhere").json() == {"error": "Not Found"}
    response = client.get("/parse")
    assert (response.status_code, response.headers["allow"]) == (405, "POST")


def test_the_description_is_that_of_the_answers(client):
    document = client.get("/openapi.json").json()
    assert set(document["paths"]) == {"/parse", "/find", "/health"}
    models = document["components"]["schemas"]
    body = document["paths"]["/parse"]["post"]["requestBody"]["content"]["application/json"]
    one, several = (models[each["$ref"].rpartition("/")[2]] for each in body["schema"]["oneOf"])
    assert set(one["properties"]) == set(KEYS) - {"sentences"}
    assert set(several["properties"]) == {"sentences", *OPTIONS}
    assert set(one["properties"]["include"]["items"]["enum"]) == set(schemas.EXTRAS)
    for name in re.findall(r'"\$ref": "#/components/schemas/(\w+)"', json.dumps(document)):
        assert name in models
    question = {"sentence": SENTENCE, "n_best": 2, "include": ["svg", "sdp"]}
    answer = post(client, question).json()
    described = schemas.GraphWithExtras.model_validate(answer)
    assert described.model_extra == {}
    assert described.model_dump(exclude_unset=True) == answer


def test_limits_that_were_changed_are_described_and_hold(words_parser):
    limits = Limits(beam=3, sentences=2, words=7, sentence_words=5, characters=30, body=500)
    with TestClient(make_app(words_parser, limits)) as client:
        document = client.get("/openapi.json").json()
        models = document["components"]["schemas"]
        assert models["SeveralRequest"]["properties"]["sentences"]["maxItems"] == 2
        one = models["OneRequest"]["properties"]
        assert one["n_best"]["anyOf"][0]["maximum"] == one["beam"]["anyOf"][0]["maximum"] == 3
        assert (one["sentence"]["maxLength"], one["tokens"]["maxItems"]) == (30, 5)
        responses = document["paths"]["/parse"]["post"]["responses"]
        assert responses["413"]["description"] == "More than 500 bytes."
        assert "7 words in a request" in responses["422"]["description"]
        for question, reason in (
            ({"sentence": "Go!", "beam": 4}, "between 1 and 3"),
            ({"sentences": ["Go!"] * 3}, "3 sentences are too many: at most 2"),
            ({"sentence": "a b c d e f"}, "6 words is too long: at most 5"),
            ({"sentences": ["a b c d"] * 2}, "too many words for a request: at most 7"),
            ({"sentence": "a" * 31}, "31 characters is too long: at most 30"),
        ):
            response = post(client, question)
            assert (response.status_code, reason in response.json()["error"]) == (422, True)


def test_the_schema_of_graphs_is_that_of_the_answers():
    """Made by `python -c` of the line below, `json.dumps(..., indent=2, ensure_ascii=False)`."""
    assert schemas.graph_schema() == SCHEMA


def test_the_page_needs_nothing_from_elsewhere(client, words_parser):
    for path, file in page_files(words_parser, Limits()).items():
        response = client.get(path)
        assert (response.status_code, response.content) == (200, file.content)
        text = response.text.replace("http://www.w3.org/2000/svg", "")
        assert "//" not in "".join(line.partition("// ")[0] for line in text.splitlines())
        assert "innerHTML" not in text
        assert (
            "default-src 'none'; script-src 'self'" in response.headers["content-security-policy"]
        )
        assert "unsafe" not in response.headers["content-security-policy"]
    assert client.get("/docs").status_code == 404


def test_a_missing_extra_is_told_in_one_sentence(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["serve", "--model", "model.tar.gz"]) == 2
    assert "pip install fastapi uvicorn" in capsys.readouterr().err
