"""The share of what is right, under distributed training too."""

import torch
from allennlp.training.metrics import Metric
from overrides import overrides

from .sdp_scores import sum_over_ranks


class Share(Metric):
    """How much of all that was counted is true; nothing is 0.

    As in `SdpScores`, and unlike AllenNLP's metrics, no rank waits for another before the reset.

    >>> share = Share()
    >>> share(torch.tensor([True, True, False, True]))
    >>> share.get_metric(reset=True)
    0.75
    """

    def __init__(self) -> None:
        self.reset()

    @overrides(check_signature=False)
    def __call__(self, right: torch.Tensor) -> None:
        self._right += int(right.sum())
        self._total += right.numel()

    @overrides
    def get_metric(self, reset: bool = False) -> float:
        right, total = self._right, self._total
        if reset:
            right, total = sum_over_ranks((right, total))
            self.reset()
        return right / total if total else 0.0

    @overrides
    def reset(self) -> None:
        self._right = self._total = 0
