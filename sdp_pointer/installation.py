"""Whether AllenNLP is there, which a command of its own installs: see docs/allennlp.md."""

import sys

from .errors import UserError

ALLENNLP = "2.10.1"  # its last release


class MissingAllenNLPError(UserError, ImportError):
    """AllenNLP is not installed, or another release of it; the message has the command to run."""


def require_allennlp() -> None:
    """Raise an error with the remedy unless the release of AllenNLP that we patch is there."""
    from importlib.metadata import PackageNotFoundError, version
    from importlib.util import find_spec

    if find_spec("allennlp") is None:
        problem = "AllenNLP is not installed"
    else:
        try:
            found = version("allennlp")
        except PackageNotFoundError:  # a folder on PYTHONPATH
            return
        if found == ALLENNLP:
            return
        problem = f"AllenNLP {found} is installed, not {ALLENNLP}"
    # An environment that uv made has no pip.
    python = sys.executable
    pip = f"{python} -m pip install" if find_spec("pip") else f"uv pip install --python {python}"
    raise MissingAllenNLPError(
        f"{problem}; to complete the installation, run: {pip} --no-deps allennlp=={ALLENNLP}"
    )
