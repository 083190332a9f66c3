"""The folder of a training: what is in it already, and that a failed start leaves no trace."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from glob import escape, glob
from pathlib import Path

from ..errors import UserError

# In a folder that was set aside, and so may be put back or deleted.
_MARK = ".replaced"

# What a training writes before its first checkpoint.
_PRELIMINARIES = (
    *("train.jsonnet", "config.json", "meta.json", "sources.json", "out*.log", "log", "*.part"),
    *("vocabulary", "transformer", _MARK),
)


def has_checkpoint(folder: str) -> bool:
    # Of the two files of a checkpoint, this is the second.
    return bool(glob(os.path.join(escape(folder), "training_state_*.th")))


def only_begun(folder: str) -> bool:
    """Whether a folder holds nothing but what a training writes before its first checkpoint."""
    names = os.listdir(folder)
    return all(any(fnmatch(name, known) for known in _PRELIMINARIES) for name in names)


def vocabulary_files(folder: str) -> dict[str, list[bytes]]:
    """The lines of every file of a saved vocabulary."""
    files = {path.name: path.read_bytes().split(b"\n") for path in Path(folder).glob("*.txt")}
    # A set, in the order of chance.
    files.get("non_padded_namespaces.txt", []).sort()
    return files


def place_of_replaced(folder: str) -> str:
    """Where the former content of a folder waits until the training that replaces it has begun."""
    return f"{os.path.realpath(folder)}.replaced"


def forget_replaced(folder: str) -> None:
    if _is_set_aside(place_of_replaced(folder)):
        shutil.rmtree(place_of_replaced(folder), ignore_errors=True)


def _is_set_aside(folder: str) -> bool:
    return os.path.exists(os.path.join(folder, _MARK))


@contextmanager
def new_training_folder(folder: str, force: bool) -> Iterator[None]:
    """An empty folder, or none, for a training that begins.

    If it fails before it has saved any weights, the folder is left as it was found; with `force`,
    that includes its former content.
    """
    name, folder = folder, os.path.realpath(folder)
    found = os.path.isdir(folder)
    if found and os.listdir(folder):
        if not force:
            raise UserError(
                f"{name} is not empty: train into another folder (-s), go on with the training in"
                " it (--recover) or replace it (--force)"
            )
        _set_aside(folder)
    try:
        yield
    except BaseException:
        if not glob(os.path.join(escape(folder), "*.th")):
            _put_back(folder, found)
        raise
    else:
        forget_replaced(folder)


def _set_aside(folder: str) -> None:
    old = place_of_replaced(folder)
    if os.path.lexists(old) and not _is_set_aside(old):
        raise UserError(
            f"cannot replace {folder}: its content would have to wait in {old}, which is already"
            " there; rename that, or train into another folder (-s)"
        )
    if os.path.exists(old) and only_begun(folder):
        shutil.rmtree(folder)  # a start that was killed, and had replaced what is `old`
    else:
        forget_replaced(folder)
        Path(folder, _MARK).touch()
        os.rename(folder, old)
    os.mkdir(folder)


def _put_back(folder: str, found: bool) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if _is_set_aside(place_of_replaced(folder)):
        os.rename(place_of_replaced(folder), folder)
        os.remove(os.path.join(folder, _MARK))
    elif found:
        os.mkdir(folder)
