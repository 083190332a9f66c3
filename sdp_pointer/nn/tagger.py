"""A parser that knows only words makes its own tags."""

from typing import NamedTuple

import torch
from allennlp.common import Registrable
from overrides import overrides
from torch import nn
from torch.nn.functional import layer_norm

from .encoder import VariationalBiLstm


class Tagged(NamedTuple):
    """What a tagger says about the words of a batch.

    `features` : what is put beside the words' vectors, (batch_size, words, output_dim)
    `logits` : scores of the tags, (batch_size, words, num_tags)
    """

    features: torch.Tensor
    logits: torch.Tensor


class Tagger(nn.Module, Registrable):
    """Guesses the tag of each word from its vectors, for whatever reads the sentence next.

    A tagger is built with `input_size` and `num_tags`.
    """

    default_implementation = "bilstm"

    def get_output_dim(self) -> int:
        raise NotImplementedError

    def forward(self, words: torch.Tensor, mask: torch.Tensor) -> Tagged:
        raise NotImplementedError


@Tagger.register("bilstm")
class BiLstmTagger(Tagger):
    """Bidirectional LSTMs of its own; the features are their states and the expected tag's vector.

    The expected vector is the mean of the tags' vectors by their probabilities. It says "surely a
    noun" or "noun or verb", and lets the parser's loss reach the tagger.

    # Parameters

    input_size, num_tags : `int`
        Given by the model.
    hidden_size : `int`, optional (default = `128`)
        In each direction.
    num_layers : `int`, optional (default = `1`)
    tag_size : `int`, optional (default = `100`)
        Of a tag's vector.
    dropout : `float`, optional (default = `0.33`)
    """

    def __init__(
        self,
        input_size: int,
        num_tags: int,
        hidden_size: int = 128,
        num_layers: int = 1,
        tag_size: int = 100,
        dropout: float = 0.33,
    ) -> None:
        super().__init__()
        self.encoder = VariationalBiLstm(input_size, hidden_size, num_layers, dropout)
        self.scores = nn.Linear(2 * hidden_size, num_tags)
        self.tags = nn.Linear(num_tags, tag_size, bias=False)

    @overrides
    def get_output_dim(self) -> int:
        return self.encoder.get_output_dim() + self.tags.out_features

    @overrides
    def forward(self, words: torch.Tensor, mask: torch.Tensor) -> Tagged:
        states = self.encoder(words, mask)
        logits = self.scores(states)
        expected = self.tags(logits.softmax(2))
        # Both at the scale of normalized word vectors.
        kinds = [layer_norm(kind, kind.shape[2:]) for kind in (states, expected)]
        return Tagged(torch.cat(kinds, dim=2), logits)
