"""Weights as plain numbers: read without code, and compared with the model before they are used."""

import os
from collections.abc import Callable, Mapping
from typing import Any

from .eight_bits import SCALE, unpacked
from .errors import DAMAGE, ArchiveError, one_line
from .limits import MEGABYTE
from .torch_files import check_torch_file

# How often weights may be used in a model.
SHARED = 4

# Kinds of numbers.
FRACTIONS = "fractions"
WHOLE = "whole numbers"


def read_weights(path: str, model: Any = None, **options: Any) -> dict[str, Any]:
    """The tensors in a file of torch or safetensors; those that `pack` made are as before.

    # Parameters

    model : optional
        What they are for. What does not fit it is refused before it is read. If it has a method
        `present_name`, that says what weights of older versions are called today.
    options : those of `torch.load`
    """
    try:
        present = getattr(model, "present_name", str)
        if path.endswith(".safetensors"):
            return _read_safetensors(path, model, present)
        return {present(name): tensor for name, tensor in _read_torch(path, **options).items()}
    except ArchiveError:
        raise
    except DAMAGE as error:
        raise ArchiveError(f"its weights are damaged or unsafe: {one_line(error)}") from error


def _read_safetensors(path: str, model: Any, present: Callable[[str], str]) -> dict[str, Any]:
    from safetensors import safe_open

    with safe_open(path, "pt") as file:
        names = list(file.keys())
        if model is not None:
            _check_header({present(name): file.get_slice(name) for name in names}, model)
        return unpacked({present(name): file.get_tensor(name) for name in names})


def _read_torch(path: str, **options: Any) -> dict[str, Any]:
    import torch

    check_torch_file(path)
    state = torch.load(path, **{"weights_only": True, **options})
    if not isinstance(state, dict):
        raise ArchiveError(f"its weights are a {type(state).__name__}, where names have tensors")
    for name, tensor in state.items():
        if not (isinstance(name, str) and isinstance(tensor, torch.Tensor)):
            raise ArchiveError(f"its weights {name!r} are no plain tensor")
    # Tensors may share their numbers with others, or repeat them.
    size = sum(tensor.numel() * tensor.element_size() for tensor in state.values())
    if size > SHARED * os.path.getsize(path) + MEGABYTE:
        raise ArchiveError("its weights are damaged: they are many times as large as their file")
    return state


def _check_header(stored: Mapping[str, Any], model: Any) -> None:
    """Compare what safetensors says of each tensor with the model's of the same name."""
    own = model.state_dict()
    for name, part in stored.items():
        of_row = name.removesuffix(SCALE) if name not in own else name
        if of_row not in own:
            raise ArchiveError(
                f"its weights {name!r} are of no part of the model in its config.json"
            )
        shape = list(own[of_row].shape)
        wanted = shape if of_row == name else [*shape[:-1], 1]
        packed = part.get_dtype() == "I8" and name + SCALE in stored
        whole = part.get_dtype().startswith(("I", "U", "BOOL")) and not packed
        _compare(name, part.get_shape(), wanted)
        _compare_kinds(name, WHOLE if whole else FRACTIONS, own[of_row])


def check_weights(model: Any, state: Mapping[str, Any]) -> None:
    """Refuse weights of another type than the model's of that name, and such as are not finite.

    A buffer that is infinite when the model is made, such as a mask, may be so in the file.
    """
    parameters = dict(model.named_parameters(remove_duplicate=False))
    for name, own in model.state_dict().items():
        given = state.get(name)
        if given is None or given.shape != own.shape:
            continue  # the model may know what to do with those of an older version
        _compare_kinds(name, _kind(given), own)
        # A parameter may be memory so far to which nobody has written.
        must_be_finite = name in parameters or is_finite(own)
        if must_be_finite and not is_finite(given.to(own.dtype)):  # as they will be
            raise ArchiveError(f"its weights are damaged: not every number of {name} is finite")


def check_shapes(model: Any, state: Mapping[str, Any]) -> None:
    """Say which weights have another shape than the model's, if there are such."""
    for name, own in model.state_dict().items():
        if name in state:
            _compare(name, state[name].shape, own.shape)


def is_finite(tensor: Any) -> bool:
    """Whether every number is finite, in a single pass over them.

    >>> import torch
    >>> is_finite(torch.tensor([1.0, -2.0])), is_finite(torch.tensor([1.0, float("nan")]))
    (True, False)
    """
    if not tensor.is_floating_point() or not tensor.numel():
        return True
    return all(bool(end.isfinite()) for end in tensor.aminmax())


def _compare(name: str, given: Any, own: Any) -> None:
    if list(given) != list(own):
        raise ArchiveError(
            f"its weights do not fit its config.json: {name} is {_shape(given)} in the file, and"
            f" {_shape(own)} in the model"
        )


def _compare_kinds(name: str, given: str, own: Any) -> None:
    if given != _kind(own):
        raise ArchiveError(
            f"its weights do not fit its config.json: {name} has {given} in the file, and"
            f" {_kind(own)} in the model"
        )


def _kind(tensor: Any) -> str:
    if tensor.is_floating_point():
        return FRACTIONS
    return "complex numbers" if tensor.is_complex() else WHOLE


def _shape(shape: Any) -> str:
    """What to call a shape.

    >>> _shape([3, 4]), _shape([])
    ('3 × 4', 'a single number')
    """
    return " × ".join(map(str, shape)) or "a single number"
