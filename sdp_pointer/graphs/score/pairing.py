"""Brings the graphs of each sentence together, and refuses files that do not fit."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from typing import NamedTuple, Optional

from ..formats import Reading
from ..graph import Graph
from ..problems import FormatError


class MismatchError(ValueError):
    """Files that are to be compared do not hold the same sentences."""


def pair(
    gold: Iterable[Graph],
    system: Iterable[Graph],
    positional: bool = False,
    max_graphs: Optional[int] = None,
    name: str = "system",
) -> Iterator[tuple[Graph, Graph]]:
    """Pairs of graphs of the same sentence, lazily.

    # Parameters

    gold, system : `Iterable[Graph]`
    positional : `bool`, optional (default = `False`)
        Compare neither ids nor words, as the official scorer. The number of sentences must agree
        all the same: what has no partner cannot be scored.
    max_graphs : `int`, optional
        Stop after so many pairs, whatever follows.
    name : `str`, optional (default = `"system"`)
        What errors call the second file.

    >>> from sdp_pointer.graphs import Token
    >>> list(pair([Graph([Token("Go")], id="1")], [Graph([Token("Stop")], id="1")]))
    Traceback (most recent call last):
        ...
    sdp_pointer.graphs.score.pairing.MismatchError: sentence 1 (gold '1', system '1'): \
token 1 is 'Go' in gold but 'Stop' in system
    """
    aligned = align((gold, system), ("gold", name), positional, max_graphs)
    return ((gold_graph, system_graph) for gold_graph, system_graph in aligned)


def align(
    sides: Sequence[Iterable[Graph]],
    names: Sequence[str],
    positional: bool = False,
    max_graphs: Optional[int] = None,
) -> Iterator[tuple[Graph, ...]]:
    """As `pair`, for any number of sides, the first of which is the gold.

    If they come from files, errors name these and tell how many graphs each of them has.
    """
    iterators = [iter(side) for side in sides]
    sentences = zip_longest(*(islice(graphs, max_graphs) for graphs in iterators))
    for number, graphs in enumerate(sentences, start=1):
        difference = _missing(graphs, names, number - 1)
        if difference is None and not positional:
            difference = _difference(graphs, names, number)
        if difference is not None:
            raise MismatchError(_located(difference, iterators, graphs, number))
        yield graphs


class _Difference(NamedTuple):
    sides: Sequence[int]  # where there is something to look at
    position: int
    what: str


def _missing(
    graphs: Sequence[Optional[Graph]], names: Sequence[str], before: int
) -> Optional[_Difference]:
    """The side that has ended though another has not."""
    if None not in graphs:
        return None
    ended = names[graphs.index(None)]
    side, graph = next((side, graph) for side, graph in enumerate(graphs) if graph is not None)
    what = f"{ended} ends after {before} graphs, {names[side]} goes on with {graph.id!r}"
    return _Difference([side], 1, what)


def _difference(
    graphs: Sequence[Graph], names: Sequence[str], number: int
) -> Optional[_Difference]:
    """The first token at which a graph differs from the gold, and how; a graph may have no id."""
    gold, *others = graphs
    for side, other in enumerate(others, start=1):
        name = names[side]
        position, what = 1, ""
        if gold.id and other.id and gold.id != other.id:
            what = "the ids differ (--positional pairs by position, whatever the ids and words)"
        elif gold.forms != other.forms:
            pairs = enumerate(zip(gold.forms, other.forms), start=1)
            position, what = next(
                (
                    (position, f"token {position} is {form!r} in gold but {found!r} in {name}")
                    for position, (form, found) in pairs
                    if form != found
                ),
                (
                    min(len(gold), len(other)),
                    f"{len(gold)} tokens in gold but {len(other)} in {name}",
                ),
            )
        if what:
            sentence = f"sentence {number} (gold {gold.id!r}, {name} {other.id!r})"
            return _Difference([0, side], position, f"{sentence}: {what}")
    return None


def _located(
    difference: _Difference,
    iterators: Sequence[Iterator[Graph]],
    graphs: Sequence[Optional[Graph]],
    number: int,
) -> str:
    """What differs, after where it is and before how many graphs there are, if from files."""
    shown = [iterators[side] for side in difference.sides]
    places = [side.place(difference.position) for side in shown if isinstance(side, Reading)]
    sizes = dict.fromkeys(  # a file may be given twice
        _size(side, number - (graph is None))
        for side, graph in zip(iterators, graphs)
        if isinstance(side, Reading)
    )
    where = " and ".join(places) + ": " if places else ""
    return f"{where}{difference.what}" + (f"; {', '.join(sizes)}" if sizes else "")


def _size(reading: Reading, graphs: int) -> str:
    """How many graphs a file has of which so many have been read."""
    more = ""
    try:
        for _ in reading:
            graphs += 1
    except FormatError:  # not what this is about: what fits will be read to its end
        more = "at least "
    return f"{reading.file} has {more}{graphs} graph{'s' * (graphs != 1)}"
