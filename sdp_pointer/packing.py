"""A trained model made small: tensors in half precision, and the text that loading needs."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .archives import ArchiveError, check, extracted_archive, weights_of
from .errors import UserError

# What a model is built from, and what `allennlp evaluate` needs; the rest was for training.
CONFIG = (
    "dataset_reader",
    "validation_dataset_reader",
    "model",
    "vocabulary",
    "data_loader",
    "validation_data_loader",
)

# What is copied as it is, if there.
COPIED = ("vocabulary", "transformer", "metrics.json")


def pack(model: str, folder: str) -> None:
    """Turn a training's `model.tar.gz`, or its folder, into a folder that can be given away.

    It has `config.json`, `vocabulary` and `weights.safetensors`, names none of the files of the
    training, and is loaded like any other model. `metrics.json`, which tells how the training went,
    is taken along from a folder.
    """
    if os.path.exists(folder):
        raise UserError(f"{folder} exists already: remove it, or name another folder")
    try:
        with _opened(model) as source:
            state = _half(weights_of(source))
            with open(os.path.join(source, "config.json"), encoding="utf-8") as file:
                config = _config(json.load(file))
            os.makedirs(folder)
            for name in COPIED:
                _copy(os.path.join(source, name), os.path.join(folder, name))
    except ArchiveError as error:
        raise ArchiveError(f"cannot pack {model}: {error}") from error
    from safetensors.torch import save

    with open(os.path.join(folder, "weights.safetensors"), "wb") as weights:
        weights.write(save(state))
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(config, file, indent=2)
        file.write("\n")


@contextmanager
def _opened(model: str) -> Iterator[str]:
    """The folder of a model."""
    if os.path.isdir(model):
        check(model)
        yield model
    else:
        with extracted_archive(model) as folder:
            yield folder


def _half(path: str) -> dict[str, Any]:
    """Weights, each in half precision unless a number is too large for it."""
    import torch
    from allennlp.nn.util import read_state_dict

    state = {}
    for name, tensor in read_state_dict(path).items():
        half = tensor.half() if tensor.is_floating_point() else tensor
        state[name] = half if torch.isfinite(half).all() else tensor
    return state


def _config(config: dict[str, Any]) -> dict[str, Any]:
    """What is left of a config.

    >>> _config({"model": {"words": {"pretrained_file": "v.txt", "size": 9}}, "trainer": {}})
    {'model': {'words': {'size': 9}}}
    """
    kept = {key: config[key] for key in CONFIG if key in config}
    vocabulary = ("type", "padding_token", "oov_token")
    if "vocabulary" in kept:
        kept["vocabulary"] = {k: v for k, v in kept["vocabulary"].items() if k in vocabulary}
    kept["model"] = _without_pretrained(kept["model"])
    return kept


def _without_pretrained(value: Any) -> Any:
    """A part of a config without what the weights replace; AllenNLP would ignore it as well."""
    if isinstance(value, dict):
        gone = ("pretrained_file", "initializer")
        return {k: _without_pretrained(v) for k, v in value.items() if k not in gone}
    return [_without_pretrained(v) for v in value] if isinstance(value, list) else value


def _copy(source: str, target: str) -> None:
    if os.path.isdir(source):
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(".*"))
    elif os.path.exists(source):
        shutil.copy(source, target)
