"""What patterns find in files, as text, JSON lines, CSV or counts: line by line."""

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ...errors import UserError
from ..asking import Word
from ..draw.characters import columns, visible
from ..formats import Reading
from ..graph import Graph
from .pattern import Match, Pattern
from .syntax import FIELDS, NOT, Test

WORD_COLUMNS = ("position", "lemma", "pos")
# Of a terminal, for places, words and labels.
PLACE, WORD, LABEL = "35", "1;31", "36"


class Found(NamedTuple):
    """The matches in a graph, and where it stands."""

    file: str
    line: int
    graph: Graph
    matches: list[Match]


class Search:
    """What a pattern finds in files that are being read, graph after graph, and how often."""

    def __init__(self, pattern: Pattern, readings: Iterable[Reading]) -> None:
        self.pattern = pattern
        self._readings = readings
        # By file: graphs, graphs with a match, matches.
        self.counts: dict[str, list[int]] = {}
        clauses = [clause for clause in pattern.clauses if clause.kind != NOT]
        tests = [test for c in clauses for _, test in c.tests if isinstance(test, Test)]
        labels = [edge.label for c in clauses for edge in c.edges if edge.label is not None]
        # What the pattern asks for and nothing has had yet, so that a slip can be told.
        self._fields = {test.field for test in tests}.intersection(FIELDS)
        self._labels = {
            value
            for test in labels
            for value in test.values
            if isinstance(value, str) and not test.negated
        }

    def __iter__(self) -> Iterator[Found]:
        for reading in self._readings:
            counts = self.counts.setdefault(reading.file, [0, 0, 0])
            for graph in reading:
                if self._fields or self._labels:
                    self._look_for_slips(graph)
                matches = self.pattern.matches(graph)
                counts[0] += 1
                if matches:
                    counts[1] += 1
                    counts[2] += len(matches)
                    line = int(reading.place().rpartition(":")[2])
                    yield Found(reading.file, line, graph, matches)

    def _look_for_slips(self, graph: Graph) -> None:
        for field in list(self._fields):
            if any(getattr(token, field) != "_" for token in graph.tokens):
                self._fields.remove(field)
        self._labels.difference_update(arc.label for arc in graph.arcs)

    def total(self) -> list[int]:
        return [sum(column) for column in zip(*self.counts.values())]

    def summary(self) -> str:
        return _summary(*self.total())

    def notes(self) -> Iterator[str]:
        """Why nothing may have been found."""
        if self.total()[2] == 0:
            for field in sorted(self._fields):
                yield f"the pattern asks for a {field}, and no word here has one (all are _)"
            for label in sorted(self._labels):
                yield f"no arc here has the label {visible(label)}"


def _summary(graphs: int, matching: int, matches: int) -> str:
    plural = "" if matches == 1 else "es"
    return f"{matches:,} match{plural} in {matching:,} of {graphs:,} sentences"


# A line for each sentence with a match, and one for each match below it.


def as_text(search: Iterable[Found], colour: bool) -> Iterator[str]:
    def painted(text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if colour else text

    for file, line, graph, matches in search:
        place = painted(visible(f"{file}:{line} {graph.id}".rstrip()), PLACE)
        inside = {position for match in matches for position in match.positions}
        words = [visible(form) for form in graph.forms]
        for position in inside:
            words[position - 1] = painted(words[position - 1], WORD)
        yield f"{place}: {' '.join(words)}"
        for match in matches:
            shown = {position: words[position - 1] for position in match.positions}
            for position, name in match.names.items():
                shown[position] = f"{name}={shown[position]}"
            if not shown:
                continue
            parts, joined = [], set()
            for head, dependent, label in match.arcs:
                arc = painted(f"-{visible(label)}->", LABEL)
                parts.append(f"{shown[head]} {arc} {shown[dependent]}")
                joined |= {head, dependent}
            parts += [text for position, text in shown.items() if position not in joined]
            yield f"    {', '.join(parts)}"


# A line for each match.


def as_jsonl(search: Iterable[Found]) -> Iterator[str]:
    for file, line, graph, matches in search:
        for match in matches:
            found = dict(match)
            value = {
                **{"file": file, "line": line, "id": graph.id, "text": _sentence(graph)},
                "words": {n: _known(word) for n, word in found.items() if isinstance(word, Word)},
                "labels": {n: label for n, label in found.items() if isinstance(label, str)},
                "positions": match.positions,
                "arcs": [arc._asdict() for arc in match.arcs],
            }
            yield json.dumps(value, ensure_ascii=False)


def _known(word: Word) -> dict[str, Any]:
    return {key: value for key, value in word._asdict().items() if value not in ("_", None)}


def as_csv(search: Search) -> Iterator[str]:
    pattern = search.pattern
    columns = [(name, column) for name in pattern.words for column in ("", *WORD_COLUMNS)]
    titles = [f"{name}.{column}".rstrip(".") for name, column in columns]
    yield _csv(["file", "line", "id", *titles, *pattern.labels, "text"])
    for file, line, graph, matches in search:
        for match in matches:
            found = dict(match)
            words = [_value(found, name, column) for name, column in columns]
            labels = [found.get(name) for name in pattern.labels]
            yield _csv([file, line, graph.id, *words, *labels, _sentence(graph)])


def _value(found: Mapping[str, Any], name: str, column: str) -> Any:
    """What a name stands for, or a column of its word; None if an optional clause does not hold."""
    value = found.get(name)
    if isinstance(value, Word):
        return getattr(value, column or "form")
    return value


def _sentence(graph: Graph) -> str:
    return graph.meta.get("text") or " ".join(graph.forms)


class _Echo:
    @staticmethod
    def write(row: str) -> str:
        return row


_csv: Callable[[Iterable[Any]], Any] = csv.writer(_Echo(), lineterminator="").writerow


# Counts.


def counts(search: Search, kind: str) -> Iterator[str]:
    for _ in search:
        pass
    if kind == "text":
        yield from (f"{visible(file)}: {_summary(*row)}" for file, row in search.counts.items())
        if len(search.counts) > 1:
            yield f"total: {search.summary()}"
        return
    header = ["file", "sentences", "sentences_with_a_match", "matches"]
    yield from _table(kind, header, ((file, *row) for file, row in search.counts.items()))


def counts_by(search: Iterable[Found], keys: list[tuple[str, str]], kind: str) -> Iterator[str]:
    counter = Counter(
        tuple(_value(match, *key) for key in keys) for found in search for match in found.matches
    )
    # Ties in the order of the words, so that the same files give the same table.
    rows = sorted(counter.items(), key=lambda row: (-row[1], tuple(map(str, row[0]))))
    titles = [f"{name}.{column}".rstrip(".") for name, column in keys]
    if kind != "text":
        yield from _table(kind, [*titles, "count"], ((*values, count) for values, count in rows))
        return
    table = [titles, *(["-" if v is None else visible(v) for v in values] for values, _ in rows)]
    counts = ["count", *(f"{count:,}" for _, count in rows)]
    width = max(map(len, counts))
    widths = [max(map(columns, column)) for column in zip(*table)]
    for count, cells in zip(counts, table):
        padded = (cell + " " * (width - columns(cell)) for cell, width in zip(cells, widths))
        yield f"{count:>{width}}  {'  '.join(padded)}".rstrip()


def _table(kind: str, header: list[str], rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    if kind == "csv":
        yield _csv(header)
        yield from map(_csv, rows)
    else:
        yield from (json.dumps(dict(zip(header, row)), ensure_ascii=False) for row in rows)


def keys(text: str, pattern: Pattern) -> list[tuple[str, str]]:
    """Names with columns, as `who.lemma,role` gives them."""
    keys = []
    for key in text.split(","):
        name, _, column = key.strip().removeprefix("?").partition(".")
        if name not in (*pattern.words, *pattern.labels):
            named = ", ".join(f"?{name}" for name in (*pattern.words, *pattern.labels))
            raise UserError(
                f"--count-by {key.strip()}: the pattern has no name {name!r};"
                f" {f'it has {named}' if named else 'write ?name in it'}"
            )
        if column and (column not in FIELDS or name in pattern.labels):
            expected = ", ".join(f"{name}.{field}" for field in FIELDS)
            raise UserError(
                f"--count-by {key.strip()}: expected {name}"
                + ("" if name in pattern.labels else f" or one of {expected}")
            )
        keys.append((name, column))
    return keys
