"""Read [incr tsdb()] profiles: sentences with their gold derivations and MRSs."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, Optional

from delphin import tsdb

from ..errors import UserError
from ..graphs import Problem
from ..graphs.formats.streams import open_source, readable_lines, text_lines
from ..graphs.problems import Report


class Reading(NamedTuple):
    """The gold reading of an item: what was said, and cells for `notations` to read."""

    item: str
    text: str
    derivation: str
    mrs: str


def is_profile(folder: Path) -> bool:
    return _table(folder, "result") is not None


def size(folder: Path) -> int:
    """How many bytes there are to read, roughly."""
    path = _table(folder, "result")
    return path.stat().st_size if path is not None else 0


def read_texts(folder: Path) -> dict[str, str]:
    """The sentence of each item of a profile."""
    rows = _rows(folder, "item", (0, 6))
    return {item: text for item, text in rows}  # noqa: C416 (dict() wants tuples for its types)


def read_profile(folder: Path) -> Iterator[Reading]:
    """The readings of a profile, the first of each item that has one.

    A profile is a folder with tables `item`, `parse` and `result`, gzipped or not. A `UserError`
    names the item where a table is broken or cut off.
    """
    texts = read_texts(folder)
    items = {parse: item for item, parse in _rows(folder, "parse", (2, 0))}
    seen = set()
    for parse, derivation, mrs in _rows(folder, "result", (0, 10, 13), items):
        item = items.get(parse, "")
        if item not in texts:
            raise UserError(
                f"{folder}: the result of parse {parse} is that of no item; get the profile again"
            )
        if item not in seen:
            seen.add(item)
            yield Reading(item, texts[item], derivation, mrs)


def _table(folder: Path, name: str) -> Optional[Path]:
    paths = (folder / f"{name}.gz", folder / name)
    return next((path for path in paths if path.is_file()), None)


def _rows(
    folder: Path, name: str, columns: tuple[int, ...], items: Optional[Mapping[str, str]] = None
) -> Iterator[list[str]]:
    """Cells of some columns, the first of which is an item, or what stands for it in `items`."""
    path = _table(folder, name)
    if path is None:
        raise UserError(f"{folder} is no profile: there is no table {name!r}, gzipped or not")
    last = "the beginning"

    def broken(problem: Problem) -> None:
        if not problem.tolerable:
            raise UserError(f"{problem}; broken after {last}: get it again")

    report = Report(str(path), on_problem=broken)
    width = 0
    with open_source(path) as stream:
        for number, line in enumerate(text_lines(readable_lines(stream), report), start=1):
            row = line.split(tsdb.FIELD_DELIMITER)
            width = width or max(len(row), *(column + 1 for column in columns))
            if len(row) != width:
                report.error(number, f"{len(row)} columns, expected {width}")
            try:
                cells = [tsdb.unescape(row[column]) for column in columns]
            except tsdb.TSDBError as error:
                report.error(number, str(error))
            last = f"item {(items or {}).get(cells[0], cells[0])}"
            yield cells
