"""Which words of a graph the variables of a pattern can stand for.

Clauses are compiled into steps, once: a step binds the free variables of an arc, or one variable,
and checks all that can be checked then.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain, repeat
from typing import Optional, Union

from ..graph import Arc, Graph
from .syntax import (
    FIELDS,
    FORM_OR_LEMMA,
    NOT,
    OPTIONAL,
    REQUIRED,
    Clause,
    Edge,
    Flag,
    Test,
    is_name,
)

# For each variable the position of its word, 0 if it has none (yet), as those of a negated clause;
# then for each optional clause whether it holds.
Places = tuple[int, ...]
HOLDS = -1  # no position

Accepts = Callable[[str], bool]
Check = Callable[["Arcs", Places], bool]
Step = Callable[["Arcs", Places], Iterator[Places]]


class Arcs:
    """The arcs of a graph by head and by dependent, sorted out when they are first asked for."""

    __slots__ = ("_of_dependent", "_of_head", "graph")

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._of_head: Optional[dict[int, list[Arc]]] = None
        self._of_dependent: Optional[dict[int, list[Arc]]] = None

    def of_head(self, word: int) -> Sequence[Arc]:
        if self._of_head is None:
            self._of_head = {}
            for arc in self.graph.arcs:
                self._of_head.setdefault(arc.head, []).append(arc)
        return self._of_head.get(word, ())

    def of_dependent(self, word: int) -> Sequence[Arc]:
        if self._of_dependent is None:
            self._of_dependent = {}
            for arc in self.graph.arcs:
                self._of_dependent.setdefault(arc.dependent, []).append(arc)
        return self._of_dependent.get(word, ())


class Matcher:
    """Finds every way to bind the variables of some clauses to words of a graph.

    Different names are bound to different words; what has no name may be any word.

    >>> from ..graph import Token
    >>> from .syntax import parse
    >>> matcher = Matcher(parse("?a <-ARG1- ?v, optional ?v -ARG2-> ?b"))
    >>> kim_sleeps = Graph([Token("Kim"), Token("sleeps")], [(2, 1, "ARG1")])
    >>> matcher.variables, list(matcher.places(kim_sleeps))
    (['a', 'v', 'b'], [(1, 2, 0, 0)])
    """

    def __init__(self, clauses: Sequence[Clause]) -> None:
        kinds = {
            kind: [clause for clause in clauses if clause.kind == kind]
            for kind in (REQUIRED, OPTIONAL, NOT)
        }
        # Names come first, so that a slice of the places has theirs.
        self.variables = sorted(_variables(clauses), key=is_name, reverse=True)
        index = {name: k for k, name in enumerate(self.variables)}
        self._free = (0,) * (len(index) + len(kinds[OPTIONAL]))
        bound: set[int] = set()
        self._required = _steps(kinds[REQUIRED], index, bound)
        self._negated = [_steps([clause], index, set(bound)) for clause in kinds[NOT]]
        self._optional: list[tuple[int, set[int], list[Step]]] = []
        edges: list[tuple[Edge, Optional[int]]] = []
        edges += [(edge, None) for clause in kinds[REQUIRED] for edge in clause.edges]
        for flag, clause in enumerate(kinds[OPTIONAL], start=len(index)):
            known = bound.intersection(index[name] for name in clause.variables)
            self._optional.append((flag, known, _steps([clause], index, bound)))
            edges += [(edge, flag) for edge in clause.edges]
        self._edges = [(edge, index[edge.head], index[edge.dependent], k) for edge, k in edges]

    def places(self, graph: Graph) -> Iterator[Places]:
        arcs = Arcs(graph)
        found = _bound(self._required, arcs, self._free)
        if self._negated:
            found = (
                places
                for places in found
                if not any(map(_holds, self._negated, repeat(arcs), repeat(places)))
            )
        for optional in self._optional:
            found = chain.from_iterable(map(partial(_extended, *optional, arcs), found))
        return found

    def edges(self, places: Places) -> Iterator[tuple[Edge, tuple[int, int]]]:
        """The edges that hold, those of optional clauses last, with the positions they join."""
        for edge, head, dependent, flag in self._edges:
            if flag is None or places[flag]:
                yield edge, (places[head], places[dependent])


def _variables(clauses: Iterable[Clause]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for clause in clauses for name in clause.variables))


def _bound(steps: Iterable[Step], arcs: Arcs, places: Places) -> Iterator[Places]:
    """Every way to go through the steps, one after another."""
    found: Iterator[Places] = iter((places,))
    for step in steps:
        found = chain.from_iterable(map(partial(step, arcs), found))
    return found


def _holds(steps: Iterable[Step], arcs: Arcs, places: Places) -> bool:
    return next(_bound(steps, arcs, places), None) is not None


def _extended(
    flag: int, known: set[int], steps: Sequence[Step], arcs: Arcs, places: Places
) -> Iterator[Places]:
    """Every way to bind an optional clause as well, or else the places as they are.

    A clause that builds on an earlier one does not hold where that one does not.
    """
    holds = False
    if all(places[variable] for variable in known):
        for extended in _bound(steps, arcs, places):
            holds = True
            yield (*extended[:flag], HOLDS, *extended[flag + 1 :])
    if not holds:
        yield places


def _steps(clauses: Sequence[Clause], index: Mapping[str, int], bound: set[int]) -> list[Step]:
    """How to bind the variables of some clauses when some are bound; in the end, all are."""
    edges = [edge for clause in clauses for edge in clause.edges]
    variables = _variables(clauses)
    named = sum(map(is_name, index))
    checks: list[tuple[set[int], Check]] = [
        ({index[name]}, _is_another(index[name], named))
        for name in filter(is_name, variables)
        if index[name] not in bound
    ]
    tested: Counter[str] = Counter()
    for clause in clauses:
        for name, test in clause.tests:
            checks.append(({index[name]}, _check(index[name], test)))
            tested[name] += 1
        for order in clause.orders:
            first, second = index[order.first], index[order.second]
            checks.append(({first, second}, _order_check(first, second, order.adjacent)))

    def ready(*variables: int) -> list[Check]:
        """The checks that can be made once these are bound, too."""
        bound.update(variables)
        possible = [check for needed, check in checks if needed <= bound]
        checks[:] = [(needed, check) for needed, check in checks if not needed <= bound]
        return possible

    def promise(edge: Edge) -> tuple[int, int, bool]:
        """How few bindings are to be expected of an arc."""
        ends = {index[edge.head], index[edge.dependent]}
        narrow = edge.label is not None and not edge.label.negated
        return len(ends & bound), tested[edge.head] + tested[edge.dependent], narrow

    steps: list[Step] = []
    if known := ready():
        steps.append(partial(_check_step, known))
    while edges:
        edge = max(edges, key=promise)
        edges.remove(edge)
        ends = index[edge.head], index[edge.dependent]
        accepts = _of_label(edge.label) if edge.label else None
        steps.append(partial(_arc_step, *ends, accepts, ready(*ends)))
    for variable in map(index.__getitem__, variables):
        if variable not in bound:
            steps.append(partial(_word_step, variable, ready(variable)))
    return steps


def _check_step(checks: Sequence[Check], arcs: Arcs, places: Places) -> Iterator[Places]:
    if all(check(arcs, places) for check in checks):
        yield places


def _word_step(
    variable: int, checks: Sequence[Check], arcs: Arcs, places: Places
) -> Iterator[Places]:
    for word in range(1, len(arcs.graph) + 1):
        bound = (*places[:variable], word, *places[variable + 1 :])
        if all(check(arcs, bound) for check in checks):
            yield bound


def _arc_step(
    head: int,
    dependent: int,
    accepts: Optional[Accepts],
    checks: Sequence[Check],
    arcs: Arcs,
    places: Places,
) -> Iterator[Places]:
    if places[head]:
        candidates = arcs.of_head(places[head])
    elif places[dependent]:
        candidates = arcs.of_dependent(places[dependent])
    else:
        candidates = arcs.graph.arcs
    for arc in candidates:
        if accepts is not None and not accepts(arc.label):
            continue
        if places[dependent] and arc.dependent != places[dependent]:
            continue
        if head == dependent and arc.head != arc.dependent:
            continue
        mutable = list(places)
        mutable[head], mutable[dependent] = arc.head, arc.dependent
        bound = tuple(mutable)
        for check in checks:
            if not check(arcs, bound):
                break
        else:
            yield bound


def _is_another(variable: int, named: int) -> Check:
    """Whether no other name stands for the same word."""
    return lambda arcs, places: places[:named].count(places[variable]) == 1


def _order_check(first: int, second: int, adjacent: bool) -> Check:
    if adjacent:
        return lambda arcs, places: places[first] + 1 == places[second]
    return lambda arcs, places: places[first] < places[second]


def _check(variable: int, test: Union[Test, Flag]) -> Check:
    holds = _flag(test.name) if isinstance(test, Flag) else _of_token(test)
    negated = test.negated
    return lambda arcs, places: holds(arcs, places[variable]) != negated


def _flag(name: str) -> Callable[[Arcs, int], bool]:
    if name == "top":
        return lambda arcs, word: word in arcs.graph.tops
    return lambda arcs, word: bool(arcs.of_head(word)) or word in arcs.graph.bare_predicates


def _of_token(test: Test) -> Callable[[Arcs, int], bool]:
    if test.field == FORM_OR_LEMMA:
        accepts = _one_of(test.values, str.casefold)

        def holds(arcs: Arcs, word: int) -> bool:
            form, lemma, _, _ = arcs.graph.tokens[word - 1]
            return accepts(form) or (lemma != "_" and accepts(lemma))

        return holds
    accepts_field, field = _one_of(test.values), FIELDS.index(test.field)
    return lambda arcs, word: accepts_field(arcs.graph.tokens[word - 1][field])


def _of_label(test: Test) -> Accepts:
    accepts = _one_of(test.values)
    # There are few labels, and each is met often.
    return lru_cache(maxsize=4096)(lambda label: accepts(label) != test.negated)


def _one_of(
    values: Iterable[Union[str, re.Pattern[str]]], normal: Callable[[str], str] = str
) -> Accepts:
    """Whether a text is one of the values, or fits one that is a regular expression, in whole."""
    texts = frozenset(normal(value) for value in values if isinstance(value, str))
    regexes = [value.fullmatch for value in values if not isinstance(value, str)]
    return lambda text: normal(text) in texts or any(fits(text) for fits in regexes)
