"""From a graph to the pointers that build it, and back."""

from collections.abc import Iterable

from ..graphs import ROOT, Arc, Graph
from .reachability import Reachability
from .system import Configuration, TransitionError


def oracle(graph: Graph) -> tuple[int, ...]:
    """The pointers that build a graph: for each word its heads in ascending order, then itself.

    n Shifts and an Attach for every arc and every top; tops are arcs from ROOT.
    """
    cycle = graph.find_cycle()
    if cycle:
        raise TransitionError(f"graph {graph.id!r} has a cycle through the words {cycle}")
    return tuple(
        pointer for word in range(1, len(graph) + 1) for pointer in (*graph.heads(word), word)
    )


def execute(
    n: int, pointers: Iterable[int], acyclic: bool = True, ascending: bool = True
) -> tuple[tuple[int, int], ...]:
    """The arcs (head, dependent) that a complete sequence of pointers builds, ROOT's included."""
    parse = Configuration(n, acyclic, ascending)
    for pointer in pointers:
        parse.point(pointer)
    if not parse.finished:
        raise TransitionError(f"the sequence ends at focus word {parse.focus} of {n}")
    return tuple(parse.arcs)


def break_cycles(graph: Graph) -> tuple[Graph, tuple[Arc, ...]]:
    """The graph without the arcs that close a cycle when built from left to right, and those arcs.

    >>> from sdp_pointer.graphs import Token
    >>> cyclic = Graph([Token("a"), Token("b")], [(1, 2, "x"), (2, 1, "y"), (1, 1, "z")])
    >>> break_cycles(cyclic)[1]
    (Arc(head=1, dependent=1, label='z'), Arc(head=1, dependent=2, label='x'))
    """
    if graph.is_dag:
        return graph, ()
    reachability = Reachability(len(graph))
    closing = []
    for word in range(1, len(graph) + 1):
        heads = [head for head in graph.heads(word) if head != ROOT]
        closing += [(head, word) for head in heads if reachability.reaches(word, head)]
        reachability.attach([h for h in heads if not reachability.reaches(word, h)], word)
    dropped = tuple(arc for arc in graph.arcs if arc[:2] in closing)
    kept = [arc for arc in graph.arcs if arc not in dropped]
    bare = {arc.head for arc in dropped}.difference(arc.head for arc in kept)
    bare.update(graph.bare_predicates)
    return graph.replace(arcs=kept, bare_predicates=bare), dropped
