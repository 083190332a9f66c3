"""Two small graphs that every format can hold, and a way to try them all."""

import pytest

from sdp_pointer.graphs import Graph, Token
from sdp_pointer.graphs.formats import FORMATS

CATS = Graph(
    [Token("Cats", "cat", "NNS"), Token("like", "like", "VBP"), Token("fish", "fish", "NN")],
    arcs=[(2, 1, "ARG1"), (2, 3, "ARG2")],
    tops=[2],
    id="1",
)
GO = Graph([Token("Go", "go", "VB"), Token("!")], tops=[1], id="2")

every_format = pytest.mark.parametrize("format", FORMATS)


def back(format, *graphs):
    """The examples as they come back from a format: in an MRP file, every graph has a formalism."""
    return [graph.replace(formalism="dm") if format == "mrp" else graph for graph in graphs]
