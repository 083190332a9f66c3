"""Make open training data from the gold treebanks of the English Resource Grammar.

DM graphs of Wikipedia, a story, blogs, e-mail, dialogue and more; see docs/data.md.
"""

import argparse
import sys
from pathlib import Path

from ..errors import UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "erg",
        metavar="ERG",
        type=Path,
        help="checkout of github.com/delph-in/erg, its tsdb/gold, or a folder of profiles with the"
        " ERG's etc",
    )
    parser.add_argument("-o", "--output", metavar="DATA", required=True, help="folder to create")
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--split",
        choices=("open", "deepbank"),
        default="open",
        help="open (default): train, dev, test, ood, extra and more-*; deepbank: sections of the"
        " Wall Street Journal as in the paper, for those who have a licence for its text",
    )
    which.add_argument(
        "--profiles",
        nargs="+",
        metavar="PROFILE",
        help="make other files instead: PROFILE, or NAME=PROFILE,PROFILE with patterns such as vm*",
    )
    parser.add_argument(
        "--hold-out",
        action="store_true",
        help="set a tenth of each file more-NAME aside for evaluation, as dev-NAME",
    )


def run(arguments: argparse.Namespace) -> int:
    try:
        from ..redwoods import edition, splits, treebank
    except ModuleNotFoundError as error:
        raise UserError(
            f"there is no {error.name}, which reads treebanks: pip install pydelphin simplemma"
        ) from None
    source = treebank.find_treebank(arguments.erg)
    chosen = arguments.profiles
    split = splits.chosen(chosen) if chosen else splits.SPLITS[arguments.split]
    manifest = edition.make_edition(
        source, arguments.output, split, arguments.hold_out, progress=sys.stderr.isatty()
    )
    for name, profiles in manifest["missing"].items():
        _note(f"{name}.sdp was left out: there is no {', '.join(profiles)} in {source.profiles}")
    if manifest["licensed"]:
        _note("the text of wsj* is the Penn Treebank's: use it only if you have a licence for that")
    for name, file in manifest["files"].items():
        print("{:20}{sentences:8,} sentences{words:10,} words{arcs:10,} arcs".format(name, **file))
    print(f"{arguments.output}/{edition.MANIFEST} says what they are made of and what was dropped")
    return 1 if manifest["missing"] else 0


def _note(text: str) -> None:
    print(f"sdp-pointer: {text}", file=sys.stderr)
