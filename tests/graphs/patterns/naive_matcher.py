"""A matcher that tries every assignment, from the definitions of docs/asking.md alone."""

from itertools import product

from sdp_pointer.graphs.patterns.syntax import FORM_OR_LEMMA, NOT, OPTIONAL, REQUIRED, Flag, is_name


def naive_matches(clauses, graph):
    """Each match as a dict from variables to positions, in any order."""
    matches = []
    required = [clause for clause in clauses if clause.kind == REQUIRED]
    for match in ways(required, {}, graph):
        if any(any(ways([c], match, graph)) for c in clauses if c.kind == NOT):
            continue
        extended = [match]
        known = set(match)
        for clause in (clause for clause in clauses if clause.kind == OPTIONAL):
            extended = [
                longer
                for shorter in extended
                for longer in (
                    (known.intersection(clause.variables) <= set(shorter))
                    and list(ways([clause], shorter, graph))
                )
                or [shorter]
            ]
            known.update(clause.variables)
        matches += extended
    return matches


def ways(clauses, match, graph):
    """Every assignment, of different words to different names, under which all the clauses hold."""
    free = dict.fromkeys(v for clause in clauses for v in clause.variables if v not in match)
    for chosen in product(range(1, len(graph) + 1), repeat=len(free)):
        longer = match | dict(zip(free, chosen))
        named = [word for variable, word in longer.items() if is_name(variable)]
        if len(set(named)) == len(named) and all(holds(c, longer, graph) for c in clauses):
            yield longer


def holds(clause, match, graph):
    return (
        all(is_so(test, match[variable], graph) for variable, test in clause.tests)
        and all(
            any(
                (arc.head, arc.dependent) == (match[edge.head], match[edge.dependent])
                and (edge.label is None or fits(edge.label, arc.label))
                for arc in graph.arcs
            )
            for edge in clause.edges
        )
        and all(
            match[order.second] - match[order.first] in ([1] if order.adjacent else range(1, 99))
            for order in clause.orders
        )
    )


def is_so(test, word, graph):
    if isinstance(test, Flag):
        words = graph.tops if test.name == "top" else graph.predicates
        return (word in words) != test.negated
    token = graph.tokens[word - 1]
    if test.field == FORM_OR_LEMMA:
        texts = [token.form] if token.lemma == "_" else [token.form, token.lemma]
        return any(fits_either(value, text) for value in test.values for text in texts) != (
            test.negated
        )
    return fits(test, getattr(token, test.field))


def fits(test, text):
    return any(
        value == text if isinstance(value, str) else value.fullmatch(text) is not None
        for value in test.values
    ) != (test.negated)


def fits_either(value, text):
    if isinstance(value, str):
        return value.casefold() == text.casefold()
    return value.fullmatch(text) is not None
