"""The metric `sdp`: the official scorer, under distributed training too."""

from collections.abc import Iterable
from typing import Any, SupportsInt

import torch
import torch.distributed as dist
from allennlp.common.util import is_distributed
from allennlp.training.metrics import Metric
from overrides import overrides

from ..graphs import Graph
from ..graphs.score import Counts, Scorer, Totals, scores

NAMES = ("LP", "LR", "LF", "LM", "UP", "UR", "UF", "UM")


@Metric.register("sdp")
class SdpScores(Metric):
    """LP LR LF LM UP UR UF UM of the section that includes tops; 0/0 is 0.

    Under distributed training the counts of all ranks are added when the metric is reset, at the
    end of an epoch; the progress bar before that shows the rank's own.
    """

    def __init__(self) -> None:
        self._scorer = Scorer()

    @overrides(check_signature=False)
    def __call__(self, predicted: Iterable[Graph], gold: Iterable[Graph]) -> None:
        for predicted_graph, gold_graph in zip(predicted, gold, strict=True):
            self._scorer.add(gold_graph, predicted_graph)

    @overrides
    def get_metric(self, reset: bool = False) -> dict[str, Any]:
        totals = self._scorer.counts.totals
        if reset:
            totals = Totals._make(sum_over_ranks(totals))
            self.reset()
        figures = scores(Counts(totals)).with_top.as_metric()
        return {name: figures[name] for name in NAMES}

    @overrides
    def reset(self) -> None:
        self._scorer.reset()


def sum_over_ranks(counts: Iterable[SupportsInt]) -> list[int]:
    """Under distributed training the sums over all ranks, each of which must call this."""
    numbers = torch.tensor([int(count) for count in counts])
    if is_distributed():
        numbers = numbers.to("cuda" if dist.get_backend() == "nccl" else "cpu")
        dist.all_reduce(numbers)
    return numbers.tolist()
