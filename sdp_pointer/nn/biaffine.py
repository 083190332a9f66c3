"""Biaffine scores (Dozat and Manning 2017) between decoder states and words."""

import math

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
        self, states: torch.Tensor, keys: tuple[torch.Tensor, torch.Tensor]
    ) -> torch.Tensor:
        # Shape: (batch_size, states, positions)
        return torch.baddbmm(keys[1], self.f1(states), keys[0].transpose(1, 2))


class LabelScorer(nn.Module):
    """How well each label fits an arc: g1(s) W_l g2(h) + U_l g1(s) + V_l g2(h) + b_l."""

    def __init__(
        self, state_size: int, word_size: int, size: int, num_labels: int, dropout: float
    ) -> None:
        super().__init__()
        self.g1 = Mlp(state_size, size, dropout)
        self.g2 = Mlp(word_size, size, dropout)
        # The linear terms and the bias are the row and column of a constant 1 beside g1 and g2.
        self.bilinear = nn.Parameter(torch.empty(size + 1, num_labels, size + 1))
        bound = math.sqrt(6 / (2 * size))
        nn.init.uniform_(self.bilinear, -bound, bound)

    def forward(self, states: torch.Tensor, heads: torch.Tensor) -> torch.Tensor:
        """Scores of given pairs.

        # Shape: states (arcs, state_size) and heads (arcs, word_size) give (arcs, num_labels)
        """
        g1, g2 = _with_one(self.g1(states)), _with_one(self.g2(heads))
        # Shape: (arcs, num_labels, size + 1)
        projected = torch.matmul(g1, self.bilinear.flatten(1)).unflatten(1, self.bilinear.shape[1:])
        return torch.bmm(projected, g2.unsqueeze(2)).squeeze(2)


def _with_one(vectors: torch.Tensor) -> torch.Tensor:
    return torch.cat([vectors, vectors.new_ones(len(vectors), 1)], dim=1)
