"""Brings the gold and the system graph of each sentence together, and refuses what does not fit."""

from collections.abc import Iterable, Iterator
from itertools import islice, zip_longest
from typing import Optional

from ..formats import Reading
from ..graph import Graph


class MismatchError(ValueError):
    """Two files that are to be compared do not hold the same sentences."""


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
    sides = zip_longest(islice(gold, max_graphs), islice(system, max_graphs))
    for number, (gold_graph, system_graph) in enumerate(sides, start=1):
        if gold_graph is None:
            raise MismatchError(
                f"gold ends after {number - 1} graphs, {name} goes on with {system_graph.id!r}"
            )
        if system_graph is None:
            raise MismatchError(
                f"{name} ends after {number - 1} graphs, gold goes on with {gold_graph.id!r}"
            )
        difference = _difference(gold_graph, system_graph, positional, name)
        if difference is not None:
            position, what = difference
            places = [side.place(position) for side in (gold, system) if isinstance(side, Reading)]
            where = " and ".join(places) + ": " if places else ""
            raise MismatchError(
                f"{where}sentence {number} (gold {gold_graph.id!r}, {name} {system_graph.id!r}):"
                f" {what}"
            )
        yield gold_graph, system_graph


def _difference(
    gold: Graph, system: Graph, positional: bool, name: str
) -> Optional[tuple[int, str]]:
    """The first token at which two graphs differ, and how; a graph may have no id."""
    if positional:
        return None
    if gold.id and system.id and gold.id != system.id:
        return 1, "the ids differ (--positional pairs by position, whatever the ids and words)"
    gold_forms = [token.form for token in gold.tokens]
    system_forms = [token.form for token in system.tokens]
    if gold_forms != system_forms:
        for position, (form, other) in enumerate(zip(gold_forms, system_forms), start=1):
            if form != other:
                return position, f"token {position} is {form!r} in gold but {other!r} in {name}"
    if len(gold) != len(system):
        return min(len(gold), len(system)), (
            f"{len(gold)} tokens in gold but {len(system)} in {name}"
        )
    return None
