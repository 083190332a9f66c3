"""Semantic dependency graphs, without torch: the value, its formats, scores and drawings."""

from .formats import dumps, loads, read, write
from .graph import ROOT, Arc, Graph, GraphError, Token
from .problems import FormatError, FormatWarning, Problem

__all__ = [
    "ROOT",
    "Arc",
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
