"""docs/graph.schema.json describes what the JSON writer writes."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdp_pointer.graphs import FormatError, Graph, Token, dumps, loads
from sdp_pointer.graphs.formats.jsonl import ARC_KEYS, KEYS, TOKEN_KEYS, to_json
from sdp_pointer.parser import with_alternatives
from tests.graphs.formats.schema import SCHEMA, conforms
from tests.graphs.strategies import HOLDABLE, strings

json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), strings(min_size=0))
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(strings(), inner, max_size=2),
    max_leaves=4,
)


@settings(max_examples=50, deadline=None)
@given(st.data(), HOLDABLE["jsonl"])
def test_whatever_else_is_known_comes_back_and_fits_the_schema(data, graph):
    probability = st.floats(0, 1)
    arcs = [*graph.arcs, *((0, top, "") for top in graph.tops)]
    known = data.draw(st.lists(st.sampled_from(arcs), unique=True)) if arcs else []
    cells = st.tuples(strings(), strings())
    meta = {
        "text": " ".join(graph.forms),
        "offsets": tuple((n, n + 1) for n in range(len(graph))),
        "probabilities": {(head, word): data.draw(probability) for head, word, _ in known},
        "syntax": tuple(data.draw(cells) for _ in graph.tokens),
        "mrp": {"version": 1.0},
        "model": data.draw(json_values),
    }
    meta = {key: item for key, item in meta.items() if item and data.draw(st.booleans())}
    text = dumps([graph.replace(meta=meta)], "jsonl")
    [back] = loads(text, "jsonl")
    assert back == graph
    assert back.meta == meta
    assert dumps([back], "jsonl") == text
    assert conforms(json.loads(text), SCHEMA)


def test_the_schema_knows_the_keys_and_has_true_examples():
    assert tuple(SCHEMA["properties"]) == (*KEYS, "syntax", "mrp", "score", "n_best")
    assert tuple(SCHEMA["$defs"]["Token"]["properties"]) == TOKEN_KEYS
    assert tuple(SCHEMA["$defs"]["Arc"]["properties"]) == ARC_KEYS
    for example in SCHEMA["examples"]:
        assert conforms(example, SCHEMA)
        assert loads(json.dumps(example), "jsonl")


def test_the_n_best_graphs_of_a_parser_fit_the_schema():
    meta = {"score": -1.5, "probabilities": {(0, 2): 0.9, (2, 1): 0.8}}
    tokens = [Token("Cats"), Token("purr")]
    best = Graph(tokens, [(2, 1, "ARG1")], tops=[2], meta=meta)
    value = to_json(with_alternatives([best, best.replace(arcs=[])]))
    assert conforms(value, SCHEMA)
    assert [len(graph["arcs"]) for graph in value["n_best"]] == [1, 0]
    del value["n_best"][1]["score"]
    assert not conforms(value, SCHEMA)


def test_the_schema_refuses_what_the_reader_refuses():
    token = {"form": "Go"}
    for tokens, arc in (
        ([], {}),
        (["Go"], {}),
        ([{}], {}),
        ([token | {"form": ""}], {}),
        ([token | {"start": 0}], {}),
        ([token | {"ner": "O"}], {}),
        ([token], {"head": "1"}),
        ([token], {"head": True}),
        ([token], {"probability": 2}),
    ):
        value = {"tokens": tokens, "tops": [], "arcs": []}
        if arc:
            value["arcs"] = [{"head": 1, "dependent": 1, "label": "x"} | arc]
        assert not conforms(value, SCHEMA)
        with pytest.raises(FormatError):
            loads(json.dumps(value), "jsonl")


@pytest.mark.parametrize("formalism", ["", "DM", "my scheme", "2d", 7, None])
def test_the_schema_refuses_a_formalism_that_the_reader_refuses(formalism):
    value = {"formalism": formalism, "tokens": [{"form": "Go"}], "tops": [], "arcs": []}
    assert not conforms(value, SCHEMA)
    with pytest.raises(FormatError, match="formalism"):
        loads(json.dumps(value), "jsonl")
