"""Options that several subcommands share."""

import argparse
import json
from typing import Any, Optional

from ..errors import UserError
from ..graphs.formalisms import is_name, not_a_name
from ..graphs.formats import FORMATS
from ..precision import PRECISIONS


def add_lenient(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--lenient",
        action="store_true",
        help="accept files with harmless problems, and warn about each",
    )


def add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model",
        metavar="MODEL",
        help="model.tar.gz or its folder; default: the shipped English DM model",
    )
    parser.add_argument(
        "--beam",
        type=positive,
        metavar="K",
        help="hypotheses of the search; default: the model's own",
    )
    parser.add_argument(
        "--pipeline", metavar="NAME", help="spaCy pipeline for models that need tags or lemmas"
    )
    parser.add_argument("--device", default="cpu", help="cpu (default), cuda or cuda:1")
    parser.add_argument(
        "--precision",
        choices=PRECISIONS,
        default="auto",
        help="number format of the computation; auto (default) is the fastest that suits the CPU",
    )
    parser.add_argument(
        "--verbose", action="store_true", help="print the model and its precision to stderr"
    )
    add_packages(parser)


def add_packages(parser: argparse.ArgumentParser) -> None:
    """For commands that build what a config names, or look into a model with such a config."""
    parser.add_argument(
        "--include-package",
        dest="packages",
        metavar="NAME",
        action="append",
        default=[],
        help="import a package with your own components first. Packages named in .allennlp_plugins"
        " of the current folder, ~/.allennlp/plugins and SDP_INCLUDE_PACKAGE are imported too",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_positional(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--positional",
        action="store_true",
        help="pair sentences by position, as the official tool does, and ignore their ids and"
        " words; the files must have the same number of sentences",
    )


def add_format(parser: argparse.ArgumentParser, option: str, what: str) -> None:
    parser.add_argument(
        option,
        dest=option.strip("-") + "_format",
        choices=list(FORMATS),
        metavar="FORMAT",
        help=f"format of {what}, if the name does not show it: {', '.join(FORMATS)}",
    )


def add_output(parser: argparse.ArgumentParser, help: str) -> None:
    parser.add_argument("-o", "--output", metavar="OUT", help=help)


def positional_or_output(positional: Optional[str], option: Optional[str]) -> str:
    """Where to write, which is given once, by either name."""
    if (positional is None) == (option is None):
        raise UserError("name the output once: OUT, or --output OUT")
    return positional or option or ""


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
