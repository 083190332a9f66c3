"""AllenNLP 2.10.1, its last release, on today's Python, torch and transformers.

`mechanism` applies a patch while the module of AllenNLP that needs it is imported; `patches` holds
every patch. Other libraries find torch and transformers untouched. See docs/allennlp.md.
"""

# Imported for its finder: not every Python has run the start-up file.
import _sdp_pointer_startup  # noqa: F401

from . import patches  # noqa: F401
from .mechanism import execute, is_installed

__all__ = ["execute", "is_installed"]
