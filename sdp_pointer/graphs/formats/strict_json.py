"""One JSON object a line, read strictly: what `json` would let pass or drop is a problem here.

That is: a key given twice, NaN and infinities, half of a surrogate pair, `true` for 1, 1.0 for 1.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import Any, NoReturn, TypeVar

from ..graph import Graph, GraphError
from ..problems import FormatError, Problem, Report, printable
from .streams import has_lone_surrogate

T = TypeVar("T")

# No graph needs more, and every Python can do it; the depth at which `json` gives up differs.
MOST_NESTED = 500

_NAMES = {str: "a string", int: "an integer", list: "a list", dict: "an object"}


class UnexpectedError(ValueError):
    """A value that is not what the format asks for."""


def parse(
    lines: Iterable[str],
    report: Report,
    from_json: Callable[[dict[str, Any], Callable[[str], None]], Graph],
) -> Iterator[Graph]:
    """The graph of each line; `from_json` raises, or calls its second argument, for problems."""
    for number, line in enumerate(lines, start=1):
        if has_lone_surrogate(line):
            continue
        if not line.strip():
            report.tolerable(number, "an empty line; expected a JSON object in every line")
            continue
        fatal = report.fatal
        try:
            value = expect(decode(line), dict, "the line")
            graph = from_json(value, partial(report.tolerable, number))
        except (UnexpectedError, GraphError) as error:
            report.error(number, str(error))
            continue
        if report.fatal == fatal:
            report.token_lines = (number,) * len(graph)
            yield graph


def render(
    graphs: Iterable[Graph],
    to_json: Callable[[Graph], dict[str, Any]],
    separators: tuple[str, str],
    suffix: str,
) -> Iterator[str]:
    """The line of each graph; `to_json` raises for what the format cannot hold."""
    for index, graph in enumerate(graphs, start=1):
        try:
            line = encode(to_json(graph), separators)
        except (TypeError, ValueError) as error:
            name = f"graph {graph.id or index}"
            raise FormatError([Problem(name, 0, f"not for {suffix}: {error}")]) from error
        yield line + "\n"


def decode(line: str, deepest: int = MOST_NESTED) -> Any:
    """What `json.loads` returns, if the line has only one reading and not too many levels.

    >>> decode("[[1], [2]]", deepest=2)
    [[1], [2]]
    >>> decode('{"x": 1, "x": 2}')
    Traceback (most recent call last):
    ...
    sdp_pointer.graphs.formats.strict_json.UnexpectedError: the key 'x' is given twice
    """
    try:
        _refuse_deep(line, deepest)
        value = _decoder().decode(line)
        if "\\u" in line and has_lone_surrogate(encode(value)):
            raise UnexpectedError("an escape such as \\ud800 stands for half of a character")
        return value
    except UnexpectedError:
        raise
    except RecursionError:  # the caller's own stack is deep
        raise UnexpectedError(_too_deep(deepest)) from None
    except ValueError as error:
        raise UnexpectedError(f"not JSON: {error}") from None


def expect(value: Any, kind: type[T], what: str) -> T:
    """The value itself, if it is of exactly this kind.

    >>> expect(True, int, "the head")
    Traceback (most recent call last):
    ...
    sdp_pointer.graphs.formats.strict_json.UnexpectedError: the head is true; expected an integer
    """
    if type(value) is kind:
        return value
    is_container = type(value) in (list, dict)
    given = _NAMES[type(value)] if is_container else shown(value, 80)
    raise UnexpectedError(f"{what} is {given}; expected {_NAMES[kind]}")


def shown(value: Any, most: int) -> str:
    """The beginning of a value, for a message.

    >>> shown({"form": "Go"}, 10)
    '{"form": "'
    """
    return printable(encode(value)[:most])


def items(holder: dict[str, Any], key: str, kind: type[T]) -> list[T]:
    """The list under a key, all of one kind.

    >>> items({"tops": [2, 3]}, "tops", int)
    [2, 3]
    """
    if key not in holder:
        raise UnexpectedError(f'there is no "{key}"; expected a list')
    values = expect(holder[key], list, f'"{key}"')
    for n, value in enumerate(values, start=1):
        if type(value) is not kind:  # so that no message is made for each of them
            expect(value, kind, f'item {n} of "{key}"')
    return values


def encode(value: Any, separators: tuple[str, str] = (", ", ": ")) -> str:
    """JSON in one line; ValueError or TypeError for what JSON has no place for."""
    try:
        line = _encoder(separators).encode(value)
    except RecursionError:
        raise UnexpectedError(_too_deep(MOST_NESTED)) from None
    _refuse_deep(line)
    return line


def report_other_keys(
    holder: dict[str, Any], keys: tuple[str, ...], what: str, tolerate: Callable[[str], None]
) -> None:
    """Complain of keys that have no place in a graph: in a lenient mood, they are dropped.

    >>> report_other_keys({"form": "Go", "ner": "O"}, ("form", "lemma"), "token 1", print)
    token 1 has the unknown key 'ner'; expected only form, lemma
    """
    for key in holder:
        if key not in keys:
            tolerate(f"{what} has the unknown key {key!r}; expected only {', '.join(keys)}")


def _refuse_deep(line: str, deepest: int = MOST_NESTED) -> None:
    if line.count("[") + line.count("{") <= deepest:
        return
    depth = 0
    for bracket in _brackets()(line):
        depth += (bracket in ("[", "{")) - (bracket in ("]", "}"))
        if depth > deepest:
            raise UnexpectedError(_too_deep(deepest))


def _too_deep(deepest: int) -> str:
    return f"JSON nested too deeply; expected at most {deepest} levels"


@cache
def _brackets() -> Callable[[str], list[str]]:
    import re

    # Strings are found too, since brackets in them are none; one without an end takes all the rest.
    return re.compile(r'"(?:[^"\\]++|\\.)*+"?|[][{}]', re.DOTALL).findall


@cache
def _decoder() -> Any:
    import json

    return json.JSONDecoder(
        object_pairs_hook=_unique, parse_float=_finite, parse_constant=_not_a_number
    )


@cache
def _encoder(separators: tuple[str, str]) -> Any:
    import json

    return json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=separators)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for key, item in pairs:
        if key in value:
            raise UnexpectedError(f"the key {key!r} is given twice")
        value[key] = item
    return value


def _finite(digits: str) -> float:
    number = float(digits)
    if number - number != 0:
        raise UnexpectedError(f"the number {digits[:80]} is too large")
    return number


def _not_a_number(name: str) -> NoReturn:
    raise UnexpectedError(f"{name} is not JSON; expected a number")
