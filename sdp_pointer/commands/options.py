"""Options that several subcommands share."""

import argparse
import gc
import json
import sys
from typing import TYPE_CHECKING, Any

from ..graphs.formalisms import is_name, not_a_name
from ..graphs.formats import FORMATS
from ..precision import PRECISIONS

if TYPE_CHECKING:
    from ..parser import Parser


def add_lenient(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--lenient",
        action="store_true",
        help="accept what the official tool accepts, though it breaks the format",
    )


def add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model",
        metavar="M",
        help="model.tar.gz or its folder; by default the English DM parser of the package",
    )


def add_precision(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--precision",
        choices=PRECISIONS,
        default="auto",
        help="of the network's products; auto (default) is the fastest that suits the CPU",
    )
    parser.add_argument(
        "--verbose", action="store_true", help="print the model and its precision to stderr"
    )


def loaded(arguments: argparse.Namespace) -> "Parser":
    """The parser that the options of a command ask for.

    What is imported and loaded stays until the end, so that nobody looks for garbage in it: that
    takes a tenth of the time to start, and again and again while parsing.
    """
    gc.disable()
    from ..parser import load

    parser = load(
        arguments.model,
        device=arguments.device,
        pipeline=arguments.pipeline,
        precision=arguments.precision,
    )
    gc.freeze()
    gc.enable()
    if arguments.verbose:
        print(parser, file=sys.stderr)
    return parser


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_positional(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--positional",
        action="store_true",
        help="pair sentences by position alone, as the official tool does, whatever their ids and"
        " words; there must be equally many",
    )


def add_format(parser: argparse.ArgumentParser, option: str, what: str) -> None:
    parser.add_argument(
        option,
        dest=option.strip("-") + "_format",
        choices=list(FORMATS),
        metavar="FORMAT",
        help=f"format of {what}, if its name does not tell: {', '.join(FORMATS)}",
    )


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number")
    return int(text)


def formalism(text: str) -> str:
    """The name of a formalism, which the papers write in capitals.

    >>> formalism("PSD")
    'psd'
    """
    if not is_name(text.lower()):
        raise argparse.ArgumentTypeError(not_a_name(text))
    return text.lower()


def print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))
