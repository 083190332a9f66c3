"""Parse text or files into graphs.

INPUT is a file, - for the standard input, or, if no file has that name, a sentence itself. A file
of text has one sentence a line.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..errors import UserError
from ..graphs import Graph
from ..graphs.formats import FORMATS, format_of_name
from ..graphs.formats.strict_json import encode
from ..graphs.formats.targets import check_target, write_text
from .inputs import ONE_GRAPH, Input
from .options import add_model, positive
from .packages import load_parser

if TYPE_CHECKING:
    from ..parser import Parser, Refusal, Result


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", metavar="INPUT", nargs="?", default="-", help="default: -")
    add_model(parser)
    parser.add_argument(
        "--from",
        "--format",
        dest="from_format",
        choices=("text", "tokens", *FORMATS),
        metavar="FORMAT",
        help="format of INPUT: text; tokens, separated by spaces; jsonl, with a sentence or tokens"
        " in each object; or graphs, whose arcs are ignored. Default: by the name or the first"
        " line, otherwise text",
    )
    parser.add_argument(
        "--to",
        choices=("text", "svg", "html", *FORMATS),
        metavar="FORMAT",
        help=f"drawings (text, svg, html) or graphs ({', '.join(FORMATS)}). Default: by the"
        " extension of OUT; without one, text on a terminal and jsonl elsewhere",
    )
    parser.add_argument("-o", "--output", metavar="OUT", default="-", help="default: - (stdout)")
    parser.add_argument(
        "--split", action="store_true", help="split each line of text into sentences"
    )
    parser.add_argument(
        "--n-best",
        type=positive,
        metavar="K",
        help="write the K best graphs of each sentence, in text, html, and in jsonl as n_best;"
        " default: the model's own number",
    )
    parser.add_argument(
        "--batch-size",
        type=positive,
        metavar="N",
        default=32,
        help="sentences per batch (default: 32)",
    )


def run(arguments: argparse.Namespace) -> int:
    shown = arguments.output == "-" and sys.stdout.isatty()
    to = arguments.to or ("text" if shown else _output_format(arguments.output))
    single = to not in ("text", "html", "jsonl")
    if single and (arguments.n_best or 1) > 1:
        raise UserError(
            f"{to} holds one graph a sentence: with --n-best, write text, html or jsonl"
        )
    # Before the model is loaded, which takes longer.
    check_target(arguments.output, arguments.input, arguments.model)
    source = Input(arguments.input, arguments.from_format, arguments.split)
    source.check(at_most_one=to == "svg")
    parser = load_parser(arguments)
    if arguments.n_best is None:
        arguments.n_best = 1 if single else parser.options(beam=arguments.beam).n_best
    if source.typed:
        print("One sentence a line; Ctrl-D ends.", file=sys.stderr)
    refusals: list[Refusal] = []
    progress = sys.stderr.isatty() and not (shown or source.typed)
    results = _results(arguments, parser, to, refusals, source, progress)
    write_text(_rendered(results, to, arguments.n_best > 1, colour=shown), arguments.output)
    if source.hint:
        print(f"sdp-pointer: {source.hint}", file=sys.stderr)
    if refusals:
        lines = "a line was" if len(refusals) == 1 else f"{len(refusals)} lines were"
        print(f"sdp-pointer: {lines} not parsed", file=sys.stderr)
    return 1 if refusals else 0


def _output_format(name: str) -> str:
    """The format that the name of the output stands for.

    >>> [_output_format(name) for name in ("graphs.sdp.gz", "page.html", "drawn.txt", "-")]
    ['sdp', 'html', 'text', 'jsonl']
    """
    if name == "-":
        return "jsonl"
    drawings = {"svg": "svg", "html": "html", "txt": "text"}
    format = drawings.get(name.rpartition(".")[2], format_of_name(name))
    if format is None:
        raise UserError(f"the name {name!r} does not tell the format to write: add --to FORMAT")
    return format


def _results(
    arguments: argparse.Namespace,
    parser: "Parser",
    to: str,
    refusals: "list[Refusal]",
    source: Input,
    progress: bool,
) -> "Iterator[Result]":
    sentences = source.sentences(parser.preparation, to)
    # Whoever types a sentence waits for its graph; else many are read ahead.
    for group in ([sentence] for sentence in sentences) if source.typed else [sentences]:
        for result in parser.parse_prepared(
            group, arguments.n_best, arguments.batch_size, arguments.beam, progress
        ):
            if result.refusal is not None:
                refusals.append(result.refusal)
                print(result.refusal.message(arguments.input), file=sys.stderr)
            yield result


def _rendered(results: "Iterable[Result]", to: str, several: bool, colour: bool) -> Iterator[str]:
    from ..graphs.draw import html, svg, text

    if to == "jsonl":
        for result in results:
            yield encode(result.to_json(several), (",", ":")) + "\n"
        return
    parsed = (result.graphs for result in results)
    graphs = (graph for n_best in parsed for graph in (_ranked(n_best) if several else n_best))
    if to == "text":
        for graph in graphs:
            title = f"{graph.id}\n" if several else ""
            # One empty line is between the rows of a long sentence.
            yield f"{title}{text(graph, colour=colour)}\n\n\n"
    elif to == "html":
        yield html(graphs)
    elif to == "svg":
        for number, graph in enumerate(graphs):
            if number:
                raise UserError(ONE_GRAPH)
            yield svg(graph)
    else:
        yield from FORMATS[to].render(graphs)


def _ranked(graphs: Sequence[Graph]) -> Iterator[Graph]:
    """The graphs of a sentence, each with its rank in its name."""
    for rank, graph in enumerate(graphs, start=1):
        name = f"{graph.id} {rank} of {len(graphs)}, score {graph.meta['score']}"
        yield graph.replace(id=name.lstrip())
