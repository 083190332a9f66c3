"""Which sentences are parsed together."""

from collections.abc import Sequence


def by_length(lengths: Sequence[int], batch_size: int, max_tokens: int) -> list[list[int]]:
    """Batches of sentences of similar lengths, as their numbers.

    A batch has at most `batch_size` sentences, and at most `max_tokens` tokens when all are padded
    to its longest one, of which no more than half are padding; a sentence longer than that is a
    batch of its own.

    >>> by_length([3, 40, 2, 4, 41], batch_size=3, max_tokens=60)
    [[2, 0, 3], [1], [4]]
    >>> by_length([3, 40, 2], batch_size=3, max_tokens=1000)
    [[2, 0], [1]]
    """
    batches: list[list[int]] = []
    tokens = 0
    for number in sorted(range(len(lengths)), key=lambda number: lengths[number]):
        # The sentences come in ascending length, so this one is the longest.
        tokens += lengths[number]
        padded = lengths[number] * (len(batches[-1]) + 1) if batches else 0
        full = batches and len(batches[-1]) == batch_size
        if not batches or full or padded > min(max_tokens, 2 * tokens):
            batches.append([])
            tokens = lengths[number]
        batches[-1].append(number)
    return batches
