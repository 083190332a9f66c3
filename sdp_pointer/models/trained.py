"""The initializer `trained`: a new model begins with the weights of another."""

import os
from functools import cached_property
from typing import Any

import torch
from allennlp.nn import Initializer
from overrides import overrides

from ..archives import check, weights_of
from ..archives.config import read_config
from ..archives.names import CONFIG
from ..archives.weights import read_weights
from ..errors import UserError
from .upgrade import UNNAMED, present_name


@Initializer.register("trained")
class TrainedWeights(Initializer):
    """Copies each weight from a model of the same config, whose vocabulary the new one extends.

    A tensor may be larger than the one that it is copied from, by labels or words that are new:
    what is not copied stays as it was.

    # Parameters

    folder : `str`
        Of that model.
    """

    def __init__(self, folder: str) -> None:
        super().__init__()
        self.folder = folder

    @cached_property
    def _weights(self) -> dict[str, torch.Tensor]:
        check(self.folder)
        config = read_config(os.path.join(self.folder, CONFIG))
        [decoder] = config["model"].get("decoders") or [UNNAMED]
        state = read_weights(weights_of(self.folder), map_location="cpu")
        return {present_name(name, decoder): tensor for name, tensor in state.items()}

    @overrides(check_signature=False)
    def __call__(self, tensor: torch.Tensor, parameter_name: str, **kwargs: Any) -> None:
        known = self._weights.get(parameter_name)
        if (
            known is None
            or known.dim() != tensor.dim()
            or any(map(int.__gt__, known.shape, tensor.shape))
        ):
            raise UserError(
                f"cannot continue from {self.folder}: it has no weights that fit {parameter_name};"
                " its config.json must be that of the new model"
            )
        with torch.no_grad():
            tensor[tuple(map(slice, known.shape))] = known.to(tensor.dtype)
