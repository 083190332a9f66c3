"""Patches of AllenNLP's training."""

import types

import pytest
import torch

import sdp_pointer.components  # noqa: F401
from sdp_pointer.allennlp_compat.patches import training
from tests.training.scripted import train


def test_half_a_checkpoint_is_not_recovered_from(tmp_path):
    from allennlp.training.checkpointer import Checkpointer

    for name in ("model_state_e1_b0", "training_state_e1_b0", "model_state_e2_b0"):
        torch.save({"name": name}, tmp_path / f"{name}.th")
    checkpoint = Checkpointer(tmp_path).load_checkpoint()
    assert checkpoint.model_state == {"name": "model_state_e1_b0"}


@pytest.mark.parametrize("before", [[0.5], [0.4, 0.5]])
@pytest.mark.parametrize("left", ["nothing", "the best of before"])
def test_a_run_killed_before_its_best_weights_were_saved_recovers_them(tmp_path, before, left):
    expected, _ = train(tmp_path, before, patience=9)
    (tmp_path / "best.th").unlink()
    if left != "nothing":
        torch.save({"weight": torch.tensor([-1.0])}, tmp_path / "best.th")
    assert train(tmp_path, [0.3], patience=9, epochs_before=len(before)) == (expected, expected)


def test_processes_that_trained_together_part(tmp_path):
    from allennlp.commands import train
    from torch import distributed

    # As in a process of a distributed training that is over.
    address = {"init_method": f"file://{tmp_path}/meeting", "rank": 0, "world_size": 1}
    work = train._train_worker.__wrapped__
    assert work.__module__ == "allennlp.commands.train"
    module = types.SimpleNamespace(
        _train_worker=lambda: distributed.init_process_group("gloo", **address)
    )
    training.destroyed_process_groups(module)
    module._train_worker()
    assert not distributed.is_initialized()


@pytest.mark.parametrize("has_bfloat16", [True, False])
def test_use_amp_on_a_cpu_is_bfloat16_where_the_cpu_has_it(has_bfloat16, monkeypatch):
    from unittest.mock import Mock

    from allennlp.training.gradient_descent_trainer import GradientDescentTrainer

    monkeypatch.setattr("sdp_pointer.precision.has_bfloat16", lambda: has_bfloat16)
    layer = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(layer.parameters(), 0.1)
    trainer = GradientDescentTrainer(layer, optimizer, Mock(), cuda_device=-1, use_amp=True)
    assert trainer._use_amp is has_bfloat16
    assert trainer._scaler is None
