"""Check files: every problem is told as `file:line: what is wrong`."""

import argparse
import sys

from ..graphs import Graph, Problem, read
from .options import add_format, add_lenient


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="file to check")
    add_format(parser, "--from", "the files")
    add_lenient(parser)


def run(arguments: argparse.Namespace) -> int:
    problems = 0

    def tell(problem: object) -> None:
        nonlocal problems
        problems += 1
        print(problem)

    def tell_format(problem: Problem) -> None:
        if not (arguments.lenient and problem.tolerable):
            tell(problem)

    graphs = 0
    for file in arguments.files:
        seen: set[str] = set()
        for graph in read(
            file, arguments.from_format, lenient=arguments.lenient, on_problem=tell_format
        ):
            graphs += 1
            name = f"{file}: graph {graph.id!r}"
            if graph.id in seen:
                tell(f"{name}: the id occurs twice")
            if graph.id:
                seen.add(graph.id)
            cycle = graph.find_cycle()
            if cycle:
                tell(f"{name}: a cycle, {_path(graph, cycle)}")
    print(f"{graphs:,} graphs read, {problems:,} problems found", file=sys.stderr)
    return 1 if problems else 0


def _path(graph: Graph, cycle: tuple[int, ...]) -> str:
    return " -> ".join(f"{word} {graph.forms[word - 1]}" for word in (*cycle, cycle[0]))
