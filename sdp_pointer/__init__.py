"""Transition-based semantic dependency parsing with pointer networks."""

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .parser import load

__version__ = "0.2.0"
__all__ = ["load"]

if sys.version_info < (3, 11):  # noqa: UP036  (a checkout may be run by any Python)
    raise ImportError(
        "sdp_pointer needs Python 3.11 or later, and this is Python "
        + sys.version.split()[0]
        + ": make a virtual environment with a newer one"
    )


def __getattr__(name: str) -> Any:
    # A program that does not parse need not import what parses.
    if name == "load":
        from .parser import load

        return load
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
