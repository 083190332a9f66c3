"""Which sentences are parsed together."""

from collections.abc import Sequence


def by_length(lengths: Sequence[int], batch_size: int, max_tokens: int) -> list[list[int]]:
    """Batches of sentences of similar lengths, as their numbers.

    A batch has at most `batch_size` sentences, and at most `max_tokens` tokens when all are padded
    to its longest one; a sentence longer than that is a batch of its own.

    >>> by_length([3, 40, 2, 4, 41], batch_size=3, max_tokens=60)
    [[2, 0, 3], [1], [4]]
    """
    batches: list[list[int]] = []
    for number in sorted(range(len(lengths)), key=lambda number: lengths[number]):
        # The sentences come in ascending length, so this one is the longest.
        tokens = lengths[number] * (len(batches[-1]) + 1) if batches else 0
        if not batches or len(batches[-1]) == batch_size or tokens > max_tokens:
            batches.append([])
        batches[-1].append(number)
    return batches
