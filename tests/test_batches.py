"""Batches by length: every sentence once, within both limits."""

from hypothesis import given
from hypothesis import strategies as st

from sdp_pointer.batches import by_length


@given(st.lists(st.integers(1, 90)), st.integers(1, 9), st.integers(1, 200))
def test_every_sentence_is_in_one_batch_within_the_limits(lengths, batch_size, max_tokens):
    batches = by_length(lengths, batch_size, max_tokens)
    assert sorted(number for batch in batches for number in batch) == list(range(len(lengths)))
    for batch in batches:
        longest = max(lengths[number] for number in batch)
        assert 1 <= len(batch) <= batch_size
        assert len(batch) == 1 or longest * len(batch) <= max_tokens


def test_short_sentences_do_not_pay_for_a_long_one():
    [short, long] = by_length([5] * 10 + [2000], batch_size=32, max_tokens=4096)
    assert short == list(range(10))
    assert long == [10]


def test_the_limits_are_reached():
    assert by_length([30, 30], batch_size=2, max_tokens=60) == [[0, 1]]
    assert by_length([30, 30], batch_size=2, max_tokens=59) == [[0], [1]]
    # Half of 12 tokens is padding; of 16 it would be 9.
    assert by_length([1, 1, 1, 3], batch_size=4, max_tokens=60) == [[0, 1, 2, 3]]
    assert by_length([1, 1, 1, 4], batch_size=4, max_tokens=60) == [[0, 1, 2], [3]]
