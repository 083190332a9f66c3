"""Describe corpora: words, arcs, tops, singletons, heads, labels, cycles, transitions."""

import argparse

from ..graphs import read
from ..graphs.stats import Statistics, table
from .options import add_format, add_json, add_lenient, print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="file to describe; each is a column"
    )
    parser.add_argument("--labels", action="store_true", help="also count each label")
    add_format(parser, "--from", "the files")
    add_lenient(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    files = {}
    for file in arguments.files:
        statistics = files[file] = Statistics()
        for graph in read(file, arguments.from_format, lenient=arguments.lenient):
            statistics.add(graph)
    if arguments.json:
        print_json({file: statistics.as_json() for file, statistics in files.items()})
    else:
        print(table(files, arguments.labels))
    return 0
