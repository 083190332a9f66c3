"""What is counted in files before a config is written for them."""

import pytest

from sdp_pointer.configs.survey import survey
from sdp_pointer.errors import UserError
from sdp_pointer.graphs import Graph, Token

WORDS = [Token("Cats", "cat", "NNS"), Token("purr", "purr", "VBP")]
GRAPH = Graph(WORDS, [(2, 1, "ARG1")], tops=[2], formalism="dm")


def test_columns_that_most_sentences_have_are_there():
    bare = GRAPH.replace(tokens=[Token("Cats"), Token("purr")])
    found = survey([GRAPH, GRAPH, bare], "train.sdp")
    assert (found.sentences, found.words, found.arcs, found.labels) == (3, 6, 3, 1)
    assert (found.tags, found.lemmas) == (True, True)
    assert not survey([GRAPH, bare], "train.sdp").tags


def test_the_formalism_is_that_of_all_graphs():
    assert survey([GRAPH, GRAPH], "train.sdp").formalism == "dm"
    assert survey([GRAPH, GRAPH.replace(formalism="psd")], "train.sdp").formalism is None


def test_cycles_are_told():
    cyclic = GRAPH.replace(arcs=[(1, 2, "ARG1"), (2, 1, "ARG1")])
    assert "1 graphs have a cycle" in str(survey([GRAPH, cyclic], "train.sdp"))
    assert "cycle" not in str(survey([GRAPH], "train.sdp"))


def test_a_file_without_arcs_teaches_nothing():
    with pytest.raises(UserError, match=r"dev\.sdp has no arcs"):
        survey([GRAPH.replace(arcs=[])], "dev.sdp")
