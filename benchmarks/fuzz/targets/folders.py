"""Folders of strangers' models: files changed, cut and linked, configs changed.

An input is the changes that are made, one after another, to the folder of a small parser.
"""

import logging
import os
import tarfile
from contextlib import suppress
from pathlib import Path

from atheris import FuzzedDataProvider

from . import archives
from .edits import Members, edited, load_and_pack, stranger
from .trained import models

SECONDS = 60

originals: list[Members] = []


def prepare(work: Path) -> None:
    logging.disable(logging.CRITICAL)
    originals.extend(models())
    for original in originals:  # much is imported now, and what nobody has changed must load
        with stranger(str(work)) as folder:
            _write(original, folder / "model")
            load_and_pack(str(folder / "model"), folder)
            assert (folder / "packed").exists()


seeds = archives.seeds


def run(data: bytes) -> None:
    choices = FuzzedDataProvider(data)
    with stranger(os.environ["TMPDIR"]) as folder:
        _write(edited(choices.PickValueInList(originals), choices), folder / "model")
        load_and_pack(str(folder / "model"), folder)


def _write(members: Members, folder: Path) -> None:
    """What of the members a folder can hold."""
    root = str(folder.parent)
    for member in members:
        path = folder / member.name.replace("WORK", root).replace("\0", "")
        with suppress(OSError):  # such as a name that is too long, or taken
            if folder.resolve() not in (path.parent.resolve(), *path.parent.resolve().parents):
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            if member.kind == tarfile.SYMTYPE:
                path.symlink_to(member.target.replace("WORK", root))
            elif member.kind == tarfile.LNKTYPE:
                path.hardlink_to(folder.parent / "outside" / "secret")
            elif member.kind == tarfile.FIFOTYPE:
                os.mkfifo(path)
            elif member.kind == tarfile.REGTYPE:
                path.write_bytes(member.content)
