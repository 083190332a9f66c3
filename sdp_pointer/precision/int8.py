"""Products of matrices in 8 bits."""

from typing import Any, Optional

import torch
from torch import nn

from .choice import has_vnni


class Int8Linear(nn.Module):
    """A linear layer whose weights have 8 bits, as has what it multiplies with them.

    Each row of the weights has a scale, as in packed models, which therefore lose nothing; so has
    each input, since a scale for all of them would be that of the largest.

    # Parameters

    linear : `nn.Linear`
        Which it takes the place of when parsing; it cannot be trained.
    """

    weight: torch.Tensor
    scale: torch.Tensor
    bias: Optional[torch.Tensor]

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        weight, scale = _in_8_bits(linear.weight.detach().float(), 127)
        # Without instructions for sums of four products, oneDNN adds two of them in 16 bits.
        self.largest = 127 if has_vnni() else 63
        # Shape: (input_size, output_size), (output_size,)
        self.register_buffer("weight", weight.t())
        self.register_buffer("scale", scale.squeeze(1))
        self.register_buffer("bias", None if linear.bias is None else linear.bias.detach())

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        rows, scale = _in_8_bits(inputs.flatten(0, -2), self.largest)
        products = torch._int_mm(rows, self.weight) * scale * self.scale
        total = products if self.bias is None else products + self.bias
        return total.to(inputs.dtype).unflatten(0, inputs.shape[:-1])


def _in_8_bits(rows: torch.Tensor, largest: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Whole numbers up to `largest`, and what each row of them is to be multiplied with.

    >>> _in_8_bits(torch.tensor([[0.5, -1.0], [0.0, 0.0]]), 127)[0]
    tensor([[  64, -127],
            [   0,    0]], dtype=torch.int8)
    """
    # In 32 bits, since no quotient may be larger than that by rounding.
    scale = rows.abs().amax(1, keepdim=True).float().clamp(min=1e-30) / largest
    return (rows / scale).round_().to(torch.int8), scale


def in_8_bits(model: Any) -> None:
    """Put an `Int8Linear` in the place of every linear layer of a model."""
    for name, part in list(model.named_children()):
        if type(part) is nn.Linear:
            setattr(model, name, Int8Linear(part))
        else:
            in_8_bits(part)
