"""Draw a graph, alone or compared with the gold graph of the same sentence.

OUT.svg and OUT.dot hold one graph, by default the first; OUT.html all, if none is named; - draws in
the terminal.
"""

import argparse
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Optional

from ..errors import UserError
from ..graphs import Graph, read
from ..graphs.formats.targets import check_target, write_text
from ..graphs.score import pair
from .options import add_format, add_lenient, positive

KINDS = ("text", "svg", "html", "dot")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="file with the graph")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--id", help="draw the graph with this id")
    which.add_argument("--index", type=positive, metavar="N", help="draw the N-th graph")
    parser.add_argument("--gold", metavar="FILE", help="compare with this file's graph")
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        default="-",
        help="OUT.svg, OUT.html, OUT.dot or - (default) for the terminal",
    )
    parser.add_argument(
        "--to", choices=KINDS, help="output format; default: by the extension of OUT, or text"
    )
    parser.add_argument(
        "--width",
        type=positive,
        metavar="N",
        help="draw long sentences in rows of at most N columns (by default those of the terminal),"
        " or of N pixels in OUT.svg and OUT.html (by default in one row)",
    )
    add_format(parser, "--from", "FILE")
    add_lenient(parser)


def run(arguments: argparse.Namespace) -> int:
    from ..graphs.draw import dot, html, svg, text

    output = arguments.output
    kind = arguments.to or ("text" if output == "-" else output.rpartition(".")[2].lower())
    if kind not in KINDS:
        raise UserError(
            f"the name {output!r} does not tell what to draw: add --to {', '.join(KINDS)}"
        )
    width = arguments.width
    if kind == "dot" and width is not None:
        raise UserError("--width has no meaning for a .dot file: Graphviz lays out the graph")
    check_target(output, arguments.file, arguments.gold)
    chosen = list(_chosen_pairs(arguments, every=kind == "html"))
    if not chosen:
        raise UserError(f"{arguments.file} has no {_named_graph(arguments)}")
    graph, gold = chosen[0]
    if kind == "html":
        pairs = (graph if gold is None else (graph, gold) for graph, gold in chosen)
        drawing = html(pairs, width=width)
    elif kind == "svg":
        drawing = svg(graph, gold, width)
    elif kind == "dot":
        drawing = dot(graph, gold)
    else:
        colour = output == "-" and sys.stdout.isatty()
        drawing = text(graph, gold, width, colour=colour) + "\n"
    write_text([drawing], output)
    return 0


def _chosen_pairs(
    arguments: argparse.Namespace, every: bool
) -> Iterator[tuple[Graph, Optional[Graph]]]:
    graphs = read(arguments.file, arguments.from_format, lenient=arguments.lenient)
    chosen = _select(graphs, arguments, every)
    if arguments.gold is None:
        return ((graph, None) for graph in chosen)
    golds = _select(
        read(arguments.gold, arguments.from_format, lenient=arguments.lenient), arguments, every
    )
    return ((graph, gold) for gold, graph in pair(golds, chosen, name=arguments.file))


def _select(graphs: Iterator[Graph], arguments: argparse.Namespace, every: bool) -> Iterator[Graph]:
    if arguments.id is not None:
        return islice((graph for graph in graphs if graph.id == arguments.id), 1)
    if arguments.index is not None:
        return islice(graphs, arguments.index - 1, arguments.index)
    return graphs if every else islice(graphs, 1)


def _named_graph(arguments: argparse.Namespace) -> str:
    if arguments.id is not None:
        return f"graph with the id {arguments.id!r}"
    return f"graph number {arguments.index}" if arguments.index is not None else "graph"
