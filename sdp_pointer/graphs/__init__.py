"""Semantic dependency graphs, without torch: the value, its formats, scores and drawings."""

from typing import TYPE_CHECKING, Any

from .asking import Argument, Predication, Word
from .formalisms import FORMALISMS, Formalism
from .formats import dumps, loads, read, write
from .graph import ROOT, Arc, Graph, GraphError, Token
from .problems import FormatError, FormatWarning, Problem

if TYPE_CHECKING:
    from .exports import to_pandas
    from .patterns import Match, Pattern, PatternError, find

__all__ = [
    "FORMALISMS",
    "ROOT",
    "Arc",
    "Argument",
    "Formalism",
    "FormatError",
    "FormatWarning",
    "Graph",
    "GraphError",
    "Match",
    "Pattern",
    "PatternError",
    "Predication",
    "Problem",
    "Token",
    "Word",
    "dumps",
    "find",
    "loads",
    "read",
    "to_pandas",
    "write",
]


def __getattr__(name: str) -> Any:
    # What most programs do without is imported when it is asked for.
    if name == "to_pandas":
        from .exports import to_pandas

        return to_pandas
    if name in ("Match", "Pattern", "PatternError", "find"):
        from . import patterns

        return getattr(patterns, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
