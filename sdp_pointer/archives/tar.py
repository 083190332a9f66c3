"""The members of a tar archive, read without trust in what its headers say.

Python's `tarfile` reads a long name or an extended header of any size into memory, knows a dozen
kinds of members, and extracts by following names. This reads plain files and folders one after
another, and writes nothing.
"""

import tarfile
from collections.abc import Iterator
from typing import NamedTuple, Optional, Protocol

from .errors import ArchiveError

BLOCK = tarfile.BLOCKSIZE
CHUNK = 1 << 20
# Of a long name, or of a header of further properties.
LONGEST_EXTENSION = 1 << 16

FILES = (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE)
EXTENSIONS = (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME)
REFUSED = {
    tarfile.SYMTYPE: "a symbolic link",
    tarfile.LNKTYPE: "a hard link",
    tarfile.GNUTYPE_LONGLINK: "a link",
    tarfile.GNUTYPE_SPARSE: "a sparse file",
    tarfile.CHRTYPE: "a device",
    tarfile.BLKTYPE: "a device",
    tarfile.FIFOTYPE: "a pipe",
}


class Stream(Protocol):
    """What is read from."""

    def read(self, size: int, /) -> bytes: ...


class Member(NamedTuple):
    """A plain file or a folder; `chunks` is what is in it, to be read before the next member."""

    name: str
    is_folder: bool
    size: int
    chunks: Iterator[bytes]


def members(stream: Stream) -> Iterator[Member]:
    """The members of an uncompressed tar stream, up to the two empty blocks at its end."""
    extended: dict[str, str] = {}
    kinds: set[bytes] = set()
    while (header := _header(stream)) is not None:
        if header.type in EXTENSIONS:
            found = _extension(header, stream)
            # Readers differ in which of two they believe; and there would be no end of them.
            if header.type in kinds or found.keys() & extended.keys():
                raise ArchiveError("the file is damaged: a member of it has two headers of a kind")
            kinds.add(header.type)
            extended |= found
            continue
        name = extended.get("path", header.name)
        sparse = any(key.startswith("GNU.sparse") for key in extended)
        if sparse or header.type not in (*FILES, tarfile.DIRTYPE):
            kind = "a sparse file" if sparse else REFUSED.get(header.type, "no plain file")
            raise ArchiveError(f"its member {name!r} is {kind}; a model has files and folders only")
        is_folder = header.type == tarfile.DIRTYPE
        size = 0 if is_folder else int(extended.get("size", header.size))
        if size < 0:
            raise ArchiveError(f"the file is damaged: the size of {name!r} is {size}")
        chunks = _chunks(stream, size)
        yield Member(name, is_folder, size, chunks)
        for _ in chunks:  # what nobody wanted
            pass
        _read(stream, -size % BLOCK)
        extended, kinds = {}, set()


def _header(stream: Stream) -> Optional[tarfile.TarInfo]:
    block = stream.read(BLOCK)
    if not block.strip(b"\0"):
        return None
    return tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")


def _extension(header: tarfile.TarInfo, stream: Stream) -> dict[str, str]:
    """What a header says of the next member, in which only name and size are of interest."""
    if not 0 <= header.size <= LONGEST_EXTENSION:
        raise ArchiveError(
            f"its header {header.name!r} of {header.size:,} bytes is too long: at most"
            f" {LONGEST_EXTENSION:,}"
        )
    content = _read(stream, header.size)
    _read(stream, -header.size % BLOCK)
    if header.type == tarfile.GNUTYPE_LONGNAME:
        return {"path": content.rstrip(b"\0").decode("utf-8", "surrogateescape")}
    found = dict(_records(content))
    if header.type != tarfile.XGLTYPE:
        return found
    if any(key in ("path", "size", "linkpath") or key.startswith("GNU") for key in found):
        raise ArchiveError("one of its headers gives all members the same name or size")
    return {}


def _records(content: bytes) -> Iterator[tuple[str, str]]:
    """
    >>> list(_records(b"14 path=a/b.c\\n13 size=1234\\n"))
    [('path', 'a/b.c'), ('size', '1234')]
    """
    while content:
        length = content.partition(b" ")[0]
        record, content = content[: int(length)], content[int(length) :]
        if len(record) != int(length) or not record.endswith(b"\n"):
            raise ValueError("a header is cut")
        key, _, value = record[len(length) + 1 : -1].partition(b"=")
        yield key.decode("utf-8", "surrogateescape"), value.decode("utf-8", "surrogateescape")


def _chunks(stream: Stream, size: int) -> Iterator[bytes]:
    while size:
        yield (chunk := _read(stream, min(size, CHUNK)))
        size -= len(chunk)


def _read(stream: Stream, size: int) -> bytes:
    content = stream.read(size)
    if len(content) != size:
        raise EOFError("it ends within a file")
    return content
