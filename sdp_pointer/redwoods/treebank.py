"""Where a treebank is: profiles, and the grammar's tables beside them."""

import subprocess
from pathlib import Path
from typing import NamedTuple, Optional

from ..errors import UserError
from .profiles import is_profile
from .rules import CONFIG, INTERFACE

GOLD = Path("tsdb", "gold")


class Treebank(NamedTuple):
    """The folder of the profiles, that of the grammar's tables, and the commit, if it is known."""

    profiles: Path
    etc: Path
    commit: Optional[str]

    def available(self) -> list[str]:
        """Names of the profiles."""
        return sorted(folder.name for folder in self.profiles.iterdir() if is_profile(folder))


def find_treebank(path: Path) -> Treebank:
    """A treebank in a checkout of the ERG, in its `tsdb/gold`, or in a folder with `etc`."""
    if not path.is_dir():
        raise UserError(f"{path} is no folder; expected a checkout of github.com/delph-in/erg")
    path = path.resolve()
    profiles = path / GOLD if (path / GOLD).is_dir() else path
    root = profiles.parent.parent
    places = [profiles / "etc"] + [root / "etc"] * (profiles == root / GOLD)
    etc = next((p for p in places if all((p / f).is_file() for f in (CONFIG, INTERFACE))), None)
    if etc is None:
        raise UserError(
            f"there is no etc/{CONFIG} with etc/{INTERFACE} for {path}; expected a checkout of"
            " github.com/delph-in/erg, its tsdb/gold, or a folder of profiles with the ERG's etc"
        )
    return Treebank(profiles, etc, _commit(etc.parent))


def _commit(root: Path) -> Optional[str]:
    """The commit of a checkout, if the folder is one and not merely inside of one."""
    if not (root / ".git").exists():
        return None
    try:
        command = ["git", "-C", str(root), "rev-parse", "HEAD"]
        result = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return result.stdout.strip()
