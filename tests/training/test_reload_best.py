"""When the learning rate falls, training goes on from the best weights."""

from types import SimpleNamespace

import torch
from allennlp.training.callbacks import TrainerCallback

import sdp_pointer.components  # noqa: F401


def trainer_with(weight, rate):
    layer = torch.nn.Linear(1, 1)
    layer.weight.data.fill_(weight)
    optimizer = torch.optim.SGD(layer.parameters(), lr=rate)
    return SimpleNamespace(optimizer=optimizer, _pytorch_model=layer)


def test_the_best_weights_are_loaded_only_when_the_rate_has_fallen(tmp_path):
    torch.save({"weight": torch.tensor([[7.0]]), "bias": torch.tensor([0.0])}, tmp_path / "best.th")
    callback = TrainerCallback.by_name("reload_best")(str(tmp_path))
    weights = []
    for rate in (1.0, 1.0, 0.75, 0.75):
        trainer = trainer_with(1.0, rate)
        callback.on_epoch(trainer, metrics={}, epoch=0)
        weights.append(trainer._pytorch_model.weight.item())
    assert weights == [1.0, 1.0, 7.0, 1.0]


def test_a_recovered_training_remembers_the_rate(tmp_path):
    torch.save({"weight": torch.tensor([[7.0]]), "bias": torch.tensor([0.0])}, tmp_path / "best.th")
    before = TrainerCallback.by_name("reload_best")(str(tmp_path))
    before.on_epoch(trainer_with(1.0, 1.0), metrics={}, epoch=0)
    after = TrainerCallback.by_name("reload_best")(str(tmp_path))
    after.load_state_dict(before.state_dict())
    trainer = trainer_with(1.0, 0.5)
    after.on_epoch(trainer, metrics={}, epoch=1)
    assert trainer._pytorch_model.weight.item() == 7.0
