"""Patterns and their matches, as a user sees them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Union

from ..asking import Word
from ..graph import Arc, Graph
from .matching import Matcher, Places
from .syntax import NOT, Edge, is_name, parse


class Pattern:
    """What to look for in graphs; docs/asking.md describes the language.

    `words` and `labels` are its names of words and of arcs. A regular expression is matched by
    Python's `re`, which may take very long for one such as `/(a+)+b/`: do not take patterns from
    strangers.

    >>> from .. import Token
    >>> graph = Graph([Token("Kim"), Token("sees"), Token("cats")],
    ...               arcs=[(2, 1, "ARG1"), (2, 3, "ARG2")], tops=[2])
    >>> pattern = Pattern("?verb[top] -?role=/ARG./-> ?argument")
    >>> for match in pattern.matches(graph):
    ...     print(match["verb"], match["role"], match["argument"])
    sees ARG1 Kim
    sees ARG2 cats
    >>> Pattern("sees -ARG1->").matches(graph)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    sdp_pointer.graphs.patterns.syntax.PatternError: pattern, column 13: expected a word: ...
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.clauses = clauses = parse(text)
        self.matcher = Matcher(clauses)
        kept = {name for clause in clauses if clause.kind != NOT for name in clause.variables}
        self.words = tuple(filter(kept.__contains__, filter(is_name, self.matcher.variables)))
        edges = [edge for clause in clauses for edge in clause.edges]
        self.labels = tuple(edge.name for edge in edges if edge.name is not None)

    def __reduce__(self) -> tuple[Any, ...]:
        return Pattern, (self.text,)

    def __repr__(self) -> str:
        return f"Pattern({self.text!r})"

    def matches(self, graph: Graph) -> "list[Match]":
        """All matches in a graph, in the order of the words that the pattern names."""
        found = sorted(self.matcher.places(graph))
        arcs = {(arc.head, arc.dependent): arc for arc in graph.arcs} if found else {}
        return [Match(self, graph, places, arcs) for places in found]

    def count(self, graph: Graph) -> int:
        """The number of matches in a graph."""
        return sum(1 for _ in self.matcher.places(graph))


class Match(Mapping[str, Union[Word, str]]):
    """What the names of a pattern stand for in a graph: words, and labels of arcs.

    A name of an optional clause that does not hold is not in the mapping.

    `positions` are those of all words in the match, named or not, in the order of the sentence,
    `names` are the names by position, and `arcs` the arcs, those of optional clauses last.
    """

    __slots__ = ("_arcs_between", "_places", "graph", "pattern")

    def __init__(
        self, pattern: Pattern, graph: Graph, places: Places, arcs: Mapping[tuple[int, int], Arc]
    ) -> None:
        self.pattern = pattern
        self.graph = graph
        self._places = places
        self._arcs_between = arcs

    def __getitem__(self, name: str) -> Any:
        if is_name(name):
            for variable, position in self._words():
                if variable == name:
                    return self.graph.word(position)
            for edge, arc in self._arcs():
                if edge.name == name:
                    return arc.label
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        yield from (name for name, _ in self._words() if is_name(name))
        yield from (edge.name for edge, _ in self._arcs() if edge.name is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _words(self) -> Iterator[tuple[str, int]]:
        """The variables that are bound, with their positions."""
        return (pair for pair in zip(self.pattern.matcher.variables, self._places) if pair[1])

    def _arcs(self) -> Iterator[tuple[Edge, Arc]]:
        for edge, ends in self.pattern.matcher.edges(self._places):
            yield edge, self._arcs_between[ends]

    @property
    def names(self) -> dict[int, str]:
        """The names of words, by their positions."""
        return {position: name for name, position in self._words() if is_name(name)}

    @property
    def positions(self) -> tuple[int, ...]:
        return tuple(sorted({position for _, position in self._words()}))

    @property
    def arcs(self) -> tuple[Arc, ...]:
        return tuple(arc for _, arc in self._arcs())

    def __repr__(self) -> str:
        return f"Match({', '.join(f'{name}={value!s}' for name, value in self.items())})"


def find(pattern: Union[str, Pattern], graphs: Iterable[Graph]) -> Iterator[Match]:
    """The matches of a pattern in graphs, one graph after another.

    >>> from .. import Token
    >>> graph = Graph([Token("Kim"), Token("sleeps")], [(2, 1, "ARG1")])
    >>> list(find("?v -ARG1-> ?agent, not ?v -ARG2-> *", [graph]))
    [Match(v=sleeps, agent=Kim)]
    """
    if isinstance(pattern, str):
        pattern = Pattern(pattern)
    for graph in graphs:
        yield from pattern.matches(graph)
