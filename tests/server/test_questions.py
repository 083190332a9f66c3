"""What is refused before a parser sees it."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdp_pointer.errors import UserError
from sdp_pointer.parser.text import Text
from sdp_pointer.server.limits import Limits
from sdp_pointer.server.questions import Questions

TEXT = Text()


def read(value, **limits):
    return Questions(Limits(**limits)).read(json.dumps(value).encode())


def test_what_is_included_is_a_set():
    assert read({"sentence": "Go", "include": ["svg"] * 3000}).include == ("svg",)
    assert read({"sentence": "Go", "include": ["sdp", "svg", "sdp"]}).include == ("svg", "sdp")


def test_options_are_no_part_of_a_sentence():
    question = read({"sentence": "Go", "page": 3, "beam": 2, "n_best": None, "include": []})
    assert question.sentences == [{"sentence": "Go", "page": 3}]
    assert (question.beam, question.n_best, question.single) == (2, 1, True)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"sentence": "a " * 6}, "^a sentence of 6 words is too long: at most 5$"),
        ({"tokens": ["a"] * 6}, "^a sentence of 6 words is too long: at most 5$"),
        ({"sentences": ["a", "b " * 6]}, "^sentence 2: a sentence of 6 words"),
        ({"sentences": ["a", "b" * 99]}, "^sentence 2: a sentence of 99 characters"),
        ({"sentences": ["a b c"] * 3}, "^too many words for a request: at most 8$"),
    ],
)
def test_what_is_certainly_too_long_is_refused_before_it_is_split(value, reason):
    with pytest.raises(UserError, match=reason):
        read(value, sentence_words=5, words=8, characters=50)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40) | st.text("ab.'$ \t\u2003\xa0\x1c", max_size=40))
def test_a_text_has_no_fewer_words_than_what_stands_between_its_blanks(text):
    number = len(text.split())
    if number:
        assert len(TEXT.sentence(text)) >= number
