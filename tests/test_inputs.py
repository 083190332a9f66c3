"""What people give to be parsed, good and bad."""

import pytest

from sdp_pointer.errors import UserError
from sdp_pointer.graphs import Graph, Token
from sdp_pointer.inputs import Refused, read_json, read_text, sentence
from sdp_pointer.text import Text


class Ready:
    """A parser that needs nothing but words."""

    text = Text()

    def prepare(self, given):
        if isinstance(given, Graph):
            return given
        return self.text.sentence(given) if isinstance(given, str) else Graph(map(Token, given))


def test_ids_and_unknown_keys_are_kept_and_old_results_are_not():
    value = {"sentence": "Cats purr.", "id": 7, "page": 3, "tops": [9], "score": 1, "text": "x"}
    graph = sentence(value, Text())
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
    assert sentence(columns, Text()).tokens == sentence(objects, Text()).tokens
    assert sentence(columns, Text()).tokens[0] == Token("Cats", "cat", "NNS")


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
        ({"tokens": ["a"], "id": [1]}, '"id" must be a string'),
        ({"tokens": ["a"], "id": True}, '"id" must be a string'),
        ({"tokens": ["a"], "offsets": []}, '"offsets" is reserved'),
    ],
)
def test_what_is_no_sentence_is_told(value, message):
    with pytest.raises(UserError, match=message):
        sentence(value, Text())


def test_bad_lines_keep_their_place_and_number():
    lines = ['{"tokens": ["a"]}\n', "\n", "not json\n", '{"id": "x", "tokens": []}\n', "[" * 99999]
    good, *bad = read_json(lines, Ready())
    assert good.forms == ("a",)
    assert [(refused.line, refused.id) for refused in bad] == [(3, ""), (4, "x"), (5, "")]
    assert all(isinstance(refused, Refused) and refused.error for refused in bad)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"sentence": "caf\xe9"}\n', "not UTF-8"),
        ('{"sentence": "caf\udce9"}\n', "not UTF-8"),
        (b'{"sentence": "\\ud800"}\n', "half of a character"),
        ('{"sentence": "a", "x": NaN}\n', "NaN is not JSON"),
        ('{"sentence": "a", "sentence": "b"}\n', "given twice"),
        ('{"sentence": "a", "x": ' + "[" * 40 + "]" * 40 + "}", "nested too deeply"),
    ],
)
def test_a_line_that_could_not_be_written_back_is_refused_and_the_next_is_read(line, message):
    refused, good = read_json([line, b'{"sentence": "caf\xc3\xa9"}'], Ready())
    assert refused.line == 1
    assert message in refused.error
    assert good.forms == ("café",)


def test_text_in_another_encoding_is_refused_line_by_line():
    refused, good = read_text([b"caf\xe9\n", b"caf\xc3\xa9\n"], Ready())
    assert "not UTF-8" in refused.error
    assert good.forms == ("café",)


def test_a_byte_order_mark_is_no_word():
    [graph] = read_text([b"\xef\xbb\xbfGo home\r\n"], Ready())
    assert graph.forms == ("Go", "home")
    [graph] = read_json([b'\xef\xbb\xbf{"sentence": "Go"}'], Ready())
    assert graph.forms == ("Go",)


def test_no_id_may_be_given_as_null():
    assert sentence({"tokens": ["a"], "id": None}, Text()).id == ""


def test_text_is_a_sentence_a_line_or_split_or_tokens():
    lines = ["Dogs bark. Cats purr.\r\n", "   \n", "Mr. Smith sleeps.\n"]
    whole = list(read_text(lines, Ready()))
    assert [len(graph) for graph in whole] == [6, 4]
    split = list(read_text(lines[:1], Ready(), split=True))
    assert [graph.forms for graph in split] == [("Dogs", "bark", "."), ("Cats", "purr", ".")]
    assert split[1].meta["text"] == "Cats purr."
    assert split[1].meta["offsets"][0] == (0, 4)
    [tokens] = read_text(["can not.\n"], Ready(), tokens=True)
    assert tokens.forms == ("can", "not.")


@pytest.mark.parametrize(
    "text", ["naïve café", "日本語 です", "👩‍👩‍👧 laughs", "a\u00a0b", "x\x00y \x07"]
)
def test_every_offset_points_at_its_word_whatever_the_script(text):
    graph = Text().sentence(text)
    for token, (start, end) in zip(graph.tokens, graph.meta["offsets"]):
        assert text[start:end] == token.form


def test_an_unknown_pipeline_is_told_in_one_sentence():
    with pytest.raises(UserError, match=r"no spaCy pipeline 'en_nothing'.*spacy download"):
        Text("en_nothing")
