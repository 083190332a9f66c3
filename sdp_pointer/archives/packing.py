"""A trained model made small: weights in 8 bits, and the text that loading needs."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import UserError
from ..graphs.formats.targets import new_folder
from .config import items, read_config
from .eight_bits import SCALE, rounded
from .errors import ArchiveError, one_line
from .extraction import extracted_archive
from .folder import check, files, weights_of
from .names import CONFIG, TRANSFORMER, TRANSFORMER_SOURCE, VOCABULARY, WEIGHTS, kind_of
from .weights import is_finite, read_weights

# What a model is built from, and what `allennlp evaluate` needs; the rest was for training.
KEPT = (
    "dataset_reader",
    "validation_dataset_reader",
    "model",
    "vocabulary",
    "data_loader",
    "validation_data_loader",
)

# Matrices with shorter rows would save little by a scale for each.
SHORTEST_ROW = 32

# Of the names that weights may have, the one of plain tensors.
PACKED = WEIGHTS[0]

# The embedder and indexer of a transformer.
EMBEDDER = "mismatched_transformer"


def save(model: str, state: dict[str, Any], folder: str) -> None:
    """Write a model with these weights, in full precision, into a new folder.

    `model` is where it was loaded from.
    """
    from safetensors.torch import save

    # Tensors that share their numbers, or a part of others, cannot be written.
    whole = {name: tensor.detach().cpu().clone().contiguous() for name, tensor in state.items()}
    with _made(model, folder, "save") as (part, source):
        for path in files(source):
            if kind_of(path) != "weights" or path.startswith(TRANSFORMER):
                _copy(source, part, path)
        Path(part, PACKED).write_bytes(save(whole))


def pack(model: str, folder: str) -> None:
    """Turn a training's `model.tar.gz`, or its folder, into a folder that can be given away.

    It has `config.json`, `vocabulary` and `weights.safetensors`, names none of the files of the
    training, and is loaded like any other model. `metrics.json`, which tells how the training went,
    is taken along from a folder.
    """
    from safetensors.torch import save

    with _made(model, folder, "pack") as (part, source):
        state = _small_weights(weights_of(source))
        trained = read_config(os.path.join(source, CONFIG))
        for path in filter(partial(_is_copied, trained), files(source)):
            _copy(source, part, path)
        Path(part, PACKED).write_bytes(save(state))
        with open(os.path.join(part, CONFIG), "w", encoding="utf-8") as file:
            json.dump(_config(trained), file, indent=2)
            file.write("\n")


@contextmanager
def _made(model: str, folder: str, what: str) -> Iterator[tuple[str, str]]:
    """A new folder to fill, and the one of the model that is to be packed or saved."""
    if os.path.exists(folder):
        raise UserError(f"{folder} exists already: remove it, or name another folder")
    if not os.path.exists(model):
        raise UserError(f"cannot {what} {model}: there is no such file or folder")
    try:
        with new_folder(folder) as part, opened(model) as source:
            yield part, source
    except ArchiveError as error:
        raise type(error)(f"cannot {what} {model}: {one_line(error)}") from error


def _copy(source: str, part: str, path: str) -> None:
    os.makedirs(os.path.dirname(os.path.join(part, path)), exist_ok=True)
    shutil.copy(os.path.join(source, path), os.path.join(part, path))


@contextmanager
def opened(model: str) -> Iterator[str]:
    """The folder of a model."""
    if os.path.isdir(model):
        check(model)
        yield model
    else:
        with extracted_archive(model) as folder:
            yield folder


def _is_copied(config: dict[str, Any], path: str) -> bool:
    """Whether a file is taken as it is.

    >>> _is_copied({"model": {}}, "vocabulary/words.txt"), _is_copied({"model": {}}, "best.th")
    (True, False)
    """
    folder, _, name = path.rpartition("/")
    if folder == TRANSFORMER and name in TRANSFORMER_SOURCE:
        return not _has_transformer(config)
    return folder in (VOCABULARY, TRANSFORMER) or path == "metrics.json"


def _small_weights(path: str) -> dict[str, Any]:
    state: dict[str, Any] = {}
    for name, tensor in read_weights(path, map_location="cpu").items():
        if not is_finite(tensor.float()):
            raise ArchiveError(f"its weights are damaged: not every number of {name} is finite")
        if tensor.is_floating_point() and tensor.dim() > 1 and tensor.shape[-1] >= SHORTEST_ROW:
            state[name], state[name + SCALE] = rounded(tensor)
        else:
            state[name] = _in_half_precision(tensor)
    return state


def _in_half_precision(tensor: Any) -> Any:
    """In half precision, unless a number is too large for it."""
    half = tensor.half() if tensor.is_floating_point() else tensor
    return half if half.isfinite().all() else tensor


def _config(config: dict[str, Any]) -> dict[str, Any]:
    """What is left of a config.

    >>> _config({"model": {"words": {"pretrained_file": "v.txt", "size": 9}}, "trainer": {}})
    {'model': {'words': {'size': 9}}}
    """
    kept = {key: config[key] for key in KEPT if key in config}
    vocabulary = ("type", "padding_token", "oov_token")
    if "vocabulary" in kept:
        kept["vocabulary"] = {k: v for k, v in kept["vocabulary"].items() if k in vocabulary}
    kept["model"] = _with_parts_changed(kept["model"], _without_pretrained)
    return _with_parts_changed(kept, _without_name) if _has_transformer(config) else kept


def _without_pretrained(part: dict[str, Any]) -> dict[str, Any]:
    """Without what the weights replace; AllenNLP would ignore it as well."""
    return {k: v for k, v in part.items() if k not in ("pretrained_file", "initializer")}


def _without_name(part: dict[str, Any]) -> dict[str, Any]:
    return part | {"model_name": "transformer"} if part.get("type") == EMBEDDER else part


def _has_transformer(config: dict[str, Any]) -> bool:
    """Whether a transformer's weights are with the model, so that no other place is of interest."""
    return any(
        part.get("type") == EMBEDDER and (part.get("trainable") or part.get("archive_weights"))
        for _, part in items(config["model"])
        if isinstance(part, dict)
    )


def _with_parts_changed(value: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """A part of a config in which every object was changed."""
    if isinstance(value, dict):
        return {k: _with_parts_changed(v, change) for k, v in change(value).items()}
    return [_with_parts_changed(v, change) for v in value] if isinstance(value, list) else value
