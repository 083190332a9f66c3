"""The command `sdp-pointer`: one module a subcommand, each with `add_arguments` and `run`.

Exit codes: 0 fine, 1 problems found, 2 wrong use, 130 interrupted by Ctrl-C, 143 by SIGTERM.
"""

import argparse
import io
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any, Optional

from .. import __version__
from ..errors import UserError, reason
from ..graphs import FormatError, FormatWarning
from ..graphs.score import MismatchError
from ..interrupts import interruptible
from . import (
    check,
    compare,
    convert,
    draw,
    find,
    formalisms,
    labels,
    pack,
    parse,
    redwoods,
    score,
    serve,
    stats,
)

SUBCOMMANDS = {
    "parse": parse,
    "serve": serve,
    "score": score,
    "compare": compare,
    "check": check,
    "find": find,
    "stats": stats,
    "convert": convert,
    "draw": draw,
    "formalisms": formalisms,
    "labels": labels,
    "pack": pack,
    "redwoods": redwoods,
}


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Run a subcommand and return the exit code.

    >>> main(["score", "nowhere.sdp", "nowhere.sdp"])
    2
    """
    arguments = _parser().parse_args(argv)
    inputs = [getattr(arguments, name, None) for name in ("gold", "baseline", "system", "file")]
    if [*inputs, *getattr(arguments, "files", ())].count("-") > 1:
        print("sdp-pointer: error: only one input can be -", file=sys.stderr)
        return 2
    for stream in (sys.stdout, sys.stderr):
        # Words of any language, on a terminal of any.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with interruptible("sdp-pointer"):
        return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", FormatWarning)
            warnings.showwarning = _show_warning
            return arguments.run(arguments)
    except (FormatError, MismatchError) as error:
        print(error, file=sys.stderr)
        return 1
    except UserError as error:
        print(f"sdp-pointer: error: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output has left; nothing is wrong.
        _leave_stdout()
        return 0
    except OSError as error:
        print(f"sdp-pointer: error: {reason(error)}", file=sys.stderr)
        try:
            sys.stdout.flush()
        except OSError:
            _leave_stdout()
        return 2


def _leave_stdout() -> None:
    """What cannot be written must not make Python complain when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_warning(message: Warning | str, *args: Any, **kwargs: Any) -> None:
    print(f"warning: {message}", file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sdp-pointer",
        description="Semantic dependency graphs: parse, serve, score, check, find, describe,"
        " convert, draw; models: pack; and training data: redwoods.",
        epilog="A FILE may be gzipped, and - is the standard input. Formats (.sdp of 2014 and 2015,"
        " .conllu, .mrp, .jsonl) are told by name or content. Exit codes: 0 fine, 1 problems found,"
        " 2 wrong use, 130 and 143 interrupted (Ctrl-C, SIGTERM).",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, module in SUBCOMMANDS.items():
        summary = (module.__doc__ or "").partition("\n")[0].rstrip(".")
        subparser = subparsers.add_parser(name, help=summary, description=module.__doc__)
        module.add_arguments(subparser)
        subparser.set_defaults(run=module.run)
    return parser
