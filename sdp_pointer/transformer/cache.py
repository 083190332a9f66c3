"""Word vectors on disk, shared by all trainings on this machine.

LMDB is a single file of keys and values: several processes may read and write it at once, and a
killed one leaves nothing half-written.
"""

import hashlib
import logging
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import lmdb
import numpy

from ..archives import one_line
from ..errors import UserError
from .pieces import Pieces

logger = logging.getLogger(__name__)

# The open files of this process, by folder: LMDB allows one each, and none taken over by a fork.
_open: dict[str, tuple[int, Any]] = {}


def default_folder() -> str:
    """SDP_CACHE, where '' means no cache, or a folder of the user's."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.environ.get("SDP_CACHE", os.path.join(home, "sdp_pointer"))


def key(fingerprint: str, sentence: Pieces) -> bytes:
    """Where the vectors of a sentence are, by what they depend on.

    >>> key("bert", Pieces([7, 8], [2])) == key("bert", Pieces([7, 8], [1, 1]))
    False
    """
    numbers = numpy.array([len(sentence.counts), *sentence.counts, *sentence.ids], dtype="<u4")
    return hashlib.sha256(fingerprint.encode() + numbers.tobytes()).digest()


class VectorCache:
    """Arrays of 16-bit floats by key, in a folder, up to a size; then nothing more is stored."""

    def __init__(self, folder: str, gigabytes: float) -> None:
        self.folder = os.path.realpath(folder)
        self.size = int(gigabytes * 2**30)
        self.full = False

    def get(self, keys: Iterable[bytes], width: int) -> dict[bytes, numpy.ndarray]:
        """For each key that is there (words, width)."""
        with self._begin() as transaction:
            found = {name: transaction.get(name) for name in keys}
        return {
            name: numpy.frombuffer(value, "<f2").reshape(-1, width)
            for name, value in found.items()
            if value is not None
        }

    def put(self, vectors: Mapping[bytes, numpy.ndarray]) -> None:
        if self.full:
            return
        try:
            with self._begin(write=True) as transaction:
                for name, array in vectors.items():
                    transaction.put(name, array.astype("<f2").tobytes())
        except (lmdb.MapFullError, lmdb.DiskError) as error:
            self.full = True
            logger.warning(
                "the word vectors in %s take all of the space they may have, so that others are"
                " computed anew in each epoch: delete it or raise cache_gigabytes (%s)",
                self.folder,
                one_line(error),
            )

    def _begin(self, write: bool = False) -> Any:
        environment = self._environment()
        try:
            return environment.begin(write=write)
        except lmdb.MapResizedError:  # by another process, which may store more
            environment.set_mapsize(0)
            return environment.begin(write=write)

    def _environment(self) -> Any:
        process, environment = _open.get(self.folder, (None, None))
        if process != os.getpid():
            if environment is not None:
                environment.close()
            try:
                Path(self.folder).mkdir(parents=True, exist_ok=True)
                # A power cut may lose the last vectors, but nothing else.
                environment = lmdb.open(self.folder, map_size=self.size, metasync=False)
            except (lmdb.Error, OSError) as error:
                raise UserError(
                    f"cannot keep word vectors in {self.folder}: {one_line(error)}: name another"
                    " folder in SDP_CACHE, or '' to compute them anew in each epoch"
                ) from error
            environment.reader_check()  # forget readers that were killed
            _open[self.folder] = (os.getpid(), environment)
        return environment
