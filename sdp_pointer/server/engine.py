"""One thread does the work of all requests by turns, so that none holds up another.

There are two lanes, one for small requests and one for large ones. While both have work, each has
half of the time: a small request waits for no large one, and the large ones go on all the same.
Within a lane, what is parsed is written first; then what has come is read, so that as many requests
as possible are parsed together. Of those that came at about the same time the shortest comes first.
Large requests are parsed by turns as well, some sentences of each.
"""

import logging
import time
from collections.abc import Iterator
from concurrent.futures import Future
from itertools import islice
from queue import SimpleQueue
from threading import Thread
from typing import Optional

from ..errors import UserError
from ..graphs import Graph
from ..parser import Parser
from .limits import Limits, RefusedError
from .questions import Question
from .work import PARSING, Work

logger = logging.getLogger(__name__)

# Words: no more is added to a batch of small requests that has so many.
ENOUGH = 1_000
# Words of a large request that are parsed before it is the turn of another one. The encoder reads a
# batch in one step, for which the small requests have to wait.
SHARE = 500
# Large requests that are begun at a time; each has sentences and graphs in memory.
MOST_BEGUN = 4
# Seconds of a turn, unless a single step takes longer.
TURN = 0.02

THREAD_ENDED = "the thread that parses has ended"
FAILED = "the server failed; its log says why"


class Batch:
    """Sentences that are parsed together, by the requests that they belong to."""

    def __init__(self, works: list[Work], parser: Parser, enough: int) -> None:
        self.sentences: dict[Work, list[Graph]] = {}
        words = 0
        while works and words < enough:
            work = min(works, key=lambda work: (work.begun, work.due))
            taken = work.take(SHARE)
            self.sentences.setdefault(work, []).extend(taken)
            words += sum(map(len, taken))
            works = [work for work in works if work.unparsed]
        graphs = [graph for some in self.sentences.values() for graph in some]
        self.steps = parser.parse_steps(graphs, *work.question.options)

    @property
    def is_wanted(self) -> bool:
        return not all(work.future.done() for work in self.sentences)

    def advance(self, end: float) -> bool:
        """Parse until a time, and return whether that was all."""
        try:
            next(self.steps)
            while time.monotonic() < end:
                next(self.steps)
            return False
        except StopIteration as last:
            parsed = iter(last.value)
            for work, some in self.sentences.items():
                work.parsed += islice(parsed, len(some))
        except Exception:
            logger.exception("a batch could not be parsed")
            self._part()
        return True

    def _part(self) -> None:
        """After a failure, have the requests parsed apart: it is the fault of one alone."""
        for work, some in self.sentences.items():
            if len(self.sentences) == 1:
                work.end(RefusedError(500, FAILED))
            work.alone = True
            work.unparsed = some + work.unparsed


class Lane:
    """Requests that have their turns in the same order, and the batch that is being parsed."""

    def __init__(self, parser: Parser, enough: int) -> None:
        self.parser = parser
        self.enough = enough
        self.works: list[Work] = []
        self.batch: Optional[Batch] = None

    def forget(self) -> None:
        """Leave out what has been answered or given up, also amid its batch."""
        for work in self.works:
            if work.future.done():
                work.steps.close()
        self.works = [work for work in self.works if not work.future.done()]
        if self.batch and not self.batch.is_wanted:
            self.batch.steps.close()
            self.batch = None

    def turn(self, end: float) -> None:
        """Go on with the request whose turn it is, until a time or the end of its stage."""
        begun = [work for work in self.works if work.is_read and not work.is_small]
        works = begun if len(begun) >= MOST_BEGUN else self.works
        work = min(works, key=lambda work: (work.stage, work.begun, work.due))
        if work.stage < PARSING:
            _advance(work, end)
        else:
            self.batch = self.batch or Batch(self._alike(work), self.parser, self.enough)
            if self.batch.advance(end):
                self.batch = None

    def _alike(self, work: Work) -> list[Work]:
        """The requests whose sentences can be parsed with those of this one."""
        if work.alone:
            return [work]
        options = (work.question.n_best, work.beam)
        return [
            other
            for other in self.works
            if other.unparsed and not other.alone and (other.question.n_best, other.beam) == options
        ]


class Engine:
    """Owns the thread that works; nothing else touches the parser.

    # Parameters

    parser : `Parser`
    limits : `Limits`, optional (default = `Limits()`)
    """

    def __init__(self, parser: Parser, limits: Optional[Limits] = None) -> None:
        self.parser = parser
        self.limits = limits or Limits()
        # Futures of requests, and whether these seemed small.
        self._unanswered: dict[Future[bytes], bool] = {}
        self._inbox: SimpleQueue[Optional[Work]] = SimpleQueue()
        self._small, self._large = Lane(parser, ENOUGH), Lane(parser, SHARE)
        # Seconds that the small requests have had more than the large ones.
        self._ahead = 0.0
        self._thread = Thread(target=self._run, name="parser", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many requests are not answered yet."""
        return len(self._unanswered)

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def submit(self, question: Question) -> "Future[bytes]":
        """Queue a question; a `UserError` in its sentences comes out of the future.

        To cancel the future is enough to have it forgotten.
        """
        # Options that do not fit are refused before anybody waits.
        self.parser.options(*question.options)
        if not self.is_alive:
            raise RefusedError(503, f"{THREAD_ENDED}: restart the server")
        work = Work(question, self.parser, self.limits)
        # Each kind by itself, so that large requests leave room for small ones.
        if list(self._unanswered.values()).count(work.is_small) >= self.limits.waiting:
            raise RefusedError(
                503, f"{self.limits.waiting} requests are waiting already: try again later"
            )
        self._unanswered[work.future] = work.is_small
        work.future.add_done_callback(self._unanswered.pop)
        self._inbox.put(work)
        return work.future

    def close(self) -> None:
        """End the thread after its turn; what is not answered is refused."""
        self._inbox.put(None)
        self._thread.join(self.limits.closing)

    def _run(self) -> None:
        while self._take_in():
            self._turn()
        for work in self._small.works + self._large.works:
            work.end(RefusedError(503, "the server has been closed"))

    def _take_in(self) -> bool:
        """Wait for work, and take in all that has come; False if the engine is closed."""
        while True:
            self._sort()
            if self._inbox.empty() and (self._small.works or self._large.works):
                return True
            for work in self._arrivals():
                if work is None:
                    return False
                self._small.works.append(work)

    def _arrivals(self) -> Iterator[Optional[Work]]:
        """Whatever has come; waits for the first."""
        yield self._inbox.get()
        while not self._inbox.empty():
            yield self._inbox.get()

    def _sort(self) -> None:
        """Forget what was given up; how large a request is, shows when it has been read."""
        for lane in (self._small, self._large):
            lane.forget()
        works = self._large.works + self._small.works
        self._small.works = [work for work in works if work.is_small]
        self._large.works = [work for work in works if not work.is_small]

    def _turn(self) -> None:
        if not (self._small.works and self._large.works):
            self._ahead = 0.0
        is_small = bool(self._small.works) and self._ahead <= 0
        start = time.monotonic()
        (self._small if is_small else self._large).turn(start + TURN)
        seconds = time.monotonic() - start
        self._ahead += seconds if is_small else -seconds


def _advance(work: Work, end: float) -> None:
    stage = work.stage
    try:
        next(work.steps)
        while time.monotonic() < end and work.stage == stage:
            next(work.steps)
    except StopIteration as last:
        work.end(last.value)
    except (UserError, RefusedError) as error:
        work.end(error)
    except Exception:
        logger.exception("a request failed")
        work.end(RefusedError(500, FAILED))
