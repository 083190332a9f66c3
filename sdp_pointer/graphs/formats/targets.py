"""Text out, to a path, `-` or an open file; what has a name appears when it is whole."""

import errno
import io
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, count
from typing import IO, Any, Optional

from ...interrupts import signals_held, signals_released_between
from .streams import Target, is_text, name_of

# These errors come from writing, though they do not name the file.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_text(texts: Iterable[str], target: Target) -> None:
    """Write pieces of text to a path (gzipped if it ends in `.gz`), `-` or an open file.

    A path appears only when everything has been written to it, so that an error half-way neither
    leaves a torso nor costs the file that was there before. What was written until an interrupt is
    kept under another name, which a note of the exception tells.
    """
    if not isinstance(target, (str, os.PathLike)):
        _write_stream(texts, target)
        return
    name = os.fspath(target)
    if name == "-":
        _write_stream(texts, sys.stdout.buffer)
    elif _is_device(name):
        with _errors_naming(name), _create(name, name.endswith(".gz")) as file:
            file.writelines(texts)
    else:
        _write_file(texts, name)


def check_target(target: str, *sources: Optional[str]) -> None:
    """Raise an `OSError` if a target cannot be written, or is read as well.

    This is for commands that work for long before they write.
    """
    file = _identity(target, sys.stdout)
    for source in sources:
        if source is not None and file is not None and file == _identity(source, sys.stdin):
            raise OSError(
                f"{name_of(source)} cannot be read and written at once: name another file for the"
                " output"
            )
    path, part = _path_and_part(target)
    if target == "-" or _is_device(path):
        return
    with signals_held(), _errors_naming(target, part):
        _create_part(path, part)
        os.unlink(part)


@contextmanager
def new_folder(folder: str) -> Iterator[str]:
    """A folder to write to, which is given its name when the block ends, and removed if it fails.

    Half a folder is none, so that nothing is kept after an interrupt.
    """
    import shutil

    path, part = _path_and_part(os.path.normpath(folder))
    try:
        with _errors_naming(folder, part):
            os.makedirs(part)
            yield part
            os.rename(part, path)
    except KeyboardInterrupt as error:
        error.add_note(f"interrupted; {folder} was not made")
        raise
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _write_stream(texts: Iterable[str], stream: Any) -> None:
    if is_text(stream):
        for piece in texts:
            stream.write(piece)
        return
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="\n", line_buffering=True)
    try:
        text.writelines(texts)
    finally:
        text.detach()


def _write_file(texts: Iterable[str], name: str) -> None:
    path, part = _path_and_part(name)
    written = False
    with signals_held():
        try:
            with _errors_naming(name, part):
                _create_part(path, part)
                with _create(part, name.endswith(".gz")) as file:
                    for piece in signals_released_between(texts):
                        file.write(piece)
                        written = True
                os.replace(part, path)
        except KeyboardInterrupt as error:
            kept = "nothing was written"
            if written:
                os.rename(part, free := _unused_name(path))
                kept = f"what was written until then is in {free}"
            old = f"; {name} is as it was" if os.path.exists(path) else ""
            error.add_note(f"interrupted; {kept}{old}")
            raise
        finally:
            if os.path.exists(part):
                os.unlink(part)


def _is_device(path: str) -> bool:
    """Whether it is a pipe, or such as /dev/null: to be written to, not to be replaced."""
    return os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))


def _path_and_part(name: str) -> tuple[str, str]:
    """Where a file is to appear, and where it is written until then."""
    path = os.path.realpath(name) if os.path.islink(name) else name
    return path, f"{path}.part{os.getpid()}"


def _create_part(path: str, part: str) -> None:
    """Make an empty file that is to replace another, if that one may be written."""
    old = os.stat(path) if os.path.exists(path) else None
    if old is not None:
        open(path, "ab").close()  # an error if it is read-only, or a folder
    open(part, "wb").close()
    if old is not None:
        os.chmod(part, stat.S_IMODE(old.st_mode))


def _unused_name(path: str) -> str:
    """A name that nothing has yet, and that tells the same format.

    >>> _unused_name("nowhere/graphs.jsonl.gz"), _unused_name("nowhere/drawn")
    ('nowhere/graphs.interrupted.jsonl.gz', 'nowhere/drawn.interrupted')
    """
    stem, suffix = os.path.splitext(path.removesuffix(".gz"))
    names = (
        f"{stem}.interrupted{number}{suffix}{path[len(stem + suffix) :]}"
        for number in chain([""], count(2))
    )
    return next(name for name in names if not os.path.lexists(name))


def _identity(name: str, standard: Any) -> Optional[tuple[int, int]]:
    """What two names of one file have in common; nothing for what is no file."""
    try:
        status = os.fstat(standard.fileno()) if name == "-" else os.stat(name)
    except (OSError, ValueError, AttributeError):  # also if a standard stream is none or closed
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


@contextmanager
def _errors_naming(target: str, part: Optional[str] = None) -> Iterator[None]:
    """Errors of writing name the target, and what is the matter with it."""
    try:
        yield
    except OSError as error:
        if part is not None and error.filename == part:
            error.filename = target
            if isinstance(error, FileNotFoundError):
                error.strerror = "there is no such folder"
        elif error.errno in FULL:
            error.filename = target
        raise


@contextmanager
def _create(path: str, gzipped: bool) -> Iterator[IO[str]]:
    """A new file. Every line is written at once, unless it is gzipped."""
    if not gzipped:
        with open(path, "w", buffering=1, encoding="utf-8", newline="\n") as file:
            yield file
        return
    import gzip

    # No name and time in the header: the same graphs give the same bytes.
    with (
        open(path, "wb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed,
        io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as file,
    ):
        yield file
