"""Make a trained model small enough to give away.

FOLDER is then a model like any other: weights in 8 bits and as plain tensors, config and
vocabulary as text, and nothing that leads back to the files of its training.
"""

import argparse
from pathlib import Path

from .options import add_output, add_packages, positional_or_output
from .packages import import_packages


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="model.tar.gz of a training, or its folder")
    parser.add_argument("folder", metavar="FOLDER", nargs="?", help="to be made")
    add_output(parser, "the same as FOLDER")
    add_packages(parser)


def run(arguments: argparse.Namespace) -> int:
    folder = positional_or_output(arguments.folder, arguments.output)
    import_packages(arguments.packages, arguments.model)
    from ..archives.packing import pack

    pack(arguments.model, folder)
    size = sum(path.stat().st_size for path in Path(folder).rglob("*"))
    print(f"{folder}: {size / 1e6:.1f} MB")
    return 0
