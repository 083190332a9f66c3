"""An edition: a folder of graphs from a treebank, with a manifest that says how it was made."""

import hashlib
import json
import os
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ..errors import UserError
from ..graphs import write
from ..graphs.formats.targets import new_folder
from .assembly import Part, assemble
from .conversion import Converted, convert_profiles
from .rules import CONFIG, read_rules
from .splits import KEPT_APART, SPLITS, WITHHELD, Split, needs_licence, resolve
from .treebank import Treebank

# Of the open split: counted up whenever its graphs change.
EDITION = 3
MANIFEST = "manifest.json"

Manifest = dict[str, Any]


def make_edition(
    treebank: Treebank, folder: str, split: Split, hold_out: bool = False, progress: bool = False
) -> Manifest:
    """Write the files of a split to a new folder, with a manifest, which is returned as well.

    # Parameters

    treebank : `Treebank`
    folder : `str`
        To be made.
    split : `Split`
        A file that lacks a profile is left out, and is in the manifest under `missing`.
    hold_out : `bool`, optional (default = `False`)
        See `assemble`.
    progress : `bool`, optional (default = `False`)
        Show a progress bar.
    """
    if os.path.exists(folder):
        raise UserError(f"{folder} exists already: remove it, or name another folder")
    there, missing = resolve(split, treebank.available())
    if not there.files:
        wanted = ", ".join(name for names in missing.values() for name in names)
        raise UserError(f"there is no profile {wanted} in {treebank.profiles}")
    profiles = {name: file.name for file in there.files for name in file.profiles}
    with new_folder(folder) as part:
        converted = convert_profiles(
            [treebank.profiles / name for name in profiles],
            read_rules(treebank.etc),
            progress,
        )
        graphs = {name: each.graphs for name, each in converted.items()}
        parts = assemble(there, graphs, hold_out)
        for name, made in parts.items():
            write(made.graphs, os.path.join(part, f"{name}.sdp"))
        manifest = {
            **({"edition": EDITION} if split == SPLITS["open"] else {}),
            "made by": {name: version(name) for name in ("sdp-pointer", "pydelphin", "simplemma")},
            "treebank": _treebank(treebank),
            "files": {
                f"{name}.sdp": _file(Path(part, f"{name}.sdp"), parts[name]) for name in parts
            },
            "profiles": {
                name: {"file": f"{file}.sdp", **_profile(converted[name])}
                for name, file in profiles.items()
            },
            "missing": missing,
            "licensed": needs_licence(there),
            "not used": _not_used(treebank, profiles),
        }
        text = json.dumps(manifest, indent=2, ensure_ascii=False)
        Path(part, MANIFEST).write_text(text + "\n", encoding="utf-8")
    return manifest


def _treebank(treebank: Treebank) -> Manifest:
    tables = sorted(p for p in treebank.etc.iterdir() if p.name == CONFIG or p.suffix == ".smi")
    return {"commit": treebank.commit, "sha256": {path.name: _sha256(path) for path in tables}}


def _file(path: Path, made: Part) -> Manifest:
    return {
        "sentences": len(made.graphs),
        "words": sum(map(len, made.graphs)),
        "arcs": sum(len(graph.arcs) for graph in made.graphs),
        "dropped": dict(made.dropped),
        "sha256": _sha256(path),
    }


def _profile(converted: Converted) -> Manifest:
    graphs, dropped = len(converted.graphs), converted.dropped
    gold = graphs + sum(map(len, dropped.values()))
    return {"items": converted.items, "gold": gold, "graphs": graphs, "dropped": dropped}


def _not_used(treebank: Treebank, profiles: Mapping[str, str]) -> dict[str, str]:
    reasons = {**dict.fromkeys(KEPT_APART, "kept apart: parsers are tested on it"), **WITHHELD}
    rest = [name for name in treebank.available() if name not in profiles]
    return {name: reasons.get(name, "not in this split") for name in rest}


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
