"""What a request asks for, read from its body, within limits that keep one user from harming all.

What is too long is refused here, if that is so before its sentences are split into words: `work`
does so one by one.
"""

from collections.abc import Iterator, Sized
from contextlib import contextmanager
from typing import Any, NamedTuple, Optional

from pydantic import ValidationError

from ..errors import UserError
from ..graphs import Graph
from ..graphs.formats.strict_json import UnexpectedError, decode
from ..parser.sources import DEEPEST
from .limits import Limits, RefusedError
from .schemas import BROADEST, EXTRAS, request_models


class Question(NamedTuple):
    """The sentences as JSON values, and how they are to be parsed and written.

    `width` is that of the drawings; with `split`, a raw text may be several sentences.
    """

    sentences: list[Any]
    beam: Optional[int] = None
    n_best: int = 1
    include: tuple[str, ...] = ()
    """Each of them once."""
    width: Optional[int] = None
    split: bool = False
    single: bool = True
    """Whether the sentence was given by itself, and the answer is its graph by itself."""
    size: int = 0
    """Bytes of the body."""

    @property
    def options(self) -> tuple[int, Optional[int]]:
        """The number of graphs and the beam, if one is given; decoders may have none."""
        return self.n_best, self.beam


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

    def read(self, body: bytes) -> Question:
        value = decoded(body)
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
                words += _least_words(item, options.split, self.limits)
            check_total(words, self.limits)
        include = tuple(extra for extra in EXTRAS if extra in options.include)
        return Question(
            sentences,
            options.beam,
            options.n_best or 1,
            include,
            options.width,
            options.split,
            single and not options.split,
            len(body),
        )

    def _reason(self, error: ValidationError, value: dict[str, Any]) -> str:
        [first, *_] = error.errors(include_input=False, include_url=False)
        key = first["loc"][0]
        if first["type"] == "too_long":
            return _too_many(value["sentences"], self.limits)
        largest = BROADEST if key == "width" else self.limits.beam
        expected = {
            "include": f"a list of some of {', '.join(EXTRAS)}",
            "sentences": "a list of at least one sentence",
            "split": "true or false",
        }
        return f'"{key}" must be ' + expected.get(
            str(key), f"a whole number between 1 and {largest}"
        )


_OPTIONS = ("beam", "n_best", "include", "width", "split")


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


def check_number(sentences: Sized, limits: Limits) -> None:
    """Refuse too many sentences."""
    if len(sentences) > limits.sentences:
        raise UserError(_too_many(sentences, limits))


def _too_many(sentences: Sized, limits: Limits) -> str:
    return f"{len(sentences):,} sentences are too many: at most {limits.sentences:,} in a request"


def _check_length(words: int, limits: Limits) -> None:
    if words > limits.sentence_words:
        raise UserError(
            f"a sentence of {words:,} words is too long: at most {limits.sentence_words:,}"
        )


def _least_words(value: Any, split: bool, limits: Limits) -> int:
    """How many words a sentence, or what will be split into several, has at least."""
    given = value if isinstance(value, dict) else {}
    text, words = given.get("sentence"), given.get("tokens", ())
    if isinstance(text, str) and "tokens" not in given:
        if len(text) > limits.characters:
            raise UserError(
                f"a sentence of {len(text):,} characters is too long: at most {limits.characters:,}"
            )
        words = text.split()
    number = len(words) if isinstance(words, list) else 0
    if not split:
        _check_length(number, limits)
    return number


def decoded(body: bytes) -> Any:
    """The JSON of a request's body."""
    try:
        return decode(body.decode("utf-8"), DEEPEST)
    except UnicodeDecodeError as error:
        raise RefusedError(400, f"not UTF-8: byte 0x{body[error.start]:02x}") from None
    except UnexpectedError as error:
        raise RefusedError(400, str(error)) from None


def _object(item: Any) -> Any:
    return {"sentence": item} if isinstance(item, str) else item
