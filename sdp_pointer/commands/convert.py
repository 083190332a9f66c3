"""Convert a file of graphs into another format."""

import argparse
from typing import Optional

from ..errors import UserError
from ..graphs import read, write
from ..graphs.formats import format_of_name
from ..graphs.formats.targets import check_target
from .options import add_format, add_lenient, add_output, formalism, positional_or_output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="IN", help="file to read, - for the standard input")
    parser.add_argument(
        "target",
        metavar="OUT",
        nargs="?",
        help="file to write, gzipped if .gz; - for the standard output",
    )
    add_output(parser, "the same as OUT")
    add_format(parser, "--from", "IN")
    add_format(parser, "--to", "OUT")
    parser.add_argument(
        "--formalism",
        type=formalism,
        metavar="NAME",
        help="formalism of the graphs, overrides that of IN: one that sdp-pointer formalisms lists,"
        " or your own. Default: the formalism in IN, or in its name if it is .sdp: en.psd.sdp",
    )
    add_lenient(parser)


def run(arguments: argparse.Namespace) -> int:
    target = positional_or_output(arguments.target, arguments.output)
    to_format: Optional[str] = arguments.to_format or format_of_name(target)
    if to_format is None:
        raise UserError(f"the name {target!r} does not tell the format to write: add --to FORMAT")
    check_target(target, arguments.source)
    graphs = read(
        arguments.source,
        arguments.from_format,
        lenient=arguments.lenient,
        formalism=arguments.formalism,
    )
    write(graphs, target, to_format)
    return 0
