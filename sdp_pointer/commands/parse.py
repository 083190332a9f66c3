"""Parse text or files into graphs.

INPUT is a file, - for the standard input, or, if no file has that name, a sentence itself. A file
of text has one sentence a line.
"""

import argparse
import os
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from ..errors import UserError
from ..graphs import Graph
from ..graphs.formats import FORMATS, format_of_name
from ..graphs.formats.sniffing import MOST_LINES
from ..graphs.formats.streams import Lines, is_corruption, open_source
from ..graphs.formats.strict_json import encode
from ..graphs.formats.targets import check_target, write_text
from .options import add_model, add_precision, loaded, positive

# What is in the beginning of a model, and not even in damaged text.
BINARY = b"\0" * 4

if TYPE_CHECKING:
    from ..parser import Parser, Refusal, Result
    from ..parser.preparation import Preparation
    from ..parser.results import Prepared


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", metavar="INPUT", nargs="?", default="-", help="default: -")
    add_model(parser)
    parser.add_argument(
        "--format",
        choices=("text", "tokens", *FORMATS),
        metavar="FORMAT",
        help="of INPUT: text; tokens, separated by spaces; jsonl, with a sentence or tokens in each"
        " object; or graphs, whose arcs are ignored. By default told by the name or the first line,"
        " or text",
    )
    parser.add_argument(
        "--to",
        choices=("text", "svg", "html", *FORMATS),
        metavar="FORMAT",
        help=f"drawings (text, svg, html) or graphs ({', '.join(FORMATS)}). By default told by"
        " OUT's name, or text on a terminal and jsonl elsewhere",
    )
    parser.add_argument("-o", "--output", metavar="OUT", default="-", help="default: - (stdout)")
    parser.add_argument(
        "--split", action="store_true", help="split each line of text into its sentences"
    )
    parser.add_argument("--beam", type=positive, metavar="K", help="default: the model's own")
    parser.add_argument(
        "--n-best",
        type=positive,
        metavar="K",
        help="also the next best graphs, K in all: in text, html, and in jsonl as n_best;"
        " default: the model's own",
    )
    parser.add_argument(
        "--batch-size", type=positive, metavar="N", default=32, help="sentences (default: 32)"
    )
    parser.add_argument(
        "--pipeline", metavar="NAME", help="spaCy pipeline for models that need tags or lemmas"
    )
    parser.add_argument("--device", default="cpu", help="cpu (default), cuda or cuda:1")
    add_precision(parser)


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
    parser = loaded(arguments)
    if arguments.n_best is None:
        arguments.n_best = 1 if single else parser.options(beam=arguments.beam).n_best
    typed = arguments.input == "-" and sys.stdin.isatty()
    if typed:
        print("One sentence a line; Ctrl-D ends.", file=sys.stderr)
    refusals: list[Refusal] = []
    progress = sys.stderr.isatty() and not (shown or typed)
    results = _results(arguments, parser, to, refusals, typed, progress)
    write_text(_rendered(results, to, arguments.n_best > 1, colour=shown), arguments.output)
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
    typed: bool,
    progress: bool,
) -> "Iterator[Result]":
    sentences = _sentences(arguments, parser.preparation, to, typed)
    # Whoever types a sentence waits for its graph; else many are read ahead.
    for group in ([sentence] for sentence in sentences) if typed else [sentences]:
        for result in parser.parse_prepared(
            group, arguments.n_best, arguments.batch_size, arguments.beam, progress
        ):
            if result.refusal is not None:
                refusals.append(result.refusal)
                print(result.refusal.message(arguments.input), file=sys.stderr)
            yield result


def _sentences(
    arguments: argparse.Namespace, preparation: "Preparation", to: str, typed: bool
) -> "Iterator[Prepared]":
    from ..parser.sources import read_sentences

    source = arguments.input
    format = arguments.format or format_of_name(source)
    is_file = source == "-" or os.path.exists(source)
    if not is_file:
        if source.strip() == "":
            raise UserError("there are no words in the sentence")
        if " " not in source.strip():
            raise UserError(
                f"there is no file {source!r}; a sentence of one word is given by a pipe:"
                f" echo {shlex.quote(source)} | sdp-pointer parse"
            )
        format = "tokens" if format == "tokens" else "text"
    with open_source(source) if is_file else nullcontext([source]) as stream:
        if format is None:
            _refuse_binary(stream, source)
        # Whoever types a sentence waits for its graph, whatever it begins with.
        most = 1 if typed else MOST_LINES
        yield from read_sentences(
            Lines(stream), preparation, format, split=arguments.split, to=to, sniffed_lines=most
        )


def _refuse_binary(stream: Any, source: str) -> None:
    try:
        start = stream.peek(512)[:512] if hasattr(stream, "peek") else b""
    except Exception as error:
        if not is_corruption(error):
            raise
        raise UserError(f"{source} is damaged: nothing of it can be unpacked ({error})") from error
    if BINARY in start:
        raise UserError(f"{source} is no text; if it is a model, name it by --model")


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
                raise UserError("an SVG holds one graph: give one sentence, or write html")
            yield svg(graph)
    else:
        yield from FORMATS[to].render(graphs)


def _ranked(graphs: Sequence[Graph]) -> Iterator[Graph]:
    """The graphs of a sentence, each with its rank in its name."""
    for rank, graph in enumerate(graphs, start=1):
        name = f"{graph.id} {rank} of {len(graphs)}, score {graph.meta['score']}"
        yield graph.replace(id=name.lstrip())
