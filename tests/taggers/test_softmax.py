"""The tagger of a single layer, and what all taggers make of their scores."""

import torch

from sdp_pointer.graphs import Graph, Token
from sdp_pointer.taggers import SoftmaxTagger
from tests.taggers.test_bilstm import tagged, vocabulary


@torch.no_grad()
def test_the_features_are_the_probabilities_of_the_classes():
    tagger = SoftmaxTagger(vocabulary(), 6).eval()
    features, logits = tagged(tagger)
    assert features.shape == (2, 5, tagger.get_output_dim()) == (2, 5, 4)
    torch.testing.assert_close(features, logits.softmax(2))


def test_neither_padding_nor_the_unknown_tag_is_guessed():
    tagger = SoftmaxTagger(vocabulary(), 6)
    graph = Graph([Token("Cats"), Token("purr", pos="VBZ")])
    logits = torch.tensor([[[9.0, 8.0, 2.0, 1.0], [9.0, 8.0, 2.0, 1.0], [0.0, 0.0, 0.0, 0.0]]])
    [[filled]] = tagger.fill(logits, [[graph]])
    assert [token.pos for token in filled.tokens] == ["NN", "VBZ"]
