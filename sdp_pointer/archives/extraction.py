"""From an archive to a folder: every file is written here, and nowhere else."""

import gzip
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from .config import read_config
from .errors import DAMAGE, ArchiveError, one_line
from .folder import check
from .limits import Meter
from .names import CONFIG, is_included, kind_of, plain
from .strangers import unconfined
from .tar import CHUNK, Member, members

# Of the space that is left, so much may be taken.
SHARE = 0.9


@contextmanager
def extracted_archive(archive: str, cleanup: bool = True) -> Iterator[str]:
    """A temporary folder with the content of a model archive, to which nobody else can write.

    With `cleanup=False` the folder stays, for the caller to remove, unless unpacking failed.
    """
    keep = False
    with unconfined():
        folder = tempfile.mkdtemp(prefix="sdp_pointer_")
    try:
        with unconfined():
            extract(archive, folder)
        keep = not cleanup
        yield folder
    finally:
        if not keep:
            with unconfined():
                shutil.rmtree(folder, ignore_errors=True)


def extract(archive: str, folder: str) -> None:
    """Unpack the files of a model into an empty folder, and check them."""
    with _opened(archive) as stream:
        _unpack(stream, folder, Meter(os.path.getsize(archive)))
    check(folder)


def check_archive(archive: str) -> None:
    """Refuse an archive that cannot be unpacked without trust, whatever is in it."""
    with _opened(archive) as stream:
        meter = Meter(os.path.getsize(archive))
        for member in members(stream):
            plain(member.name)
            meter.add("other files", member.size)


@contextmanager
def _opened(archive: str) -> Iterator[gzip.GzipFile]:
    try:
        with gzip.open(archive) as stream:
            yield stream
    except ArchiveError:
        raise
    except DAMAGE as error:
        if isinstance(error, OSError) and error.errno:
            raise ArchiveError(f"cannot unpack it: {error}") from error
        raise ArchiveError(f"the file is damaged or not a .tar.gz: {one_line(error)}") from error


def _unpack(stream: gzip.GzipFile, folder: str, meter: Meter) -> None:
    included: Sequence[str] = ()
    member = None
    for member in members(stream):
        path = plain(member.name)
        kind = kind_of(path)
        meter.add(kind or "other files", member.size)
        if member.is_folder or not (kind or is_included(path, included)):
            continue
        target = os.path.join(folder, *path.split("/"))
        _write(member, target)
        if path == CONFIG:
            included = _included(target)
    if member is None:
        raise EOFError("nothing is in it")
    while rest := stream.read(CHUNK):  # to the end, where the checksum is
        meter.add("other files", len(rest))


def _write(member: Member, target: str) -> None:
    os.makedirs(os.path.dirname(target), exist_ok=True)
    left = shutil.disk_usage(os.path.dirname(target)).free
    if member.size > SHARE * left:
        raise ArchiveError(
            f"there is no room for {member.name!r}, of {member.size:,} bytes, in"
            f" {tempfile.gettempdir()}: name another folder in TMPDIR"
        )
    with open(target, "wb") as file:
        file.writelines(member.chunks)


def _included(config: str) -> Sequence[str]:
    """What else AllenNLP was told to put into the archive."""
    try:
        patterns = read_config(config).get("include_in_archive")
    except ArchiveError:
        return []  # as `check` will say
    return [str(pattern) for pattern in patterns] if isinstance(patterns, list) else []
