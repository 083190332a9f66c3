"""The tagger: what it puts beside the words."""

import torch
from allennlp.data import Vocabulary
from torch.nn.functional import layer_norm

from sdp_pointer.namespaces import TAGS
from sdp_pointer.taggers import BiLstmTagger


def vocabulary():
    """Of four tags, two of which are padding and the unknown tag."""
    vocab = Vocabulary()
    for tag in ("NN", "VB"):
        vocab.add_token_to_namespace(tag, TAGS)
    return vocab


def tagged(tagger, lengths=(3, 5)):
    mask = torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)
    return tagger(torch.randn(len(lengths), max(lengths), 6), mask)


@torch.no_grad()
def test_the_features_are_states_and_the_expected_tags_vector():
    torch.manual_seed(0)
    tagger = BiLstmTagger(vocabulary(), 6, hidden_size=5, num_layers=2, tag_size=7).eval()
    features, logits = tagged(tagger)
    assert features.shape == (2, 5, tagger.get_output_dim()) == (2, 5, 17)
    assert logits.shape == (2, 5, 4)
    probabilities = logits.softmax(2)
    vectors = tagger.tags.weight.t()
    expected = sum(probabilities[:, :, tag, None] * vectors[tag] for tag in range(4))
    states, of_tags = features.split([10, 7], dim=2)
    torch.testing.assert_close(of_tags, layer_norm(expected, (7,)))
    torch.testing.assert_close(states[0, 0].mean(), torch.tensor(0.0), atol=1e-5, rtol=0)
    # States are near 0, and the epsilon of the norm counts.
    torch.testing.assert_close(states[0, 0].var(correction=0), torch.tensor(1.0), atol=0.1, rtol=0)
    assert len(tagger.encoder.leftward) == 2


def test_the_parsers_loss_reaches_the_tagger():
    tagger = BiLstmTagger(vocabulary(), 6, hidden_size=5)
    features = tagged(tagger).features
    features[:, :, 10:].square().sum().backward()
    assert tagger.scores.weight.grad.abs().sum() > 0
    assert tagger.encoder.dropout.p == 0.33
