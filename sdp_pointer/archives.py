"""Models come from strangers: open them without trust; say in one line what is wrong."""

import gzip
import json
import os
import pickle
import shutil
import sys
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from safetensors import SafetensorError

from .errors import UserError

# What a damaged or hostile file makes tarfile, gzip, torch and safetensors raise.
DAMAGE = (
    SafetensorError,
    tarfile.TarError,
    zlib.error,
    pickle.UnpicklingError,
    EOFError,
    OSError,
    RuntimeError,
    UnicodeError,
    ValueError,
    KeyError,
    IndexError,
    AttributeError,
    TypeError,
)

# The weights of a packed model, of an archive, of a training's folder.
WEIGHTS = ("weights.safetensors", "weights.th", "best.th")

# Whether the model that is being built gets its weights from an archive as soon as it is there.
loading_weights: ContextVar[bool] = ContextVar("loading_weights", default=False)


class ArchiveError(UserError):
    """A model archive that is damaged, incomplete or hostile."""


@contextmanager
def extracted_archive(archive: str, cleanup: bool = True) -> Iterator[str]:
    """A temporary folder with the content of a model archive.

    With `cleanup=False` the folder stays, for the caller to remove, unless unpacking failed.
    """
    folder = tempfile.mkdtemp(prefix="sdp_pointer_")
    keep = False
    try:
        extract(archive, folder)
        keep = not cleanup
        yield folder
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def extract(archive: str, folder: str) -> None:
    """Unpack a model archive; nothing is written outside the folder."""
    try:
        with gzip.open(archive) as stream, tarfile.open(fileobj=stream, mode="r|") as tar:
            for member in tar:
                _refuse_escape(member)
                tar.extract(member, folder, filter="data")
            while stream.read(1 << 20):  # to the end, where the checksum is
                pass
    except ArchiveError:
        raise
    except DAMAGE as error:
        raise ArchiveError(f"the file is damaged or not a .tar.gz: {one_line(error)}") from error
    check(folder)


def check(folder: str) -> None:
    """Refuse a folder that is not a model, or whose config would run code from elsewhere."""
    for name in ("config.json", "vocabulary/non_padded_namespaces.txt"):
        _require(folder, name)
    _check_config(os.path.join(folder, "config.json"))


def weights_of(folder: str) -> str:
    """The path of the weights in a model's folder."""
    found = [name for name in WEIGHTS if os.path.isfile(os.path.join(folder, name))]
    return _require(folder, (*found, "weights")[0])


def _require(folder: str, name: str) -> str:
    path = os.path.join(folder, name)
    if not os.path.isfile(path):
        raise ArchiveError(f"it contains no {name}, so it is not a model that AllenNLP saved")
    return path


def _check_config(path: str) -> None:
    """Refuse a config that is not what AllenNLP saves, or that would run code from elsewhere."""
    # AllenNLP saves plain JSON here but reads it as Jsonnet, which may import any file.
    try:
        with open(path, encoding="utf-8") as file:
            config = json.load(file)
    except (ValueError, RecursionError) as error:
        raise ArchiveError(f"its config.json is not JSON: {one_line(error)}") from error
    for key in ("model", "dataset_reader"):
        if not isinstance(config, dict) or not isinstance(config.get(key), dict):
            raise ArchiveError(f"its config.json has no {key}")
    for key, value in (item for part in objects(config) for item in part.items()):
        # A class given by its module's name is imported, whatever that module does.
        if key == "type" and isinstance(value, str) and value.partition(".")[1]:
            package = value.partition(".")[0]
            if package not in sys.modules:
                raise ArchiveError(
                    f"its config.json wants to import {value}: if you trust it, import {package}"
                    f" first (--include-package {package})"
                )
        if key == "trust_remote_code" and value:
            raise ArchiveError("its config.json wants to run code from elsewhere")


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object inside a JSON value.

    >>> list(objects([{"a": {}}, 1]))
    [{'a': {}}, {}]
    """
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            yield part
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part


def _refuse_escape(member: tarfile.TarInfo) -> None:
    path = member.name.replace("\\", "/")
    if path.startswith("/") or ".." in path.split("/") or path[1:2] == ":":
        raise ArchiveError(f"its member {member.name!r} would be written outside of the folder")


def one_line(error: BaseException) -> str:
    """The first line of an exception's message, or its type if it has none.

    >>> one_line(ValueError("it is cut\\nat byte 7")), one_line(EOFError())
    ('it is cut', 'EOFError')
    """
    lines = str(error).strip().splitlines()
    return lines[0].strip() if lines else type(error).__name__
