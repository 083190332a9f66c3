import io

import pytest

from sdp_pointer.graphs import FormatError, Graph, Token, dumps, loads, read

EMPTY_NODE = """\
1	Mary	Mary	_	NNP	_	_	_	2:nsubj	_
2	won	win	_	VBD	_	_	_	0:root	_
3	gold	gold	_	NN	_	_	_	2:obj	_
4	and	and	_	CC	_	_	_	5.1:cc	_
5	Peter	Peter	_	NNP	_	_	_	2:conj|5.1:nsubj	_
5.1	won	win	_	VBD	_	_	_	2:conj	CopyOf=2
6	bronze	bronze	_	NN	_	_	_	5.1:obj	_

"""


def row(deps="_", misc="_", position=1, form="a", xpos="_", upos="_"):
    return f"{position}\t{form}\t_\t{upos}\t{xpos}\t_\t_\t_\t{deps}\t{misc}\n"


def syntax(feats, head, relation):
    return f"1\ta\t_\t_\t_\t{feats}\t{head}\t{relation}\t_\t_\n"


def problems(text, lenient=False):
    """The graphs that a reader hands out, and everything that it complains of."""
    found = []
    end = "" if text.endswith("\n\n") else "\n"
    stream = io.StringIO(text + end, newline="\n")
    graphs = list(read(stream, "conllu", lenient=lenient, on_problem=found.append))
    return graphs, [tuple(problem[1:]) for problem in found]


def test_an_empty_node_and_its_arcs_are_tolerable():
    [graph], found = problems(EMPTY_NODE, lenient=True)
    assert graph.arcs == ((2, 1, "nsubj"), (2, 3, "obj"), (2, 5, "conj"))
    assert len(graph) == 6
    assert found == [
        (6, "the empty node 5.1, with '2:conj' in DEPS; expected words alone", True),
        (4, "'5.1:cc' in DEPS is an arc from an empty node", True),
        (5, "'5.1:nsubj' in DEPS is an arc from an empty node", True),
        (7, "'5.1:obj' in DEPS is an arc from an empty node", True),
    ]
    assert problems(EMPTY_NODE) == ([], found)


def test_the_same_empty_node_twice_is_an_error():
    text = row() + row(position="1.1") + row(position="1.1")
    graphs, found = problems(text, lenient=True)
    assert graphs == []
    assert found[1] == (3, "the word has the id '1.1'; expected 2", False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (row("1:a|1:a"), (1, "'1:a' is in DEPS twice")),
        (row(xpos="a b"), (1, "XPOS is 'a b'; expected no blank")),
        (
            syntax("Case=Nom|Sg", "0", "root"),
            (1, "FEATS is 'Case=Nom|Sg'; expected _ or name=value, split by |"),
        ),
        (
            syntax("_", "_", "root"),
            (1, "DEPREL is 'root', but HEAD is _; expected both or none"),
        ),
        (row() + "# late\n", (2, "a comment after the first token; expected it before")),
        (row() + "\n\n", (3, "an empty line too many")),
        (row(misc=r"Frame=\x"), (1, r"the frame '\\x' has the unknown escape '\\x'")),
    ],
)
def test_what_has_only_one_meaning_is_tolerable(text, expected):
    text += "" if text.endswith("\n\n") else "\n"
    with pytest.raises(FormatError) as raised:
        loads(text, "conllu")
    assert raised.value.problems == [("<stream>", *expected, True)]
    assert len(loads(text, "conllu", lenient=True)) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1\ta\n", (1, "2 columns; expected 10, split by tabs")),
        (row(form=""), (1, "the column FORM is empty; expected _")),
        (row("0:root", position=2), (1, "the word has the id '2'; expected 1")),
        (row(position="１"), (1, "the word has the id '１'; expected 1")),
        (row() + row(position="1.0"), (2, "the word has the id '1.0'; expected 2")),
        (row() + row(position="3-4"), (2, "the word has the id '3-4'; expected 2")),
        (row("2:x"), (1, "'2:x' in DEPS; expected a head from 0 to 1")),
        (row("-1:x"), (1, "'-1:x' in DEPS; expected a head from 0 to 1")),
        (row("0_1:x"), (1, "'0_1:x' in DEPS; expected a head from 0 to 1")),
        (row("１:x"), (1, "'１:x' in DEPS; expected a head from 0 to 1")),
        (row("01:x"), (1, "'01:x' in DEPS; expected a head from 0 to 1")),
        (row("1.1:x"), (1, "'1.1:x' in DEPS; expected a head from 0 to 1")),
        (row("9" * 5000 + ":x"), (1, f"'{'9' * 5000}:x' in DEPS; expected a head from 0 to 1")),
        (row("1"), (1, "'1' in DEPS; expected head:label")),
        (row("1:"), (1, "'1:' in DEPS; expected head:label")),
        (row("0:root|"), (1, "'' in DEPS; expected head:label")),
        (
            row("1:nsubj|1:obj"),
            (1, "two arcs from 1, 'nsubj' and 'obj'; expected one between two words"),
        ),
        (row(misc="Frame="), (1, "MISC is 'Frame='; expected one frame that is not empty")),
        (
            row(misc="Frame=a|Frame=b"),
            (1, "MISC is 'Frame=a|Frame=b'; expected one frame that is not empty"),
        ),
        ("# sent_id = 1\n", (1, "a sentence without words")),
        ("# text = a\n# text = b\n" + row(), (1, "more than one comment '# text = ...'")),
        (
            "# bare_predicates = x\n" + row(),
            (1, "bare predicate 0 is outside the sentence of 1 words"),
        ),
        (
            row(position="1-2") + row(),
            (1, "the multi-word token 1-2 leaves the sentence"),
        ),
    ],
)
def test_what_has_no_meaning_costs_the_sentence_and_no_other(text, expected):
    graphs, found = problems(text + "\n" + row("0:root"), lenient=True)
    assert found == [(*expected, False)]
    assert graphs == [Graph([Token("a")], tops=[1])]


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (Graph([Token("a\tb")]), "the form of token 1, 'a\\tb', contains a separator"),
        (Graph([Token("a", pos="b c")]), "the pos of token 1, 'b c', contains a separator"),
        (Graph([Token("a")], [(1, 1, "b|c")]), "the label 'b|c' of the arc 1 -> 1"),
        (Graph([Token("a")], id="1\n"), "the id '1\\n' or the text '' is not one line"),
        (Graph([Token("a")], meta={"text": 7}), "the id '' or the text 7 is not one line"),
    ],
)
def test_what_a_file_cannot_hold_is_refused(graph, message):
    with pytest.raises(FormatError) as raised:
        dumps([graph], "conllu")
    assert message in str(raised.value)


@pytest.mark.parametrize("head", ["2", "-1", "01", "root", "1:ARG1"])
def test_a_head_of_a_tree_that_is_no_word_is_an_error(head):
    graphs, found = problems(syntax("_", head, "root"), lenient=True)
    assert graphs == []
    assert found == [(1, f"HEAD is {head!r}; expected _ or a number from 0 to 1", False)]


@pytest.mark.parametrize("features", ["_", "Case=Nom", "Case=Nom|Number=Sing", "A=B=C"])
def test_features_and_a_tree_are_no_problem(features):
    [graph], found = problems(syntax(features, "0", "_"))
    assert graph.meta["syntax"] == (("0", "_"),)
    assert found == []


def test_the_header_of_another_format_is_an_error():
    graphs, found = problems("#SDP 2015\n" + row(), lenient=True)
    assert graphs == []
    message = "'#SDP 2015' in a file that should be CoNLL-U; is it .sdp?"
    assert found == [(1, message, False)]
