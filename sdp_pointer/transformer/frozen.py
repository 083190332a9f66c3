"""An encoder that is not trained, and runs once for a sentence."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Optional

import torch

from .cache import VectorCache, key
from .encoder import WordEncoder
from .pieces import Pieces


class FrozenEncoder:
    """Word vectors that are the same in each epoch, from a cache where possible.

    It is no module, so that its weights are in no checkpoint and no optimizer, and it is loaded
    when a sentence comes that is not in the cache.

    Vectors are rounded to 16 bits, cached or not, so that a cache never changes a result: it costs
    a relative error of 0.0005, nothing beside dropout, and halves what is read in each epoch.
    """

    def __init__(
        self,
        load: Callable[[], WordEncoder],
        width: int,
        fingerprint: str,
        cache: Optional[VectorCache],
    ) -> None:
        self._load = load
        self._width = width
        self._fingerprint = fingerprint
        self._cache = cache

    @cached_property
    def encoder(self) -> WordEncoder:
        return self._load()

    def __call__(self, sentences: Sequence[Pieces], device: torch.device) -> list[torch.Tensor]:
        """For each sentence (words, layers * hidden_size)."""
        if self._cache is None:
            return [vectors.float() for vectors in self._compute(sentences, device)]
        keys = [key(self._fingerprint, sentence) for sentence in sentences]
        known = self._cache.get(keys, self._width)
        missing = {k: sentence for k, sentence in zip(keys, sentences) if k not in known}
        if missing:
            computed = self._compute(list(missing.values()), device)
            fresh = {k: vectors.cpu().numpy() for k, vectors in zip(missing, computed)}
            self._cache.put(fresh)
            known.update(fresh)
        return [torch.from_numpy(known[k].astype("float32")).to(device) for k in keys]

    def _compute(self, sentences: Sequence[Pieces], device: torch.device) -> list[torch.Tensor]:
        most = torch.finfo(torch.float16).max
        with torch.inference_mode(), torch.autocast(device.type, enabled=False):
            vectors = self.encoder.to(device)(sentences)
            return [v.clamp(-most, most).half() for v in vectors]
