"""When the learning rate falls, training goes on from the best weights; by AllenNLP's trainer."""

import pytest
import torch
from allennlp.data import Instance, Vocabulary
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.data.fields import FlagField
from allennlp.models import Model
from allennlp.training import Checkpointer, GradientDescentTrainer
from allennlp.training.callbacks import TrainerCallback
from allennlp.training.learning_rate_schedulers import LearningRateScheduler

import sdp_pointer.components  # noqa: F401


class Scripted(Model):
    """Its weight grows by the learning rate in each epoch, and its scores are given."""

    def __init__(self, scores):
        super().__init__(Vocabulary())
        self.weight = torch.nn.Parameter(torch.zeros(1))
        self.scores = iter(scores)

    def forward(self, flag):
        return {"loss": -self.weight.sum()}

    def get_metrics(self, reset=False):
        return {"LF": next(self.scores)} if reset and not self.training else {}


def weights_after_epochs(folder, scores, patience=0, epochs_before=0):
    """Train on, by one epoch for each score; the weight in each checkpoint."""
    model = Scripted(scores)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    loader = SimpleDataLoader([Instance({"flag": FlagField(True)})], 1, vocab=model.vocab)
    epochs = epochs_before + len(scores)
    GradientDescentTrainer(
        model,
        optimizer,
        loader,
        validation_data_loader=loader,
        validation_metric="+LF",
        num_epochs=epochs,
        serialization_dir=str(folder),
        checkpointer=Checkpointer(folder, keep_most_recent_by_count=None),
        learning_rate_scheduler=LearningRateScheduler.by_name("reduce_on_plateau")(
            optimizer=optimizer, mode="max", factor=0.5, patience=patience
        ),
        callbacks=[TrainerCallback.by_name("reload_best")(str(folder))],
        run_confidence_checks=False,
        cuda_device=-1,
    ).train()
    states = [torch.load(folder / f"model_state_e{epoch + 1}_b0.th") for epoch in range(epochs)]
    return [state["weight"].item() for state in states]


@pytest.mark.parametrize(
    ("patience", "expected"), [(0, [1.0, 2.0, 2.0, 2.0]), (1, [1.0, 2.0, 3.0, 2.0])]
)
def test_the_best_weights_are_loaded_only_when_the_rate_has_fallen(tmp_path, patience, expected):
    assert weights_after_epochs(tmp_path, [0.5, 0.6, 0.4, 0.3], patience) == expected


def test_a_new_best_model_is_kept_though_it_is_too_little_better_for_the_rate(tmp_path):
    assert weights_after_epochs(tmp_path, [0.5, 0.50001, 0.4]) == [1.0, 2.0, 2.0]
    assert torch.load(tmp_path / "best.th")["weight"].item() == 2.0


def test_a_recovered_training_remembers_the_rate(tmp_path):
    weights_after_epochs(tmp_path, [0.5])
    assert weights_after_epochs(tmp_path, [0.4], epochs_before=1) == [1.0, 1.0]
