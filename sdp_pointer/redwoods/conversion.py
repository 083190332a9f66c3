"""Whole profiles to graphs, on all cores."""

import os
import signal
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import NamedTuple, Optional

from tqdm import tqdm

from ..graphs import Graph, GraphError
from ..interrupts import signals_held
from .bilexical import dependencies
from .notations import UnreadableError, initial_tokens, read_eds
from .profiles import Reading, read_profile, read_texts, size
from .rules import Rules
from .words import words

# Why a gold reading has no graph.
UNREADABLE = "unreadable reading"
NO_TOP = "no top"
CYCLE = "cycle"

# Those of a worker.
_rules: Optional[Rules] = None


class Converted(NamedTuple):
    """What has become of a profile.

    # Parameters

    items : `int`
        All of its sentences. Those without a gold reading, which no annotator accepted or no parser
        found, are neither below `graphs` nor below `dropped`.
    graphs : `List[Graph]`
        Their ids are those of the items.
    dropped : `Dict[str, List[str]]`
        Items by reason.
    """

    items: int
    graphs: list[Graph]
    dropped: dict[str, list[str]]


class DroppedError(ValueError):
    """There is no graph for an item; the message is the reason."""


def convert_profiles(
    folders: Iterable[Path], rules: Rules, progress: bool = False
) -> dict[str, Converted]:
    """Several profiles by the names of their folders, with a progress bar if it is asked for."""
    # The largest first, so that no core is left with it at the end.
    largest = sorted(folders, key=size, reverse=True)
    workers = min(os.cpu_count() or 1, len(largest))
    # Signals wait while something is half made, which would complain at the end.
    with signals_held():
        # Spawned, since a fork would copy the locks of other threads.
        pool = ProcessPoolExecutor(workers, get_context("spawn"), _start_worker, (rules,))
    with pool:
        try:
            with signals_held():
                converted = [pool.submit(_convert_in_worker, folder) for folder in largest]
            pairs = zip(largest, converted)
            shown = tqdm(pairs, total=len(largest), unit=" profiles", disable=not progress)
            return {folder.name: each.result() for folder, each in shown}
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.terminate()
            raise


def _start_worker(rules: Rules) -> None:
    # Ctrl-C reaches every process of a terminal, but the first one alone ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Given once: with every profile they would fill the pipe to the workers, and whatever ended
    # the workers would leave this process writing into it for ever.
    global _rules
    _rules = rules


def _convert_in_worker(folder: Path) -> Converted:
    assert _rules is not None
    return convert_profile(folder, _rules)


def convert_profile(folder: Path, rules: Rules) -> Converted:
    """The profile in a folder, in the order of its results."""
    converted = Converted(len(read_texts(folder)), [], {})
    for reading in read_profile(folder):
        try:
            converted.graphs.append(convert(reading, rules))
        except DroppedError as error:
            converted.dropped.setdefault(str(error), []).append(reading.item)
    return converted


def convert(reading: Reading, rules: Rules) -> Graph:
    """The graph of a gold reading; it has a top and no cycle, or else there is a `DroppedError`."""
    try:
        tokens = list(words(reading.text, initial_tokens(reading.derivation)))
        graph = dependencies(read_eds(reading.mrs), tokens, rules, reading.item)
    except (UnreadableError, GraphError) as error:
        raise DroppedError(UNREADABLE) from error
    if not graph.tops:
        raise DroppedError(NO_TOP)
    if not graph.is_dag:
        raise DroppedError(CYCLE)
    return graph
