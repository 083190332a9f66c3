"""Model archives of strangers: members renamed, linked and cut, sizes lied about, configs changed.

An input is the changes that are made, one after another, to the archive of a small parser.
"""

import gzip
import logging
import os
import tarfile
from collections.abc import Iterator
from pathlib import Path

from atheris import FuzzedDataProvider

from .edits import Members, edited, load_and_pack, stranger
from .trained import models

SECONDS = 60

originals: list[Members] = []


def prepare(work: Path) -> None:
    logging.disable(logging.CRITICAL)
    originals.extend(models())
    for original in originals:  # much is imported now, and what nobody has changed must load
        with stranger(str(work)) as folder:
            archive = folder / "model.tar.gz"
            archive.write_bytes(gzip.compress(_tar(original, str(folder))))
            load_and_pack(str(archive), folder)
            assert (folder / "packed").exists()


def seeds() -> Iterator[bytes]:
    for number in range(40):
        yield bytes((number * 7 + place * 31) % 256 for place in range(60))


def run(data: bytes) -> None:
    choices = FuzzedDataProvider(data)
    with stranger(os.environ["TMPDIR"]) as folder:
        members = edited(choices.PickValueInList(originals), choices)
        content = gzip.compress(_tar(members, str(folder)), 1)
        if choices.ConsumeProbability() > 0.95:
            content = content[: choices.ConsumeIntInRange(0, len(content))]
        archive = folder / "model.tar.gz"
        archive.write_bytes(content)
        load_and_pack(str(archive), folder)


def _tar(members: Members, folder: str) -> bytes:
    """An archive as no program would write it."""
    parts = []
    for member in members:
        header = tarfile.TarInfo(member.name.replace("WORK", folder))
        header.type, header.linkname = member.kind, member.target.replace("WORK", folder)
        holds = member.kind == tarfile.REGTYPE
        header.size = max(0, len(member.content) + member.lie) if holds else 0
        parts.append(header.tobuf(tarfile.GNU_FORMAT, "utf-8", "surrogateescape"))
        if holds:
            parts.append(member.content + b"\0" * (-len(member.content) % tarfile.BLOCKSIZE))
    return b"".join(parts) + b"\0" * 2 * tarfile.BLOCKSIZE
