"""The callback `progress`: a bar for the epoch, and a line of scores after it."""

import sys
from typing import Any

from allennlp.training.callbacks import TrainerCallback
from overrides import overrides
from tqdm import tqdm

# A metric of the model, and its column.
COLUMNS = (
    ("training_loss", "loss", "{:10.4f}"),
    ("validation_loss", "dev loss", "{:10.4f}"),
    ("validation_LF", "dev LF", "{:10.2%}"),
    ("validation_UF", "dev UF", "{:10.2%}"),
)


@TrainerCallback.register("progress")
class Progress(TrainerCallback):
    """Shows on standard error how a training goes; the bar on terminals alone."""

    _bar: Any = None
    _has_begun = False

    @overrides(check_signature=False)
    def on_batch(
        self,
        trainer: Any,
        batch_inputs: Any,
        batch_outputs: Any,
        batch_metrics: Any,
        epoch: int,
        batch_number: int,
        is_training: bool,
        is_primary: bool = True,
        **kwargs: Any,
    ) -> None:
        if not (is_training and is_primary):
            return
        if self._bar is None:
            name = f"epoch {epoch + 1} of {trainer._num_epochs}"
            batches = len(trainer.data_loader)
            # Explicitly not by TQDM_DISABLE, which turns off those of AllenNLP.
            self._bar = tqdm(desc=name, total=batches, unit=" batches", leave=False, disable=None)
        self._bar.update()

    @overrides(check_signature=False)
    def on_epoch(
        self,
        trainer: Any,
        metrics: dict[str, Any],
        epoch: int,
        is_primary: bool = True,
        **kwargs: Any,
    ) -> None:
        if not is_primary:
            return
        if self._bar is not None:
            self._bar.close()
            self._bar = None
        if not self._has_begun:
            self._has_begun = True
            heads = (f"{head:>10}" for _, head, _ in COLUMNS)
            print(f"{'epoch':8}{''.join(heads)}", file=sys.stderr)
        cells = (
            form.format(metrics[key]) if key in metrics else " " * 10 for key, _, form in COLUMNS
        )
        best = "  best" if trainer._metric_tracker.is_best_so_far() else ""
        print(f"{epoch + 1:<8}{''.join(cells)}{best}", file=sys.stderr, flush=True)
