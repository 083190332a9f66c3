"""Print what the labels of a formalism mean, with an example each: sdp-pointer labels dm."""

import argparse

from ..graphs.labels import LABELS
from .options import add_json, print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "formalism",
        metavar="FORMALISM",
        type=str.lower,
        choices=list(LABELS),
        help="dm, pas or psd",
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    labels = LABELS[arguments.formalism]
    if arguments.json:
        print_json([label._asdict() for label in labels])
        return 0
    width = max(len(label.name) for label in labels)
    for label in labels:
        print(f"{label.name:<{width}}  {label.meaning}")
        print(f"{'':<{width}}  {label.shown}")
    return 0
