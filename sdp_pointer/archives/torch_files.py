"""What a file of torch is made of, looked at before torch reads it.

`torch.load(weights_only=True)` runs no code of a stranger. But it calls what a pickle names, such
as `bytearray` with any size, and a mark in a pickle takes a byte there and seventy in memory.
"""

import os
import pickletools
import re
import struct
import zipfile
from typing import IO

from .errors import ArchiveError
from .limits import check_pickle

# Ends of a zip file, without a comment: the usual one, and the one of 64 bits before it.
_END = struct.Struct("<4s8xII2x")
_END_64 = struct.Struct("<4s36xQQ4s4xQ4x")

# What the pickle of plain tensors calls.
_PLAIN = re.compile(
    r"collections OrderedDict|torch\.nn\.parameter Parameter|torch \w+Storage"
    r"|torch\._utils _rebuild_(tensor|tensor_v2|parameter)"
)
# Of a file that is no zip, which old versions of torch wrote: a mark, the version, what is known of
# the computer, the tensors, and the names of what follows.
_PICKLES = 5


def check_torch_file(path: str) -> None:
    """Refuse what torch would not have written for plain tensors."""
    with open(path, "rb") as file:
        if file.read(4) != b"PK\3\4":  # by which torch knows a zip file
            file.seek(0)
            for _ in range(_PICKLES):
                _check_pickle(file, path)
            return
        _check_ends(file, path)
        with zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
            if sum(entry.file_size for entry in entries) > os.path.getsize(path):
                raise ArchiveError(
                    f"its {os.path.basename(path)} is compressed, as torch never writes it"
                )
            for entry in entries:
                if not re.fullmatch(r"[^/]+/data/\d+", entry.filename):
                    check_pickle(entry.file_size)
                if entry.filename.lower().endswith(".pkl"):  # torch takes either case
                    with archive.open(entry) as pickled:
                        _check_pickle(pickled, path)


def _check_ends(file: IO[bytes], path: str) -> None:
    """A zip file must have a single table of contents, wherever a reader looks for it."""
    size = os.path.getsize(path)
    file.seek(max(size - _END.size - _END_64.size, 0))
    tail = file.read()
    signature, length, offset = _END.unpack(tail[-_END.size :])
    end = size - _END.size
    if len(tail) > _END_64.size:
        first, length_64, offset_64, second, where = _END_64.unpack(tail[: -_END.size])
        if second == b"PK\6\7":
            end -= _END_64.size
            signature = signature if first == b"PK\6\6" and where == end else b""
            length, offset = length_64, offset_64
    if signature != b"PK\5\6" or offset + length != end:
        raise ArchiveError(f"its {os.path.basename(path)} is not a file that torch wrote")


def _check_pickle(file: IO[bytes], path: str) -> None:
    start = file.tell()
    for operation, argument, place in pickletools.genops(file):
        check_pickle((place or 0) - start)
        if operation.name == "GLOBAL" and not _PLAIN.fullmatch(str(argument)):
            raise ArchiveError(
                f"its {os.path.basename(path)} is unsafe: it calls {argument!r}, which plain"
                " numbers do not need"
            )
