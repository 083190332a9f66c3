"""Frames: their form in the official files, with the types of a grammar's interface."""

import re

import pytest
from delphin.codecs import eds

from sdp_pointer.errors import UserError
from sdp_pointer.redwoods.bilexical import dependencies
from sdp_pointer.redwoods.frames import frame, read_signatures
from sdp_pointer.redwoods.words import Word
from tests.conftest import FIXTURES

INTERFACE = FIXTURES / "redwoods" / "etc" / "erg.smi"


@pytest.fixture(scope="module")
def signatures():
    return read_signatures(INTERFACE)


@pytest.mark.parametrize(
    ("predicate", "types"),
    [
        ("_sleep_v_1", "e-x"),
        ("_the_q", "x-h-h"),
        ("_like_v_1", "e-x-u"),  # x, h or e
        ("_be_v_id", "e-p-x"),  # p or x
        ("card", "i-u"),  # u or x
        ("_leave_v_1", "e-x-x"),  # the last one is optional
        ("generic_entity", "i-x"),  # only one entry has the last one
        ("abstract_q", "x-h-h"),  # in the order of the roles, not of the entry
    ],
)
def test_types_are_generalised_over_all_entries(signatures, predicate, types):
    assert signatures[predicate] == types


def test_a_predicate_without_an_entry_has_no_signature(signatures, tmp_path):
    text = INTERFACE.read_text() + "\npredicates:\n\n  some_q < abstract_q.\n"
    for name in ("surface.smi", "abstract.smi"):
        (tmp_path / name).write_text((INTERFACE.parent / name).read_text())
    (tmp_path / "erg.smi").write_text(text)
    assert read_signatures(tmp_path / "erg.smi") == signatures


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        ("e1:_like_v_1<0:1>{e}[]", "v:e-x-u"),
        ("e1:_ship_v_cause<0:1>{e}[]", "v_cause:e-x-x"),
        ("e1:_of+course_a_1<0:1>{e}[]", "a:e-h"),
        ("e1:_good_a_at-for-of<0:1>{e}[ARG1 x2]", "a_at-for-of:e-i"),
        ("e1:_the_q<0:1>[BV x2]", "q:x-h-h"),
        ("e1:which_q<0:1>[BV x2]", "q:x-h-h"),
        ('x1:named<0:1>("Kim"){x}[]', "named:x-c"),
        ('e1:card<0:1>("2"){e}[ARG1 x2]', "card:i-u-c"),
        ('x1:year_range<0:1>("1990"){x}[]', "year_range:x-c"),
        ("x1:_blork/nn_u_unknown<0:1>{x}[]", "n:x"),
        ("e1:_blork/vbd_u_unknown<0:1>{e}[ARG2 x2, ARG1 x3]", "v:e-x-i"),
        ("e1:_blorky/jj_u_unknown<0:1>{e}[ARG1 x2]", "a:e-i"),
        ("e1:_blork/xx_u_unknown<0:1>{u}[]", "u_unknown:u"),
        ("e1:_odd<0:1>{e}[]", "_odd:e"),
    ],
)
def test_a_frame_has_class_sense_and_types(signatures, node, expected):
    graph = eds.decode(f"{{e1: {node} x2:pron<0:1>{{i}}[] x3:pron<0:1>{{x}}[]}}")
    nodes = {node.id: node for node in graph.nodes}
    assert frame(graph.nodes[0], nodes, signatures) == expected


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        ("e1:_old_a_1<0:1>{e}[] x2:generic_entity<0:1>{x}[]", "a:e-x"),
        ("x2:place_n<0:1>{x}[] _1:which_q<0:1>[BV x2]", "q:x-h-h"),
        ('x2:dofw<0:1>("Mon"){x}[] _1:def_explicit_q<0:1>[BV x2]', "dofw:x-c"),
        ("x2:part_of<0:1>{x}[] _1:_some_q<0:1>[BV x2]", "part_of:x-x"),
        ("_1:def_explicit_q<0:1>[BV x2] x2:pron<2:3>{x}[]", "_"),
        ("x2:pron<0:1>{x}[] _1:def_explicit_q<0:3>[BV x2]", "pron:x"),
    ],
    ids=["word", "quantifier", "constant", "surface quantifier last", "no word", "two words"],
)
def test_of_several_predicates_of_a_word_one_gives_the_frame(rules, nodes, expected):
    words = [Word("a", 0, 1), Word("b", 2, 3)]
    graph = dependencies(eds.decode(f"{{x2: {nodes}}}"), words, rules)
    assert graph.tokens[0].frame == expected


def test_all_words_of_an_expression_have_its_frame(rules):
    words = [Word("Of", 0, 2), Word("course", 3, 9)]
    graph = dependencies(eds.decode("{e1: e1:_of+course_a_1<0:9>{e}[]}"), words, rules)
    assert [token.frame for token in graph.tokens] == ["a:e-h", "a:e-h"]


# Words of published sentences of the official files with their frames (SDP 2015, in tests and
# documentation of other parsers), and the same predicates in the grammar of today.
@pytest.mark.parametrize(
    ("predicate", "signature", "published"),
    [
        ("_area_n_of", "x-x", "n_of:x-i"),
        ("_the_q", "x-h-h", "q:i-h-h"),
        ("_factory_n_1", "x", "n:x"),
        ("_dusty_a_1", "e-i", "a:e-p"),
        ("_total_v_1", "e-x-x", "v:e-i-i"),
        ("_apply_v_1", "e-x-h", "v:e-i-h"),
        ("_contract_n_1", "x-h", "n:x-h"),
        ("_say_v_to", "e-x-p-p", "v_to:e-i-h-i"),
        ("_with_p", "e-i-i", "p:e-u-i"),
        ("pron", "x", "pron:x"),
        ("named", "x", "named:x-c"),
        ("card", "i-u", "card:i-i-c"),
    ],
)
def test_the_form_is_that_of_published_frames(predicate, signature, published):
    constant = '("c")' if published.endswith("-c") else ""
    graph = eds.decode(f"{{x1: x1:{predicate}<0:1>{constant}{{x}}[]}}")
    ours = frame(graph.nodes[0], {}, {predicate: signature})
    # The letters depend on the version of the grammar, but for those of instances and events.
    assert re.sub("[iuphx]", "?", ours) == re.sub("[iuphx]", "?", published)


@pytest.mark.parametrize(
    "text", ["predicates:\n\n  a : ARG0 y.\n", "nothing:\n", "variables:\n\n  e <\n"]
)
def test_an_interface_that_cannot_be_read_is_named(tmp_path, text):
    (tmp_path / "erg.smi").write_text(text)
    with pytest.raises(UserError, match=r"erg.smi cannot be read as a SEM-I: ") as error:
        read_signatures(tmp_path / "erg.smi")
    assert "\n" not in str(error.value)
