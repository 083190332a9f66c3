"""The folder of a pretrained transformer: found on this computer or on the hub, kept with a model.

Only `find` ever asks for a network.
"""

import fnmatch
import hashlib
import os
import shutil
from collections.abc import Iterable
from contextlib import nullcontext
from functools import lru_cache
from pathlib import Path
from typing import Optional

from ..errors import UserError
from .errors import MissingError, one_line
from .names import (
    CONFIG,
    TRANSFORMER,
    TRANSFORMER_SOURCE,
    TRANSFORMER_TEXTS,
    TRANSFORMER_WEIGHTS,
    WEIGHTS,
)
from .strangers import is_confined, places, unconfined

NAME, DIGEST = TRANSFORMER_SOURCE


def find(name: str) -> Path:
    """The folder of a transformer: `name` itself, or a copy of what the hub has under that name.

    The hub is asked only for what was never downloaded.
    """
    folder = Path(name) if os.path.isdir(name) else _from_hub(name)
    for what, found in (
        ("config.json", files(folder, "config.json")),
        ("weights", weights_or_model(folder)),
    ):
        if not found:
            raise UserError(
                f"{folder} is not the folder of a transformer, as it holds no {what}: name another"
                " in SDP_BERT, or as model_name"
            )
    return folder


def _from_hub(name: str) -> Path:
    from huggingface_hub import constants, snapshot_download

    problem = ""
    for offline in (True, False):
        for kind in TRANSFORMER_WEIGHTS:
            try:
                path = snapshot_download(
                    name, allow_patterns=[*TRANSFORMER_TEXTS, kind], local_files_only=offline
                )
            except (OSError, ValueError) as error:  # what the hub's library raises
                problem = "HF_HUB_OFFLINE is set" if constants.HF_HUB_OFFLINE else one_line(error)
            else:
                if weights(Path(path)):
                    return Path(path)
    raise UserError(
        f"cannot find the transformer {name!r}: it is no folder (looked for in {os.getcwd()}), it"
        f" was never downloaded, and the hub does not give it ({problem}); set SDP_BERT to the"
        " folder of a transformer, or to a name that the hub knows when it can be reached"
    )


def files(folder: Path, *patterns: str) -> list[Path]:
    """The files of a folder that fit one of the patterns."""
    return sorted(
        path
        for path in folder.iterdir()
        if path.is_file() and any(fnmatch.fnmatch(path.name, pattern) for pattern in patterns)
    )


def texts(folder: Path) -> list[Path]:
    return files(folder, *TRANSFORMER_TEXTS)


def weights(folder: Path) -> list[Path]:
    return next(filter(None, (files(folder, kind) for kind in TRANSFORMER_WEIGHTS)), [])


def weights_or_model(folder: Path) -> list[Path]:
    """The weights of a transformer; those of a model, if the folder is the one inside of it.

    A model with a fine-tuned transformer has only that one's config and tokenizer there.
    """
    own = weights(folder)
    model = folder.resolve().parent
    if own or folder.resolve().name != TRANSFORMER or not (model / CONFIG).is_file():
        return own
    return [model / name for name in WEIGHTS if (model / name).is_file()][:1]


def digest(paths: Iterable[Path]) -> str:
    """A fingerprint of the content of files."""
    parts = [path.name + _digest(path, path.stat().st_mtime_ns) for path in paths]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@lru_cache
def _digest(path: Path, modified: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def keep(name: str, serialization_dir: Optional[str], with_weights: bool = False) -> Path:
    """The folder of a transformer's config and tokenizer that belongs to a model.

    It is in the model's folder, where a training puts it and an archive brings it; there is none
    for a model without a folder, which uses the transformer's own.
    """
    if serialization_dir is None:
        return find(name)
    kept = Path(serialization_dir, TRANSFORMER)
    if not kept.is_dir():
        _refuse_to_write(f"no folder {TRANSFORMER!r}, with config and tokenizer of its transformer")
        source = find(name)
        part = Path(serialization_dir, f"{TRANSFORMER}.{os.getpid()}")
        _copy(texts(source), part)
        (part / DIGEST).write_text(digest(weights_or_model(source)))
        (part / NAME).write_text(name, encoding="utf-8")
        try:
            part.rename(kept)
        except OSError:  # another process of the same training was faster
            shutil.rmtree(part)
    named = kept / NAME
    known = named.read_text(encoding="utf-8") if named.exists() else name
    if name != known:
        raise UserError(
            f"a model has room for one transformer, not for both {known!r} and {name!r}: give every"
            " mismatched_transformer the same model_name"
        )
    if with_weights and not weights(kept):
        _refuse_to_write(f"no weights in its folder {TRANSFORMER!r}")
        _copy(weights(find(name)), kept)
    return kept


def _refuse_to_write(missing: str) -> None:
    """A training completes the folder of its model; a model that is loaded is complete."""
    if is_confined():
        raise MissingError(f"it contains {missing}")


def _copy(paths: Iterable[Path], folder: Path) -> None:
    """Every copy appears only when it is whole."""
    folder.mkdir(exist_ok=True)
    for path in paths:
        part = folder / f".{path.name}.{os.getpid()}"
        shutil.copyfile(path, part)
        part.rename(folder / path.name)


def source_of(name: str, kept: Path) -> Path:
    """The folder with the weights of the transformer whose config and tokenizer are in `kept`.

    For an archive that came without them it may also be named by SDP_BERT, or stand beside the
    archive: it may be somewhere else on this machine, or on the hub, but must be the same.
    """
    if weights(kept):
        return kept
    wanted = (kept / DIGEST).read_text()
    chosen = os.environ.get("SDP_BERT", "")
    for place in (chosen, *places(name)):
        if os.path.isdir(place) and digest(weights_or_model(Path(place))) == wanted:
            return Path(place)
    # A model downloads nothing, unless the user names the same.
    with unconfined() if chosen == name else nullcontext():
        folder = find(name)
    if digest(weights_or_model(folder)) != wanted:
        raise UserError(
            f"{folder} holds another transformer than the one that the parser was trained with: set"
            " SDP_BERT to the folder of that one"
        )
    return folder
