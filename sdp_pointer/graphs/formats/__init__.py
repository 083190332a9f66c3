"""Read and write graphs in every format of the field, streaming in both directions.

>>> text = "#SDP 2015\\n#20001001\\n1\\tGo\\tgo\\tVB\\t+\\t-\\t_\\n\\n"
>>> [graph] = loads(text, "sdp")
>>> dumps([graph], "sdp") == text
True
"""

import io
import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple, Optional

from ..formalisms import is_name, not_a_name
from ..graph import Graph
from ..problems import FormatError, Problem, Report
from . import conllu, jsonl, mrp, sdp
from .sniffing import is_raw_text, sniff
from .streams import Lines, Source, Target, has_lone_surrogate, name_of, open_source, text_lines
from .targets import write_text


class Format(NamedTuple):
    """How to turn lines into graphs, of a given formalism if not None, and graphs into text.

    `parse` puts each problem into the report and goes on with the next graph. Before it yields a
    graph, it notes the lines of its tokens. `render` raises a `FormatError` for what the format
    cannot hold. A format of words and heads, `Cats<2 purr<0`:

    >>> from ..graph import GraphError, Token
    >>> def parse(lines, report, formalism=None):
    ...     for number, line in enumerate(lines, start=1):
    ...         words, heads = zip(*(cell.rpartition("<")[::2] for cell in line.split()))
    ...         try:
    ...             arcs = [(int(h), d, "ARG") for d, h in enumerate(heads, 1) if int(h)]
    ...             graph = Graph(map(Token, words), arcs, formalism=formalism)
    ...         except (ValueError, GraphError) as error:
    ...             report.error(number, str(error))
    ...             continue
    ...         report.token_lines = [number] * len(graph)
    ...         yield graph
    >>> problems = []
    >>> report = Report("my.heads", on_problem=problems.append)
    >>> list(parse(["Cats<2 purr<0", "Dogs<3"], report))
    [Graph(Cats purr | purr -ARG-> Cats)]
    >>> print(problems[0])
    my.heads:2: arc (3, 1, 'ARG') leaves the sentence of 1 words
    """

    name: str
    suffix: str
    parse: Callable[[Iterable[str], Report, Optional[str]], Iterator[Graph]]
    render: Callable[[Iterable[Graph]], Iterator[str]]


FORMATS = {
    format.name: format
    for format in (
        Format("sdp", ".sdp", sdp.parse, sdp.render),
        Format(
            "sdp2014",
            ".sdp2014",
            partial(sdp.parse, declared=sdp.SDP_2014),
            partial(sdp.render, variant=sdp.SDP_2014),
        ),
        Format(
            "allennlp",
            ".allennlp",
            partial(sdp.parse, declared=sdp.ALLENNLP),
            partial(sdp.render, variant=sdp.ALLENNLP),
        ),
        Format("conllu", ".conllu", conllu.parse, conllu.render),
        Format("mrp", ".mrp", mrp.parse, mrp.render),
        Format("jsonl", ".jsonl", jsonl.parse, jsonl.render),
    )
}


def read(
    source: Source,
    format: Optional[str] = None,
    *,
    lenient: bool = False,
    on_problem: Optional[Callable[[Problem], None]] = None,
    formalism: Optional[str] = None,
) -> "Reading":
    """Graphs of a file, one after another.

    # Parameters

    source : path, `-` for the standard input, an open file (text or binary), or lines
        Gzipped data is recognised by its content.
    format : `str`, optional
        One of `FORMATS`; by default told by the name, or else by the content. It is binding, but
        `sdp` stands for all three variants, of which header and columns tell one.
    lenient : `bool`, optional (default = `False`)
        Accept what the official tool accepts, though it breaks the format; tell it as a
        `FormatWarning`.
    on_problem : `Callable[[Problem], None]`, optional
        Called with every problem; reading then goes on after the graph concerned. By default, the
        first problems are collected and raised together as a `FormatError`.
    formalism : `str`, optional
        What the graphs are annotated in, whatever the file says. By default what the file says of
        each graph, or, where its format cannot, its name: `en.psd.sdp`.
    """
    if formalism is not None and not is_name(formalism):
        raise ValueError(not_a_name(formalism))
    return Reading(source, format, lenient, on_problem, formalism)


class Reading(Iterator[Graph]):
    """The graphs of one source, as they are read, and where the last one stood."""

    def __init__(
        self,
        source: Source,
        format: Optional[str],
        lenient: bool,
        on_problem: Optional[Callable[[Problem], None]],
        formalism: Optional[str],
    ) -> None:
        self._report = Report(name_of(source), lenient, on_problem)
        self._graphs = self._read(source, format, formalism)

    def __next__(self) -> Graph:
        return next(self._graphs)

    @property
    def file(self) -> str:
        """What messages call the source."""
        return self._report.file

    def place(self, position: int = 1) -> str:
        """Where the last graph has the token at a position, as `file:line`."""
        return f"{self._report.file}:{self._report.token_lines[position - 1]}"

    def _read(
        self, source: Source, format: Optional[str], formalism: Optional[str]
    ) -> Iterator[Graph]:
        report = self._report
        with open_source(source) as stream:
            lines = Lines(stream)
            name = format or format_of_name(report.file) or sniff(lines)
            if name is None and is_raw_text(lines):
                report.error(1, "no graphs, but raw text: sdp-pointer parse makes graphs of it")
            else:
                format_used = _format_called(name or "sdp")
                for graph in format_used.parse(text_lines(lines, report), report, formalism):
                    if not report.failed:
                        yield graph
        report.close()


def write(graphs: Iterable[Graph], target: Target, format: Optional[str] = None) -> None:
    """Write graphs to a path (gzipped if it ends in `.gz`), `-` or an open file."""
    format = format or format_of_name(name_of(target)) or "sdp"
    write_text(_rendered(graphs, format), target)


def loads(
    text: str,
    format: Optional[str] = None,
    *,
    lenient: bool = False,
    formalism: Optional[str] = None,
) -> list[Graph]:
    source = io.StringIO(text, newline="\n")
    return list(read(source, format, lenient=lenient, formalism=formalism))


def dumps(graphs: Iterable[Graph], format: str) -> str:
    return "".join(_rendered(graphs, format))


def _rendered(graphs: Iterable[Graph], format: str) -> Iterator[str]:
    for text in _format_called(format).render(graphs):
        if has_lone_surrogate(text):
            message = f"half of a surrogate pair is not text: {text[:200]!r}"
            raise FormatError([Problem(f"a graph for .{format}", 0, message)])
        yield text


def _format_called(format: str) -> Format:
    if format not in FORMATS:
        raise ValueError(f"unknown format {format!r}; expected one of {', '.join(FORMATS)}")
    return FORMATS[format]


def format_of_name(name: str) -> Optional[str]:
    """The format that a file's name tells.

    >>> format_of_name("dev.conllu.gz"), format_of_name("notes.txt")
    ('conllu', None)
    """
    suffixes = {format.suffix: format.name for format in FORMATS.values()}
    return suffixes.get(os.path.splitext(name.removesuffix(".gz"))[1])
