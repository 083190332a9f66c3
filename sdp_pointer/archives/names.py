"""The files that a model consists of, by name; all others are left alone."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Optional

from .errors import ArchiveError

CONFIG = "config.json"
VOCABULARY = "vocabulary"
TRANSFORMER = "transformer"

# The weights of a packed model, of an archive, of a training's folder.
WEIGHTS = ("weights.safetensors", "weights.th", "best.th")

# What a transformer is, beside its weights; no code.
TRANSFORMER_TEXTS = (
    *("config.json", "tokenizer*.json", "vocab*.json", "vocab*.txt", "merges.txt", "*.model"),
    *("special_tokens_map.json", "added_tokens.json"),
)
# The first kind that is there is taken.
TRANSFORMER_WEIGHTS = ("model*.safetensors*", "pytorch_model*.bin*")
# Where it came from.
TRANSFORMER_SOURCE = ("model_name", "weights.sha256")

# Folder, kind, patterns of names.
_PARTS = (
    ("", "settings", (CONFIG, "meta.json", "metrics.json")),
    ("", "notes", ("README*", "LICENSE*")),
    ("", "weights", WEIGHTS),
    (VOCABULARY, "vocabulary", ("*",)),
    (TRANSFORMER, "tokenizer", (*TRANSFORMER_TEXTS, *TRANSFORMER_SOURCE)),
    (TRANSFORMER, "weights", TRANSFORMER_WEIGHTS),
)
FOLDERS = ("", VOCABULARY, TRANSFORMER)


def patterns(place: str) -> list[str]:
    """The patterns of the names that a model's files have in one of its folders.

    >>> patterns("vocabulary")
    ['*']
    """
    return [name for folder, _, names in _PARTS if folder == place for name in names]


# Folders in folders. Removing them takes a call for each.
DEEPEST = 20


def kind_of(path: str) -> Optional[str]:
    """What a file of a model is for, or nothing if it is no part of one.

    >>> kind_of("vocabulary/words.txt"), kind_of("transformer/pytorch_model.bin")
    ('vocabulary', 'weights')
    >>> kind_of("transformer/tokenizer_evil.py"), kind_of(".allennlp_plugins")
    (None, None)
    """
    folder, _, name = path.rpartition("/")
    if name.startswith("."):
        return None
    for place, kind, patterns in _PARTS:
        if folder == place and any(fnmatchcase(name, pattern) for pattern in patterns):
            return kind
    return None


def is_included(path: str, patterns: Sequence[str]) -> bool:
    """Whether AllenNLP's option `include_in_archive` asks for a file, or for a folder above it.

    The folders of the vocabulary and of the transformer hold nothing else.

    >>> is_included("extra/a/b.txt", ["extra"]), is_included("transformer/x.py", ["*"])
    (True, False)
    """
    parts = path.split("/")
    hidden = any(part.startswith(".") for part in parts)
    if parts[0] in FOLDERS or hidden or len(parts) > DEEPEST:
        return False
    above = ["/".join(parts[: number + 1]) for number in range(len(parts))]
    return any(fnmatchcase(prefix, pattern) for prefix in above for pattern in patterns)


def plain(name: str) -> str:
    """The path of an archive's member, without what means nothing; no path out of the folder.

    >>> plain("./vocabulary//words.txt")
    'vocabulary/words.txt'
    """
    path = name.replace("\\", "/")
    parts = path.split("/")
    if path.startswith("/") or ".." in parts or path[1:2] == ":":
        raise ArchiveError(f"its member {name!r} would be written outside of the folder")
    return "/".join(part for part in parts if part not in ("", "."))
