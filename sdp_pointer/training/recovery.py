"""What a training depends on, noted in its folder, so that it is recovered with the same or not."""

import hashlib
import json
import os
import re
from collections.abc import Iterator
from inspect import signature
from typing import Any

from allennlp.training.learning_rate_schedulers import LearningRateScheduler

from ..errors import UserError

NOTES = "sources.json"

# Options that do not change what was trained so far, nor what any epoch will do.
FREE = ("trainer.cuda_device", "trainer.patience", "trainer.checkpointer")
EPOCHS = "trainer.num_epochs"

# Keys of a config whose values name files.
_PATHS = re.compile("path|file|directory|model_name")

Sources = dict[str, Any]


def sources(config: dict[str, Any]) -> Sources:
    """Every option of a config; those that name a file or folder with a checksum of its content.

    >>> sources({"model": {"dropout": 0.5}, "train_data_path": ["en.dm.sdp#00-19"]})
    {'model.dropout': 0.5, 'train_data_path.0': 'en.dm.sdp#00-19'}
    """
    return {key: _with_checksum(key, value) for key, value in _flat(config)}


def write_sources(folder: str, found: Sources) -> None:
    """Write what a training depends on into its folder."""
    path = os.path.join(folder, NOTES)
    with open(f"{path}.part", "w", encoding="utf-8") as file:
        json.dump(found, file, indent=1)
    os.replace(f"{path}.part", path)


def refuse_changes(folder: str, now: Sources) -> bool:
    """Raise an error if something has changed since the training in a folder began.

    Of a training that an older version began, only the config is known: returns False.
    """
    noted = os.path.exists(os.path.join(folder, NOTES))
    with open(os.path.join(folder, NOTES if noted else "config.json"), encoding="utf-8") as file:
        before = json.load(file) if noted else dict(_flat(json.load(file)))
    if not noted:
        now = {key: _name(value) for key, value in now.items()}
    found = list(changes(before, now))
    if found:
        more = f"; and {len(found) - 3} more" if len(found) > 3 else ""
        raise UserError(
            f"cannot recover {folder}: since that training began, {'; '.join(found[:3])}{more};"
            " undo this, or train anew, into another folder (-s) or over this one (--force)"
        )
    return noted


def changes(before: Sources, now: Sources) -> Iterator[str]:
    """What differs in a way that matters, in words.

    >>> list(changes({"model.dropout": 0.5, "trainer.patience": 3}, {"model.dropout": 0.1}))
    ['model.dropout became 0.1 (it was 0.5)']
    """
    names = FREE if _spans_epochs(now) else (*FREE, EPOCHS)
    free = tuple(f"{name}." for name in names)
    for key in sorted({*before, *now}):
        old, new = before.get(key), now.get(key)
        if old == new or f"{key}.".startswith(free):
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            # The same content under another name is the same.
            if (old["sha256"], old["part"]) != (new["sha256"], new["part"]):
                yield f"{key} changed ({_name(new)} has another content)"
        else:
            yield f"{key} became {_shown(now, key)} (it was {_shown(before, key)})"


def _spans_epochs(config: Sources) -> bool:
    """Whether the learning rate in any epoch depends on how many there are."""
    kind = config.get("trainer.learning_rate_scheduler.type")
    if kind not in LearningRateScheduler.list_available():
        return False
    scheduler, constructor = LearningRateScheduler.resolve_class_name(kind)
    return "num_epochs" in signature(getattr(scheduler, constructor or "__init__")).parameters


def _flat(value: Any, *keys: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, (dict, list)) and value:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in items:
            yield from _flat(part, *keys, str(key))
    else:
        yield ".".join(keys), value


def _with_checksum(key: str, value: Any) -> Any:
    if not isinstance(value, str) or not _PATHS.search(key):
        return value
    path, part = value, ""
    if "#" in path and not os.path.exists(path):  # as the reader `sdp` understands it
        path, _, part = path.rpartition("#")
    if not os.path.exists(path):
        return value
    return {"path": path, "part": part, "sha256": checksum(path)}


def checksum(path: str) -> str:
    """Of a file's content, or of all files in a folder with their names."""
    if os.path.isfile(path):
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    digest = hashlib.sha256()
    for folder, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            found = os.path.join(folder, name)
            digest.update(f"{os.path.relpath(found, path)}\n{checksum(found)}\n".encode())
    return digest.hexdigest()


def _name(value: Any) -> Any:
    if not isinstance(value, dict) or "sha256" not in value:
        return value
    return f"{value['path']}#{value['part']}" if value["part"] else value["path"]


def _shown(values: Sources, key: str) -> str:
    return json.dumps(_name(values[key])) if key in values else "nothing"
