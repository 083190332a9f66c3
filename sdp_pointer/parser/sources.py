"""Sentences of files: lines of text, of tokens, of JSON, or graphs in any format."""

from collections.abc import Iterable, Iterator
from typing import Optional, Union

from ..errors import UserError
from ..graphs import read
from ..graphs.formats.sniffing import MOST_LINES, sniff
from ..graphs.formats.streams import (
    Line,
    Lines,
    Source,
    Unreadable,
    has_lone_surrogate,
    readable_lines,
)
from ..graphs.formats.strict_json import UnexpectedError, decode
from ..graphs.problems import Problem
from .preparation import Preparation
from .results import Prepared, Refusal
from .sentences import sentence_of_json

# Levels of lists and objects. What holds the value when it is written back adds to them.
DEEPEST = 32


def read_sentences(
    lines: Lines,
    preparation: Preparation,
    format: Optional[str] = None,
    default: str = "text",
    split: bool = False,
    to: str = "jsonl",
    sniffed_lines: int = MOST_LINES,
) -> Iterator[Prepared]:
    """The sentences of a file in their order, ready to be parsed, or why not.

    # Parameters

    lines : `Lines`
    preparation : `Preparation`
    format : `str`, optional
        `text`, `tokens`, or a format of graphs. By default what the file begins with, or `default`
        if that is no format of graphs.
    split : `bool`, optional (default = `False`)
        Split each line of raw text into its sentences.
    to : `str`, optional
        The format that the graphs will be written in; see `Preparation.prepare`.
    sniffed_lines : `int`, optional
        How many lines may be looked at before the first sentence is returned.
    """
    format = format or sniff(lines, sniffed_lines) or default
    if format in ("text", "tokens"):
        return read_text(lines, preparation, format == "tokens", split, to)
    if format == "jsonl":
        return read_json(lines, preparation, to)
    return read_graphs(lines, format, preparation, to)


def read_json(
    lines: Iterable[Line], preparation: Preparation, to: str = "jsonl"
) -> Iterator[Prepared]:
    """Sentences of JSON lines; empty lines are passed over."""
    for number, line in _numbered_lines(lines):
        value = None
        try:
            value = decode(_checked_text(line), DEEPEST)
            yield preparation.prepare(sentence_of_json(value, preparation.text), to)
        except (UserError, UnexpectedError) as error:
            given = value.get("id", "") if isinstance(value, dict) else ""
            yield Refusal(number, str(error), str(given))


def read_text(
    lines: Iterable[Line],
    preparation: Preparation,
    tokens: bool = False,
    split: bool = False,
    to: str = "jsonl",
) -> Iterator[Prepared]:
    """Sentences of plain text, one a line; or `tokens` separated by spaces; or `split` by spaCy."""
    for number, line in _numbered_lines(lines):
        try:
            text = _checked_text(line)
            if split and not tokens:
                for graph in preparation.text.sentences(text):
                    yield preparation.prepare_or_refuse(graph, number, to=to)
            else:
                yield preparation.prepare(text.split() if tokens else text, to)
        except UserError as error:
            yield Refusal(number, str(error))


def read_graphs(
    source: Source, format: str, preparation: Preparation, to: str = "jsonl"
) -> Iterator[Prepared]:
    """Sentences of graphs in any format, whose arcs are ignored."""
    problems: list[Problem] = []
    graphs = read(source, format, on_problem=problems.append)
    for graph in graphs:
        yield from _refusals(problems)
        line = int(graphs.place().rpartition(":")[2])
        yield preparation.prepare_or_refuse(graph, line, to=to)
    yield from _refusals(problems)


def _refusals(problems: list[Problem]) -> Iterator[Refusal]:
    while problems:
        problem = problems.pop(0)
        yield Refusal(problem.line, problem.message)


def _numbered_lines(lines: Iterable[Line]) -> Iterator[tuple[int, Union[str, Unreadable]]]:
    """The lines that are not empty, with their numbers, without a byte order mark."""
    for number, line in enumerate(readable_lines(lines), start=1):
        if isinstance(line, Unreadable):
            yield number, line
            continue
        text = line if isinstance(line, str) else line.decode("utf-8", "surrogateescape")
        text = text.removeprefix("\ufeff" if number == 1 else "").rstrip("\r\n")
        if text and not text.isspace():
            yield number, text


def _checked_text(line: Union[str, Unreadable]) -> str:
    if isinstance(line, Unreadable):
        raise UserError(line.reason)
    if has_lone_surrogate(line):
        raise UserError("not UTF-8: save the file in that encoding")
    if "\0" in line:
        raise UserError("a NUL byte, which no text has: is the file damaged, or not UTF-8?")
    return line
