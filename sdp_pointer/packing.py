"""A trained model made small: weights in 8 bits, and the text that loading needs.

Every row of a matrix is stored as whole numbers from -127 to 127 and the scale that makes them the
row's again; a scale has 8 significant bits, so that nothing is lost by packing what was packed.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from .archives import ArchiveError, check, extracted_archive, objects, weights_of
from .errors import UserError
from .graphs.formats.targets import new_folder

# What a model is built from, and what `allennlp evaluate` needs; the rest was for training.
CONFIG = (
    "dataset_reader",
    "validation_dataset_reader",
    "model",
    "vocabulary",
    "data_loader",
    "validation_data_loader",
)

# Matrices with shorter rows would save little by a scale for each.
SHORTEST_ROW = 32
SCALE = ".scale"

# The embedder and indexer of a transformer.
TRANSFORMER = "mismatched_transformer"

# What is copied as it is, if there.
COPIED = ("vocabulary", "transformer", "metrics.json")

# The files of a transformer that say where it came from.
PLACE = ("model_name", "weights.sha256")


def pack(model: str, folder: str) -> None:
    """Turn a training's `model.tar.gz`, or its folder, into a folder that can be given away.

    It has `config.json`, `vocabulary` and `weights.safetensors`, names none of the files of the
    training, and is loaded like any other model. `metrics.json`, which tells how the training went,
    is taken along from a folder.
    """
    if os.path.exists(folder):
        raise UserError(f"{folder} exists already: remove it, or name another folder")
    if not os.path.exists(model):
        raise UserError(f"cannot pack {model}: there is no such file or folder")
    from safetensors.torch import save

    try:
        with new_folder(folder) as part, _opened(model) as source:
            state = _small(weights_of(source))
            with open(os.path.join(source, "config.json"), encoding="utf-8") as file:
                trained = json.load(file)
            left_out = (".*", *(PLACE if _has_transformer(trained) else ()))
            for name in COPIED:
                _copy(os.path.join(source, name), os.path.join(part, name), left_out)
            with open(os.path.join(part, "weights.safetensors"), "wb") as weights:
                weights.write(save(state))
            with open(os.path.join(part, "config.json"), "w", encoding="utf-8") as file:
                json.dump(_config(trained), file, indent=2)
                file.write("\n")
    except ArchiveError as error:
        raise ArchiveError(f"cannot pack {model}: {error}") from error


@contextmanager
def _opened(model: str) -> Iterator[str]:
    """The folder of a model."""
    if os.path.isdir(model):
        check(model)
        yield model
    else:
        with extracted_archive(model) as folder:
            yield folder


def _small(path: str) -> dict[str, Any]:
    from allennlp.nn.util import read_state_dict

    state: dict[str, Any] = {}
    for name, tensor in read_state_dict(path).items():
        if tensor.is_floating_point() and tensor.dim() > 1 and tensor.shape[-1] >= SHORTEST_ROW:
            state[name], state[name + SCALE] = rounded(tensor)
        else:
            state[name] = _half(tensor)
    return state


def rounded(tensor: Any) -> tuple[Any, Any]:
    """A tensor in 8 bits, and the scale of each of its rows.

    >>> import torch
    >>> rounded(torch.tensor([[1.0, -2.0, 0.3], [0.0, 0.0, 0.0]]))[0]
    tensor([[  64, -127,   19],
            [   0,    0,    0]], dtype=torch.int8)
    """
    import torch

    scale = (tensor.abs().amax(-1, keepdim=True) / 127).clamp(min=1e-30).bfloat16()
    return (tensor / scale.float()).round().clamp(-127, 127).to(torch.int8), scale


def unpacked(state: dict[str, Any]) -> dict[str, Any]:
    """Weights as they were before `pack`, or nearly; others as they are.

    What was packed is a matrix in 8 bits beside its scale.

    >>> import torch
    >>> numbers, scale = rounded(torch.tensor([[1.0, -2.0, 0.3]]))
    >>> unpacked({"matrix": numbers, "matrix.scale": scale})
    {'matrix': tensor([[ 1.0078, -1.9999,  0.2992]])}
    """
    import torch

    packed = {
        name
        for name, tensor in state.items()
        if tensor.dtype == torch.int8 and name + SCALE in state
    }
    scales = {name + SCALE for name in packed}
    return {
        name: tensor * state[name + SCALE].float() if name in packed else tensor
        for name, tensor in state.items()
        if name not in scales
    }


def _half(tensor: Any) -> Any:
    """In half precision, unless a number is too large for it."""
    half = tensor.half() if tensor.is_floating_point() else tensor
    return half if half.isfinite().all() else tensor


def _config(config: dict[str, Any]) -> dict[str, Any]:
    """What is left of a config.

    >>> _config({"model": {"words": {"pretrained_file": "v.txt", "size": 9}}, "trainer": {}})
    {'model': {'words': {'size': 9}}}
    """
    kept = {key: config[key] for key in CONFIG if key in config}
    vocabulary = ("type", "padding_token", "oov_token")
    if "vocabulary" in kept:
        kept["vocabulary"] = {k: v for k, v in kept["vocabulary"].items() if k in vocabulary}
    kept["model"] = _changed(kept["model"], _without_pretrained)
    return _changed(kept, _without_name) if _has_transformer(config) else kept


def _without_pretrained(part: dict[str, Any]) -> dict[str, Any]:
    """Without what the weights replace; AllenNLP would ignore it as well."""
    return {k: v for k, v in part.items() if k not in ("pretrained_file", "initializer")}


def _without_name(part: dict[str, Any]) -> dict[str, Any]:
    return part | {"model_name": "transformer"} if part.get("type") == TRANSFORMER else part


def _has_transformer(config: dict[str, Any]) -> bool:
    """Whether a transformer's weights are with the model, so that no other place is of interest."""
    return any(
        part.get("type") == TRANSFORMER and (part.get("trainable") or part.get("archive_weights"))
        for part in objects(config["model"])
    )


def _changed(value: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """A part of a config in which every object was changed."""
    if isinstance(value, dict):
        return {k: _changed(v, change) for k, v in change(value).items()}
    return [_changed(v, change) for v in value] if isinstance(value, list) else value


def _copy(source: str, target: str, left_out: Iterable[str]) -> None:
    if os.path.isdir(source):
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(*left_out))
    elif os.path.exists(source):
        shutil.copy(source, target)
