"""A training that can be killed at any time, scores every sentence, and knows no NaN."""

from typing import Any

from ..mechanism import after


@after("training.checkpointer")
def whole_checkpoints(module: Any) -> None:
    """A run killed between its two files must be recovered from the checkpoint before."""
    import os

    find_all = module.Checkpointer._find_all_checkpoints

    def find_whole(self: Any) -> Any:
        found = find_all(self)
        return {point for point in found if os.path.exists(self._training_state_path(*point))}

    module.Checkpointer._find_all_checkpoints = find_whole


@after("training.gradient_descent_trainer")
def best_weights(module: Any) -> None:
    """A run killed between the checkpoint of its best epoch and `best.th` loses the best one."""
    import os

    restore = module.GradientDescentTrainer._maybe_restore_checkpoint

    def restore_with_best(self: Any) -> None:
        restore(self)
        last = self._start_after_epochs_completed - 1
        ended = self._start_after_batches_in_epoch_completed == 0
        if not (ended and self._metric_tracker.best_epoch == last):
            return
        self._best_model_filename = os.path.join(self._serialization_dir, "best.th")
        if self._moving_average is not None:
            self._moving_average.assign_average_value()
        if self._primary:
            self._save_model_state(self._best_model_filename)
        if self._moving_average is not None:
            self._moving_average.restore()

    module.GradientDescentTrainer._maybe_restore_checkpoint = restore_with_best


@after("training.gradient_descent_trainer")
def bfloat16_on_a_cpu(module: Any) -> None:
    """`use_amp` refuses a CPU; in bfloat16, which it may have, no gradients need to be scaled."""
    from functools import wraps

    trainer = module.GradientDescentTrainer
    init = trainer.__init__

    @wraps(init)
    def init_on_any_device(
        self: Any, *args: Any, use_amp: bool = False, cuda_device: Any = None, **kwargs: Any
    ) -> None:
        from ...precision import has_bfloat16

        cpu = module.torch.device("cpu")
        on_cpu = cuda_device in (-1, "cpu", cpu) or (
            cuda_device is None and not module.torch.cuda.is_available()
        )
        init(self, *args, use_amp=use_amp and not on_cpu, cuda_device=cuda_device, **kwargs)
        # A CPU that has no instructions for bfloat16 is slower in it than in float32.
        self._use_amp = use_amp and (not on_cpu or has_bfloat16())
        if use_amp and not self._use_amp:
            module.logger.warning("use_amp: this CPU does not compute in bfloat16: float32 it is")

    trainer.__init__ = init_on_any_device


@after("training.gradient_descent_trainer")
def whole_validation(module: Any) -> None:
    """All ranks stop validating with the first that has no batch left, and lose sentences."""
    validate = module.GradientDescentTrainer._validation_loss

    def validate_all(self: Any, epoch: int) -> Any:
        from ...models import GraphParser

        if not (self._distributed and isinstance(self.model, GraphParser)):
            return validate(self, epoch)  # other models' metrics make ranks wait in each batch
        wrapped, self._ddp_wrapped_model, self._distributed = self._ddp_wrapped_model, None, False
        try:
            return validate(self, epoch)
        finally:
            self._ddp_wrapped_model, self._distributed = wrapped, True

    module.GradientDescentTrainer._validation_loss = validate_all


@after("commands.train")
def destroyed_process_groups(module: Any) -> None:
    """Processes that trained together exit without a good-bye, which now and then aborts one."""
    from functools import wraps

    train = module._train_worker

    @wraps(train)
    def train_and_part(*args: Any, **kwargs: Any) -> Any:
        from torch import distributed

        trained = train(*args, **kwargs)
        if distributed.is_available() and distributed.is_initialized():
            distributed.destroy_process_group()
        return trained

    module._train_worker = train_and_part


@after("modules.seq2vec_encoders.cnn_encoder")
def cnn_in_full_precision(module: Any) -> None:
    """In mixed precision the CNN does not know its own mark of masked windows: they become NaN."""
    import torch

    forward = module.CnnEncoder.forward

    def forward_in_full_precision(self: Any, tokens: torch.Tensor, mask: Any) -> torch.Tensor:
        if not torch.is_autocast_enabled(tokens.device.type):
            return forward(self, tokens, mask)
        with torch.autocast(tokens.device.type, enabled=False):
            return forward(self, tokens.float(), mask)

    module.CnnEncoder.forward = forward_in_full_precision
