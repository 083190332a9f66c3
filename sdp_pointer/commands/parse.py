"""Parse text or files into graphs.

INPUT is a file, - for the standard input, or, if no file has that name, a sentence itself. A file
of text has one sentence a line.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Union

from ..errors import UserError
from ..graphs import Graph, read
from ..graphs.formats import FORMATS, format_of_name, jsonl
from ..graphs.formats.streams import open_source, open_target
from ..graphs.formats.strict_json import encode
from .options import add_model, positive

if TYPE_CHECKING:
    from ..inputs import Refused
    from ..parser import Parser

    Result = Union[Graph, Refused]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", metavar="INPUT", nargs="?", default="-", help="default: -")
    add_model(parser)
    parser.add_argument(
        "--format",
        choices=("text", "tokens", *FORMATS),
        metavar="FORMAT",
        help="of INPUT: text; tokens, separated by spaces; jsonl, with a sentence or tokens in each"
        " object; or graphs, whose arcs are ignored. By default told by the name, or text",
    )
    parser.add_argument(
        "--to",
        choices=("text", "svg", "html", *FORMATS),
        metavar="FORMAT",
        help=f"drawings (text, svg, html) or graphs ({', '.join(FORMATS)}). By default told by"
        " OUT's name, or text on a terminal and jsonl elsewhere",
    )
    parser.add_argument("-o", "--output", metavar="OUT", default="-", help="default: - (stdout)")
    parser.add_argument("--split", action="store_true", help="split lines of text into sentences")
    parser.add_argument("--beam", type=positive, metavar="K", help="default: the model's own")
    parser.add_argument(
        "--n-best", type=positive, metavar="K", default=1, help="add the K best graphs (jsonl)"
    )
    parser.add_argument("--batch-size", type=positive, metavar="N", default=32)
    parser.add_argument(
        "--pipeline", metavar="NAME", help="spaCy pipeline for models that need tags or lemmas"
    )
    parser.add_argument("--device", default="cpu", help="cpu (default), cuda or cuda:1")


def run(arguments: argparse.Namespace) -> int:
    to = arguments.to or _told(arguments.output) or ("text" if sys.stdout.isatty() else "jsonl")
    from ..parser import load

    parser = load(arguments.model, device=arguments.device, pipeline=arguments.pipeline)
    refused: list[Refused] = []
    results = _results(arguments, parser, refused)
    with open_target(arguments.output) as target:
        for text in _rendered(results, to):
            target.write(text)
            target.flush()
    return 1 if refused else 0


def _told(name: str) -> Any:
    """The format that the name of the output tells."""
    ending = name.rpartition(".")[2]
    return ending if ending in ("svg", "html") else format_of_name(name)


def _results(
    arguments: argparse.Namespace, parser: "Parser", refused: "list[Refused]"
) -> "Iterator[Result]":
    from ..parser import with_alternatives

    n_best = arguments.n_best
    progress = sys.stderr.isatty() and not (arguments.output == "-" and sys.stdout.isatty())
    for result in parser.parse_some(
        _sentences(arguments, parser), n_best, arguments.batch_size, arguments.beam, progress
    ):
        if isinstance(result, list):
            yield result[0] if n_best == 1 else with_alternatives(result)
        else:
            refused.append(result)
            print(f"{arguments.input}:{result.line}: {result.error}", file=sys.stderr)
            yield result


def _sentences(arguments: argparse.Namespace, parser: "Parser") -> "Iterator[Result]":
    from ..inputs import read_json, read_text

    source = arguments.input
    format = arguments.format or format_of_name(source) or "text"
    if source != "-" and not os.path.exists(source):
        if " " not in source.strip():
            raise UserError(f"there is no file {source!r} (and a sentence has several words)")
        yield from read_text([source], parser, format == "tokens", arguments.split)
    elif format in ("text", "tokens", "jsonl"):
        with open_source(source) as stream:
            lines = (line if isinstance(line, str) else line.decode() for line in stream)
            if format == "jsonl":
                yield from read_json(lines, parser)
            else:
                yield from read_text(lines, parser, format == "tokens", arguments.split)
    else:
        yield from map(parser.prepare, read(source, format))


def _rendered(results: "Iterable[Result]", to: str) -> Iterator[str]:
    from ..graphs.draw import html, svg, text

    if to == "jsonl":
        for result in results:
            value = jsonl.to_json(result) if isinstance(result, Graph) else result.to_json()
            yield encode(value, (",", ":")) + "\n"
        return
    graphs = (result for result in results if isinstance(result, Graph))
    if to == "text":
        for graph in graphs:
            yield text(graph, colour=sys.stdout.isatty()) + "\n\n"
    elif to == "html":
        yield html(graphs)
    elif to == "svg":
        for number, graph in enumerate(graphs):
            if number:
                raise UserError("an SVG holds one graph: give one sentence, or write html")
            yield svg(graph)
    else:
        yield from FORMATS[to].render(graphs)
