"""The registry of formalisms."""

import pytest

from sdp_pointer.graphs import FORMALISMS, Graph, Token
from sdp_pointer.graphs.formalisms import (
    formalism_of_file,
    formalism_of_framework,
    framework_of,
    is_name,
)
from tests.conftest import FIXTURES


def test_every_entry_is_complete_and_found_by_its_name():
    for name, formalism in FORMALISMS.items():
        assert formalism.name == name
        assert Graph([Token("Go")], formalism=name).formalism == name
        assert formalism.description[0].isupper()
        assert all(formalism)
        assert formalism_of_framework(framework_of(name)) == name
    assert len({formalism.framework for formalism in FORMALISMS.values()}) == len(FORMALISMS)


@pytest.mark.parametrize(
    ("name", "core", "others"),
    [
        ("dm", ["ARG1", "BV", "_and_c"], []),
        ("ccd", ["1", "2"], []),
        ("psd", ["ACT-arg", "-arg", "a\n-arg"], ["RSTR", "ACT-args", "ACT-ARG", "arg"]),
        (
            "pas",
            ["adj_ARG1", "adj_MOD", "coord_ARG2", "prep_ARG3", "prep_MOD", "verb_ARG4", "verb_MOD"],
            ["adj_ARG3", "coord_ARG3", "coord_MOD", "prep_ARG4", "verb_ARG5", "det_ARG1", "verb"],
        ),
        ("eud", ["nsubj", "nsubj:pass", "obj", "xcomp"], ["obl", "obl:in", "advcl", "conj:and"]),
    ],
)
def test_core_labels_are_those_of_the_official_scorer(name, core, others):
    assert [label for label in (*core, *others) if FORMALISMS[name].is_core(label)] == core
    assert FORMALISMS[name].all_core == (not others)


def test_the_official_files_tell_their_formalism():
    files = sorted((FIXTURES / "official").glob("*.sdp"))
    assert len(files) == 9
    for path in files:
        formalism = formalism_of_file(str(path))
        assert path.name.endswith(f".{formalism}.sdp")
        assert path.name in FORMALISMS[formalism].data


@pytest.mark.parametrize("name", ["a", "_", "dm2", "my_scheme", "none"])
def test_any_identifier_in_small_letters_is_a_name(name):
    assert is_name(name)


@pytest.mark.parametrize("name", ["", "DM", "2d", "my-scheme", "my scheme", "é", "dm\n", None, 7])
def test_nothing_else_is_a_name(name):
    assert not is_name(name)
