import io

import pytest

from sdp_pointer.graphs import FormatError, Graph, Problem, Token, dumps, loads, read

SDP_2015 = """\
#SDP 2015
#20001001
1	Cats	cat	NNS	-	-	n:x	ARG1	_
2	like	like	VBP	+	+	v:e-i-p	_	_
3	raw	raw	JJ	-	+	a:e-p	_	_
4	fish	fish	NN	-	-	n:x	ARG2	ARG1
5	.	.	.	-	-	_	_	_

#20001002
1	Go	go	VB	+	-	v:e-i

"""
SDP_2014 = """\
#20001001
1	Cats	cat	NNS	-	-	ARG1
2	purr	purr	VBP	+	+	_

"""
ALLENNLP = """\
#20001001
1	Cats	cat	NNS	2	nsubj	-	-	_	ARG1
2	purr	purr	VBP	0	root	+	+	v:e-i	_

"""


def problems(text, lenient=False):
    """Everything that is wrong, as a reader that goes on meets it."""
    found = []
    stream = io.StringIO(text, newline="\n")
    graphs = list(read(stream, "sdp", lenient=lenient, on_problem=found.append))
    return graphs, found


@pytest.mark.parametrize(
    ("text", "format"), [(SDP_2015, "sdp"), (SDP_2014, "sdp2014"), (ALLENNLP, "allennlp")]
)
def test_each_variant_comes_back_byte_by_byte(text, format):
    assert dumps(loads(text, format), format) == text


def test_the_columns_are_read_as_what_they_mean():
    graph, go = loads(SDP_2015, "sdp")
    assert graph == Graph(
        [
            Token("Cats", "cat", "NNS", "n:x"),
            Token("like", "like", "VBP", "v:e-i-p"),
            Token("raw", "raw", "JJ", "a:e-p"),
            Token("fish", "fish", "NN", "n:x"),
            Token(".", ".", "."),
        ],
        arcs=[(2, 1, "ARG1"), (2, 4, "ARG2"), (3, 4, "ARG1")],
        tops=[2],
        id="20001001",
    )
    assert go.id == "20001002"


def test_the_variants_are_told_apart_without_being_named():
    [of_2014] = loads(SDP_2014)
    [of_allennlp] = loads(ALLENNLP)
    assert of_2014.arcs == of_allennlp.arcs == ((2, 1, "ARG1"),)
    assert of_2014.tokens[1].frame == "_"
    assert of_allennlp.tokens[1].frame == "v:e-i"
    assert of_allennlp.meta["syntax"] == (("2", "nsubj"), ("0", "root"))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("#SDP 2015\n", "", (1, "the first line must be '#SDP 2015'")),
        ("#20001001\n", "", (2, "a graph must begin with its id, a line such as '#20001001'")),
        ("#20001001\n", "#\n", (2, "a graph must begin with its id, a line such as '#20001001'")),
        ("#20001001\n", "#x\n#20001001\n", (2, "more than one '#' line before the first token")),
        ("\n\n#20001002", "\n\n\n#20001002", (9, "an empty line too many")),
        ("5\t.", "7\t.", (7, "token id '7'; expected 5")),
        ("VB\t+\t-\tv:e-i\n", "VB\t+\t-\tv:e-i\t\n", (10, "a tab at the end of the line")),
        ("+\t-\tv:e-i\n", "x\t-\tv:e-i\n", (10, "column 5 is 'x'; expected + or -")),
        ("+\t-\tv:e-i\n", "+-\t-\tv:e-i\n", (10, "column 5 is '+-'; expected + or -")),
        (
            "VB\t+\t-\tv:e-i\n",
            "VB\t+\t+\tv:e-i\t_\n",
            (10, "marked + as a predicate, but no arc leaves it (an empty column)"),
        ),
        (
            "_\t_\t_\n\n",
            "_\t_\n\n",
            (7, "8 columns; expected 9: 7 and one for each of the 2 predicates"),
        ),
        (
            "-\t-\t_\t_\t_\n\n",
            "-\t-\t_\t_\t_\t_\n\n",
            (7, "10 columns; expected 9: 7 and one for each of the 2 predicates"),
        ),
    ],
)
def test_what_has_only_one_meaning_is_tolerable(old, new, expected):
    assert old in SDP_2015
    text = SDP_2015.replace(old, new, 1)
    kept, found = problems(text)
    assert len(kept) in (1, 2)
    assert [(problem.line, problem.message) for problem in found] == [expected]
    assert found[0].tolerable
    with pytest.raises(FormatError) as raised:
        loads(text, "sdp")
    assert raised.value.problems == found
    assert len(problems(text, lenient=True)[0]) == 2


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("5\t.\t.\t.\t-\t-\t_\t_\t_", "5\t.", (7, "2 columns; expected at least 7, split by tabs")),
        ("5\t.\t.\t", "5\t.\t\t", (7, "column 3 is empty")),
        ("ARG2\tARG1", "\tARG1", (6, "an empty cell in the column of predicate 2; expected _")),
        (
            "ARG2\tARG1",
            "ARG2\tARG1\tARG3",
            (6, "10 columns; expected 9: 7 and one for each of the 2 predicates"),
        ),
        (
            "VB\t+\t-\tv:e-i\n",
            "VB\t+\t+\tv:e-i\n",
            (10, "7 columns; expected 8: 7 and one for the one predicate"),
        ),
        (
            "VB\t+\t-\tv:e-i\n",
            "VB\t+\t-\tv:e-i\tARG1\n",
            (10, "8 columns; expected 7: 7 and one for each of the 0 predicates"),
        ),
        ("\n1\tGo\tgo\tVB\t+\t-\tv:e-i", "", (9, "a graph without tokens")),
        (
            "4\tfish",
            "#4\tfish",
            (6, "a '#' line after the first token; expected an empty line before it"),
        ),
    ],
)
def test_what_has_no_meaning_costs_the_graph_and_no_other(old, new, expected):
    assert old in SDP_2015
    graphs, found = problems(SDP_2015.replace(old, new, 1), lenient=True)
    assert [(problem.line, problem.message) for problem in found] == [expected]
    assert not found[0].tolerable
    assert len(graphs) == 1


@pytest.mark.parametrize("head", ["3", "-1", "02", "nsubj", "+"])
def test_the_head_of_a_companion_tree_is_a_word(head):
    text = ALLENNLP.replace("NNS\t2\t", f"NNS\t{head}\t")
    with pytest.raises(FormatError) as raised:
        loads(text, "allennlp")
    [problem] = raised.value.problems
    assert problem[1:] == (2, f"the head {head!r}; expected _ or a number from 0 to 2", True)
    [graph] = loads(text, "allennlp", lenient=True)
    assert graph.meta["syntax"][0] == (head, "nsubj")
    with pytest.raises(FormatError, match="is not a head of the sentence and a relation"):
        dumps([graph], "allennlp")


def test_the_second_header_of_joined_files_is_tolerable():
    graphs, found = problems(SDP_2015 + SDP_2015, lenient=True)
    assert len(graphs) == 4
    expected = "'#SDP 2015' belongs into the first line alone"
    assert [(problem.line, problem.message) for problem in found] == [(12, expected)]


def test_an_empty_file_is_tolerable_and_a_header_alone_is_right():
    assert problems("")[1] == [
        Problem("<stream>", 1, "no graphs; expected a file that begins with '#SDP 2015'", True)
    ]
    assert loads("", "sdp", lenient=True) == []
    assert loads(dumps([], "sdp"), "sdp") == []


def test_a_bare_predicate_is_kept():
    bare = Graph([Token("Go")], tops=[1], id="1", bare_predicates=[1])
    text = dumps([bare], "sdp")
    assert text.endswith("1\tGo\t_\t_\t+\t+\t_\t_\n\n")
    assert loads(text, "sdp", lenient=True) == [bare]


def test_graphs_without_an_id_are_numbered():
    text = dumps([Graph([Token("Go")]), Graph([Token("Go")])], "sdp")
    assert [graph.id for graph in loads(text)] == ["20000001", "20000002"]


def test_only_the_line_feed_ends_a_line():
    graph = Graph([Token("a\x0b\x0c\x1c\x85\u2028b")], id="1")
    assert loads(dumps([graph], "sdp"), "sdp") == [graph]


@pytest.mark.parametrize(
    ("graph", "format", "message"),
    [
        (Graph([Token("a\tb")]), "sdp", "the form of token 1, 'a\\tb', contains a separator"),
        (Graph([Token("a", frame="b\r")]), "sdp", "the frame of token 1, 'b\\r', contains"),
        (Graph([Token("a", frame="v")]), "sdp2014", "token 1 has a frame, 'v', and no column"),
        (Graph([Token("a")], id="1\n2"), "sdp", "the id '1\\n2' spans several lines"),
        (Graph([Token("a")], id="SDP 2015"), "sdp", "the id 'SDP 2015' would be read as"),
        (Graph([Token("a")], [(1, 1, "_")]), "sdp", "the label '_' of the arc 1 -> 1"),
    ],
)
def test_what_a_file_cannot_hold_is_refused(graph, format, message):
    with pytest.raises(FormatError) as raised:
        dumps([graph], format)
    assert message in str(raised.value)


@pytest.mark.parametrize("header", ["", "#SDP 2015\n"])
def test_a_file_of_sentences_has_four_columns(header):
    text = "#1\n1\tGo\tgo\tVB\n2\t!\t_\t.\n\n#2\n1\tStop\tstop\tVB\n\n"
    first, second = loads(header + text, "sdp")
    assert first == Graph([Token("Go", "go", "VB"), Token("!", "_", ".")], id="1")
    assert second.forms == ("Stop",)


def test_a_graph_among_sentences_is_told():
    with pytest.raises(FormatError, match="5: 6 columns; expected 4, as in the sentences before"):
        loads("#1\n1\tGo\tgo\tVB\n\n#2\n1\tGo\tgo\tVB\t+\t-\n\n", "sdp")
