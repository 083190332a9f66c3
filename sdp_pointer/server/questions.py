"""What a request asks for, read from its body, within limits that keep one user from harming all.

The sentences are only counted here; they are split into words one by one: see `work`.
"""

from typing import Any, NamedTuple, Optional

from ..errors import UserError
from ..graphs import Graph
from ..graphs.formats.strict_json import UnexpectedError, decode
from ..inputs import DEEPEST
from .limits import Limits, RefusedError

# What can be asked for beside the graph; `answers` makes it.
EXTRAS = ("svg", "sdp")


class Question(NamedTuple):
    """The sentences as JSON values, and how they are to be parsed and written."""

    sentences: list[Any]
    beam: Optional[int] = None
    n_best: int = 1
    include: tuple[str, ...] = ()
    """Each of them once."""
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
    value = _decoded(body)
    if not isinstance(value, dict):
        raise UserError('not a JSON object such as {"sentence": "Cats purr."}')
    beam = _number(value.pop("beam", None), "beam", limits.beam)
    n_best = _number(value.pop("n_best", None), "n_best", limits.beam) or 1
    include = _extras(value.pop("include", []))
    if "sentences" not in value:
        return Question([value], beam, n_best, include)
    given = value["sentences"]
    if not isinstance(given, list) or not given:
        raise UserError('"sentences" must be a list of at least one sentence')
    if len(given) > limits.sentences:
        raise UserError(
            f"{len(given):,} sentences are too many: at most {limits.sentences:,} in a request"
        )
    sentences = [{"sentence": item} if isinstance(item, str) else item for item in given]
    return Question(sentences, beam, n_best, include, single=False)


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


def check_request(words: int, beam: int, question: Question, limits: Limits) -> None:
    """Refuse a request that has too many words, or whose words mean too much work.

    >>> check_request(4000, 16, Question([], 16, 2, ("svg",)), Limits())
    Traceback (most recent call last):
    ...
    sdp_pointer.errors.UserError: 4,000 words with beam 16 and 2 drawings are too much work: words \
times beam and drawings are 72,000, at most 50,000; ask for less, or send fewer sentences at a time
    """
    if words > limits.words:
        raise UserError(f"{words:,} words are too many: at most {limits.words:,}")
    drawings = question.n_best * len(question.include)
    work = words * (beam + drawings)
    if work > limits.work:
        raise UserError(
            f"{words:,} words with beam {beam} and {drawings} drawings are too much work: words"
            f" times beam and drawings are {work:,}, at most {limits.work:,}; ask for less, or send"
            " fewer sentences at a time"
        )


def _decoded(body: bytes) -> Any:
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
    return tuple(extra for extra in EXTRAS if extra in given)
