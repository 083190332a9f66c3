"""Semantic dependency graphs, without torch: the value, its formats, scores and drawings."""

from .asking import Argument, Predication, Word
from .exports import to_pandas
from .formalisms import FORMALISMS, Formalism
from .formats import dumps, loads, read, write
from .graph import ROOT, Arc, Graph, GraphError, Token
from .patterns import Match, Pattern, PatternError, find
from .problems import FormatError, FormatWarning, Problem

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
