"""What stands for a sentence, good and bad."""

import pytest

from sdp_pointer.errors import UserError
from sdp_pointer.graphs import Token
from sdp_pointer.parser.sentences import sentence_of_json
from sdp_pointer.parser.text import Text


def test_ids_and_unknown_keys_are_kept_and_old_results_are_not():
    value = {"sentence": "Cats purr.", "id": 7, "page": 3, "tops": [9], "score": 1, "text": "x"}
    graph = sentence_of_json(value, Text())
    assert graph.id == "7"
    assert graph.meta["page"] == 3
    assert graph.meta["text"] == "Cats purr."
    assert "score" not in graph.meta
    assert not graph.tops


def test_tokens_may_be_words_with_columns_or_those_of_a_graphs_json():
    columns = {"tokens": ["Cats", "purr"], "lemmas": ["cat", "purr"], "pos": ["NNS", "VBP"]}
    objects = {
        "tokens": [
            {"form": "Cats", "lemma": "cat", "pos": "NNS", "start": 0, "end": 4},
            {"form": "purr", "lemma": "purr", "pos": "VBP"},
        ]
    }
    assert sentence_of_json(columns, Text()).tokens == sentence_of_json(objects, Text()).tokens
    assert sentence_of_json(columns, Text()).tokens[0] == Token("Cats", "cat", "NNS")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (3, "not a JSON object"),
        (["Cats"], "not a JSON object"),
        ({}, 'neither "sentence" nor "tokens"'),
        ({"sentence": 3}, 'neither "sentence" nor "tokens"'),
        ({"sentence": " \t "}, "there are no words"),
        ({"tokens": []}, "at least one word"),
        ({"tokens": "Cats"}, "at least one word"),
        ({"tokens": ["Cats", ""]}, "token 2 is no word"),
        ({"tokens": ["Cats", {"lemma": "x"}]}, "token 2 is no word"),
        ({"tokens": ["a", "b"], "pos": ["X"]}, "1 pos for 2 tokens"),
        ({"tokens": ["a"], "lemmas": "a"}, "no list of lemmas for 1 tokens"),
        ({"tokens": ["a"], "lemmas": [None]}, "strings that are not empty"),
        ({"tokens": ["a"], "lemmas": []}, "0 lemmas for 1 tokens"),
        ({"tokens": ["a"], "pos": []}, "0 pos for 1 tokens"),
        ({"tokens": ["a"], "pos": [""]}, "strings that are not empty"),
        ({"tokens": ["a"], "lemmas": [""]}, "strings that are not empty"),
        ({"tokens": [{"form": "a", "pos": ""}]}, "token 1 is no word"),
        ({"tokens": [{"form": "a", "start": 0, "end": 9}], "text": "a"}, "outside of the text"),
        ({"tokens": [{"form": "a", "start": "0", "end": 1}]}, '"start" of token 1'),
        ({"tokens": ["a"], "syntax": []}, '"syntax" is not a'),
        ({"sentence": "a", "syntax": []}, '"syntax" is reserved'),
        ({"tokens": ["a"], "id": [1]}, '"id" must be a string'),
        ({"tokens": ["a"], "id": True}, '"id" must be a string'),
        ({"tokens": ["a"], "offsets": []}, '"offsets" is reserved'),
        ({"tokens": ["a"], "text": 5}, '"text" must be a string, not 5'),
        ({"tokens": ["a"], "mrp": 5}, '"mrp" must be an object, not 5'),
    ],
)
def test_what_is_no_sentence_is_told(value, message):
    with pytest.raises(UserError, match=message):
        sentence_of_json(value, Text())


def test_no_id_may_be_given_as_null():
    assert sentence_of_json({"tokens": ["a"], "id": None}, Text()).id == ""


@pytest.mark.parametrize(
    "text", ["naïve café", "日本語 です", "👩‍👩‍👧 laughs", "a\u00a0b", "x\x00y \x07"]
)
def test_every_offset_points_at_its_word_whatever_the_script(text):
    graph = Text().sentence(text)
    for token, (start, end) in zip(graph.tokens, graph.meta["offsets"]):
        assert text[start:end] == token.form


def test_offsets_of_some_words_are_not_kept():
    tokens = [{"form": "Cats", "start": 0, "end": 4}, {"form": "purr", "start": 5}]
    assert "offsets" not in sentence_of_json({"tokens": tokens, "text": "Cats purr"}, Text()).meta
    assert "text" not in sentence_of_json({"tokens": ["Cats"], "text": None}, Text()).meta
