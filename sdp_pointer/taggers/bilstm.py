"""The tagger `bilstm`, for a parser that knows only words: it makes its own tags."""

from typing import Optional

import torch
from allennlp.data import Vocabulary
from overrides import overrides
from torch import nn
from torch.nn.functional import layer_norm

from ..nn.encoder import VariationalBiLstm
from .tagger import Tagged, Tagger


@Tagger.register("bilstm")
class BiLstmTagger(Tagger):
    """Bidirectional LSTMs of its own; the features are their states and the expected tag's vector.

    The expected vector is the mean of the tags' vectors by their probabilities. It means "surely a
    noun" or "noun or verb", and lets the parser's loss reach the tagger.

    # Parameters

    vocab, column, namespace, loss_weight :
        See `Tagger`.
    input_size : `int`
        Given by the model: that of the words' vectors.
    hidden_size : `int`, optional (default = `128`)
        In each direction.
    num_layers : `int`, optional (default = `1`)
    tag_size : `int`, optional (default = `100`)
        Of a tag's vector.
    dropout : `float`, optional (default = `0.33`)
    """

    def __init__(
        self,
        vocab: Vocabulary,
        input_size: int,
        hidden_size: int = 128,
        num_layers: int = 1,
        tag_size: int = 100,
        dropout: float = 0.33,
        column: str = "pos",
        namespace: Optional[str] = None,
        loss_weight: float = 1.0,
    ) -> None:
        super().__init__(vocab, column, namespace, loss_weight)
        self.encoder = VariationalBiLstm(input_size, hidden_size, num_layers, dropout)
        self.scores = nn.Linear(2 * hidden_size, self.num_classes)
        self.tags = nn.Linear(self.num_classes, tag_size, bias=False)

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
