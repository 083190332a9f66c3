"""Semantic dependency graphs, without torch: the value, its formats, scores and drawings."""

from .formalisms import FORMALISMS, Formalism
from .formats import dumps, loads, read, write
from .graph import ROOT, Arc, Graph, GraphError, Token
from .problems import FormatError, FormatWarning, Problem

__all__ = [
    "FORMALISMS",
    "ROOT",
    "Arc",
    "Formalism",
    "FormatError",
    "FormatWarning",
    "Graph",
    "GraphError",
    "Problem",
    "Token",
    "dumps",
    "loads",
    "read",
    "write",
]
