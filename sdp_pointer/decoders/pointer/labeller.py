"""How the arcs that the pointer network attaches get their labels."""

import math

import torch
from allennlp.common import Registrable
from overrides import overrides
from torch import nn

from ...nn.biaffine import Mlp
from .network import log_softmax


class Labeller(nn.Module, Registrable):
    """Scores the labels of given arcs.

    A labeller is built with `state_size` (of the decoder), `word_size` (of the encoder),
    `num_labels`, `dropout` and `skip_connection`, and with whatever the config adds.
    """

    default_implementation = "biaffine"

    def forward(
        self, states: torch.Tensor, dependents: torch.Tensor, heads: torch.Tensor
    ) -> torch.Tensor:
        """
        # Shape: states (arcs, state_size), dependents and heads (arcs, word_size);
        # returns (arcs, num_labels)
        """
        raise NotImplementedError

    def keys(self, words: torch.Tensor) -> torch.Tensor:
        """The part of every word as a head in `best_log_probs`, computed once for all steps.

        # Shape: words (batch_size, positions, word_size); returns (batch_size, positions, ...)
        """
        return words

    def best_log_probs(
        self, states: torch.Tensor, dependents: torch.Tensor, keys: torch.Tensor
    ) -> torch.Tensor:
        """Log-probabilities of the best label of an arc from every position, for `label_weight`.

        Here one position after another is scored; a subclass is faster if it scores all at once.

        # Shape: states (batch_size, beam_size, state_size), dependents (batch_size, beam_size,
        # word_size); returns (batch_size, beam_size, positions)
        """
        arcs = (states.flatten(0, 1), dependents.flatten(0, 1))
        heads = keys.repeat_interleave(states.shape[1], dim=0).unbind(1)
        scores = torch.stack([log_softmax(self(*arcs, head)).amax(1) for head in heads], 1)
        return scores.unflatten(0, states.shape[:2])


@Labeller.register("biaffine")
class BiaffineLabeller(Labeller):
    """How well each label fits an arc: g1(s) W_l g2(h) + U_l g1(s) + V_l g2(h) + b_l.

    With a skip connection g1 also sees the encoder state of the dependent, the focus word.

    # Parameters

    state_size, word_size, num_labels, skip_connection :
        Given by the decoder.
    size : `int`, optional (default = `128`)
        Of the perceptrons g1 and g2.
    dropout : `float`, optional (default = that of the decoder)
    """

    def __init__(
        self,
        state_size: int,
        word_size: int,
        num_labels: int,
        dropout: float = 0.33,
        skip_connection: bool = False,
        size: int = 128,
    ) -> None:
        super().__init__()
        self.skip_connection = skip_connection
        self.g1 = Mlp(state_size + word_size * skip_connection, size, dropout)
        self.g2 = Mlp(word_size, size, dropout)
        # The linear terms and the bias are the row and column of a constant 1 beside g1 and g2.
        self.bilinear = nn.Parameter(torch.empty(size + 1, num_labels, size + 1))
        bound = math.sqrt(6 / (2 * size))
        nn.init.uniform_(self.bilinear, -bound, bound)

    @overrides
    def forward(
        self, states: torch.Tensor, dependents: torch.Tensor, heads: torch.Tensor
    ) -> torch.Tensor:
        g1, g2 = self._g1(states, dependents), _with_bias_column(self.g2(heads))
        # Shape: (arcs, num_labels, size + 1)
        projected = torch.matmul(g1, self.bilinear.flatten(1)).unflatten(1, self.bilinear.shape[1:])
        return torch.bmm(projected, g2.unsqueeze(2)).squeeze(2)

    @overrides
    def keys(self, words: torch.Tensor) -> torch.Tensor:
        # Shape: (batch_size, positions, num_labels, size + 1)
        return torch.einsum("bpj,ilj->bpli", _with_bias_column(self.g2(words)), self.bilinear)

    @overrides
    def best_log_probs(
        self, states: torch.Tensor, dependents: torch.Tensor, keys: torch.Tensor
    ) -> torch.Tensor:
        g1 = self._g1(states, dependents)
        scores = torch.matmul(g1, keys.flatten(1, 2).transpose(1, 2)).unflatten(2, keys.shape[1:3])
        return log_softmax(scores).amax(3)

    def _g1(self, states: torch.Tensor, dependents: torch.Tensor) -> torch.Tensor:
        both = torch.cat([states, dependents], dim=-1) if self.skip_connection else states
        return _with_bias_column(self.g1(both))


def _with_bias_column(vectors: torch.Tensor) -> torch.Tensor:
    return torch.cat([vectors, vectors.new_ones(*vectors.shape[:-1], 1)], dim=-1)
