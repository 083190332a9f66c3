import unicodedata

from drawn_graphs import TEXT
from hypothesis import given
from hypothesis import strategies as st

from sdp_pointer.graphs.draw.characters import (
    clip,
    clusters,
    columns,
    ems,
    isolated,
    read_right_to_left,
    visible,
)


@given(TEXT)
def test_what_is_visible_has_a_width_and_no_control_characters(text):
    shown = visible(text)
    assert columns(shown) > 0
    assert ems(shown) > 0
    assert not {unicodedata.category(char) for char in shown} & {"Cc", "Cs", "Zl", "Zp"}


def test_an_empty_text_stays_empty():
    assert visible("") == ""


@given(TEXT)
def test_making_visible_text_visible_changes_nothing(text):
    assert visible(visible(text)) == visible(text)


@given(st.text(st.characters(categories=["L", "N", "P"]), min_size=1))
def test_letters_digits_and_punctuation_stay_as_they_are(text):
    assert visible(text) == text or columns(text) == 0


def test_characters_that_reorder_a_line_or_are_illegal_in_xml_are_replaced():
    assert visible("a\u202eb\u2066c\ufffed\ud800e\x85f\u2028g") == "a�b�c�d�e�f�g"


def test_joiners_that_scripts_and_emoji_need_are_kept():
    assert visible("می\u200cخواهم") == "می\u200cخواهم"
    assert visible("👩\u200d🔬") == "👩\u200d🔬"


@given(TEXT, st.integers(1, 20))
def test_clipped_text_fits_and_short_text_is_not_clipped(text, limit):
    shown = visible(text)
    clipped = clip(shown, limit)
    assert columns(clipped) <= limit
    assert (clipped == shown) == (columns(shown) <= limit)


def test_clipping_keeps_marks_with_their_letters():
    assert clip("e\u0301" * 9, 5) == "e\u0301" * 3 + "…" + "e\u0301"


@given(TEXT)
def test_clusters_are_the_text_and_their_widths_its_width(text):
    parts = list(clusters(visible(text)))
    assert "".join(part for part, _ in parts) == visible(text)
    assert sum(width for _, width in parts) == columns(visible(text))
    assert all(width in (1, 2) for _, width in parts)


def test_a_korean_syllable_of_three_letters_takes_two_columns():
    assert columns(unicodedata.normalize("NFD", "한")) == columns("한") == 2


def test_numbers_and_punctuation_do_not_decide_the_direction():
    assert read_right_to_left(["123", ".", "שלום"])
    assert not read_right_to_left(["123", "."])


def test_only_text_with_right_to_left_letters_is_isolated():
    assert isolated("naïve 日本") == "naïve 日本"
    assert isolated("a ש") == "\u200ea ש\u200e"
