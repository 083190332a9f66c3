"""The interface of all taggers."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple, Optional

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.utils.rnn import pad_sequence

from ..columns import COLUMNS
from ..graphs import Graph
from ..metrics import Share

# Of a word that has no gold class, and of padding.
NO_CLASS = -1
# The vocabulary's indices of padding and the unknown class, which are never guessed.
RESERVED = 2


class Tagged(NamedTuple):
    """What a tagger makes of the words of a batch.

    `features` : what may be put beside the words' vectors, (batch_size, words, output_dim)
    `logits` : scores of the classes, (batch_size, words, num_classes)
    """

    features: torch.Tensor
    logits: torch.Tensor


class Tagger(nn.Module, Registrable):
    """Guesses a column of each word from its vector.

    In `model.taggers` it reads what the encoder has made of the words, and its guesses are in the
    parsed graphs. In `model.backbone.tagger` it reads the words' embeddings, and its features go to
    the encoder beside them. A subclass implements `forward` and `get_output_dim`, and is built with
    `vocab`, `input_size`, `column` if the model names one, and whatever the config adds.

    # Parameters

    vocab : `Vocabulary`
    column : `str`, optional (default = `"pos"`)
        One of `COLUMNS`.
    namespace : `str`, optional (default = that of the column)
        Where the vocabulary has the classes.
    loss_weight : `float`, optional (default = `1.0`)
    """

    default_implementation = "bilstm"

    def __init__(
        self,
        vocab: Vocabulary,
        column: str = "pos",
        namespace: Optional[str] = None,
        loss_weight: float = 1.0,
    ) -> None:
        super().__init__()
        if column not in COLUMNS:
            raise ConfigurationError(
                f"no tagger can guess the column {column!r}: one of {', '.join(COLUMNS)}"
            )
        self.column = COLUMNS[column]
        namespace = self.column.namespace if namespace is None else namespace
        self.num_classes = vocab.get_vocab_size(namespace)
        if self.num_classes <= RESERVED:
            tags = "true" if column == "pos" else f"[{column!r}]"
            raise ConfigurationError(
                f"there are no tags from which the tagger could learn: set tags: {tags} in the"
                " dataset_reader"
            )
        self.loss_weight = loss_weight
        self._index = partial(vocab.get_token_index, namespace=namespace)
        self._class = partial(vocab.get_token_from_index, namespace=namespace)
        self._accuracy = Share()

    def get_output_dim(self) -> int:
        """The size of its features."""
        raise NotImplementedError

    def forward(self, words: torch.Tensor, mask: torch.Tensor) -> Tagged:
        """Scores of the classes, and features.

        # Shape: words (batch_size, words, input_size), mask (batch_size, words)
        """
        raise NotImplementedError

    def loss(self, logits: torch.Tensor, gold: Sequence[Graph]) -> torch.Tensor:
        """Weighted mean over the words that have a gold class.

        # Shape: logits (batch_size, words, num_classes)
        """
        classes = pad_sequence(
            [torch.tensor(self._indices(graph), device="cpu") for graph in gold],
            batch_first=True,
            padding_value=NO_CLASS,
        ).to(logits.device)
        known = classes != NO_CLASS
        scores, classes = logits[known], classes[known]
        self._accuracy(scores.argmax(1) == classes)
        total = cross_entropy(scores, classes, reduction="sum")
        return self.loss_weight * total / known.sum().clamp(min=1)

    def fill(self, logits: torch.Tensor, n_best: Sequence[Sequence[Graph]]) -> list[list[Graph]]:
        """The graphs of the sentences of a batch, with the likeliest classes in their column.

        # Shape: logits (batch_size, words, num_classes)
        """
        best = logits[:, :, RESERVED:].argmax(2) + RESERVED
        return [
            [self.column.filled(graph, map(self._class, row)) for graph in graphs]
            for graphs, row in zip(n_best, best.tolist())
        ]

    def get_metrics(self, reset: bool = False) -> dict[str, float]:
        return {"accuracy": self._accuracy.get_metric(reset)}

    def _indices(self, graph: Graph) -> list[int]:
        classes = self.column.classes(graph)
        return [NO_CLASS if name is None else self._index(name) for name in classes]
