"""What the pointer network learns from."""

import torch

from sdp_pointer.decoders.pointer.targets import targets
from sdp_pointer.graphs import Graph, Token
from sdp_pointer.transitions import oracle

WORDS = [Token("Cats"), Token("like"), Token("fish")]
GRAPH = Graph(WORDS, [(2, 1, "ARG1"), (2, 3, "ARG2")], tops=[2])


def test_the_steps_are_the_oracles_with_features_and_labels():
    longer = Graph([*WORDS, Token("!"), Token("!")], [(1, 5, "ARG2")])
    found = targets([GRAPH, longer], {"ARG2": 0}, torch.device("cpu"))
    assert found.pointer.tolist() == [[*oracle(GRAPH)], [*oracle(longer)]]
    assert found.focus.tolist() == [[1, 1, 2, 2, 3, 3], [1, 2, 3, 4, 5, 5]]
    # No label for Shift, for the arc from ROOT, and for ARG1, which nobody has seen.
    assert found.label.tolist() == [[-1, -1, -1, -1, 0, -1], [-1, -1, -1, -1, 0, -1]]
    assert found.features[0, :, 0].tolist() == [0, 2, 0, 0, 0, 2]


def test_shorter_sequences_are_padded():
    found = targets([GRAPH, Graph(WORDS[:1])], {}, torch.device("cpu"))
    assert found.mask.tolist() == [[True] * 6, [True] + [False] * 5]
    assert found.pointer[1].tolist() == found.focus[1].tolist() == [1, 0, 0, 0, 0, 0]
    assert found.label[1].tolist() == [-1] * 6
    assert found.features.shape == (2, 6, 3)
