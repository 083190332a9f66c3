"""List the known formalisms, with their core labels, MRP framework and official data."""

import argparse

from ..graphs import FORMALISMS
from .options import add_json, print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.json:
        print_json([formalism._asdict() for formalism in FORMALISMS.values()])
        return 0
    for formalism in FORMALISMS.values():
        print(f"{formalism.name:<5} {formalism.description}")
        core = "all" if formalism.all_core else " ".join(formalism.core)
        for title, value in (
            ("core labels", core),
            ("MRP framework", formalism.framework),
            ("data", formalism.data),
        ):
            print(f"      {title:<14} {value}")
        print()
    print("Any other name of letters a to z, digits and _ will do; then all labels are core.")
    return 0
