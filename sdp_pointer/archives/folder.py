"""The folder of a model: which files it has, and that they are files."""

import os
from collections.abc import Iterator
from functools import partial

from .config import check_config, check_transformer
from .errors import ArchiveError, MissingError
from .limits import Meter
from .names import CONFIG, FOLDERS, TRANSFORMER, VOCABULARY, WEIGHTS, kind_of
from .tar import CHUNK


def check(folder: str) -> None:
    """Refuse a folder that is no model, or has links, too much, or a config that is not safe."""
    meter = Meter()
    for path in files(folder):
        place, kind = os.path.join(folder, path), kind_of(path) or ""
        meter.add(kind, os.path.getsize(place))
        if kind == "vocabulary":
            with open(place, "rb") as file:
                for chunk in iter(partial(file.read, CHUNK), b""):
                    meter.add_entries(chunk.count(b"\n"))
        if path == f"{TRANSFORMER}/{CONFIG}":
            check_transformer(place)
    for name in (CONFIG, f"{VOCABULARY}/non_padded_namespaces.txt"):
        _require(folder, name)
    check_config(os.path.join(folder, CONFIG))


def files(folder: str) -> Iterator[str]:
    """The files of a model in a folder, which may hold others; links are refused.

    What a link leads to may be anybody's, and changes when nobody looks.
    """
    for place in FOLDERS:
        top = os.path.join(folder, place) if place else folder
        if place and os.path.islink(top):
            raise ArchiveError(_not_plain(place, "a link"))
        if not os.path.isdir(top):
            continue
        for entry in sorted(os.scandir(top), key=lambda entry: entry.name):
            path = f"{place}/{entry.name}" if place else entry.name
            if kind_of(path) is None:
                if place == TRANSFORMER and not entry.name.startswith("."):
                    raise ArchiveError(f"its {path} is no part of a transformer: remove it")
                continue
            if not entry.is_file(follow_symlinks=False):
                raise ArchiveError(_not_plain(path, "a link" if entry.is_symlink() else "no file"))
            yield path


def weights_of(folder: str) -> str:
    """The path of the weights in a model's folder."""
    found = [name for name in WEIGHTS if os.path.isfile(os.path.join(folder, name))]
    return _require(folder, (*found, "weights")[0])


def _require(folder: str, name: str) -> str:
    path = os.path.join(folder, name)
    if not os.path.isfile(path):
        raise MissingError(f"it contains no {name}, so it is not a model that AllenNLP saved")
    return path


def _not_plain(path: str, what: str) -> str:
    return (
        f"its {path} is {what}, where a file has to be: copy what you trust, with cp --dereference"
    )
