"""The `.sdp` files of SemEval 2014 and 2015, and AllenNLP's variant with a companion syntax tree.

All three give one row a word, then one column for each predicate; they differ in the fixed columns:

    2015      id form lemma pos top pred frame                (first line: #SDP 2015)
    2014      id form lemma pos top pred
    allennlp  id form lemma pos head deprel top pred frame

A format that is declared, and the header, are binding: what contradicts them is an error. Otherwise
the first graph tells them apart, and whatever contradicts it later is an error. A file of sentences
that have no graphs yet has the first four columns alone, as the blind test files of the shared
tasks.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import repeat
from typing import NamedTuple, Optional

from ..formalisms import formalism_of_file
from ..graph import Graph, Token, make_token
from ..problems import FormatError, Problem, Report
from .streams import paragraphs

HEADER = "#SDP 2015"
FLAGS = frozenset("+-")
# Neither top nor predicate: what makes a graph without arcs of a sentence.
BARE = "\t-\t-"


class Variant(NamedTuple):
    """Where the columns of one kind of `.sdp` file are."""

    fixed: int
    top: int
    pred: int
    frame: Optional[int]
    syntax: Optional[int]
    header: bool


SDP_2015 = Variant(fixed=7, top=4, pred=5, frame=6, syntax=None, header=True)
SDP_2014 = Variant(fixed=6, top=4, pred=5, frame=None, syntax=None, header=False)
ALLENNLP = Variant(fixed=9, top=6, pred=7, frame=8, syntax=4, header=False)


def parse(
    lines: Iterable[str],
    report: Report,
    formalism: Optional[str] = None,
    declared: Optional[Variant] = None,
) -> Iterator[Graph]:
    """Graphs of an `.sdp` file; a graph with a fatal problem is left out.

    Without a declared variant, the header and the first graph tell it. The format has no place for
    the formalism: unless it is given, the file's name may tell it.
    """
    formalism = formalism or formalism_of_file(report.file)
    variant = declared
    header = bare = False
    number = graphs = 0
    for number, paragraph in paragraphs(lines, report):
        fatal = report.fatal
        if paragraph[0] == HEADER:
            if variant is SDP_2014 and not bare:
                report.error(number, f"{HEADER!r} in a file of SemEval 2014, which has no header")
            elif number > 1:
                report.tolerable(number, f"{HEADER!r} belongs into the first line alone")
            header = header or number == 1
            number += 1
            del paragraph[0]
            if not paragraph:
                continue
        ids = 0
        while ids < len(paragraph) and paragraph[ids].startswith("#"):
            ids += 1
        if not ids or paragraph[ids - 1] == "#":
            report.tolerable(number, "a graph must begin with its id, a line such as '#20001001'")
        for extra in range(ids - 1):
            report.tolerable(number + extra, "more than one '#' line before the first token")
        if ids == len(paragraph):
            report.error(number + ids - 1, "a graph without tokens")
            continue
        rows = paragraph[ids:]
        if not graphs:
            bare = declared is not ALLENNLP and all(row.count("\t") == 3 for row in rows)
            if bare:
                variant = SDP_2014
            elif variant is None:
                variant = _recognised(rows, header, report)
        graphs += 1
        assert variant is not None
        if bare:
            rows = _completed(rows, number + ids, report)
            if report.fatal > fatal:
                continue
        graph_id = paragraph[ids - 1][1:] if ids else ""
        graph = _graph(graph_id, rows, number + ids, variant, formalism, report)
        if graph is not None and report.fatal == fatal:
            report.token_lines = range(number + ids, number + len(paragraph))
            yield graph
    if not number:
        report.tolerable(1, f"no graphs; expected a file that begins with {HEADER!r}")


def _completed(rows: list[str], number: int, report: Report) -> list[str]:
    """Rows of a sentence without a graph as those of a graph without arcs."""
    for line, row in enumerate(rows, start=number):
        columns = row.count("\t") + 1
        if columns != 4:
            report.error(line, f"{columns} columns; expected 4, as in the sentences before")
    return [row + BARE for row in rows]


def _recognised(rows: list[str], header: bool, report: Report) -> Variant:
    """The variant that the most rows of the first graph fit.

    No row fits two of them: they differ in the number of columns for the same number of predicates,
    or in the fifth column, a flag or the head of a tree. But a file of 2015 that lost its header
    and its frames is one of 2014 to the letter, so that this reading is told.
    """
    cells = [row.split("\t") for row in rows]
    variants = (SDP_2015, ALLENNLP) if header else (SDP_2015, SDP_2014, ALLENNLP)
    variant = max(variants, key=partial(_fitting, cells))
    if variant is SDP_2015 and not header:
        report.tolerable(1, f"the first line must be {HEADER!r}")
    if variant is SDP_2014:
        report.notice(
            1,
            f"no {HEADER!r} in the first line: read as SemEval 2014, which has no frames; to say so"
            " yourself, name the file .sdp2014 or give the format sdp2014",
        )
    if variant is ALLENNLP and header:
        report.notice(
            1,
            f"{HEADER!r}, but a syntax tree in columns 5 and 6: read as AllenNLP's variant; to say"
            " so yourself, name the file .allennlp or give the format allennlp",
        )
    return variant


def _fitting(cells: list[list[str]], variant: Variant) -> tuple[int, int]:
    """How many rows have the right number of columns, and how many have the flags."""
    flagged = [row for row in cells if _has_flags(row, variant)]
    columns = variant.fixed + sum(row[variant.pred] == "+" for row in flagged)
    return sum(len(row) == columns for row in flagged), len(flagged)


def _has_flags(row: list[str], variant: Variant) -> bool:
    flags = row[variant.top : variant.pred + 1]
    return len(row) >= variant.fixed and FLAGS.issuperset(flags)


def _graph(
    graph_id: str,
    rows: list[str],
    number: int,
    variant: Variant,
    formalism: Optional[str],
    report: Report,
) -> Optional[Graph]:
    fatal = report.fatal
    cells = [row.split("\t", variant.fixed) for row in rows]
    if not _is_regular(cells, variant):
        for position, row in enumerate(cells, start=1):
            _report_fixed_columns(row, position, number + position - 1, len(cells), variant, report)
        if report.fatal > fatal:
            return None
    columns = list(zip(*(row[: variant.fixed] for row in cells)))
    predicates = _flagged(columns[variant.pred])
    arguments = [row[variant.fixed] if len(row) > variant.fixed else "" for row in cells]
    arcs = _arcs(arguments, predicates, number, variant.fixed, report)
    if report.fatal > fatal:
        return None
    bare = set(predicates).difference(arc[0] for arc in arcs)
    for position in sorted(bare):
        report.tolerable(
            number + position - 1, "marked + as a predicate, but no arc leaves it (an empty column)"
        )
    frames = columns[variant.frame] if variant.frame is not None else repeat("_")
    tokens = map(make_token, zip(columns[1], columns[2], columns[3], frames))
    syntax = variant.syntax
    meta = None if syntax is None else {"syntax": tuple(zip(columns[syntax], columns[syntax + 1]))}
    return Graph(tokens, arcs, _flagged(columns[variant.top]), graph_id, bare, meta, formalism)


def _flagged(flags: Iterable[str]) -> list[int]:
    return [position for position, flag in enumerate(flags, start=1) if flag == "+"]


def _is_regular(cells: list[list[str]], variant: Variant) -> bool:
    """Whether there is nothing to tell about the fixed columns; without a loop in Python."""
    if min(map(len, cells)) < variant.fixed or not all(map(all, cells)):
        return False
    columns = list(zip(*cells))
    return (
        columns[0] == tuple(map(str, range(1, len(cells) + 1)))
        and FLAGS.issuperset(columns[variant.top])
        and FLAGS.issuperset(columns[variant.pred])
        and (
            variant.syntax is None or heads_of_trees(len(cells)).issuperset(columns[variant.syntax])
        )
    )


def heads_of_trees(length: int) -> set[str]:
    """What may stand in the column of a syntax tree's heads.

    >>> sorted(heads_of_trees(2))
    ['0', '1', '2', '_']
    """
    return {"_", *map(str, range(length + 1))}


def _report_fixed_columns(
    row: list[str], position: int, line: int, length: int, variant: Variant, report: Report
) -> None:
    """Whatever is wrong with the fixed columns of a row."""
    fixed = variant.fixed
    if row[0].startswith("#"):
        report.error(line, "a '#' line after the first token; expected an empty line before it")
        return
    if len(row) < fixed:
        report.error(line, f"{len(row)} columns; expected at least {fixed}, split by tabs")
        return
    if row[0] != str(position):
        report.tolerable(line, f"token id {row[0]!r}; expected {position}")
    if "" in row[:fixed]:
        report.error(line, f"column {row.index('') + 1} is empty")
    if row[fixed:] == [""]:
        report.tolerable(line, "a tab at the end of the line")
    wrong = [column for column in (variant.top, variant.pred) if row[column] not in FLAGS]
    for column in wrong:
        # One is a slip, but both: these are other columns.
        complain = report.tolerable if len(wrong) == 1 else report.error
        complain(line, f"column {column + 1} is {row[column]!r}; expected + or -")
    if variant.syntax is not None and row[variant.syntax] not in heads_of_trees(length):
        report.tolerable(
            line, f"the head {row[variant.syntax]!r}; expected _ or a number from 0 to {length}"
        )


def _arcs(
    arguments: list[str], predicates: list[int], number: int, fixed: int, report: Report
) -> list[tuple[int, int, str]]:
    arcs = []
    complete: Optional[bool] = None
    no_arguments = "\t".join("_" * len(predicates))
    for position, row in enumerate(arguments, start=1):
        if row == no_arguments:
            continue
        line = number + position - 1
        labels = row.split("\t") if row else []
        if len(labels) != len(predicates):
            # Whose are the labels of such a row? And those of all rows, if none of them has a
            # column for each predicate?
            if complete is None:
                complete = any(_width(other) == len(predicates) for other in arguments)
            complain = report.tolerable if complete and set(labels) <= {"_"} else report.error
            count = len(predicates)
            whom = "the one predicate" if count == 1 else f"each of the {count} predicates"
            complain(
                line,
                f"{fixed + len(labels)} columns; expected {fixed + count}: {fixed} and one for"
                f" {whom}",
            )
        for head, label in zip(predicates, labels):
            if not label:
                report.error(line, f"an empty cell in the column of predicate {head}; expected _")
            elif label != "_":
                arcs.append((head, position, label))
    return arcs


def _width(arguments: str) -> int:
    return arguments.count("\t") + 1 if arguments else 0


def render(graphs: Iterable[Graph], variant: Variant = SDP_2015) -> Iterator[str]:
    """The text of an `.sdp` file, graph by graph.

    Graphs without an id are numbered like the official ones, `20000001` being the first of a file.

    >>> graph = Graph([Token("Go", "go", "VB", "v:e-i")], tops=[1])
    >>> print("".join(render([graph])), end="")  # doctest: +NORMALIZE_WHITESPACE
    #SDP 2015
    #20000001
    1 Go go VB + - v:e-i
    <BLANKLINE>
    """
    header = f"{HEADER}\n" if variant.header else ""
    for index, graph in enumerate(graphs, start=1):
        _check(graph, index, variant)
        yield f"{header}#{graph.id or numbered(index)}\n{_rows(graph, variant)}\n"
        header = ""  # With the first graph, so that it never stands alone after an interrupt.
    if header:
        yield header


def numbered(index: int) -> str:
    """The id of the graph at an index of a file, if it has none, in the style of official ids.

    >>> numbered(1)
    '20000001'
    """
    return str(20000000 + index)


def _rows(graph: Graph, variant: Variant) -> str:
    predicates = sorted(graph.predicates)
    column = {predicate: k for k, predicate in enumerate(predicates)}
    labels = [["_"] * len(predicates) for _ in graph.tokens]
    for head, dependent, label in graph.arcs:
        labels[dependent - 1][column[head]] = label
    syntax = graph.meta.get("syntax") or [("_", "_")] * len(graph)
    rows = []
    for position, (token, arguments) in enumerate(zip(graph.tokens, labels), start=1):
        cells = [str(position), token.form, token.lemma, token.pos]
        if variant.syntax is not None:
            cells += syntax[position - 1]
        cells.append("+" if position in graph.tops else "-")
        cells.append("+" if position in column else "-")
        if variant.frame is not None:
            cells.append(token.frame)
        rows.append("\t".join(cells + arguments) + "\n")
    return "".join(rows)


def _check(graph: Graph, index: int, variant: Variant) -> None:
    """Refuse what would come back as another graph."""
    problems = []
    if any(character in graph.id for character in "\r\n"):
        problems.append(f"the id {graph.id!r} spans several lines")
    if f"#{graph.id}" == HEADER:
        problems.append(f"the id {graph.id!r} would be read as the header")
    for position, token in enumerate(graph.tokens, start=1):
        for name, value in zip(Token._fields, token):
            if any(character in value for character in "\t\r\n"):
                problems.append(f"the {name} of token {position}, {value!r}, contains a separator")
        if variant.frame is None and token.frame != "_":
            problems.append(f"token {position} has a frame, {token.frame!r}, and no column for it")
    if variant.syntax is not None:
        problems += syntax_problems(graph, "\t\r\n")
    for head, dependent, label in graph.arcs:
        if label == "_" or any(character in label for character in "\t\r\n"):
            problems.append(f"the label {label!r} of the arc {head} -> {dependent}")
    if problems:
        name = f"graph {graph.id or index}"
        raise FormatError([Problem(name, 0, f"not for .sdp: {what}") for what in problems])


def syntax_problems(graph: Graph, separators: str) -> list[str]:
    """Why the companion tree in `meta["syntax"]`, a (head, relation) for each word, has no columns.

    >>> syntax_problems(Graph([Token("Go")], meta={"syntax": [("0", "ro ot")]}), " ")
    ["the syntax of token 1, ('0', 'ro ot'), is not a head of the sentence and a relation"]
    """
    rows = graph.meta.get("syntax") or ()
    if rows and len(rows) != len(graph):
        return [f"the syntax has {len(rows)} rows for {len(graph)} tokens"]
    heads = heads_of_trees(len(graph))
    return [
        f"the syntax of token {position}, {row!r}, is not a head of the sentence and a relation"
        for position, row in enumerate(rows, start=1)
        if len(row) != 2
        or not all(isinstance(cell, str) and cell for cell in row)
        or row[0] not in heads
        or set(row[1]) & set(separators)
    ]
