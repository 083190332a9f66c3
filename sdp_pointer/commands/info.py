"""Describe a model: formalism, labels, sizes, scores, what it needs, licence."""

import argparse
import os
from typing import Any

from ..errors import UserError
from .options import add_json, add_packages, print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "model",
        metavar="MODEL",
        nargs="?",
        default="english_dm",
        help="model.tar.gz or its folder; default: english_dm, the shipped model",
    )
    add_packages(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from ..archives import ArchiveError, one_line
    from ..archives.description import describe
    from ..archives.shipped import named_model

    model = named_model(arguments.model)
    if not os.path.exists(model):
        raise UserError(f"there is no model {model}: name a model.tar.gz or the folder of one")
    if arguments.packages:
        from .packages import import_packages

        import_packages(arguments.packages, model)
    try:
        facts = describe(model)
    except ArchiveError as error:
        raise type(error)(f"cannot read {model}: {one_line(error)}") from error
    if arguments.json:
        print_json({"model": arguments.model, **facts})
    else:
        print(_table({"model": arguments.model, **facts}))
    return 0


def _table(facts: dict[str, Any]) -> str:
    from ..graphs.problems import printable

    labels, scores = facts["labels"], facts["scores"]
    rows = {
        "model": facts["model"],
        "formalism": facts["formalism"] or "not named",
        "labels": f"{len(labels)}: {' '.join(labels[:8])}{' ...' if len(labels) > 8 else ''}",
        "parameters": f"{facts['parameters']:,}, {facts['megabytes']:,} MB",
        "sizes": _pairs(facts["sizes"]) or "the defaults",
        "transformer": _pairs(facts["transformer"] or {}) or "none",
        "dev scores": _pairs({name: f"{score:.2%}" for name, score in scores.items()})
        or "not recorded",
        "needs": "; ".join(facts["needs"]) or "words alone",
        "licence": facts["licence"] or "not stated",
    }
    return "\n".join(f"{name:13}{printable(str(value))}" for name, value in rows.items())


def _pairs(values: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
