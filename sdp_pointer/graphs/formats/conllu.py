"""CoNLL-U files whose ninth column, DEPS, holds the graph: head:label|head:label, tops as 0:root.

    # sent_id = 20001001
    # formalism = dm
    1	Cats	cat	_	NNS	_	_	_	2:ARG1	_
    2	purr	purr	_	VBP	_	_	_	0:root	Frame=v:e-i

XPOS, or else UPOS, is the part of speech. The frame is in MISC, with the escapes usual there (`\\s`
a blank, `\\p` a vertical bar, `\\\\` a backslash). HEAD and DEPREL go to `meta["syntax"]`, whatever
else a file says to `meta["conllu"]`, and both are written back.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Optional

from ..graph import Graph, GraphError, Token
from ..problems import FormatError, Problem, Report
from .conllu_layout import (
    Layout,
    Ranges,
    columns_of,
    comments_of,
    frames_of,
    key_and_value,
    pos_of,
    unescape,
)
from .sdp import HEADER, heads_of_trees, syntax_problems
from .streams import paragraphs

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")

_WITHOUT_BLANKS = (0, 3, 4, 5, 6, 7, 8)

Rows = list[tuple[int, list[str]]]


def parse(lines: Iterable[str], report: Report, formalism: Optional[str] = None) -> Iterator[Graph]:
    """Graphs of a `.conllu` file; a sentence with a fatal problem is left out."""
    for number, paragraph in paragraphs(lines, report):
        fatal = report.fatal
        comments: list[str] = []
        rows: Rows = []
        for line, row in enumerate(paragraph, start=number):
            if not row.startswith("#"):
                rows.append((line, row.split("\t")))
                continue
            if rows:
                report.tolerable(line, "a comment after the first token; expected it before")
            comments.append(row)
        if comments[:1] == [HEADER]:
            report.error(number, f"{HEADER!r} in a file that should be CoNLL-U; is it .sdp?")
        words, ranges, empty, errors = _sort_rows(rows, report)
        if not words:
            errors.append((number, "a sentence without words"))
        for line, message in errors:
            report.error(line, message)
        graph = (
            None if errors else _graph(number, comments, words, empty, ranges, formalism, report)
        )
        if graph is not None and report.fatal == fatal:
            report.token_lines = [line for line, _ in words]
            yield graph


def _sort_rows(rows: Rows, report: Report) -> tuple[Rows, Ranges, set[str], list[tuple[int, str]]]:
    """The rows of words, those of multi-word tokens, the ids of empty nodes, and what is wrong."""
    errors: list[tuple[int, str]] = []
    words: Rows = []
    ranges = []
    empty = set()
    for line, cells in rows:
        if len(cells) != len(COLUMNS):
            errors.append((line, f"{len(cells)} columns; expected 10, split by tabs"))
            cells += [""] * (len(COLUMNS) - len(cells))
        elif "" in cells:
            errors.append((line, f"the column {COLUMNS[cells.index('')]} is empty; expected _"))
        for column in _WITHOUT_BLANKS if " " in "".join(cells) else ():
            if " " in cells[column]:
                report.tolerable(line, f"{COLUMNS[column]} is {cells[column]!r}; expected no blank")
        following = len(words) + 1
        if cells[0] == str(following):
            words.append((line, cells))
            continue
        first, _, last = map(_integer, cells[0].partition("-"))
        word, _, index = map(_integer, cells[0].partition("."))
        if first == following and last is not None and last > first:
            ranges.append((first, last, "\t".join(cells)))
        elif word == len(words) and index and cells[0] not in empty:
            empty.add(cells[0])
            node = f"the empty node {cells[0]}, with {cells[8]!r} in DEPS"
            report.tolerable(line, f"{node}; expected words alone")
        else:
            errors.append((line, f"the word has the id {cells[0]!r}; expected {following}"))
            words.append((line, cells))
    for first, last, _ in ranges:
        if last > len(words):
            errors.append((rows[0][0], f"the multi-word token {first}-{last} leaves the sentence"))
    return words, tuple(ranges), empty, errors


def _integer(text: str) -> Optional[int]:
    """The number in a cell; `int` would also take '1_0', ' 1', '１' and '01'."""
    plain = text.isascii() and text.isdigit() and len(text) < 10 and (text[0] != "0" or text == "0")
    return int(text) if plain else None


def _graph(
    number: int,
    comments: list[str],
    words: Rows,
    empty: set[str],
    ranges: Ranges,
    formalism: Optional[str],
    report: Report,
) -> Optional[Graph]:
    tokens = []
    arcs = []
    tops: dict[int, str] = {}
    possible = heads_of_trees(len(words))
    for position, (line, cells) in enumerate(words, start=1):
        feats, tree_head, relation = cells[5:8]
        # These say nothing about the graph, but whether the columns are what they should be.
        if not _are_features(feats):
            report.tolerable(line, f"FEATS is {feats!r}; expected _ or name=value, split by |")
        if tree_head not in possible:
            expected = f"_ or a number from 0 to {len(words)}"
            report.error(line, f"HEAD is {tree_head!r}; expected {expected}")
        elif tree_head == "_" != relation:
            report.tolerable(line, f"DEPREL is {relation!r}, but HEAD is _; expected both or none")
        pos = pos_of(cells[3], cells[4])
        tokens.append(Token(cells[1], cells[2], pos, _frame(cells[9], line, report)))
        for head, label in _heads(cells[8], len(words), empty, line, report).items():
            if head:
                arcs.append((head, position, label))
            else:
                tops[position] = label
    said: dict[str, str] = {}
    for comment in comments:
        key, value = key_and_value(comment)
        if key in ("sent_id", "formalism", "text", "bare_predicates") and key in said:
            report.error(number, f"more than one comment '# {key} = ...'")
        said[key] = value
    bare = [_integer(word) or 0 for word in said.get("bare_predicates", "").split()]
    meta: dict[str, Any] = {"text": said["text"]} if "text" in said else {}
    syntax = tuple((cells[6], cells[7]) for _, cells in words)
    if any(row != ("_", "_") for row in syntax):
        meta["syntax"] = syntax
    try:
        graph_id, formalism = said.get("sent_id", ""), formalism or said.get("formalism")
        graph = Graph(tokens, arcs, tops, graph_id, bare, meta, formalism)
    except GraphError as error:
        report.error(number, str(error))
        return None
    columns = [(cells[3], cells[4], cells[5], cells[9]) for _, cells in words]
    layout = Layout(
        () if comments == comments_of(graph, Layout()) else tuple(comments),
        () if columns == columns_of(graph, Layout()) else tuple(columns),
        ranges,
        tuple((top, label) for top, label in tops.items() if label != "root"),
    )
    return graph.replace(meta=meta | {"conllu": layout}) if any(layout) else graph


@lru_cache(maxsize=4096)
def _are_features(cell: str) -> bool:
    return cell == "_" or all("=" in feature for feature in cell.split("|"))


def _frame(misc: str, line: int, report: Report) -> str:
    frames = frames_of(misc)
    if not frames:
        return "_"
    if len(frames) > 1 or not frames[0]:
        report.error(line, f"MISC is {misc!r}; expected one frame that is not empty")
        return "_"
    frame, unknown = unescape(frames[0])
    for escape in unknown:
        report.tolerable(line, f"the frame {frames[0]!r} has the unknown escape {escape!r}")
    return frame


def _heads(cell: str, length: int, empty: set[str], line: int, report: Report) -> dict[int, str]:
    heads: dict[int, str] = {}
    for item in [] if cell == "_" else cell.split("|"):
        # A label may contain further colons: nsubj:pass.
        head, _, label = item.partition(":")
        position = _integer(head)
        if not label:
            report.error(line, f"{item!r} in DEPS; expected head:label")
        elif head in empty:
            report.tolerable(line, f"{item!r} in DEPS is an arc from an empty node")
        elif position is None or position > length:
            report.error(line, f"{item!r} in DEPS; expected a head from 0 to {length}")
        elif position not in heads:
            heads[position] = label
        elif heads[position] == label:
            report.tolerable(line, f"{item!r} is in DEPS twice")
        else:
            both = f"{heads[position]!r} and {label!r}"
            report.error(line, f"two arcs from {position}, {both}; expected one between two words")
    return heads


def render(graphs: Iterable[Graph]) -> Iterator[str]:
    """The text of a `.conllu` file, sentence by sentence.

    >>> graph = Graph([Token("Go", "go", "VB", "v:e-i")], tops=[1], id="7")
    >>> print("".join(render([graph])), end="")  # doctest: +NORMALIZE_WHITESPACE
    # sent_id = 7
    1 Go go _ VB _ _ _ 0:root Frame=v:e-i
    <BLANKLINE>
    """
    for index, graph in enumerate(graphs, start=1):
        layout = graph.meta.get("conllu")
        if not isinstance(layout, Layout):
            layout = Layout()
        problems = _problems(graph, layout)
        if problems:
            name = f"graph {graph.id or index}"
            raise FormatError([Problem(name, 0, f"not for .conllu: {what}") for what in problems])
        lines = [*comments_of(graph, layout), *_rows(graph, layout), ""]
        yield "".join(f"{line}\n" for line in lines)


def _rows(graph: Graph, layout: Layout) -> Iterator[str]:
    heads: list[list[str]] = [[] for _ in graph.tokens]
    roots = dict(layout.roots)
    for top in graph.tops:
        heads[top - 1].append(f"0:{roots.get(top, 'root')}")
    for head, dependent, label in graph.arcs:
        heads[dependent - 1].append(f"{head}:{label}")
    columns = columns_of(graph, layout)
    syntax = graph.meta.get("syntax") or [("_", "_")] * len(graph)
    ranges = {first: row for first, _, row in layout.ranges}
    for position, token in enumerate(graph.tokens, start=1):
        if position in ranges:
            yield ranges[position]
        upos, xpos, feats, misc = columns[position - 1]
        deps = "|".join(heads[position - 1]) or "_"
        cells = [str(position), token.form, token.lemma, upos, xpos, feats]
        yield "\t".join([*cells, *syntax[position - 1], deps, misc])


def _problems(graph: Graph, layout: Layout) -> list[str]:
    """What would not come back, or come back as something else."""
    problems = syntax_problems(graph, "\t\r\n ")
    if not problems:
        for position, (head, relation) in enumerate(graph.meta.get("syntax") or (), start=1):
            if head == "_" != relation:
                problems.append(
                    f"the syntax of token {position} has the relation {relation!r} alone"
                )
    text = graph.meta.get("text", "")
    if not isinstance(text, str) or set(graph.id + text) & set("\r\n"):
        problems.append(f"the id {graph.id!r} or the text {text!r} is not one line")
    for position, token in enumerate(graph.tokens, start=1):
        for name, value in zip(("form", "lemma", "pos"), token):
            if set(value) & set("\t\r\n " if name == "pos" else "\t\r\n"):
                problems.append(f"the {name} of token {position}, {value!r}, contains a separator")
    for head, dependent, label in graph.arcs:
        if set(label) & set("\t\r\n |"):
            problems.append(f"the label {label!r} of the arc {head} -> {dependent}")
    if layout.columns and len(layout.columns) != len(graph):
        problems.append(f"meta['conllu'] is about {len(layout.columns)} tokens, not {len(graph)}")
    for first, last, _ in layout.ranges:
        if last > len(graph):
            problems.append(f"the multi-word token {first}-{last} leaves the sentence")
    return problems
