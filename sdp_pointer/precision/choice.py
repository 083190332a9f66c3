"""Which precision a CPU is made for."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import UserError

if TYPE_CHECKING:
    import torch

PRECISIONS = ("auto", "float32", "bfloat16", "int8")

# What ONEDNN_MAX_CPU_ISA may forbid: sums of four products in 8 bits, and then bfloat16.
WITHOUT_VNNI = ("SSE41", "AVX", "AVX2", "AVX512_CORE")
WITHOUT_BFLOAT16 = (*WITHOUT_VNNI, "AVX2_VNNI", "AVX2_VNNI_2", "AVX512_CORE_VNNI")


def chosen(precision: str, device: str = "cpu") -> str:
    """The precision itself, or what `auto` stands for on this device.

    On a CPU that has instructions for them `auto` is `bfloat16`, or else `int8`; elsewhere it is
    `float32`.

    >>> chosen("int8"), chosen("auto", device="cuda")
    ('int8', 'float32')
    """
    import torch

    if precision not in PRECISIONS:
        raise UserError(
            f"there is no precision {precision!r}; expected one of {', '.join(PRECISIONS)}"
        )
    if precision == "int8" and device != "cpu":
        raise UserError("the precision int8 is for CPUs: use bfloat16, float32 or auto")
    if precision != "auto":
        return precision
    if device != "cpu" or not torch.cpu._is_avx2_supported():
        return "float32"
    return "bfloat16" if has_bfloat16() else "int8"


def dtype_of(precision: str, device: str = "cpu") -> "torch.dtype":
    """The type of what a precision does not keep in 8 bits."""
    import torch

    low = has_bfloat16() if precision == "int8" else chosen(precision, device) == "bfloat16"
    return torch.bfloat16 if low else torch.float32


def has_bfloat16() -> bool:
    """Whether torch and oneDNN multiply bfloat16 by instructions that this CPU has for it."""
    import torch

    return torch.cpu._is_avx512_bf16_supported() and _may_use_avx512(WITHOUT_BFLOAT16)


def has_vnni() -> bool:
    """The same for numbers in 8 bits."""
    import torch

    return torch.cpu._is_vnni_supported() and _may_use_avx512(WITHOUT_VNNI)


def _may_use_avx512(limits: Sequence[str]) -> bool:
    """Whether neither torch nor oneDNN is kept from it by a variable of the environment."""
    import torch

    limit = os.environ.get("ONEDNN_MAX_CPU_ISA", os.environ.get("DNNL_MAX_CPU_ISA", ""))
    return torch.backends.cpu.get_cpu_capability() == "AVX512" and limit.upper() not in limits
