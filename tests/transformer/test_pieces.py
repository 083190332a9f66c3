"""Words and their pieces, for the tokenizers of all kinds."""

import logging

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from transformers import AutoTokenizer

from sdp_pointer.graphs import read
from sdp_pointer.transformer.pieces import Pieces, special_tokens, split, windows
from sdp_pointer.transformer.pretrained import load_tokenizer
from tests.conftest import FIXTURES

# A zero-width space, a bell, a no-break space, a soft hyphen, nothing at all.
ODD = ["\u200b", "\x07", "\u00a0", "\u00ad", ""]


def one_by_one(tokenizer, words):
    """The reference: every word on its own."""
    pieces = []
    for word in words:
        ids = tokenizer([word], is_split_into_words=True, add_special_tokens=False)["input_ids"]
        pieces.append(ids or [tokenizer.unk_token_id])
    return Pieces([piece for ids in pieces for piece in ids], [len(ids) for ids in pieces])


def test_each_word_has_the_pieces_that_it_has_alone(any_transformer):
    tokenizer = load_tokenizer(any_transformer)
    several = 0
    for graph in read(FIXTURES / "data" / "dm.train.sdp"):
        words = [token.form for token in graph.tokens]
        found = split(tokenizer, words)
        assert found == one_by_one(tokenizer, words)
        several += sum(count > 1 for count in found.counts)
    assert several


def test_a_word_without_pieces_gets_the_unknown_one_and_shifts_nobody(any_transformer):
    tokenizer = load_tokenizer(any_transformer)
    words = ["The", *ODD, "old", *ODD, "cat", *ODD]
    found = split(tokenizer, words)
    assert len(found.counts) == len(words)
    assert min(found.counts) == 1
    assert found == one_by_one(tokenizer, words)
    assert tokenizer.unk_token_id in found.ids


@given(words=st.lists(st.text(max_size=8), max_size=12))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_at_all_is_aligned(any_transformer, words):
    tokenizer = load_tokenizer(any_transformer)
    assert split(tokenizer, words) == one_by_one(tokenizer, words)


def test_nothing_is_said_about_long_sentences_which_are_read_in_windows(bert, caplog):
    tokenizer = load_tokenizer(bert)
    tokenizer.model_max_length = 10
    with caplog.at_level("WARNING"):
        logger = logging.getLogger("transformers")
        logger.addHandler(caplog.handler)
        try:
            assert len(split(tokenizer, ["cat"] * 50).counts) == 50
        finally:
            logger.removeHandler(caplog.handler)
    assert not caplog.messages


def test_a_byte_level_word_has_the_space_before_it(tmp_path):
    from tests.transformer.conftest import make_transformer

    make_transformer("roberta", tmp_path)
    tokenizer = load_tokenizer(tmp_path)
    pieces = tokenizer.convert_ids_to_tokens(split(tokenizer, ["the", "the"]).ids)
    assert pieces == ["Ġthe", "Ġthe"]


def test_special_tokens_are_those_around_a_sentence(any_transformer):
    theirs = AutoTokenizer.from_pretrained(any_transformer)
    before, after = special_tokens(load_tokenizer(any_transformer))
    assert (before, after) == ([theirs.cls_token_id], [theirs.sep_token_id])


@given(count=st.integers(0, 300), size=st.integers(1, 50))
def test_windows_keep_each_piece_once_and_give_it_context(count, size):
    kept_pieces = []
    for read_, kept in windows(count, size):
        kept_pieces += kept
        assert set(kept) <= set(read_)
        assert len(read_) <= size
        for piece in kept:
            assert piece - read_.start >= min(piece, size // 4)
            assert read_.stop - 1 - piece >= min(count - 1 - piece, size // 4 - 1)
    assert kept_pieces == list(range(count))
