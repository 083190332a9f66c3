"""AllenNLP 2.10.1, its last release, on today's Python, torch and transformers.

`mechanism` applies a patch while the module of AllenNLP that needs it is imported; `patches` holds
every patch. Other libraries find torch and transformers untouched. See docs/allennlp.md.
"""

# Imported for its finder, too: not every Python has run the start-up file.
from _sdp_pointer_startup import NOT_INSTALLED

from . import patches  # noqa: F401
from .mechanism import execute, is_installed

__all__ = ["NOT_INSTALLED", "execute", "is_installed"]
