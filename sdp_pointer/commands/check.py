"""Check files: print every problem as `file:line: what is wrong`."""

import argparse
import sys

from ..graphs import Graph, Problem, read
from ..graphs.draw.characters import visible
from .options import add_format, add_lenient


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="file to check")
    add_format(parser, "--from", "the files")
    add_lenient(parser)


def run(arguments: argparse.Namespace) -> int:
    problems = 0

    def print_problem(problem: object) -> None:
        nonlocal problems
        problems += 1
        print(problem)

    def print_format_problem(problem: Problem) -> None:
        if not (arguments.lenient and problem.tolerable):
            print_problem(problem)

    graphs = 0
    for file in arguments.files:
        seen: dict[str, str] = {}
        reading = read(
            file, arguments.from_format, lenient=arguments.lenient, on_problem=print_format_problem
        )
        for graph in reading:
            graphs += 1
            if graph.id in seen:
                print_problem(
                    f"{reading.place()}: the id {graph.id!r} occurs before, at {seen[graph.id]}"
                )
            elif graph.id:
                seen[graph.id] = reading.place()
            cycle = graph.find_cycle()
            if cycle:
                print_problem(f"{reading.place(cycle[0])}: a cycle, {_path(graph, cycle)}")
    print(f"{graphs:,} graphs read, {problems:,} problems found", file=sys.stderr)
    return 1 if problems else 0


def _path(graph: Graph, cycle: tuple[int, ...]) -> str:
    words = [f"{word} {visible(graph.forms[word - 1])}" for word in (*cycle, cycle[0])]
    if len(words) > 12:
        words[6:-5] = [f"... {len(words) - 11} more ..."]
    return " -> ".join(words)
