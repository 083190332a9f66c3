"""The state of every generator of random numbers that a training draws from."""

import random
from collections import deque
from collections.abc import Iterator, Sized
from itertools import islice
from typing import Any

import numpy
import torch

State = dict[str, Any]


def random_state(device: torch.device) -> State:
    """The generators of Python, numpy, torch and the device, as what torch loads without trust."""
    numpy_state: Any = numpy.random.get_state()
    algorithm, keys, *position = numpy_state
    return {
        "python": random.getstate(),
        "numpy": (algorithm, keys.tolist(), *position),
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state(device) if device.type == "cuda" else None,
    }


def set_random_state(state: State, device: torch.device) -> None:
    """
    >>> cpu = torch.device("cpu")
    >>> state = random_state(cpu)
    >>> numbers = random.random(), numpy.random.rand(), torch.rand(1)
    >>> set_random_state(state, cpu)
    >>> numbers == (random.random(), numpy.random.rand(), torch.rand(1))
    True
    """
    random.setstate(state["python"])
    algorithm, keys, *position = state["numpy"]
    numpy.random.set_state((algorithm, numpy.array(keys, dtype=numpy.uint32), *position))
    torch.set_rng_state(state["torch"])
    if device.type == "cuda" and state["cuda"] is not None:
        torch.cuda.set_rng_state(state["cuda"], device)


def training_position(loader: Any, device: torch.device) -> dict[str, Any]:
    """Where a training is between two batches: random numbers, and how far the data are read."""
    # With `batches_per_epoch`, a data loader keeps the rest of a pass for the next epoch.
    within = getattr(loader, "_batch_generator", None) is not None
    began = {"random": loader.pass_began, "batches": loader.pass_batches} if within else None
    return {"random": random_state(device), "pass": began}


def restore_position(point: dict[str, Any], loader: Any, device: torch.device) -> None:
    """Bring random numbers and a new data loader to a `training_position`."""
    if point["pass"] is not None:
        set_random_state(point["pass"]["random"], torch.device("cpu"))
        batches = loader._iter_batches()
        deque(islice(batches, point["pass"]["batches"]), maxlen=0)
        loader._batch_generator = batches
    set_random_state(point["random"], device)


class Resumed:
    """A data loader in an epoch whose first batches were trained before a kill.

    They come again, for the trainer to pass over; then random numbers go on as after the last.
    """

    def __init__(self, loader: Any, batches: int, state: State, device: torch.device) -> None:
        self._loader: Sized = loader
        self._batches = batches
        self._state = state
        self._device = device

    def __len__(self) -> int:
        return len(self._loader)

    def __iter__(self) -> Iterator[Any]:
        batches = iter(self._loader)  # type: ignore[call-overload]
        yield from islice(batches, self._batches)
        set_random_state(self._state, self._device)
        yield from batches
