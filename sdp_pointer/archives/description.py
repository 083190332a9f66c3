"""What a model says of itself, by its files; nothing is built, and torch reads pickles alone."""

import os
import re
from collections.abc import Iterator, Mapping
from math import prod
from pathlib import Path
from typing import Any, Optional

from safetensors import safe_open

from ..graphs.formats.strict_json import UnexpectedError, decode
from .config import items, read_config
from .eight_bits import SCALE
from .errors import DAMAGE, ArchiveError, one_line
from .folder import weights_of
from .limits import MEGABYTE
from .names import CONFIG, TRANSFORMER, VOCABULARY
from .packing import EMBEDDER, opened
from .weights import read_weights

# What indexers look at, beside the form of a word.
COLUMNS = {"lemma_": "lemmas", "tag_": "part-of-speech tags"}
SCORES = ("LF", "UF", "LM")


def describe(model: str) -> dict[str, Any]:
    """The facts about a model that a user may want to know, as JSON.

    >>> from .shipped import ENGLISH_DM
    >>> facts = describe(ENGLISH_DM)
    >>> len(facts["labels"]), facts["parameters"], facts["needs"]
    (51, 32077300, [])
    """
    with opened(model) as folder:
        config = read_config(os.path.join(folder, CONFIG))
        weights = weights_of(folder)
        return {
            "formalism": _formalism(config["model"]),
            "labels": _labels(folder, config["model"]),
            "parameters": _parameters(weights),
            "megabytes": round(os.path.getsize(weights) / MEGABYTE, 1),
            "sizes": dict(_sizes(config["model"])),
            "transformer": _transformer(folder),
            "scores": _scores(folder),
            "needs": list(_needs(folder, config)),
            "licence": _licence(folder),
        }


def _formalism(model: Mapping[str, Any]) -> Optional[str]:
    names = [name for name in model.get("decoders") or () if name != "graph"]
    return names[0] if names else None


def _labels(folder: str, model: Mapping[str, Any]) -> list[str]:
    [namespace, *_] = [v for k, v in items(model) if k == "label_namespace"] or ["arc_labels"]
    path = Path(folder, VOCABULARY, os.path.basename(f"{namespace}.txt"))
    if not path.is_file():
        return []
    return path.read_text(encoding="utf-8").splitlines()


def _parameters(path: str) -> int:
    """Numbers in the weights, without the scales of those in 8 bits."""
    try:
        if not path.endswith(".safetensors"):
            return sum(tensor.numel() for tensor in read_weights(path, map_location="cpu").values())
        with safe_open(path, "numpy") as file:
            names = [name for name in file.keys() if not name.endswith(SCALE)]  # noqa: SIM118
            return sum(prod(file.get_slice(name).get_shape()) for name in names)
    except ArchiveError:
        raise
    except DAMAGE as error:
        raise ArchiveError(f"its weights are damaged: {one_line(error)}") from error


def _sizes(model: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The numbers of layers and of their outputs, wherever they stand in a config."""
    for key, value in items(model):
        if key.endswith(("_size", "num_layers", "size")) and isinstance(value, int):
            yield key, value


def _transformer(folder: str) -> Optional[dict[str, Any]]:
    path = Path(folder, TRANSFORMER, CONFIG)
    if not path.is_file():
        return None
    config = _json(path)
    keys = ("model_type", "num_hidden_layers", "hidden_size")
    return {key: config[key] for key in keys if key in config}


def _scores(folder: str) -> dict[str, float]:
    """Those of the dev set in the best epoch, which `metrics.json` has."""
    path = Path(folder, "metrics.json")
    metrics = _json(path) if path.is_file() else {}
    found = {name: metrics.get(f"best_validation_{name}") for name in SCORES}
    return {name: score for name, score in found.items() if isinstance(score, float)}


def _needs(folder: str, config: Mapping[str, Any]) -> Iterator[str]:
    features = {value for key, value in items(config["dataset_reader"]) if key == "feature_name"}
    yield from (name for feature, name in COLUMNS.items() if feature in features)
    for _, part in items(config["model"]):
        is_embedder = isinstance(part, dict) and part.get("type") == EMBEDDER
        if is_embedder and not (part.get("trainable") or part.get("archive_weights")):
            yield f"the transformer {part.get('model_name')!r}, or SDP_BERT=FOLDER"
    modules = {
        value.partition(".")[0]
        for key, value in items(dict(config))
        if key == "type" and isinstance(value, str) and "." in value
    }
    yield from (f"--include-package {module}" for module in sorted(modules - {"allennlp", "torch"}))


def _licence(folder: str) -> Optional[str]:
    """The first line of a LICENSE, or what a README says."""
    for path in sorted(Path(folder).glob("LICENSE*")):
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
        return next((line.strip() for line in lines if line.strip()), None)
    for path in sorted(Path(folder).glob("README*")):
        text = path.read_text(encoding="utf-8", errors="replace")
        found = re.search(r"^licen[cs]e: *(.+)$|weights are under (?:the )?([^,;\n]+)", text, re.M)
        return (found[1] or found[2]).strip() if found else None
    return None


def _json(path: Path) -> dict[str, Any]:
    try:
        value = decode(path.read_text(encoding="utf-8"))
    except (UnicodeError, UnexpectedError) as error:
        raise ArchiveError(f"its {path.name} cannot be read: {one_line(error)}") from error
    if not isinstance(value, dict):
        raise ArchiveError(f"its {path.name} is no object")
    return value
