"""What a request asks for, read from its body, within limits that keep one user from harming all.

What is too long is refused here, if that is so before its sentences are split into words: `work`
does so one by one.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Optional

from pydantic import ValidationError

from ..errors import UserError
from ..graphs import Graph
from ..graphs.formats.strict_json import UnexpectedError, decode
from ..parser.sources import DEEPEST
from .limits import Limits, RefusedError
from .schemas import EXTRAS, request_models

# Bytes of a body that takes some milliseconds to read.
LARGE = 50_000


class Question(NamedTuple):
    """The sentences as JSON values, and how they are to be parsed and written."""

    sentences: list[Any]
    beam: Optional[int] = None
    n_best: int = 1
    include: tuple[str, ...] = ()
    """Each of them once."""
    single: bool = True
    """Whether the sentence was given by itself, and the answer is its graph by itself."""
    size: int = 0
    """Bytes of the body."""


class Questions:
    """Reads questions within limits.

    >>> questions = Questions(Limits())
    >>> question = questions.read(b'{"sentence": "Cats purr.", "beam": 4}')
    >>> question.sentences, question.beam
    ([{'sentence': 'Cats purr.'}], 4)
    >>> questions.read(b'{"sentences": ["Cats purr.", "Go!"]}').sentences
    [{'sentence': 'Cats purr.'}, {'sentence': 'Go!'}]
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.models = self.one, self.several = request_models(limits)
        self._turns = asyncio.Lock()

    async def read_in_turn(self, body: bytes) -> Question:
        """As `read`; large bodies are read one at a time, and hold up nobody else meanwhile."""
        if len(body) <= LARGE:
            return self.read(body)
        async with self._turns:
            return await asyncio.to_thread(self.read, body)

    def read(self, body: bytes) -> Question:
        value = _decoded(body)
        if not isinstance(value, dict):
            raise UserError('not a JSON object such as {"sentence": "Cats purr."}')
        single = "sentences" not in value
        try:
            options: Any = (self.one if single else self.several).model_validate(value)
        except ValidationError as error:
            raise UserError(self._reason(error, value)) from None
        sentence = {key: item for key, item in value.items() if key not in _OPTIONS}
        sentences = [sentence] if single else list(map(_object, value["sentences"]))
        words = 0
        for number, item in enumerate(sentences, start=1):
            with naming(0 if single else number):
                words += _least_words(item, self.limits)
            check_total(words, self.limits)
        include = tuple(extra for extra in EXTRAS if extra in options.include)
        return Question(sentences, options.beam, options.n_best or 1, include, single, len(body))

    def _reason(self, error: ValidationError, value: dict[str, Any]) -> str:
        [first, *_] = error.errors(include_input=False, include_url=False)
        key = first["loc"][0]
        if first["type"] == "too_long":
            return (
                f"{len(value['sentences']):,} sentences are too many: at most"
                f" {self.limits.sentences:,} in a request"
            )
        expected = {
            "include": f"a list of some of {', '.join(EXTRAS)}",
            "sentences": "a list of at least one sentence",
        }
        return f'"{key}" must be ' + expected.get(
            str(key), f"a whole number between 1 and {self.limits.beam}"
        )


_OPTIONS = ("beam", "n_best", "include")


@contextmanager
def naming(number: int) -> Iterator[None]:
    """Have an error say which sentence it is about, if they have numbers."""
    try:
        yield
    except UserError as error:
        raise UserError(f"sentence {number}: {error}" if number else str(error)) from None


def check_words(sentence: Graph, limits: Limits) -> None:
    """Refuse a sentence of too many or too long words.

    >>> from ..graphs import Token
    >>> check_words(Graph([Token("Go")] * 2000), Limits())
    Traceback (most recent call last):
    ...
    sdp_pointer.errors.UserError: a sentence of 2,000 words is too long: at most 1,000
    """
    _check_length(len(sentence), limits)
    for token in sentence.tokens:
        longest = max(map(len, token))
        if longest > limits.word_characters:
            raise UserError(
                f"a word of {longest:,} characters is too long: at most {limits.word_characters:,}"
            )


def check_total(words: int, limits: Limits) -> None:
    """Refuse a request when so many words of it have been counted."""
    if words > limits.words:
        raise UserError(f"too many words for a request: at most {limits.words:,}")


def _check_length(words: int, limits: Limits) -> None:
    if words > limits.sentence_words:
        raise UserError(
            f"a sentence of {words:,} words is too long: at most {limits.sentence_words:,}"
        )


def _least_words(value: Any, limits: Limits) -> int:
    """How many words a sentence has, or more."""
    given = value if isinstance(value, dict) else {}
    text, words = given.get("sentence"), given.get("tokens", ())
    if isinstance(text, str) and "tokens" not in given:
        if len(text) > limits.characters:
            raise UserError(
                f"a sentence of {len(text):,} characters is too long: at most {limits.characters:,}"
            )
        words = text.split()
    number = len(words) if isinstance(words, list) else 0
    _check_length(number, limits)
    return number


def _decoded(body: bytes) -> Any:
    try:
        return decode(body.decode("utf-8"), DEEPEST)
    except UnicodeDecodeError as error:
        raise RefusedError(400, f"not UTF-8: byte 0x{body[error.start]:02x}") from None
    except UnexpectedError as error:
        raise RefusedError(400, str(error)) from None


def _object(item: Any) -> Any:
    return {"sentence": item} if isinstance(item, str) else item
