"""Biaffine scores (Dozat and Manning 2017) between decoder states and words."""

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
