"""The tiny config, smaller still, trained in this process, and stopped as if it had been killed."""

import json
from pathlib import Path

import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.training import Checkpointer

import sdp_pointer.components  # noqa: F401
from tests.conftest import FIXTURES

CONFIG = FIXTURES.parent / "training_config" / "tiny.jsonnet"
OVERRIDES = {
    "train_data_path": str(FIXTURES / "data" / "dm.train.sdp"),
    "validation_data_path": str(FIXTURES / "data" / "dm.dev.sdp"),
    "model.backbone.encoder.hidden_size": 16,
    "model.backbone.encoder.num_layers": 1,
    "trainer.num_epochs": 3,
}


class Killed(BaseException):
    """Nothing after it is done, as after a SIGKILL."""


def train(folder, overrides=None, **options):
    params = Params.from_file(CONFIG, json.dumps({**OVERRIDES, **(overrides or {})}))
    train_model(params, str(folder), **options)
    return results(folder)


def kill_after(checkpoints, monkeypatch):
    """The next training ends when it has saved so many checkpoints."""
    save = Checkpointer.save_checkpoint
    left = iter(range(checkpoints - 1, -1, -1))

    def save_and_die(self, trainer):
        save(self, trainer)
        if next(left) == 0:
            monkeypatch.setattr(Checkpointer, "save_checkpoint", save)
            raise Killed

    monkeypatch.setattr(Checkpointer, "save_checkpoint", save_and_die)


def results(folder):
    """Every figure of a training but times and memory, and its best weights."""
    weights = torch.load(Path(folder) / "best.th")
    return metrics(folder), {name: weight.tolist() for name, weight in weights.items()}


def metrics(folder):
    found = json.loads((Path(folder) / "metrics.json").read_text())
    return {
        name: value
        for name, value in found.items()
        if name != "training_duration" and not name.endswith("memory_MB")
    }
