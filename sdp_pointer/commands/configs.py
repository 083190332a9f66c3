"""List the training configs that come with the package, or copy one to edit it.

A copy works in any folder: allennlp train NAME.jsonnet -s OUT.
"""

import argparse

from ..errors import UserError
from ..graphs.formats.targets import check_target, write_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        help="config to copy; all of them import sdp.libsonnet",
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="default: the name of the config, in this folder"
    )


def run(arguments: argparse.Namespace) -> int:
    from .. import configs

    if arguments.name is None:
        if arguments.output is not None:
            raise UserError("name the config to copy")
        for name, path in configs.paths().items():
            print(f"{name:22}{configs.summary(path)}")
        return 0
    path = configs.path_of(arguments.name)
    output = arguments.output or path.name
    check_target(output, str(path))
    write_text([path.read_text(encoding="utf-8")], output)
    return 0
