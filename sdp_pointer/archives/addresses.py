"""Models by address: of the hub, or of a web server with a checksum."""

import hashlib
import os

from ..errors import UserError
from .errors import ArchiveError, one_line
from .names import FOLDERS, patterns

ARCHIVE = "model.tar.gz"


class FetchError(UserError, OSError):
    """A model that could not be downloaded."""


def is_address(name: str) -> bool:
    """Whether a model is to be downloaded.

    >>> is_address("hf://owner/name"), is_address("runs/dm")
    (True, False)
    """
    return "://" in name


def fetched(address: str) -> str:
    """The path of the model at an address; it is downloaded once, and again when it has changed.

    `hf://owner/name` is a repository of the hub, `hf://owner/name@v1` a branch, tag or commit of
    it. Any other address is that of an archive, and `#sha256=...` behind it is compared.
    """
    try:
        if address.startswith("hf://"):
            return _from_hub(*address.removeprefix("hf://").partition("@")[::2])
        return _from_server(*address.partition("#sha256=")[::2])
    except (OSError, ValueError) as error:
        raise FetchError(f"cannot fetch {address}: {one_line(error)}") from error


def _from_hub(repository: str, revision: str) -> str:
    """A folder of plain files, since those in the cache of the hub's library are links."""
    from huggingface_hub import snapshot_download

    place = os.path.join(_cache(), repository.replace("/", "--"), revision or "main")
    wanted = [
        ARCHIVE,
        *(f"{folder}/{name}".lstrip("/") for folder in FOLDERS for name in patterns(folder)),
    ]
    snapshot_download(repository, revision=revision or None, local_dir=place, allow_patterns=wanted)
    archive = os.path.join(place, ARCHIVE)
    return archive if os.path.exists(archive) else place


def _from_server(address: str, checksum: str) -> str:
    from cached_path import cached_path

    path = str(cached_path(address, cache_dir=_cache()))
    if checksum:
        with open(path, "rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != checksum.lower():
            raise ArchiveError(
                f"cannot load {address}: its SHA-256 is {found}, not {checksum}; the file has"
                " changed, or the checksum is that of another file"
            )
    return path


def _cache() -> str:
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(home, "sdp_pointer", "models")
