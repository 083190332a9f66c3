"""Every limit of the server, in one place; docs/server.md has them in a table."""

from typing import NamedTuple


class Limits(NamedTuple):
    """What is refused, and when the server gives up.

    Of a request:

    `body` : bytes
    `sentences`, `words` : in a request
    `sentence_words`, `characters` : in a sentence
    `word_characters` : in a word; a batch is as broad as its longest word
    `beam` : hypotheses, and so graphs, of a sentence
    `answer` : characters of drawings and files
    `seconds` : until a request has its answer

    Of all requests together:

    `waiting` : requests that are not answered yet, counted apart for short and for long bodies
    `held` : bytes of long bodies, from their first byte until they are answered

    Of connections:

    `connections` : open at once
    `head` : bytes of a request's first line and headers
    `pieces` : chunks that a body may consist of
    `pipeline` : requests that a client may send ahead
    `patience`, `rate` : seconds that the server waits for a client to send or to read, and bytes a
        second for which it waits longer
    `unwanted` : bytes of a body that may still come after the answer, and are thrown away
    `unread` : bytes of answers that their clients have not read yet
    `closing` : seconds that requests in progress have when the server ends
    """

    body: int = 1_000_000
    sentences: int = 100
    words: int = 5_000
    sentence_words: int = 1_000
    characters: int = 20_000
    word_characters: int = 200
    beam: int = 16
    answer: int = 30_000_000
    seconds: float = 30.0
    waiting: int = 512
    held: int = 16_000_000
    connections: int = 1_000
    head: int = 64_000
    pieces: int = 10_000
    pipeline: int = 16
    patience: float = 10.0
    rate: int = 20_000
    unwanted: int = 10_000_000
    unread: int = 256_000_000
    closing: float = 5.0


class RefusedError(Exception):
    """A request that is not answered by graphs: a status of HTTP, and a sentence that says why."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
