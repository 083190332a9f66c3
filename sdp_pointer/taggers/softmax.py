"""The tagger `softmax`: a single layer."""

from typing import Optional

import torch
from allennlp.data import Vocabulary
from overrides import overrides
from torch import nn

from .tagger import Tagged, Tagger


@Tagger.register("softmax")
class SoftmaxTagger(Tagger):
    """Scores the classes of a word by its vector alone; the features are their probabilities.

    # Parameters

    vocab, column, namespace, loss_weight :
        See `Tagger`.
    input_size : `int`
        Given by the model: that of the words' vectors.
    dropout : `float`, optional (default = `0.33`)
    """

    def __init__(
        self,
        vocab: Vocabulary,
        input_size: int,
        dropout: float = 0.33,
        column: str = "pos",
        namespace: Optional[str] = None,
        loss_weight: float = 1.0,
    ) -> None:
        super().__init__(vocab, column, namespace, loss_weight)
        self.scores = nn.Linear(input_size, self.num_classes)
        self.dropout = nn.Dropout(dropout)

    @overrides
    def get_output_dim(self) -> int:
        return self.num_classes

    @overrides
    def forward(self, words: torch.Tensor, mask: torch.Tensor) -> Tagged:
        logits = self.scores(self.dropout(words))
        return Tagged(logits.softmax(2), logits)
