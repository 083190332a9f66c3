"""One thread does the work of all requests by turns, so that none holds up another.

A turn takes a fraction of a second. The next one has the request that would be done first if all
had equal shares of the thread: a small one overtakes a large one, and the large one is done no
later than if it had its share all the time. Sentences of several requests are parsed together.
"""

import asyncio
import logging
import time
from concurrent.futures import Future
from itertools import islice
from operator import attrgetter
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Optional

from ..errors import UserError
from ..graphs import Graph
from ..parser import Parser
from .about import about
from .limits import Limits, RefusedError
from .work import Work, cost

logger = logging.getLogger(__name__)

# Seconds of a turn, unless a single step takes longer.
TURN = 0.05
# Seconds, by `cost`, of sentences that are parsed together; a longer one is parsed alone.
TOGETHER = 0.3
# Batches that have begun: one that is overtaken keeps its memory.
MOST_BATCHES = 4

THREAD_ENDED = "the thread that parses has ended"
FAILED = "the server failed; its log says why"


class Batch:
    """Sentences that are parsed together, by the requests that they belong to."""

    def __init__(self, sentences: dict[Work, list[Graph]], parser: Parser) -> None:
        self.sentences = sentences
        first = next(iter(sentences))
        graphs = [graph for some in sentences.values() for graph in some]
        self.steps = parser.parse_steps(graphs, first.n_best, first.beam)

    @property
    def is_wanted(self) -> bool:
        return not all(work.future.done() for work in self.sentences)

    def charge(self, seconds: float) -> None:
        """Share what was spent among the requests, by their words."""
        words = {work: sum(map(len, some)) for work, some in self.sentences.items()}
        for work, number in words.items():
            work.served += seconds * number / sum(words.values())

    def deliver(self, parsed: list[list[Graph]]) -> None:
        remaining = iter(parsed)
        for work, some in self.sentences.items():
            work.parsed += islice(remaining, len(some))


class Engine:
    """Owns the thread that works; nothing else touches the parser.

    # Parameters

    parser : `Parser`
    limits : `Limits`, optional (default = `Limits()`)
    """

    restarts = 0

    def __init__(self, parser: Parser, limits: Optional[Limits] = None) -> None:
        self.parser = parser
        self.limits = limits or Limits()
        self.about = about(parser)
        self._inbox: SimpleQueue[Optional[Work]] = SimpleQueue()
        self._open: list[Work] = []
        self._batches: list[Batch] = []
        # Runs as fast as a request is served if all have equal shares.
        self._clock = 0.0
        self._began: Optional[float] = None
        self._thread = Thread(target=self._run, name="parser", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many requests are not answered yet, about."""
        return self._inbox.qsize() + len(self._open)

    @property
    def problem(self) -> str:
        """Why nothing can be asked, or nothing."""
        return "" if self._thread.is_alive() else THREAD_ENDED

    @property
    def busy(self) -> float:
        """For how many seconds the present turn has lasted."""
        began = self._began
        return 0.0 if began is None else time.monotonic() - began

    async def ask(self, body: bytes) -> bytes:
        """The body of the answer; cancelled, the request is given up."""
        future = self.submit(body)
        try:
            return await asyncio.wrap_future(future)
        finally:
            future.cancel()  # at once; by way of the wrapper it would be a moment later

    def submit(self, body: bytes) -> "Future[bytes]":
        """Queue a request; what is wrong with it comes out of the future.

        To cancel the future is enough to have it forgotten.
        """
        if self.problem:
            raise RefusedError(503, f"{self.problem}: restart the server")
        if self._inbox.qsize() >= self.limits.waiting:
            raise _refused(f"{self.limits.waiting} requests")
        work = Work(body, self.parser, self.limits)
        self._inbox.put(work)
        return work.future

    async def close(self) -> None:
        """End the thread after its turn; what is not answered is refused."""
        self._inbox.put(None)
        await asyncio.to_thread(self._thread.join, self.limits.closing)

    def _run(self) -> None:
        while self._take_in():
            self._turn()
        for work in self._open:
            work.end(RefusedError(503, "the server has been closed"))

    def _take_in(self) -> bool:
        """Wait until there is work, and take in all that has come; or whether no more will come."""
        while True:
            try:
                work = self._inbox.get(block=not self._open)
            except Empty:
                self._forget()
                if self._open:
                    return True
                continue
            if work is None:
                return False
            self._forget()
            work.arrived = self._clock
            self._open.append(work)
            self._refuse_surplus()

    def _refuse_surplus(self) -> None:
        """As long as too much is waiting, refuse the request whose turn is last."""
        while much := self._surplus():
            last = max(reversed(self._open), key=attrgetter("turn"))
            last.end(_refused(much))
            self._open.remove(last)

    def _surplus(self) -> str:
        if len(self._open) > self.limits.waiting:
            return f"{self.limits.waiting} requests"
        if sum(work.size for work in self._open) > self.limits.waiting_bytes:
            return f"requests of {self.limits.waiting_bytes:,} bytes"
        return ""

    def _forget(self) -> None:
        """Leave out what nobody waits for any more, also amid its batches."""
        self._open = [work for work in self._open if not work.future.done()]
        for batch in self._batches[:]:
            if not batch.is_wanted:
                self._batches.remove(batch)
                batch.steps.close()

    def _turn(self) -> None:
        self._began = time.monotonic()
        parsing = {work: batch for batch in self._batches for work in batch.sentences}
        ready = [
            work
            for work in self._open
            if work in parsing or not work.unparsed or len(self._batches) < MOST_BATCHES
        ]
        work = min(ready, key=attrgetter("turn"))
        if work in parsing:
            self._parse(parsing[work])
        elif work.unparsed:
            self._parse(self._batch(work, parsing))
        else:
            self._advance(work)
        self._clock += self.busy / len(self._open)
        self._began = None

    def _batch(self, first: Work, parsing: dict[Work, Batch]) -> Batch:
        """A new batch: sentences of a request, and what else can be parsed with them."""
        others = [
            work
            for work in sorted(self._open, key=attrgetter("turn"))
            if (work.n_best, work.beam) == (first.n_best, first.beam)
            and work not in parsing
            and work is not first
            and not (work.alone or first.alone)
        ]
        sentences: dict[Work, list[Graph]] = {}
        seconds = 0.0
        for work in [first, *others]:
            while work.unparsed:
                seconds += cost(len(work.unparsed[0]), work.beam or 1)
                if sentences and seconds > TOGETHER:
                    break
                sentences.setdefault(work, []).append(work.unparsed.pop(0))
            if seconds > TOGETHER:
                break
        batch = Batch(sentences, self.parser)
        self._batches.append(batch)
        return batch

    def _parse(self, batch: Batch) -> None:
        try:
            next(batch.steps)
            while self.busy < TURN:
                next(batch.steps)
        except StopIteration as end:
            self._batches.remove(batch)
            batch.deliver(end.value)
        except Exception:
            logger.exception("a batch could not be parsed")
            self._batches.remove(batch)
            self._part(batch)
        batch.charge(self.busy)

    def _part(self, batch: Batch) -> None:
        """Of a batch that failed, parse the requests apart: it is the fault of one alone."""
        for work, sentences in batch.sentences.items():
            if len(batch.sentences) == 1:
                work.end(RefusedError(500, FAILED))
            work.alone = True
            work.unparsed = sentences + work.unparsed

    def _advance(self, work: Work) -> None:
        try:
            next(work.steps)
            while self.busy < TURN and not work.unparsed:
                next(work.steps)
        except StopIteration as end:
            work.end(end.value)
        except (UserError, RefusedError) as error:
            work.end(error)
        except Exception:
            logger.exception("a request failed")
            work.end(RefusedError(500, FAILED))
        work.served += self.busy


def _refused(much: str) -> RefusedError:
    return RefusedError(503, f"{much} are waiting already: try again later")
