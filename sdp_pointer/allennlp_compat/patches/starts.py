"""How a training starts and ends: nothing is lost, and a failed start leaves no trace."""

from typing import Any

from ..mechanism import Overlay, after


@after("commands.train")
def safe_starts(module: Any) -> None:
    """A failed start blocks its folder, `--force` deletes first, `--recover` looks at no data."""
    import os
    import sys
    from functools import wraps

    from ...errors import UserError

    train_model = module.train_model

    @wraps(train_model)
    def train_safely(
        params: Any,
        serialization_dir: Any,
        recover: bool = False,
        force: bool = False,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        from ...training import folders, recovery

        folder = os.fspath(serialization_dir)
        if recover and force:
            raise UserError("--recover and --force exclude each other: give one of them")
        found = recovery.sources(params.as_dict(quiet=True))
        if recover and folders.has_checkpoint(folder):
            if recovery.refuse_changes(folder, found):
                recovery.write_sources(folder, found)
            else:
                print(
                    f"{folder}: warning: this training was begun by an older version, which noted"
                    " neither its data nor its random numbers: changed data may not be noticed,"
                    " and the results are not exactly those of a training that was not killed",
                    file=sys.stderr,
                )
            return train_model(params, folder, True, False, *args, **kwargs)
        if recover and os.path.isdir(folder) and not folders.only_begun(folder):
            raise UserError(
                f"cannot recover {folder}: it holds no checkpoint of a training; train into"
                " another folder (-s), or replace this one (--force)"
            )
        with folders.new_training_folder(folder, force or recover):
            os.makedirs(folder, exist_ok=True)
            recovery.write_sources(folder, found)
            return train_model(params, folder, False, False, *args, **kwargs)

    # All that it does has been done above.
    module.training_util = Overlay(
        module.training_util, create_serialization_dir=lambda *args, **kwargs: None
    )
    module.train_model = train_safely


@after("training.checkpointer")
def replaced_trainings(module: Any) -> None:
    """What `--force` replaces is not needed any more when there is a checkpoint."""
    save = module.Checkpointer.save_checkpoint

    def save_and_forget(self: Any, trainer: Any) -> None:
        from ...training.folders import forget_replaced

        save(self, trainer)
        if self._is_primary:
            forget_replaced(self._serialization_dir)

    module.Checkpointer.save_checkpoint = save_and_forget
