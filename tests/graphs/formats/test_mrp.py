import io
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdp_pointer.graphs import FormatError, Graph, Token, dumps, loads, read
from tests.graphs.strategies import HOLDABLE


def node(number, start, end, label=None, **properties):
    """A node as the official files have it."""
    value = {"id": number}
    if label:
        value["label"] = label
    if properties:
        value |= {"properties": list(properties), "values": list(properties.values())}
    return value | {"anchors": [{"from": start, "to": end}]}


def edge(source, target, label):
    return {"source": source, "target": target, "label": label}


HEAD = {"id": "20001001", "flavor": 0, "framework": "psd", "version": 1.0, "time": "2019-06-23"}
PURR = HEAD | {
    "source": "wsj",
    "input": "Cats, (or dogs) may purr.",
    "tops": [7],
    "nodes": [
        node(0, 0, 4, "cat", pos="NNS", frame="n:x"),
        node(4, 10, 14, "dog", pos="NNS"),
        node(6, 16, 19, "may"),
        node(7, 20, 24, "purr", pos="VBP"),
    ],
    "edges": [edge(7, 0, "ACT-arg"), edge(0, 4, "DISJ"), edge(7, 6, "MOD")],
}


def line(**changes):
    """The line of PURR with some keys changed, or left out if they are changed to `...`."""
    return json.dumps({k: v for k, v in (PURR | changes).items() if v is not ...})


def problems(text, lenient=False):
    found = []
    kept = list(read(io.StringIO(text), "mrp", lenient=lenient, on_problem=found.append))
    return kept, [tuple(problem[2:]) for problem in found]


def test_nodes_are_words_and_the_other_words_stand_between_them():
    [graph] = loads(line(), "mrp")
    assert graph == Graph(
        [
            Token("Cats", "cat", "NNS", "n:x"),
            Token(","),
            Token("("),
            Token("or"),
            Token("dogs", "dog", "NNS"),
            Token(")"),
            Token("may", "may"),
            Token("purr", "purr", "VBP"),
            Token("."),
        ],
        arcs=[(8, 1, "ACT-arg"), (1, 5, "DISJ"), (8, 7, "MOD")],
        tops=[8],
        id="20001001",
        formalism="psd",
    )
    assert graph.meta["text"] == PURR["input"]
    assert graph.meta["offsets"][:4] == ((0, 4), (4, 5), (6, 7), (7, 9))
    assert [*graph.meta["mrp"].values()] == [1.0, "2019-06-23", "wsj"]


def test_an_official_graph_is_written_as_it_was():
    in_order = sorted(PURR["edges"], key=lambda edge: (edge["target"], edge["source"]))
    assert dumps(loads(line(), "mrp"), "mrp") == line(edges=in_order) + "\n"


def test_nodes_may_come_in_any_order_and_with_any_ids():
    nodes = [value | {"id": 100 - value["id"]} for value in PURR["nodes"]]
    [graph] = loads(line(nodes=nodes[::-1], edges=[edge(93, 100, "x")], tops=[94, 96]), "mrp")
    assert graph.forms == ("Cats", ",", "(or", "dogs", ")", "may", "purr", ".")
    assert graph.arcs == ((7, 1, "x"),)
    assert graph.tops == (4, 6)


@pytest.mark.parametrize(
    ("ids", "forms"),
    [
        ((2, 3), ("(", "or", "a", "b")),
        ((3, 4), ("(or", "a", "b")),
        ((2, 1), ("(or", "a", "b")),
        ((-2, 3), ("(or", "a", "b")),
    ],
)
def test_ids_split_a_gap_only_if_they_count_its_words(ids, forms):
    nodes = [node(ids[0], 4, 5), node(ids[1], 6, 7)]
    [graph] = loads(line(input="(or a b", nodes=nodes, edges=[], tops=ids), "mrp")
    assert graph.forms == forms


@pytest.mark.parametrize("nothing", [..., None, []])
def test_a_graph_without_nodes_is_words_alone(nothing):
    [graph] = loads(line(nodes=nothing, edges=nothing, tops=nothing), "mrp")
    assert graph.forms == ("Cats,", "(or", "dogs)", "may", "purr.")
    assert not graph.arcs
    assert not graph.tops


def test_what_the_official_format_leaves_out_is_written_only_where_needed():
    plain = Graph([Token("Go", "go"), Token("!")], tops=[1], formalism="dm")
    assert "singletons" not in dumps([plain], "mrp")
    tagged = plain.replace(tokens=[Token("Go", "go"), Token("!", "!", ".")], id="1")
    assert json.loads(dumps([tagged], "mrp"))["singletons"] == [
        node(1, 3, 4, "!", pos=".") | {"properties": ["pos"]}
    ]
    assert loads(dumps([tagged], "mrp")) == [tagged]


def test_a_graph_alone_is_given_an_id_and_a_date(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1561248000")
    first, second = map(json.loads, dumps([Graph([Token("Go")])] * 2, "mrp").splitlines())
    told = {"id": "20000001", "flavor": 0, "framework": "dm", "version": 1.0, "time": "2019-06-23"}
    assert first == told | {"input": "Go", "tops": [], "nodes": [], "edges": []}
    assert second == first | {"id": "20000002"}


def test_the_date_is_todays(monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    today = [datetime.now(UTC).date().isoformat()]
    told = json.loads(dumps([Graph([Token("Go")])], "mrp"))["time"]
    assert told in [*today, datetime.now(UTC).date().isoformat()]


@pytest.mark.parametrize("epoch", ["", "today", "9" * 30])
def test_a_date_that_is_none_is_told(monkeypatch, epoch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    with pytest.raises(FormatError, match=f"SOURCE_DATE_EPOCH is '{epoch}'; expected seconds"):
        dumps([Graph([Token("Go")])], "mrp")


def test_the_id_and_the_date_of_a_file_are_kept(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    [graph] = loads(line(), "mrp")
    assert json.loads(dumps([graph], "mrp"))["time"] == "2019-06-23"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"edges": ...}, "node 0 has no edge and is no top; expected words of the graph"),
        ({"tops": ..., "edges": PURR["edges"][1:2]}, "node 6 has no edge and is no top; expected"),
        (
            {"nodes": PURR["nodes"][1:], "singletons": PURR["nodes"][:1]},
            "node 0 is in the graph; expected other words as singletons",
        ),
    ],
)
def test_a_graph_that_lost_its_edges_is_tolerable(changes, message):
    kept, found = problems(line(**changes))
    assert kept == []
    assert all(tolerable for _, tolerable in found)
    assert found[0][0].startswith(message)
    assert len(problems(line(**changes), lenient=True)[0]) == 1


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        ({}, "Go `` now"),
        ({"text": "Go ``now"}, "Go ``now"),
        ({"text": 'Go "now'}, "Go `` now"),
        ({"text": 'Go "now', "offsets": ((0, 2), (3, 4), (4, 7))}, 'Go "now'),
        ({"text": 'Go "now', "offsets": ((0, 2), (3, 4))}, "Go `` now"),
        ({"text": 'Go "now', "offsets": ((0, 2), (3, 4), (4, 8))}, "Go `` now"),
        ({"text": 'Go, "now', "offsets": ((0, 2), (4, 5), (5, 8))}, "Go `` now"),
    ],
)
def test_the_text_is_the_input_if_the_words_are_found_in_it(meta, expected):
    words = [Token("Go"), Token("``"), Token("now")]
    graph = Graph(words, [(1, 3, "loc")], id="1", meta=meta, formalism="dm")
    text = dumps([graph], "mrp")
    assert json.loads(text)["input"] == expected
    assert loads(text, "mrp") == [graph]


@settings(max_examples=30, deadline=None)
@given(HOLDABLE["mrp"], st.sampled_from(["", " ", "\n", "x"]), st.booleans())
def test_any_text_and_offsets_leave_the_graph_as_it_is(graph, between, fits):
    offsets = []
    text = ""
    for form in graph.forms:
        offsets.append((len(text), len(text) + len(form)))
        text += form + between
    meta = {"text": text, "offsets": offsets if fits else offsets[::-1]}
    graph = graph.replace(meta=meta)
    assert loads(dumps([graph], "mrp"), "mrp") == [graph]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"nodes": [PURR["nodes"][0] | {"ner": 1}]}, "node 0 has the unknown key 'ner'; expected"),
        (
            {"nodes": [node(0, 0, 4, ner="O")]},
            "node 0 has the unknown key 'ner'; expected only pos",
        ),
        (
            {"edges": [{"normal": "B"} | edge(7, 0, "A"), *PURR["edges"][1:]]},
            "edge 1 has the unknown key 'normal';",
        ),
    ],
)
def test_keys_without_a_place_are_tolerable(changes, message):
    if "nodes" in changes:
        changes |= {"edges": [], "tops": [0]}
    kept, [(found, tolerable)] = problems(line(**changes))
    assert message in found
    assert tolerable
    assert kept == []
    assert len(problems(line(**changes), lenient=True)[0]) == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"flavor": 1, "framework": "eds"},
            "a graph of flavor 1 and framework 'eds'; expected flavor 0 and a framework such as dm:"
            " only there, the nodes are words",
        ),
        ({"framework": "ptg"}, "a graph of flavor 0 and framework 'ptg'; expected flavor 0"),
        ({"flavor": ..., "framework": "amr"}, "a graph of flavor 0 and framework 'amr'; expected"),
        ({"flavor": 1}, "a graph of flavor 1 and framework 'psd'; expected flavor 0"),
        ({"flavor": True}, '"flavor" is true; expected an integer'),
        ({"framework": ...}, '"framework" is null; expected a string'),
        ({"framework": 7}, '"framework" is 7; expected a string'),
        ({"framework": "DM"}, "the formalism 'DM' is not a name of letters a to z, digits and _,"),
        ({"id": ...}, 'there is no "input" or no "id"; expected both'),
        ({"input": ...}, 'there is no "input" or no "id"; expected both'),
        ({"id": 7}, '"id" is 7; expected a string'),
        ({"input": ""}, "node 0 is anchored from 0 to 4, outside of the input"),
        ({"nodes": {}}, '"nodes" is an object; expected a list'),
        ({"nodes": [1]}, 'item 1 of "nodes" is 1; expected an object'),
        ({"nodes": [{}]}, "the id of a node is null; expected an integer"),
        ({"nodes": [{"id": 1.0}]}, "the id of a node is 1.0; expected an integer"),
        ({"nodes": [{"id": 0}]}, 'node 0 has 0 anchors; expected one with "from" and "to"'),
        (
            {"nodes": [{"id": 0, "anchors": [{"from": 0, "to": 1}, {"from": 2, "to": 3}]}]},
            'node 0 has 2 anchors; expected one with "from" and "to"',
        ),
        ({"nodes": [node(0, 2, 2)]}, "node 0 is anchored from 2 to 2, outside of the input"),
        ({"nodes": [node(0, -1, 2)]}, "node 0 is anchored from -1 to 2, outside of the input"),
        ({"nodes": [node(0, 0, 4), node(1, 3, 5)]}, "the anchors of two nodes overlap at 3"),
        ({"nodes": [node(0, 0, 4), node(0, 5, 6)]}, "two nodes have the same id"),
        ({"nodes": [node(0, 0, 4) | {"label": 1}]}, "the label of node 0 is 1; expected a string"),
        (
            {"nodes": [node(0, 0, 4) | {"label": ""}], "edges": [], "tops": []},
            "token 1 ",
        ),
        (
            {"nodes": [node(0, 0, 4, pos="NN") | {"values": []}]},
            "node 0 does not have one value for each property",
        ),
        ({"nodes": [node(0, 0, 4, pos=1)]}, 'item 1 of "values" is 1; expected a string'),
        ({"edges": [edge(7, 1, "x")]}, "the target of edge 1 is 1, which is no node"),
        ({"edges": [{"source": 7}]}, "the target of edge 1 is null; expected an integer"),
        ({"edges": [edge(7, 0, None)]}, "the label of edge 1 is null; expected a string"),
        ({"edges": [edge(7, 0, "x"), edge(7, 0, "y")]}, "2 arcs 8 -> 1; at most one is allowed"),
        ({"tops": 7}, '"tops" is 7; expected a list'),
        ({"tops": [5]}, "a top is 5, which is no node"),
        ({"tops": [7, 7]}, "a top is given twice: [8, 8]"),
        ({"input": " ", "nodes": [], "edges": [], "tops": []}, "a graph needs at least one token"),
    ],
)
def test_what_is_no_graph_of_words_costs_the_line_and_no_other(changes, message):
    kept, [(found, tolerable)] = problems(line(**changes) + "\n" + line(), lenient=True)
    assert found.startswith(message)
    assert not tolerable
    assert [graph.id for graph in kept] == ["20001001"]


@pytest.mark.parametrize(
    ("meta", "message"),
    [
        ({"framework": "amr"}, "framework 'amr'; expected flavor 0 and a framework such as dm"),
        ({"framework": 7}, 'the "framework" in meta["mrp"] is 7; expected a string'),
        ({"nodes": []}, "has keys of the graph itself: version, time, nodes"),
        ({"time": float("nan")}, "Out of range float values"),
        ({"time": {1, 2}}, "not JSON serializable"),
        ([], """meta["mrp"] is a list; expected an object"""),
        (None, """meta["mrp"] is null; expected an object"""),
    ],
)
def test_what_a_file_cannot_hold_is_refused(meta, message):
    with pytest.raises(FormatError) as raised:
        dumps([Graph([Token("Go")], meta={"mrp": meta})], "mrp")
    assert message in str(raised.value)


def test_a_bare_predicate_may_be_a_node():
    nodes = [*PURR["nodes"], node(8, 24, 25, "!")]
    [graph] = loads(line(nodes=nodes, bare_predicates=[8]), "mrp")
    assert graph.bare_predicates == (9,)
