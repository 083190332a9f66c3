"""The callback `reload_best`: when the learning rate falls, go on from the best weights."""

import logging
import os
from typing import Any, Optional

import torch
from allennlp.training.callbacks import TrainerCallback
from overrides import overrides

logger = logging.getLogger(__name__)


@TrainerCallback.register("reload_best")
class ReloadBest(TrainerCallback):
    """Loads the best weights so far whenever a scheduler has lowered the learning rate.

    With `reduce_on_plateau`, this is the published training schedule: a smaller step from where the
    parser was best, not from where it got lost.
    """

    _rate: Optional[float] = None

    @overrides(check_signature=False)
    def on_epoch(self, trainer: Any, *args: Any, **kwargs: Any) -> None:
        rate = trainer.optimizer.param_groups[0]["lr"]
        best = os.path.join(self.serialization_dir, "best.th")
        fallen = self._rate is not None and rate < self._rate
        # A score that is better by too little for the scheduler is the best one all the same, and
        # the trainer saves it after its callbacks.
        if fallen and not trainer._metric_tracker.is_best_so_far() and os.path.exists(best):
            logger.info("the learning rate fell to %g: going on from the best weights", rate)
            state = torch.load(best, map_location="cpu", weights_only=True)
            trainer._pytorch_model.load_state_dict(state)
        self._rate = rate

    @overrides
    def state_dict(self) -> dict[str, Any]:
        return {"rate": self._rate}

    @overrides
    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self._rate = state_dict["rate"]
