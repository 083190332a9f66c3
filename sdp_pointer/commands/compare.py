"""Test which of two systems is better, with the official paired bootstrap test."""

import argparse

from ..graphs import read
from .options import add_format, add_json, add_lenient, add_positional, positive, print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("gold", metavar="GOLD", help="file with the gold graphs")
    parser.add_argument("baseline", metavar="BASELINE", help="file with the graphs of the baseline")
    parser.add_argument("system", metavar="SYSTEM", help="file with the graphs of the system")
    parser.add_argument(
        "--samples",
        type=positive,
        default=10_000,
        metavar="N",
        help="number of samples (default: %(default)s)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=42,
        metavar="N",
        help="random seed (default: %(default)s, the official tool's)",
    )
    add_positional(parser)
    add_format(parser, "--from", "the three files")
    add_lenient(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from ..graphs.bootstrap import paired_bootstrap

    result = paired_bootstrap(
        read(arguments.gold, arguments.from_format, lenient=arguments.lenient),
        read(arguments.baseline, arguments.from_format, lenient=arguments.lenient),
        read(arguments.system, arguments.from_format, lenient=arguments.lenient),
        samples=arguments.samples,
        seed=arguments.seed,
        positional=arguments.positional,
    )
    if arguments.json:
        print_json(result.as_json())
    else:
        print(result)
    return 0
