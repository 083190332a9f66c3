"""The config of a stranger's model, before anything is built from it."""

import json
from collections.abc import Iterator
from typing import Any

from ..graphs.formats.strict_json import UnexpectedError, decode
from .errors import ArchiveError, one_line
from .limits import check_number
from .names import CONFIG, TRANSFORMER
from .strangers import check_name

# What AllenNLP takes for objects without looking.
OBJECTS = (
    *("validation_dataset_reader", "vocabulary", "evaluation"),
    *("data_loader", "validation_data_loader"),
)
# Levels of a config: a part of a part of it.
DEEPEST = 100

# Numbers of any size that AllenNLP saves.
SEEDS = ("random_seed", "numpy_seed", "pytorch_seed")


def read_config(path: str) -> dict[str, Any]:
    """A config as AllenNLP saves it."""
    # AllenNLP saves plain JSON here but reads it as Jsonnet, which may import any file.
    try:
        with open(path, encoding="utf-8") as file:
            config = decode(file.read(), DEEPEST)
    except UnicodeError as error:
        raise ArchiveError(f"its config.json is not JSON: {one_line(error)}") from error
    except UnexpectedError as error:
        raise ArchiveError(f"its config.json cannot be read: {error}") from error
    for key in ("model", "dataset_reader"):
        if not isinstance(config, dict) or not isinstance(config.get(key), dict):
            raise ArchiveError(f"its config.json has no {key}")
    return config


def check_config(path: str) -> None:
    """Refuse a config that is not what AllenNLP saves, or that would run code from elsewhere."""
    config = read_config(path)
    for key in OBJECTS:
        if not isinstance(config.get(key, {}), dict):
            raise ArchiveError(f"{key} in its config.json is no object")
    for key, value in items(config):
        # The same is asked when AllenNLP resolves a name, wherever that stands in a config.
        if key == "type" and isinstance(value, str):
            check_name(value)
        if key == "trust_remote_code" and value:
            raise ArchiveError("its config.json wants to run code from elsewhere")
        # Jsonnet makes 1e9 a whole number.
        if key not in SEEDS and isinstance(value, (int, float)):
            check_number(key, CONFIG, value)


def check_transformer(path: str) -> None:
    """Refuse the config of a transformer with numbers that none needs, such as of labels."""
    try:
        with open(path, encoding="utf-8") as file:
            config = json.load(file)  # as its library does; it may have infinite numbers
    except (ValueError, RecursionError) as error:
        raise ArchiveError(f"its {TRANSFORMER}/{CONFIG} is not JSON: {one_line(error)}") from error
    for key, value in items(config):
        if isinstance(value, int):
            check_number(key, f"{TRANSFORMER}/{CONFIG}", value)


def items(value: Any) -> Iterator[tuple[str, Any]]:
    """Everything inside a JSON value, and under which key.

    >>> list(items({"a": [1, {"b": 2}]}))
    [('', {'a': [1, {'b': 2}]}), ('a', [1, {'b': 2}]), ('a', 1), ('a', {'b': 2}), ('b', 2)]
    """
    waiting = [("", value)]
    while waiting:
        key, part = waiting.pop()
        yield key, part
        if isinstance(part, dict):
            waiting += reversed(part.items())
        elif isinstance(part, list):
            waiting += [(key, value) for value in reversed(part)]
