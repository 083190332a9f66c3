"""Words and their pieces, and windows over pieces; no torch."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple


class Pieces(NamedTuple):
    """The pieces of a sentence, as ids, and how many of them each word has: at least one."""

    ids: list[int]
    counts: list[int]


def split(tokenizer: Any, words: Sequence[str]) -> Pieces:
    """The pieces of words, without special tokens.

    A word that has no piece (control characters, odd white space) gets the unknown one, so that it
    has a vector like any other and nobody takes its place.
    """
    if not words:
        return Pieces([], [])
    encoded = tokenizer(
        list(words), is_split_into_words=True, add_special_tokens=False, verbose=False
    )
    pieces: list[list[int]] = [[] for _ in words]
    for piece, word in zip(encoded["input_ids"], encoded.word_ids()):
        pieces[word].append(piece)
    filled = [ids or [tokenizer.unk_token_id] for ids in pieces]
    return Pieces([piece for ids in filled for piece in ids], [len(ids) for ids in filled])


def special_tokens(tokenizer: Any) -> tuple[list[int], list[int]]:
    """The ids before and behind a sentence, such as those of [CLS] and [SEP]."""
    encoded = tokenizer(["a"], is_split_into_words=True)
    words = [position for position, word in enumerate(encoded.word_ids()) if word is not None]
    return encoded["input_ids"][: words[0]], encoded["input_ids"][words[-1] + 1 :]


def windows(count: int, size: int) -> list[tuple[range, range]]:
    """What a model that takes `size` pieces reads of `count` ones, and which vectors are kept.

    Two windows overlap by half, and share the vectors of what both read: a piece has at least a
    quarter of a window on either side, unless the sentence ends there.

    >>> windows(5, size=8)
    [(range(0, 5), range(0, 5))]
    >>> for read, kept in windows(10, size=4):
    ...     print(list(read), list(kept))
    [0, 1, 2, 3] [0, 1, 2]
    [2, 3, 4, 5] [3, 4]
    [4, 5, 6, 7] [5, 6]
    [6, 7, 8, 9] [7, 8, 9]
    """
    last = max(count - size, 0)
    starts = [*range(0, last, max(size // 2, 1)), last]
    middles = [(start + size + after) // 2 for start, after in pairwise(starts)]
    reads = [range(start, min(start + size, count)) for start in starts]
    return [
        (read, range(*ends)) for read, ends in zip(reads, zip([0, *middles], [*middles, count]))
    ]
