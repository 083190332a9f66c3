"""A training by AllenNLP's trainer whose scores and weights are known beforehand."""

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


def train(folder, scores, patience=0, epochs_before=0):
    """Train on, by one epoch for each score; the weight at the end, and that in `best.th`."""
    model = Scripted(scores)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    loader = SimpleDataLoader([Instance({"flag": FlagField(True)})], 1, vocab=model.vocab)
    GradientDescentTrainer(
        model,
        optimizer,
        loader,
        validation_data_loader=loader,
        validation_metric="+LF",
        num_epochs=epochs_before + len(scores),
        serialization_dir=str(folder),
        checkpointer=Checkpointer(folder, keep_most_recent_by_count=None),
        learning_rate_scheduler=LearningRateScheduler.by_name("reduce_on_plateau")(
            optimizer=optimizer, mode="max", factor=0.5, patience=patience
        ),
        callbacks=[TrainerCallback.by_name("reload_best")(str(folder))],
        run_confidence_checks=False,
        cuda_device=-1,
    ).train()
    return model.weight.item(), torch.load(folder / "best.th")["weight"].item()


def weights(folder):
    """The weight in each checkpoint."""
    count = len(list(folder.glob("model_state_*")))
    states = [torch.load(folder / f"model_state_e{epoch + 1}_b0.th") for epoch in range(count)]
    return [state["weight"].item() for state in states]
