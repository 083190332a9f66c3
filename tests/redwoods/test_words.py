"""Forms, tags and lemmas of a treebank's words."""

import pytest

from sdp_pointer.redwoods.notations import InitialToken
from sdp_pointer.redwoods.words import Word, clean, words


def test_words_have_the_taggers_tags_and_independent_lemmas():
    tokens = [InitialToken(0, 4, "NNS"), InitialToken(5, 9, "VBD")]
    assert list(words("Dogs went", tokens)) == [
        Word("Dogs", 0, 4, "NNS", "dog"),
        Word("went", 5, 9, "VBD", "go"),
    ]


@pytest.mark.parametrize(
    ("form", "tag"),
    [
        ("!", "."),
        ("...", ":"),
        ("“", "``"),
        ("'", "''"),
        ("[", "-LRB-"),
        (")", "-RRB-"),
        (",", ","),
    ],
)
def test_punctuation_has_its_usual_tag_and_is_its_own_lemma(form, tag):
    [word] = words(form, [InitialToken(0, len(form), "NN")])
    assert (word.pos, word.lemma, word.is_punctuation) == (tag, form, True)


def test_a_word_without_a_tag_is_a_noun():
    assert [word.pos for word in words("ha", [InitialToken(0, 2, "")])] == ["NN"]


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("⌊>calculation>⌋", "calculation"),
        ("⌊Kim", "Kim"),
        ("house*⌋", "house"),
        ("⌋", "⌋"),
        ("<a href='x'>here</a>", "here"),
        ("<br>", "<br>"),
        ("a<b", "a<b"),
        ("AT&amp;T", "AT&T"),
        ("&ldquo;Go&rdquo;", '"Go"'),
        ("R&D", "R&D"),
        ("’s", "’s"),
        ("1 000", "1_000"),
    ],
)
def test_markup_is_taken_away_where_a_word_is_left(form, expected):
    assert clean(form) == expected


@pytest.mark.parametrize("form", ["!?", "—", "``"])
def test_what_has_neither_letters_nor_digits_is_punctuation(form):
    assert Word(form, 0, 1).is_punctuation
    assert not Word(form + "a", 0, 1).is_punctuation
