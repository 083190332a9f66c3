"""What the tests of the commands share: two files of graphs in a folder."""

import pytest

from sdp_pointer.graphs import Graph, Token, write

WORDS = [Token("Cats", "cat", "NNS"), Token("like", "like", "VBP"), Token("fish", "fish", "NN")]


GOLD = [
    Graph(WORDS, [(2, 1, "ARG1"), (2, 3, "ARG2")], tops=[2], id="20000001"),
    Graph(WORDS[1:], [(1, 2, "ARG2")], tops=[1], id="20000002"),
]


SYSTEM = [GOLD[0].replace(arcs=[(2, 1, "ARG1"), (2, 3, "ARG3")]), GOLD[1]]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(GOLD, "gold.sdp")
    write(SYSTEM, "system.sdp")
    return tmp_path
