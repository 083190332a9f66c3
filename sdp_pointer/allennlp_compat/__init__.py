"""AllenNLP 2.10.1, its last release, on today's Python, torch and transformers.

`mechanism` applies a patch while the module of AllenNLP that needs it is imported; `patches` holds
every patch. Other libraries find torch and transformers untouched. See docs/allennlp.md.
"""

from . import patches  # noqa: F401
from .mechanism import find_spec

__all__ = ["find_spec"]
