"""Whether AllenNLP is there, which a command of its own installs: see docs/allennlp.md."""

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from _sdp_pointer_startup import ALLENNLP, how_to_install

from .errors import UserError


class MissingAllenNLPError(UserError, ImportError):
    """AllenNLP is not installed, or another release of it; the message has the command to run."""


def require_allennlp() -> None:
    """Raise an error with the remedy unless the release of AllenNLP that we patch is there."""
    if find_spec("allennlp") is None:
        raise MissingAllenNLPError(f"AllenNLP is not installed; {how_to_install()}")
    try:
        found = version("allennlp")
    except PackageNotFoundError:  # a folder on PYTHONPATH
        return
    if found != ALLENNLP:
        raise MissingAllenNLPError(
            f"AllenNLP {found} is installed, not {ALLENNLP}; {how_to_install()}"
        )
