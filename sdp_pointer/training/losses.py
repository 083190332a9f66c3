"""The losses of an epoch's batches so far, for a checkpoint within it."""

from typing import Any

from allennlp.training.callbacks import TrainerCallback
from overrides import overrides


class Losses(TrainerCallback):
    """Those of batches that were trained before a kill are given."""

    def __init__(self, serialization_dir: str, values: list[float]) -> None:
        super().__init__(serialization_dir)
        self.values = values

    @overrides(check_signature=False)
    def on_batch(
        self,
        trainer: Any,
        batch_inputs: Any,
        batch_outputs: Any,
        batch_metrics: dict[str, Any],
        *args: Any,
        **kwargs: Any,
    ) -> None:
        self.values.append(batch_metrics["batch_loss"])

    @property
    def total(self) -> float:
        total = 0.0
        for value in self.values:  # in the trainer's order; `sum` has more digits on some Pythons
            total += value
        return total
