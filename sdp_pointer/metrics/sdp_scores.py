"""The metric `sdp`: the official scorer, under distributed training too."""

from collections.abc import Iterable
from typing import Any

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
            totals = _sum_over_ranks(totals)
            self.reset()
        figures = scores(Counts(totals)).with_top.as_metric()
        return {name: figures[name] for name in NAMES}

    @overrides
    def reset(self) -> None:
        self._scorer.reset()


def _sum_over_ranks(totals: Totals) -> Totals:
    if not is_distributed():
        return totals
    device = torch.device("cuda" if dist.get_backend() == "nccl" else "cpu")
    numbers = torch.tensor([int(number) for number in totals], device=device)
    dist.all_reduce(numbers)
    return Totals._make(numbers.tolist())
