"""The configs that come with the package, and one that is written for given files; no torch."""

from pathlib import Path

from ..errors import UserError

# The folder training_config of the repository. Configs anywhere can import sdp.libsonnet from it.
FOLDER = Path(__file__).parent / "jsonnet"


def paths() -> dict[str, Path]:
    """The configs by name.

    >>> paths()["tiny"].name
    'tiny.jsonnet'
    """
    return {path.stem: path for path in sorted(FOLDER.glob("*.jsonnet"))}


def path_of(name: str) -> Path:
    """The config with a name; `sdp.libsonnet` is what all of them import."""
    found = paths() | {path.name: path for path in FOLDER.iterdir()}
    if name not in found:
        raise UserError(f"there is no config {name!r}; sdp-pointer configs lists them")
    return found[name]


def summary(path: Path) -> str:
    """What a config says of itself: the first sentence of the comment at its beginning.

    >>> summary(paths()["tiny"])[:20]
    'A parser small enoug'
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    comment = next(number for number, line in enumerate(lines) if not line.startswith("//"))
    text = " ".join(line.removeprefix("//").strip() for line in lines[:comment])
    return text.split(". ")[0].rstrip(".")
