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
