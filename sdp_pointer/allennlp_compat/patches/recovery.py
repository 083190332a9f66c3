"""A training that was killed goes on as if it had not been killed."""

from typing import Any

from ..mechanism import after


@after("data.vocabulary")
def unchanged_vocabularies(module: Any) -> None:
    """A recovered training writes the vocabulary anew, be it another than that of its weights."""
    import os
    from tempfile import TemporaryDirectory

    from ...errors import UserError

    save = module.Vocabulary.save_to_files

    def save_unless_trained(self: Any, directory: Any) -> None:
        from ...training.folders import has_checkpoint, vocabulary_files

        folder = os.path.dirname(os.fspath(directory))
        if not has_checkpoint(folder):
            save(self, directory)
            return
        with TemporaryDirectory() as new:
            save(self, new)
            before, now = vocabulary_files(directory), vocabulary_files(new)
        differing = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
        if differing:
            raise UserError(
                f"cannot recover {folder}: its weights belong to the vocabulary in {directory}, and"
                f" that of the data is another ({', '.join(differing)});"
                " restore the data, or train anew, into another folder (-s) or over this one"
                " (--force)"
            )

    module.Vocabulary.save_to_files = save_unless_trained


@after("commands.train")
def vocabulary_of_the_checkpoint(module: Any) -> None:
    """Several data loader workers hand over the sentences, and so the words, in any order."""
    import os
    from functools import wraps

    train = module._train_worker

    @wraps(train)
    def train_with_saved_vocabulary(
        process_rank: int, params: Any, serialization_dir: Any, *args: Any, **kwargs: Any
    ) -> Any:
        from ...training.folders import has_checkpoint

        workers = params.get("data_loader", {}).get("num_workers", 0)
        if workers > 1 and has_checkpoint(os.fspath(serialization_dir)):
            directory = os.path.join(serialization_dir, "vocabulary")
            given = params.get("vocabulary", {})
            tokens = {key: given.get(key) for key in ("padding_token", "oov_token") if key in given}
            params["vocabulary"] = {"type": "from_files", "directory": directory, **tokens}
        return train(process_rank, params, serialization_dir, *args, **kwargs)

    module._train_worker = train_with_saved_vocabulary


@after("training.checkpointer")
def loaded_resume_points(module: Any) -> None:
    """The trainer forgets the checkpoint that it has loaded, with what we put into it."""
    load = module.Checkpointer.load_checkpoint

    def load_and_note(self: Any) -> Any:
        checkpoint = load(self)
        self.point = checkpoint.trainer_state.get("point") if checkpoint is not None else None
        return checkpoint

    module.Checkpointer.point = None
    module.Checkpointer.load_checkpoint = load_and_note


@after("training.checkpointer")
def saving_in_all_processes(module: Any) -> None:
    """Only the primary process notes that it has saved, so that others wait for it at every batch.

    They meet to save, as the checkpoint holds the random numbers of each.
    """
    save = module.Checkpointer.save_checkpoint

    def save_and_note(self: Any, trainer: Any) -> None:
        save(self, trainer)
        self._last_save_num_epochs_completed = trainer._epochs_completed
        self._last_save_num_batches_in_epoch_completed = trainer._batches_in_epoch_completed

    module.Checkpointer.save_checkpoint = save_and_note


@after("training.gradient_descent_trainer")
def same_random_numbers(module: Any) -> None:
    """A recovered training sees batches in another order, and drops out others of their words."""
    trainer = module.GradientDescentTrainer
    state_of, train_epoch = trainer.get_checkpoint_state, trainer._train_epoch

    def state_with_point(self: Any) -> Any:
        from ...training.random_state import training_position

        now = training_position(self.data_loader, self.cuda_device)
        within = self._batches_in_epoch_completed
        points = over_ranks(
            {
                "epoch": self._epoch_began_at if within else now,
                "now": now["random"],
                "batches": self._total_batches_completed - within,
                "losses": self._losses.values if within else [],
            }
        )
        state = state_of(self)
        if state is not None:
            state.trainer_state["point"] = points
        return state

    def train_same_epoch(self: Any, epoch: int) -> Any:
        from ...training.losses import Losses
        from ...training.random_state import Resumed, restore_position, training_position

        loader, callbacks, device = self.data_loader, self._callbacks, self.cuda_device
        points = self._checkpointer and self._checkpointer.point
        losses: list[float] = []
        if points is not None:
            if self._epochs_completed < self._start_after_epochs_completed:
                return {}  # AllenNLP reads its batches, to draw the same random numbers
            point, self._checkpointer.point = points[rank()], None
            self._total_batches_completed = point["batches"]
            restore_position(point["epoch"], loader, device)
            losses = point["losses"]
        self._epoch_began_at = training_position(loader, device)
        self._losses = Losses(self._serialization_dir, losses)
        if losses:
            batches = len(losses) * self._num_gradient_accumulation_steps
            self.data_loader = Resumed(loader, batches, point["now"], device)
        resumed = bool(losses)
        self._callbacks = [*callbacks, self._losses]
        try:
            metrics = train_epoch(self, epoch)
        finally:
            self.data_loader, self._callbacks = loader, callbacks
        if resumed:  # AllenNLP has counted all batches, but the losses of the later ones
            total, count = self._losses.total, len(self._losses.values)
            metrics["loss"] = module.dist_reduce_sum(total) / module.dist_reduce_sum(count)
        return metrics

    trainer.get_checkpoint_state = state_with_point
    trainer._train_epoch = train_same_epoch


@after("data.data_loaders.multiprocess_data_loader")
def counted_batches(module: Any) -> None:
    """With `batches_per_epoch`, epochs begin inside of a pass, and nobody knows where."""
    loader = module.MultiProcessDataLoader
    iter_batches = loader._iter_batches

    def iter_and_count(self: Any) -> Any:
        from ...training.random_state import random_state

        self.pass_began, self.pass_batches = random_state(module.torch.device("cpu")), 0
        for batch in iter_batches(self):
            self.pass_batches += 1
            yield batch

    loader._iter_batches = iter_and_count


def rank() -> int:
    from torch import distributed

    return distributed.get_rank() if distributed.is_initialized() else 0


def over_ranks(value: Any) -> list[Any]:
    """What each process of a distributed training calls this with, or the one value."""
    from torch import distributed

    if not distributed.is_initialized():
        return [value]
    values = [None] * distributed.get_world_size()
    distributed.all_gather_object(values, value)
    return values


@after("training.gradient_descent_trainer")
def finished_trainings(module: Any) -> None:
    """A training killed after its last epoch has no metrics, or goes on though out of patience."""
    import json
    import os

    trainer = module.GradientDescentTrainer
    restore, try_train = trainer._maybe_restore_checkpoint, trainer._try_train

    def restore_or_stop(self: Any) -> None:
        restore(self)
        ended = self._start_after_batches_in_epoch_completed == 0
        if (
            ended
            and self._start_after_epochs_completed
            and self._metric_tracker.should_stop_early()
        ):
            self._num_epochs = self._start_after_epochs_completed

    def train_or_remember(self: Any) -> Any:
        metrics, epoch = try_train(self)
        last = f"metrics_epoch_{self._start_after_epochs_completed - 1}.json"
        path = os.path.join(self._serialization_dir, last)
        if "epoch" not in metrics and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                metrics = {**json.load(file), **metrics}
        return metrics, epoch

    trainer._maybe_restore_checkpoint = restore_or_stop
    trainer._try_train = train_or_remember


@after("training.moving_average")
def recovered_averages(module: Any) -> None:
    """A recovered moving average follows the parameters in its checkpoint, which nobody trains."""

    def load_state_dict(self: Any, state_dict: dict[str, Any]) -> None:
        for name, shadow in state_dict["shadows"].items():
            self._shadows[name].copy_(shadow)

    module.MovingAverage.load_state_dict = load_state_dict
