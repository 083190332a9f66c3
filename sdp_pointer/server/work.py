"""A request at work: its sentences are read, parsed, and written, in steps of moments."""

import time
from concurrent.futures import Future
from typing import Any, Union

from ..graphs import Graph
from ..parser import Parser
from ..parser.sentences import sentence_of_json
from ..steps import Steps
from .answers import answer
from .limits import Limits
from .questions import Question, check_number, check_total, check_words, naming

# What becomes of a request, by rank: what is parsed is written before others are read or parsed.
WRITING, READING, PARSING = range(3)

# Work is measured in words of a short sentence that is parsed without a beam.
# A request of up to so much is small: a few sentences.
SMALL = 150.0
# Seconds by which the turn of a request is later for each unit of its work: of those that came at
# about the same time the shortest comes first, and none waits for ever.
LATER = 0.01
# Bytes of a body for each word, to guess at a request before its sentences are split.
BYTES = 8


def work_of_parsing(words: int, beam: int) -> float:
    """A word of a long sentence is more work, since the encoder and the search look at all others.

    >>> round(work_of_parsing(20, 1)), round(work_of_parsing(1000, 1))
    (21, 3857)
    >>> round(work_of_parsing(1000, 16))
    8308
    """
    return words * (12 + beam) / 13 * (1 + words / 350)


def work_of_writing(words: int, question: Question) -> float:
    """Of the graphs of a sentence, and their drawings.

    >>> round(work_of_writing(20, Question([], n_best=16, include=("svg",))))
    91
    """
    return words * question.n_best * (1 + len(question.include)) / 7


class Work:
    """One request. Its own steps read and write; the engine parses what is `unparsed`.

    The client waits for `future`, which is cancelled when it gives up.
    """

    def __init__(self, question: Question, parser: Parser, limits: Limits) -> None:
        self.future: Future[bytes] = Future()
        self.came = time.monotonic()
        self.question = question
        self.beam = parser.beam(*question.options)
        self.steps = self._steps(question, parser, limits)
        self.effort = question.size / BYTES
        self.is_read = False
        self.number = 0
        """Of its sentences, when they have been read."""
        self.unparsed: list[Graph] = []
        self.parsed: list[list[Graph]] = []
        self.begun = 0
        """Words that have been given to the parser."""
        self.alone = False
        """Whether it is parsed by itself, since a batch failed in which it was."""

    @property
    def due(self) -> float:
        """Those of a lane have their turn in this order."""
        return self.came + LATER * self.effort

    @property
    def is_small(self) -> bool:
        return self.effort <= SMALL

    @property
    def stage(self) -> int:
        if not self.is_read:
            return READING
        return PARSING if len(self.parsed) < self.number else WRITING

    def take(self, most: float) -> list[Graph]:
        """The next of its sentences, at least one and of about so many words."""
        words = 0
        taken: list[Graph] = []
        while self.unparsed and words < most:
            taken.append(self.unparsed.pop(0))
            words += len(taken[-1])
        self.begun += words
        return taken

    def end(self, result: Union[bytes, Exception]) -> None:
        """Answer, or say why there is no answer, if anybody still waits for it."""
        if not self.future.set_running_or_notify_cancel():
            return
        if isinstance(result, bytes):
            self.future.set_result(result)
        else:
            self.future.set_exception(result)

    def _steps(self, question: Question, parser: Parser, limits: Limits) -> Steps[bytes]:
        words, effort = 0, 0.0
        sentences = []
        values = []
        for value in question.sentences:
            values += _parts(value, parser) if question.split else [value]
            yield
        check_number(values, limits)
        for number, value in enumerate(values, start=1):
            with naming(0 if question.single else number):
                graph = sentence_of_json(value, parser.text)
                check_words(graph, limits)
                sentences.append(parser.prepare(graph))
            words += len(graph)
            check_total(words, limits)
            effort += work_of_parsing(len(graph), self.beam)
            effort += work_of_writing(len(graph), question)
            yield
        self.unparsed, self.number = sentences, len(sentences)
        self.effort, self.is_read = effort, True
        yield  # until they are parsed
        return (yield from answer(question, self.parsed, limits))


def _parts(value: Any, parser: Parser) -> list[Any]:
    """The sentences of a raw text, or the one that is given."""
    is_text = isinstance(value, dict) and isinstance(value.get("sentence"), str)
    if not is_text or "tokens" in value:
        return [value]
    parts = parser.text.sentences(value["sentence"])
    return [{**value, "sentence": part.meta["text"]} for part in parts] or [value]
