"""Tables of predicates: the grammar's own, and what is added to them."""

import shutil

import pytest

from sdp_pointer.errors import UserError
from sdp_pointer.redwoods.rules import Relation, Rules, read_rules, sections
from tests.conftest import FIXTURES

CONFIG = FIXTURES / "redwoods" / "etc" / "dm.cfg"


def test_the_grammars_rules_count_before_ours(tmp_path):
    shutil.copytree(CONFIG.parent, tmp_path, dirs_exist_ok=True)
    (tmp_path / "dm.cfg").write_text("[relational]\nimplicit_conj ARG2 ARG1 own\n")
    assert read_rules(tmp_path).relations("implicit_conj") == (
        Relation("ARG2", "ARG1", "own"),
        Relation("ARG1", "ARG2", "conj"),
    )


def test_what_only_one_of_the_two_has_is_there(rules):
    assert [rules.is_lexical(name) for name in ("card", "comp", "udef_q")] == [True, True, False]
    assert rules.relations("of_p") == (Relation("ARG2", "ARG1", "of"),)
    assert rules.relations("times") == (Relation("ARG2", "ARG3", "times"),)
    assert rules.transparent("nominalization") == ("ARG1",)
    assert rules.lenders("minute_n") == ("card",)


def test_sections_of_no_use_are_passed_over():
    assert "[contracted]" in CONFIG.read_text()
    assert set(sections(CONFIG.read_text(), "dm.cfg")) == {"transparent", "relational", "lexical"}


def test_an_expression_fits_anywhere_and_a_name_as_a_whole():
    rules = Rules(sections("[lexical]\n/rd_n$/\ncar\n", "dm.cfg"))
    fitting = [name for name in ("_card_n", "card_n_1", "car", "card") if rules.is_lexical(name)]
    assert fitting == ["_card_n", "car"]


@pytest.mark.parametrize(
    ("section", "line", "columns", "expected"),
    [
        ("lexical", "card x", 2, "1"),
        ("transparent", "unknown", 1, "2"),
        ("relational", "poss ARG2", 2, "3 or 4"),
        ("relational", "poss ARG2 ARG1 poss more", 5, "3 or 4"),
    ],
)
def test_a_line_with_other_columns_is_told(section, line, columns, expected):
    with pytest.raises(UserError) as error:
        sections(f"[{section}]\n\n{line}\n", "etc/dm.cfg")
    message = f"etc/dm.cfg:3: {columns} columns in [{section}]; expected {expected}"
    assert str(error.value) == message
