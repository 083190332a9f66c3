"""A stranger's model under construction takes as much memory as its weights fill, and some more.

A config says how large its parts are, and torch makes them before their weights are looked at.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any, Optional

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from .errors import ArchiveError
from .limits import MEGABYTE, factor

# A number in 8 bits becomes one of 32, and is made about twice: also to initialize it.
BYTES_PER_BYTE = 8
# What a model may take beside its weights.
SPARE = 128 * MEGABYTE
# Of Python's objects around a tensor, and of modules that have none.
OVERHEAD = 4096


class Construction:
    """The bytes that a model may still take while it is built, and then the model itself."""

    def __init__(self, weights: int) -> None:
        self.most = self.left = factor() * (BYTES_PER_BYTE * weights + SPARE)
        self.begun = False
        self.model: Any = None

    def allow(self, weights: int) -> None:
        """Weights of so many bytes are read beside the model's own."""
        self.most += factor() * BYTES_PER_BYTE * weights
        self.left += factor() * BYTES_PER_BYTE * weights

    def take(self, size: float) -> None:
        self.left -= size
        if self.left < 0:
            raise ArchiveError(
                f"its config.json asks for more than {self.most / MEGABYTE:,.0f} MB of memory,"
                " which is not what its weights need: if you trust it, raise all limits by the"
                " environment variable SDP_MODEL_LIMITS"
            )


_construction: ContextVar[Optional[Construction]] = ContextVar("construction", default=None)


@contextmanager
def constructing(weights: str) -> Iterator[Construction]:
    """A model with these weights is built in the block."""
    value = Construction(os.path.getsize(weights))
    token = _construction.set(value)
    try:
        yield value
    finally:
        _construction.reset(token)


def construction() -> Optional[Construction]:
    """What is being built in this thread, if a stranger's model is."""
    return _construction.get()


@contextmanager
def bounded(construction: Construction) -> Iterator[None]:
    """Tensors that are made in the block are counted, and refused when they are too much.

    >>> with constructing(__file__) as model, bounded(model):
    ...     torch.zeros(10**6, 10**6)
    Traceback (most recent call last):
    sdp_pointer.archives.errors.ArchiveError: its config.json asks for more than 128 MB of memory, \
which is not what its weights need: if you trust it, raise all limits by the environment variable \
SDP_MODEL_LIMITS
    """
    if construction.begun:
        yield
        return
    construction.begun = True
    with _Bounded(construction):
        yield


class _Bounded(TorchDispatchMode):
    """Every operation of torch passes here, whoever calls it."""

    def __init__(self, construction: Construction) -> None:
        super().__init__()
        self.construction = construction

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # torch would import its compiler, which takes a second

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: Optional[dict[str, Any]] = None
    ) -> Any:
        kwargs = kwargs or {}
        self.construction.take(OVERHEAD)
        if func in (torch.ops.aten.normal_.default, torch.ops.aten.uniform_.default):
            return args[0]  # first values, which the weights replace
        if _takes_device(func):  # as what makes a tensor from nothing: ask first how large it is
            self.construction.take(_size(func(*args, **{**kwargs, "device": "meta"})))
            return func(*args, **kwargs)
        result = func(*args, **kwargs)
        if _is_new(func):
            self.construction.take(
                sum(map(_size, result if isinstance(result, tuple) else (result,)))
            )
        return result


@cache
def _takes_device(func: Any) -> bool:
    names = {argument.name for argument in func._schema.arguments}
    return "device" in names and "generator" not in names


@cache
def _is_new(func: Any) -> bool:
    return any(returned.alias_info is None for returned in func._schema.returns)


def _size(value: Any) -> int:
    return value.numel() * value.element_size() if isinstance(value, torch.Tensor) else 0
