"""Biaffine scores (Dozat and Manning 2017) between decoder states and words."""

import math
from typing import Optional

import torch
from torch import nn


class Mlp(nn.Sequential):
    """The paper's single-layer perceptron: linear, ELU, dropout."""

    def __init__(self, input_size: int, output_size: int, dropout: float) -> None:
        linear = nn.Linear(input_size, output_size)
        nn.init.xavier_uniform_(linear.weight)
        nn.init.zeros_(linear.bias)
        super().__init__(linear, nn.ELU(), nn.Dropout(dropout))


class PointerScorer(nn.Module):
    """How well each position fits a decoder state: f1(s) W f2(h) + V f2(h).

    The paper's terms U f1(s) and b are the same for all positions, so a softmax over positions does
    not see them; they are left out.
    """

    def __init__(self, state_size: int, word_size: int, size: int, dropout: float) -> None:
        super().__init__()
        self.f1 = Mlp(state_size, size, dropout)
        self.f2 = Mlp(word_size, size, dropout)
        self.bilinear = nn.Linear(size, size, bias=False)
        self.linear = nn.Linear(size, 1, bias=False)
        nn.init.xavier_uniform_(self.bilinear.weight)

    def keys(self, words: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The words' part of the scores, for any number of states.

        # Shape: (batch_size, positions, size), (batch_size, 1, positions)
        """
        f2 = self.f2(words)
        return self.bilinear(f2), self.linear(f2).transpose(1, 2)

    def forward(
        self,
        states: torch.Tensor,
        keys: tuple[torch.Tensor, torch.Tensor],
        direct: Optional[torch.Tensor] = None,
    ) -> torch.Tensor:
        """
        # Shape: states (batch_size, states, state_size); direct, what is added before f1's ELU,
        # (batch_size, states, size); returns (batch_size, states, positions)
        """
        linear, elu, dropout = self.f1
        projected = linear(states)
        f1 = dropout(elu(projected if direct is None else projected + direct))
        return torch.baddbmm(keys[1], f1, keys[0].transpose(1, 2))


class LabelScorer(nn.Module):
    """How well each label fits an arc: g1(s) W_l g2(h) + U_l g1(s) + V_l g2(h) + b_l.

    With a skip connection g1 also sees the encoder state of the dependent, the focus word.
    """

    def __init__(
        self,
        state_size: int,
        word_size: int,
        size: int,
        num_labels: int,
        dropout: float,
        skip_connection: bool = False,
    ) -> None:
        super().__init__()
        self.skip_connection = skip_connection
        self.g1 = Mlp(state_size + word_size * skip_connection, size, dropout)
        self.g2 = Mlp(word_size, size, dropout)
        # The linear terms and the bias are the row and column of a constant 1 beside g1 and g2.
        self.bilinear = nn.Parameter(torch.empty(size + 1, num_labels, size + 1))
        bound = math.sqrt(6 / (2 * size))
        nn.init.uniform_(self.bilinear, -bound, bound)

    def forward(
        self, states: torch.Tensor, dependents: torch.Tensor, heads: torch.Tensor
    ) -> torch.Tensor:
        """Scores of given arcs.

        # Shape: states (arcs, state_size), dependents and heads (arcs, word_size);
        # returns (arcs, num_labels)
        """
        g1, g2 = self._g1(states, dependents), _with_one(self.g2(heads))
        # Shape: (arcs, num_labels, size + 1)
        projected = torch.matmul(g1, self.bilinear.flatten(1)).unflatten(1, self.bilinear.shape[1:])
        return torch.bmm(projected, g2.unsqueeze(2)).squeeze(2)

    def keys(self, words: torch.Tensor) -> torch.Tensor:
        """The heads' part of the scores, for any number of states.

        # Shape: (batch_size, positions, num_labels, size + 1)
        """
        return torch.einsum("bpj,ilj->bpli", _with_one(self.g2(words)), self.bilinear)

    def best_log_probs(
        self, states: torch.Tensor, dependents: torch.Tensor, keys: torch.Tensor
    ) -> torch.Tensor:
        """Log-probabilities of the best label of an arc from every position.

        # Shape: states (batch_size, beam_size, state_size), dependents (batch_size, beam_size,
        # word_size); returns (batch_size, beam_size, positions)
        """
        g1 = self._g1(states, dependents)
        scores = torch.matmul(g1, keys.flatten(1, 2).transpose(1, 2)).unflatten(2, keys.shape[1:3])
        return scores.log_softmax(3).amax(3)

    def _g1(self, states: torch.Tensor, dependents: torch.Tensor) -> torch.Tensor:
        both = torch.cat([states, dependents], dim=-1) if self.skip_connection else states
        return _with_one(self.g1(both))


def _with_one(vectors: torch.Tensor) -> torch.Tensor:
    return torch.cat([vectors, vectors.new_ones(*vectors.shape[:-1], 1)], dim=-1)
