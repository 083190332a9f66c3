"""A request at work: from its body to that of its answer, in steps of a fraction of a second."""

from concurrent.futures import Future
from typing import Any, Optional, Union

from ..errors import UserError
from ..graphs import Graph
from ..inputs import sentence
from ..parser import Parser
from ..steps import Steps
from .answers import answer
from .limits import Limits
from .questions import Question, check_request, check_text, check_words, read_question

# Seconds to write or draw a word of a graph.
WRITING = 6e-5
# Seconds; requests up to this size are equal, so that they are parsed together as they come.
SMALL = 0.05


def cost(words: int, beam: int) -> float:
    """About the seconds that a sentence takes one core, with the model of the package.

    With another model it is wrong by a factor, which is the same for all requests. A word of a long
    sentence costs more, since the encoder and the search look at all the others.

    >>> round(cost(20, 1), 3), round(cost(1000, 1), 1), round(cost(1000, 16), 1)
    (0.009, 1.7, 3.6)
    """
    return words * (12 + beam) * (1 + words / 350) / 30_000


def guess(size: int) -> float:
    """The same for a request that nobody has read yet, by the bytes of its body.

    It is too little rather than too much, so that all short ones are read before one is parsed.

    >>> guess(70), guess(10_000), guess(1_000_000)
    (0.0007, 0.1, 1.0)
    """
    return min(1.0, size / 100_000)


class Work:
    """One request. Its own steps do all but parse: the engine does that with what is `unparsed`.

    Whoever asked waits for `future`, and cancels it to give up.
    """

    def __init__(self, body: bytes, parser: Parser, limits: Limits) -> None:
        self.future: Future[bytes] = Future()
        self.size = len(body)
        self.steps = self._steps(body, parser, limits)
        self.n_best = 1
        self.beam: Optional[int] = None
        self.unparsed: list[Graph] = []
        self.parsed: list[list[Graph]] = []
        self.alone = False
        """Whether it is parsed by itself, since a batch failed in which it was."""
        # Seconds: when it came, by the engine's clock; what it will take, as far as that is known;
        # what it has taken.
        self.arrived = 0.0
        self.estimate = guess(self.size)
        self.served = 0.0

    @property
    def turn(self) -> float:
        """Works have their turns in this order."""
        return self.arrived + max(0.0, max(self.estimate, self.served) - SMALL)

    def end(self, result: Union[bytes, Exception]) -> None:
        """Give the answer, or why there is none, if anybody still waits for it."""
        if not self.future.done() and self.future.set_running_or_notify_cancel():
            if isinstance(result, bytes):
                self.future.set_result(result)
            else:
                self.future.set_exception(result)

    def _steps(self, body: bytes, parser: Parser, limits: Limits) -> Steps[bytes]:
        question = read_question(body, limits)
        self.n_best = question.n_best
        self.beam = parser.beam(question.n_best, question.beam)
        sentences = []
        for number, value in enumerate(question.sentences, start=1):
            yield
            where = "" if question.single else f"sentence {number}: "
            sentences.append(_sentence(value, where, parser, limits))
        check_request(sum(map(len, sentences)), self.beam or 1, question, limits)
        self.estimate = sum(_estimate(len(graph), self.beam or 1, question) for graph in sentences)
        self.unparsed = sentences
        yield  # until they are parsed
        return (yield from answer(question, self.parsed))


def _sentence(value: Any, where: str, parser: Parser, limits: Limits) -> Graph:
    try:
        check_text(value, limits)
        graph = sentence(value, parser.text)
        check_words(graph, limits)
        return parser.prepare(graph)
    except UserError as error:
        raise UserError(f"{where}{error}") from None


def _estimate(words: int, beam: int, question: Question) -> float:
    written = question.n_best * (1 + len(question.include))
    return cost(words, beam) + words * written * WRITING
