import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdp_pointer.graphs import FormatError, Graph, Token, dumps, loads
from tests.graphs.strategies import HOLDABLE

ENHANCED = """\
# newdoc id = weblog
# sent_id = weblog-1
# text = They don't buy and sell books.
# text_de = Sie kaufen und verkaufen keine Bücher.
1	They	they	PRON	PRP	Case=Nom|Number=Plur	4	nsubj	4:nsubj|6:nsubj	_
2-3	don't	_	_	_	_	_	_	_	_
2	do	do	AUX	_	_	4	aux	4:aux	_
3	n't	not	PART	_	Polarity=Neg	4	advmod	4:advmod	_
4	buy	buy	VERB	VBP	_	0	root	0:root	Frame=v:e-i-p|Gloss=kaufen
5	and	and	CCONJ	CC	_	6	cc	6:cc	_
6	sell	sell	VERB	VBP	_	4	conj	0:exroot|4:conj:and	_
7	books	book	NOUN	NNS	_	4	obj	4:obj|6:obj	SpaceAfter=No
8	.	.	PUNCT	.	_	4	punct	4:punct	_

"""


def row(deps="_", misc="_", position=1, form="a", xpos="_", upos="_"):
    return f"{position}\t{form}\t_\t{upos}\t{xpos}\t_\t_\t_\t{deps}\t{misc}\n"


def only(text, **kwargs):
    end = "" if text.endswith("\n\n") else "\n"
    [graph] = loads(text + end, "conllu", **kwargs)
    return graph


def test_a_ud_file_comes_back_byte_by_byte():
    assert dumps(loads(ENHANCED, "conllu"), "conllu") == ENHANCED


def test_the_columns_are_read_as_what_they_mean():
    graph = only(ENHANCED)
    assert graph.id == "weblog-1"
    assert graph.meta["text"] == "They don't buy and sell books."
    assert graph.meta["syntax"][:2] == (("4", "nsubj"), ("4", "aux"))
    assert graph.tokens[0] == Token("They", "they", "PRP")
    assert graph.tokens[3] == Token("buy", "buy", "VBP", "v:e-i-p")
    assert graph.tops == (4, 6)
    assert (4, 6, "conj:and") in graph.arcs
    assert len(graph.arcs) == 9


def test_upos_stands_in_for_xpos():
    assert [token.pos for token in only(ENHANCED).tokens[1:3]] == ["AUX", "PART"]


def test_deps_that_are_all_empty_are_a_graph_without_arcs():
    graph = only("1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n\n")
    assert graph == Graph([Token("Go", "go", "VB")])
    assert graph.meta["syntax"] == (("0", "root"),)


def test_a_changed_graph_is_written_with_its_changes_and_the_rest_as_it_was():
    graph = only(ENHANCED)
    tokens = list(graph.tokens)
    tokens[0] = tokens[0]._replace(pos="PN")
    tokens[1] = tokens[1]._replace(pos="_")
    tokens[3] = tokens[3]._replace(frame="_")
    tokens[6] = tokens[6]._replace(frame="n:x")
    changed = graph.replace(tokens=tokens, id="2", tops=[6], meta=graph.meta | {"text": "New."})
    text = dumps([changed], "conllu")
    assert only(text) == changed
    lines = text.split("\n")
    assert lines[:4] == [
        "# newdoc id = weblog",
        "# sent_id = 2",
        "# text = New.",
        "# text_de = Sie kaufen und verkaufen keine Bücher.",
    ]
    assert lines[4] == ENHANCED.split("\n")[4].replace("PRON\tPRP", "_\tPN")
    assert lines[8].endswith("\t_\tGloss=kaufen")
    assert lines[11].endswith("SpaceAfter=No|Frame=n:x")


def test_misc_without_its_only_frame_is_empty():
    graph = only(row(upos="VERB", misc="Frame=v:e-i"))
    changed = graph.replace(tokens=[graph.tokens[0]._replace(frame="_")])
    assert dumps([changed], "conllu") == row(upos="VERB") + "\n"


@pytest.mark.parametrize(
    ("frame", "misc"),
    [
        ("v:e-i", "Frame=v:e-i"),
        ("a|b c", r"Frame=a\pb\sc"),
        ("\\", "Frame=\\\\"),
        ("\\p", "Frame=\\\\p"),
        ("\t\r\n", r"Frame=\t\r\n"),
        ("Frame=", "Frame=Frame="),
        ("_", "_"),
    ],
)
def test_a_frame_goes_into_misc_with_the_usual_escapes(frame, misc):
    graph = Graph([Token("a", frame=frame)])
    assert dumps([graph], "conllu") == row(misc=misc) + "\n"
    assert only(row(misc=misc)) == graph


def test_cycles_and_self_loops_are_read():
    text = row("1:a|2:b") + row("1:c", position=2) + "\n"
    assert only(text).find_cycle() == (1,)
    assert dumps(loads(text, "conllu"), "conllu") == text


def test_a_bare_predicate_is_a_comment():
    graph = Graph([Token("a"), Token("b")], [(1, 2, "x")], id="1", bare_predicates=[2])
    text = dumps([graph], "conllu")
    assert text.startswith("# sent_id = 1\n# bare_predicates = 2\n")
    assert only(text) == graph


def test_forms_lemmas_and_misc_may_have_blanks():
    text = "1\t10 000\t10 000\t_\tCD\t_\t_\t_\t_\tGloss=ten thousand\n\n"
    assert only(text).tokens == (Token("10 000", "10 000", "CD"),)
    assert dumps(loads(text, "conllu"), "conllu") == text


def test_what_was_kept_of_other_tokens_is_refused():
    graph = only(ENHANCED)
    shorter = graph.replace(
        tokens=graph.tokens[:2], arcs=[], tops=[], meta={"conllu": graph.meta["conllu"]}
    )
    with pytest.raises(FormatError) as raised:
        dumps([shorter], "conllu")
    assert [problem.message for problem in raised.value.problems] == [
        "not for .conllu: meta['conllu'] is about 8 tokens, not 2",
        "not for .conllu: the multi-word token 2-3 leaves the sentence",
    ]


@settings(max_examples=30, deadline=None)
@given(
    HOLDABLE["conllu"],
    st.lists(st.sampled_from(["# a", "#", "# b = c", "#text=x", "# sent_id =", "##"]), max_size=3),
    st.sampled_from(["_", "NOUN", "X"]),
    st.sampled_from(["_", "A=b|C=d", "a=|_||Frame", "|"]),
)
def test_comments_and_other_columns_come_back(graph, comments, upos, misc):
    rows = dumps([graph], "conllu").split("\n")
    for n, line in enumerate(rows):
        cells = line.split("\t")
        if len(cells) == 10:
            cells[3] = upos
            cells[9] = misc if cells[9] == "_" else f"{misc}|{cells[9]}"
            rows[n] = "\t".join(cells)
    text = "\n".join([*(line for line in comments if len(set(comments)) == len(comments)), *rows])
    try:
        graphs = loads(text, "conllu")
    except FormatError as error:
        assert "more than one comment" in str(error)  # noqa: PT017
        return
    assert dumps(graphs, "conllu") == text
