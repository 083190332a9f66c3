"""List the formalisms that are known: what they are, and what scores and formats know of them."""

import argparse

from ..graphs import FORMALISMS
from .options import add_json, print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.json:
        print_json([formalism._asdict() for formalism in FORMALISMS.values()])
        return 0
    for each in FORMALISMS.values():
        print(f"{each.name:<5} {each.description}")
        core = "all" if each.all_core else " ".join(each.core)
        for title, value in (
            ("core labels", core),
            ("MRP framework", each.framework),
            ("data", each.data),
        ):
            print(f"      {title:<14} {value}")
        print()
    print("Any other name of letters a to z, digits and _ will do; then all labels are core.")
    return 0
