"""Transition-based semantic dependency parsing with pointer networks."""

import sys
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from .parser import Parser

__version__ = "0.2.0"

if sys.version_info < (3, 11):  # noqa: UP036  (a checkout may be run by any Python)
    raise ImportError(
        "sdp_pointer needs Python 3.11 or later, and this is Python "
        + sys.version.split()[0]
        + ": make a virtual environment with a newer one"
    )


def load(model: Optional[str] = None, **options: Any) -> "Parser":
    """A trained parser, by default of English DM; see `sdp_pointer.parser.load`."""
    from .parser import load

    return load(model, **options)
