"""What a request asks for, read from its body, within limits that keep one user from harming all.

The sentences are not looked at here, only counted: the thread that parses does that.
"""

from collections.abc import Sized
from typing import Any, NamedTuple, Optional

from ..errors import UserError
from ..graphs import Graph
from ..graphs.formats.strict_json import UnexpectedError, decode
from ..parser.sources import DEEPEST

# What can be asked for beside the graph; `answers` makes it.
EXTRAS = ("svg", "sdp")
# In pixels, of a drawing.
BROADEST = 10_000


class Limits(NamedTuple):
    """What is refused, and when the server gives up.

    `body` : bytes of a request
    `sentences`, `words` : of a request
    `sentence_words`, `characters` : of a sentence
    `word_characters` : of a word; a batch is as broad as its longest word
    `beam` : hypotheses, and so graphs, of a sentence
    `waiting` : requests that wait to be parsed
    `seconds` : until a request has its answer
    """

    body: int = 1_000_000
    sentences: int = 100
    words: int = 5_000
    sentence_words: int = 1_000
    characters: int = 20_000
    word_characters: int = 200
    beam: int = 16
    waiting: int = 512
    seconds: float = 30.0


class RefusedError(Exception):
    """A request that is not answered by graphs: a status of HTTP, and a sentence that says why."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Question(NamedTuple):
    """The sentences as JSON values, and how they are to be parsed and written.

    `width` is that of the drawings; with `split`, a raw text may be several sentences.
    """

    sentences: list[Any]
    beam: Optional[int] = None
    n_best: int = 1
    include: tuple[str, ...] = ()
    width: Optional[int] = None
    split: bool = False
    single: bool = True
    """Whether the sentence was given by itself, and the answer is its graph by itself."""


def read_question(body: bytes, limits: Limits) -> Question:
    """The question in a request's body.

    >>> question = read_question(b'{"sentence": "Cats purr.", "beam": 4}', Limits())
    >>> question.sentences, question.beam
    ([{'sentence': 'Cats purr.'}], 4)
    >>> read_question(b'{"sentences": ["Cats purr.", "Go!"]}', Limits()).sentences
    [{'sentence': 'Cats purr.'}, {'sentence': 'Go!'}]
    """
    value = decoded(body)
    if not isinstance(value, dict):
        raise UserError('not a JSON object such as {"sentence": "Cats purr."}')
    beam = _number(value.pop("beam", None), "beam", limits.beam)
    n_best = _number(value.pop("n_best", None), "n_best", limits.beam) or 1
    include = _extras(value.pop("include", []))
    width = _number(value.pop("width", None), "width", BROADEST)
    split = value.pop("split", False)
    if not isinstance(split, bool):
        raise UserError('"split" must be true or false')
    if "sentences" not in value:
        return Question([value], beam, n_best, include, width, split, single=not split)
    given = value["sentences"]
    if not isinstance(given, list) or not given:
        raise UserError('"sentences" must be a list of at least one sentence')
    check_number(given, limits)
    sentences = [{"sentence": item} if isinstance(item, str) else item for item in given]
    return Question(sentences, beam, n_best, include, width, split, single=False)


def check_number(sentences: Sized, limits: Limits) -> None:
    """Refuse too many sentences."""
    if len(sentences) > limits.sentences:
        raise UserError(
            f"{len(sentences):,} sentences are too many: at most {limits.sentences:,} in a request"
        )


def check_text(value: Any, limits: Limits) -> None:
    """Refuse a raw sentence that is too long even to be split into words."""
    text = value.get("sentence") if isinstance(value, dict) else None
    if isinstance(text, str) and len(text) > limits.characters:
        raise UserError(
            f"a sentence of {len(text):,} characters is too long: at most {limits.characters:,}"
        )


def check_words(sentence: Graph, limits: Limits) -> None:
    """Refuse a sentence of too many or too long words.

    >>> from ..graphs import Token
    >>> check_words(Graph([Token("Go")] * 2000), Limits())
    Traceback (most recent call last):
    ...
    sdp_pointer.errors.UserError: a sentence of 2,000 words is too long: at most 1,000
    """
    if len(sentence) > limits.sentence_words:
        raise UserError(
            f"a sentence of {len(sentence):,} words is too long: at most {limits.sentence_words:,}"
        )
    for token in sentence.tokens:
        longest = max(map(len, token))
        if longest > limits.word_characters:
            raise UserError(
                f"a word of {longest:,} characters is too long: at most {limits.word_characters:,}"
            )


def decoded(body: bytes) -> Any:
    """The JSON of a request's body."""
    try:
        return decode(body.decode("utf-8"), DEEPEST)
    except UnicodeDecodeError as error:
        raise RefusedError(400, f"not UTF-8: byte 0x{body[error.start]:02x}") from None
    except UnexpectedError as error:
        raise RefusedError(400, str(error)) from None


def _number(given: Any, name: str, largest: int) -> Optional[int]:
    if given is None:
        return None
    if type(given) is not int or not 1 <= given <= largest:
        raise UserError(f'"{name}" must be a whole number between 1 and {largest}')
    return given


def _extras(given: Any) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(extra in EXTRAS for extra in given):
        raise UserError(f'"include" must be a list of some of {", ".join(EXTRAS)}')
    return tuple(given)
