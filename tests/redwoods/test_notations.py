"""What pydelphin reads, and what it cannot read."""

import pytest

from sdp_pointer.redwoods.notations import (
    InitialToken,
    UnreadableError,
    initial_tokens,
    read_eds,
)

from .conftest import MAKE

MRS = (
    "[ LTOP: h0 INDEX: e2 RELS: < [ _bark_v_1<5:10> LBL: h1 ARG0: e2 ARG1: x3 ]"
    " [ pron<0:4> LBL: h4 ARG0: x3 ] > HCONS: < h0 qeq h1 > ]"
)


def derivation(*words):
    _, places = MAKE["laid_out"](words)
    return MAKE["derived"](words, places, ["NN"] * len(words))


def test_the_tokens_are_in_the_order_of_the_leaves():
    assert initial_tokens(derivation("Go", "home", "~.")) == [
        InitialToken(0, 2, "NN"),
        InitialToken(3, 7, "NN"),
        InitialToken(7, 8, "NN"),
    ]


def test_a_leaf_may_have_several_tokens():
    token = '"token [ +FORM \\"x\\" +FROM \\"{}\\" +TO \\"{}\\" ]"'
    leaf = f'("of course" 1 {token.format(0, 2)} 2 {token.format(3, 9)})'
    text = f"(root (1 of_course_x 0.0 0 2 {leaf}))"
    assert initial_tokens(text) == [InitialToken(0, 2, ""), InitialToken(3, 9, "")]


FRAGMENTS = {
    "tea": """[ unknown<0:3> LBL: h1 ARG0: e2 ARG: x3 ]
        [ _tea_n_1<0:3> LBL: h4 ARG0: x3 ] >""",
    "old or new": """[ unknown<0:10> LBL: h1 ARG0: e2 ARG: i4 ]
        [ _or_c<4:6> LBL: h1 ARG0: e7 ARG1: e3 ARG2: e8 ]
        [ _old_a_1<0:3> LBL: h1 ARG0: e3 ARG1: i4 ]
        [ _new_a_1<7:10> LBL: h1 ARG0: e8 ARG1: i4 ] >""",
    "not now": """[ unknown<0:7> LBL: h1 ARG0: e2 ARG: u4 ]
        [ neg<0:3> LBL: h1 ARG0: e5 ARG1: h6 ]
        [ loc_nonsp<4:7> LBL: h7 ARG0: e3 ARG1: i9 ARG2: x10 ]
        [ time_n<4:7> LBL: h11 ARG0: x10 ] >""",
    "up hills to tops": """[ unknown<0:16> LBL: h1 ARG0: e2 ARG: u4 ]
        [ _up_p<0:2> LBL: h1 ARG0: e3 ARG1: e2 ARG2: x6 ] [ _hill_n_1<3:8> LBL: h7 ARG0: x6 ]
        [ _to_p<9:11> LBL: h1 ARG0: e8 ARG1: e3 ARG2: x9 ]
        [ _top_n_1<12:16> LBL: h10 ARG0: x9 ] >""",
}


@pytest.mark.parametrize("text", FRAGMENTS)
def test_the_argument_of_a_fragment_is_its_head(text):
    scopes = (
        "HCONS: < h0 qeq h1 h6 qeq h7 >" if "neg" in FRAGMENTS[text] else "HCONS: < h0 qeq h1 >"
    )
    graph = read_eds(f"[ LTOP: h0 INDEX: e2 RELS: < {FRAGMENTS[text]} {scopes} ]")
    assert [target[1:] for target in graph["e2"].edges.values()] == ["3"]
    assert list(graph["e2"].edges) == ["ARG"]


def test_a_fragment_of_nothing_has_no_argument():
    text = "[ unknown<0:4> LBL: h1 ARG0: e2 ARG: u3 ] > HCONS: < h0 qeq h1 > ]"
    assert read_eds(f"[ LTOP: h0 INDEX: e2 RELS: < {text}")["e2"].edges == {}


@pytest.mark.parametrize("end", range(0, len(MRS) - 1, 3))
def test_an_mrs_that_is_cut_off_is_unreadable(end):
    with pytest.raises(UnreadableError, match="not an MRS: "):
        read_eds(MRS[:end])


# pydelphin raises a KeyError, a ValueError and an error of its own.
@pytest.mark.parametrize("damage", [("ARG0: x3", ""), ("ARG0: e2", "ARG0: e"), ("LBL: h4", "")])
def test_an_mrs_that_is_damaged_is_unreadable(damage):
    damaged = MRS.replace(*damage)
    assert damaged != MRS
    with pytest.raises(UnreadableError, match="not an MRS: "):
        read_eds(damaged)


@pytest.mark.parametrize("text", ["", "(root", "nothing", "(root (1 x 0 0 1 ("])
def test_a_derivation_that_is_damaged_is_unreadable(text):
    with pytest.raises(UnreadableError, match="not a derivation: "):
        initial_tokens(text)


def test_a_token_without_a_place_is_unreadable():
    with pytest.raises(UnreadableError, match="a token without its place in the text"):
        initial_tokens(derivation("Go").replace("+FROM", "+FORM"))


@pytest.mark.parametrize("number", range(10, 30))
def test_predications_that_share_a_variable_are_told_apart_in_the_same_way(number):
    """Numbers, since what was wrong before depended on the hashes of their names."""
    graph = read_eds(f"""[ LTOP: h0 INDEX: e{number} RELS:
        < [ unknown<0:2> LBL: h1 ARG0: e{number} ARG: u4 ]
          [ _to_p<0:2> LBL: h1 ARG0: e{number} ARG1: i5 ARG2: x6 ]
          [ _tea_n_1<3:6> LBL: h7 ARG0: x6 ] > HCONS: < h0 qeq h1 > ]""")
    fragment, preposition, _ = graph.nodes
    assert (graph.top, fragment.id) == (f"e{number}", f"e{number}")
    assert (fragment.predicate, fragment.edges) == ("unknown", {"ARG": preposition.id})
    assert preposition.predicate == "_to_p"
