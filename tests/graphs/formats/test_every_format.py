"""What holds for every format: nothing is lost, nothing else comes back, nothing crashes."""

import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sdp_pointer.graphs import FormatError, FormatWarning, Graph, Token, dumps, loads, read
from tests.graphs.formats.examples import CATS, GO, back, every_format
from tests.graphs.strategies import HOLDABLE, TRICKY, graphs

ROOT = Path(__file__).parents[3]

quick = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))


def holdable(data, format):
    return data.draw(st.lists(HOLDABLE[format], min_size=1, max_size=2))


@every_format
@quick
@given(st.data())
def test_what_is_written_is_read_again(format, data):
    written = holdable(data, format)
    # A predicate without arguments breaks the .sdp format, but the official tool reads it.
    assert loads(dumps(written, format), format, lenient=True) == written


@every_format
@quick
@given(st.data())
def test_what_is_read_is_written_byte_by_byte(format, data):
    text = dumps(holdable(data, format), format)
    assert dumps(loads(text, format, lenient=True), format) == text


@every_format
@quick
@given(graphs())
def test_a_writer_keeps_any_graph_or_refuses_it(format, graph):
    [graph] = back(format, graph.replace(id=graph.id or "1"))
    try:
        text = dumps([graph], format)
    except FormatError:
        return
    assert loads(text, format, lenient=True) == [graph]


@every_format
def test_the_formats_are_told_apart_by_their_content(format):
    assert loads(dumps([CATS, GO], format)) == back(format, CATS, GO)


def survivors(data, format, lenient):
    """Graphs that are read from bytes; any other exception than FormatError fails the test."""
    try:
        strict = list(read(io.BytesIO(data), format, lenient=lenient))
    except FormatError:
        strict = None
    problems = []
    kept = list(read(io.BytesIO(data), format, lenient=lenient, on_problem=problems.append))
    if strict is not None:
        assert kept == strict
    else:
        assert problems
    return kept


@every_format
@settings(quick, max_examples=60)
@given(data=st.binary(), lenient=st.booleans())
def test_any_bytes_are_graphs_or_a_format_error(format, data, lenient):
    survivors(data, format, lenient)


FRAGMENTS = [
    *(text.encode() for text in TRICKY),
    *(b"\xff", b"\xed\xa0\x80", b"\\ud800", b"\x1f\x8b", b"1_0", "１".encode(), b"\n\n", b"\t_"),
    *(b"1e999", b"NaN", b"true", b"1.0", b"-1", b"9" * 5000, b"[" * 20000, b'{"a":' * 20000),
    *(b"null", b'"id": "1",', b'"from"', b"5.1:x|", b"1:x|", b"1-9", b"# sent_id = 1\n", b"{}"),
]


@every_format
@settings(quick, max_examples=60)
@given(st.data())
def test_a_spoilt_file_is_graphs_or_a_format_error(format, data):
    content = dumps(holdable(data, format), format).encode()
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(content)))
        end = start + data.draw(st.integers(0, 5))
        content = content[:start] + data.draw(st.sampled_from(FRAGMENTS)) + content[end:]
    for graph in survivors(content, format, lenient=data.draw(st.booleans())):
        graph = graph.replace(id=graph.id or "1")
        try:
            text = dumps([graph], format)
        except FormatError:
            continue
        assert loads(text, format, lenient=True) == [graph]


@every_format
def test_a_graph_that_is_not_utf8_is_dropped_and_the_others_are_not(format):
    data = dumps([CATS, GO, CATS], format).encode().replace(b"Go", b"G\xff")
    problems = []
    assert list(read(io.BytesIO(data), format, on_problem=problems.append)) == back(
        format, CATS, CATS
    )
    assert "not UTF-8: byte 0xff" in str(problems[0])
    with pytest.raises(FormatError, match="not UTF-8"):
        list(read(io.BytesIO(data), format))


@every_format
def test_after_a_problem_no_graph_is_handed_out_any_more(format):
    data = dumps([CATS, GO, CATS], format).encode().replace(b"Go", b"G\xff")
    graphs = read(io.BytesIO(data), format)
    assert [next(graphs)] == back(format, CATS)
    with pytest.raises(FormatError, match="not UTF-8"):
        next(graphs)


@every_format
def test_half_of_a_surrogate_pair_is_refused_in_both_directions(format):
    with pytest.raises(FormatError, match="surrogate"):
        dumps([Graph([Token("a\ud800")], id="1")], format)
    with pytest.raises(FormatError, match="surrogate"):
        loads(dumps([GO], format).replace("Go", "\ud800"), format)


@every_format
def test_a_byte_order_mark_and_crlf_are_tolerable(format):
    text = "\ufeff" + dumps([CATS, GO], format).replace("\n", "\r\n")
    assert loads(text, format, lenient=True) == back(format, CATS, GO)
    with pytest.raises(FormatError) as raised:
        loads(text, format)
    messages = [problem.message for problem in raised.value.problems]
    assert messages == [
        "line ends with CR LF; expected LF alone",
        "starts with a byte order mark",
    ]


@every_format
def test_a_file_that_may_be_cut_off_is_refused_unless_lenient(format):
    text = dumps([CATS, GO], format).rstrip("\n")
    if format in ("mrp", "jsonl"):  # a line that is cut off is no JSON
        assert loads(text, format) == back(format, CATS, GO)
        return
    with pytest.raises(FormatError, match="is it cut off"):
        loads(text, format)
    with pytest.warns(FormatWarning, match="is it cut off"):
        assert loads(text, format, lenient=True) == [CATS, GO]


@pytest.mark.parametrize("format", ["sdp", "conllu"])
def test_a_refusal_stays_in_its_line_whatever_the_graph_is_called(format):
    graph = Graph([Token("Go", "go\tgo")], id="Zo\u00eb\x9b2J\u2028")
    with pytest.raises(FormatError) as raised:
        dumps([graph], format)
    assert str(raised.value).isprintable()
    assert "graph Zo\u00eb\\x9b2J\\u2028: not for ." in str(raised.value)


def test_an_unknown_format_is_named_with_those_there_are():
    with pytest.raises(ValueError, match="unknown format 'amr'; expected one of sdp, "):
        dumps([CATS], "amr")


def test_the_syntax_tree_goes_from_conllu_to_allennlp_and_json_and_back():
    text = (
        "# sent_id = 1\n"
        "1\tCats\tcat\t_\tNNS\t_\t2\tnsubj\t2:ARG1\t_\n"
        "2\tpurr\tpurr\t_\tVBP\t_\t0\troot\t0:root\t_\n\n"
    )
    graph = loads(text, "conllu")
    for format in ("allennlp", "jsonl", "allennlp"):
        graph = loads(dumps(graph, format), format)
    assert graph[0].meta["syntax"] == (("2", "nsubj"), ("0", "root"))
    assert dumps(graph, "conllu") == text


@pytest.mark.parametrize("format", ["allennlp", "conllu", "jsonl"])
@pytest.mark.parametrize("syntax", [[("1", "a")], [("1", 2), ("0", "_")], [("1",), ("2",)]])
def test_a_syntax_tree_that_does_not_fit_is_refused(format, syntax):
    with pytest.raises(FormatError, match="syntax"):
        dumps([GO.replace(meta={"syntax": syntax})], format)


def test_a_relation_without_a_head_is_not_for_conllu_whose_reader_would_refuse_it():
    graph = GO.replace(meta={"syntax": [("_", "-"), ("1", "x")]})
    assert loads(dumps([graph], "allennlp"), "allennlp")[0].meta["syntax"] == (
        ("_", "-"),
        ("1", "x"),
    )
    with pytest.raises(FormatError, match="the syntax of token 1 has the relation '-' alone"):
        dumps([graph], "conllu")


@pytest.mark.parametrize("format", ["allennlp", "conllu"])
def test_a_syntax_tree_with_a_tab_is_refused(format):
    with pytest.raises(FormatError, match="the syntax of token 2"):
        dumps([GO.replace(meta={"syntax": [("0", "root"), ("1", "a\tb")]})], format)
