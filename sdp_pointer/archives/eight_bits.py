"""Matrices in 8 bits.

Every row is stored as whole numbers from -127 to 127 and the scale that makes them the row's again;
a scale has 8 significant bits, so that nothing is lost by packing what was packed.
"""

from typing import Any

from .errors import ArchiveError

# The name of a matrix's scales is its own and this.
SCALE = ".scale"


def rounded(tensor: Any) -> tuple[Any, Any]:
    """A tensor in 8 bits, and the scale of each of its rows.

    >>> import torch
    >>> rounded(torch.tensor([[1.0, -2.0, 0.3], [0.0, 0.0, 0.0]]))[0]
    tensor([[  64, -127,   19],
            [   0,    0,    0]], dtype=torch.int8)
    """
    import torch

    scale = (tensor.abs().amax(-1, keepdim=True) / 127).clamp(min=1e-30).bfloat16()
    return (tensor / scale.float()).round().clamp(-127, 127).to(torch.int8), scale


def unpacked(state: dict[str, Any]) -> dict[str, Any]:
    """Weights as they were before `pack`, or nearly; others as they are.

    What was packed is a matrix in 8 bits beside its scale.

    >>> import torch
    >>> numbers, scale = rounded(torch.tensor([[1.0, -2.0, 0.3]]))
    >>> unpacked({"matrix": numbers, "matrix.scale": scale})
    {'matrix': tensor([[ 1.0078, -1.9999,  0.2992]])}
    """
    import torch

    packed = {
        name
        for name, tensor in state.items()
        if tensor.dtype == torch.int8 and name + SCALE in state
    }
    for name in packed:
        if state[name + SCALE].shape != (*state[name].shape[:-1], 1):
            raise ArchiveError(f"its weights {name!r} have not one scale for each row")
    scales = {name + SCALE for name in packed}
    return {
        name: tensor * state[name + SCALE].float() if name in packed else tensor
        for name, tensor in state.items()
        if name not in scales
    }
