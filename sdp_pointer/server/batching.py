"""Micro-batches: one thread parses together what all connections have asked for in the meantime.

While it parses, questions gather in a queue; then it takes as many as make a good batch. Nobody
waits for company: a question that comes alone is parsed alone, at once.
"""

import logging
from collections import defaultdict
from concurrent.futures import Future
from queue import Empty, Full, Queue
from threading import Thread
from typing import Any, NamedTuple, Optional

from ..errors import UserError
from ..graphs import Graph
from ..parser import Parser
from ..parser.sentences import sentence_of_json
from .questions import Limits, Question, RefusedError, check_number, check_text, check_words

logger = logging.getLogger(__name__)

# No more is added to a batch that has so many words.
ENOUGH_WORDS = 2_000

THREAD_ENDED = "the thread that parses has ended"

# For each sentence its best graphs.
Parsed = list[list[Graph]]


class Job(NamedTuple):
    """A question, and where the one who asked waits for the graphs."""

    question: Question
    future: "Future[Parsed]"


class Ready(NamedTuple):
    """A job whose sentences are split into words, and neither empty nor too long."""

    job: Job
    sentences: list[Graph]


class Batcher:
    """Owns the thread that parses; nothing else touches the parser.

    # Parameters

    parser : `Parser`
    limits : `Limits`, optional (default = `Limits()`)
    """

    def __init__(self, parser: Parser, limits: Optional[Limits] = None) -> None:
        self.parser = parser
        self.limits = limits or Limits()
        self._waiting: Queue[Optional[Job]] = Queue(self.limits.waiting)
        self._thread = Thread(target=self._run, name="parser", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many questions are in the queue, about."""
        return self._waiting.qsize()

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def submit(self, question: Question) -> "Future[Parsed]":
        """Put a question into the queue; a `UserError` in it comes out of the future.

        To cancel the future while the question waits is enough to have it forgotten.
        """
        # What is wrong with beam and n_best together is told before anybody waits.
        self.parser.options(question.n_best, question.beam)
        if not self.is_alive:
            raise RefusedError(503, f"{THREAD_ENDED}: restart the server")
        job = Job(question, Future())
        try:
            self._waiting.put_nowait(job)
        except Full:
            raise RefusedError(
                503, f"{self.limits.waiting} requests are waiting already: try again later"
            ) from None
        return job.future

    def close(self) -> None:
        """Parse what is in the queue, then end the thread."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        is_open = True
        while is_open:
            ready, is_open = self._gather()
            for (n_best, beam), group in _grouped(ready).items():
                self._parse(group, n_best, beam)

    def _gather(self) -> tuple[list[Ready], bool]:
        """Wait for a job, add those that came with it; and whether more may come."""
        ready: list[Ready] = []
        words = 0
        job = self._waiting.get()
        while job is not None:
            # A job that was given up while it waited is left out.
            if job.future.set_running_or_notify_cancel():
                prepared = self._prepared(job)
                if prepared is not None:
                    ready.append(prepared)
                    words += sum(map(len, prepared.sentences))
            if words >= ENOUGH_WORDS:
                return ready, True
            try:
                job = self._waiting.get_nowait()
            except Empty:
                return ready, True
        return ready, False

    def _prepared(self, job: Job) -> Optional[Ready]:
        try:
            sentences = self._sentences(job.question)
        except UserError as error:
            job.future.set_exception(error)
            return None
        except Exception as error:
            # Whatever it is, the one who asked must hear of it, and the thread must live on.
            logger.exception("a sentence could not be prepared")
            job.future.set_exception(error)
            return None
        return Ready(job, sentences)

    def _sentences(self, question: Question) -> list[Graph]:
        sentences = []
        values = [part for value in question.sentences for part in self._parts(question, value)]
        check_number(values, self.limits)
        for number, value in enumerate(values, start=1):
            where = "" if question.single else f"sentence {number}: "
            sentences.append(self._sentence(value, where))
        words = sum(map(len, sentences))
        if words > self.limits.words:
            raise UserError(f"{words:,} words are too many: at most {self.limits.words:,}")
        return sentences

    def _parts(self, question: Question, value: Any) -> list[Any]:
        """The sentences of a raw text that is to be split, or the one that is given."""
        is_text = isinstance(value, dict) and isinstance(value.get("sentence"), str)
        if not question.split or not is_text or "tokens" in value:
            return [value]
        check_text(value, self.limits)
        parts = self.parser.text.sentences(value["sentence"])
        return [{**value, "sentence": part.meta["text"]} for part in parts] or [value]

    def _sentence(self, value: object, where: str) -> Graph:
        try:
            check_text(value, self.limits)
            graph = sentence_of_json(value, self.parser.text)
            check_words(graph, self.limits)
            return self.parser.prepare(graph)
        except UserError as error:
            raise UserError(f"{where}{error}") from None

    def _parse(self, group: list[Ready], n_best: int, beam: Optional[int]) -> None:
        sentences = [graph for ready in group for graph in ready.sentences]
        try:
            parsed = self.parser.parse_prepared(sentences, n_best, beam=beam)
            graphs = [list(result.graphs) for result in parsed]
        except Exception as error:
            logger.exception("a batch could not be parsed")
            for ready in group:
                ready.job.future.set_exception(error)
            return
        results = iter(graphs)
        for ready in group:
            ready.job.future.set_result([next(results) for _ in ready.sentences])


def _grouped(ready: list[Ready]) -> dict[tuple[int, Optional[int]], list[Ready]]:
    """Jobs that can be parsed together: those with the same number of graphs and beam."""
    groups = defaultdict(list)
    for item in ready:
        groups[item.job.question.n_best, item.job.question.beam].append(item)
    return groups
