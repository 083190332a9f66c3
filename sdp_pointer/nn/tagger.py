"""A parser that knows only words makes its own tags."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from overrides import overrides
from torch import nn
from torch.nn.functional import cross_entropy, layer_norm
from torch.nn.utils.rnn import pad_sequence

from ..graphs import Graph
from ..metrics import Share
from ..namespaces import TAGS
from .encoder import VariationalBiLstm

# Of a word that has no gold tag, and of padding.
NO_TAG = -1


class Tagged(NamedTuple):
    """What a tagger says about the words of a batch.

    `features` : what is put beside the words' vectors, (batch_size, words, output_dim)
    `logits` : scores of the tags, (batch_size, words, num_tags)
    """

    features: torch.Tensor
    logits: torch.Tensor


class Tagger(nn.Module, Registrable):
    """Guesses the tag of each word from its vectors, for whatever reads the sentence next.

    A subclass implements `forward` and `get_output_dim`, and is built with `vocab` and
    `input_size`.

    # Parameters

    vocab : `Vocabulary`
    namespace : `str`, optional (default = `"guessed_tag"`)
        Where the vocabulary has the tags.
    loss_weight : `float`, optional (default = `1.0`)
    """

    default_implementation = "bilstm"

    def __init__(self, vocab: Vocabulary, namespace: str = TAGS, loss_weight: float = 1.0) -> None:
        super().__init__()
        self.num_tags = vocab.get_vocab_size(namespace)
        if self.num_tags <= 2:  # padding and the unknown tag
            raise ConfigurationError(
                "there are no tags from which the tagger could learn: set tags: true in the"
                " dataset_reader"
            )
        self.loss_weight = loss_weight
        self._index = partial(vocab.get_token_index, namespace=namespace)
        self._accuracy = Share()

    def get_output_dim(self) -> int:
        raise NotImplementedError

    def forward(self, words: torch.Tensor, mask: torch.Tensor) -> Tagged:
        raise NotImplementedError

    def loss(self, logits: torch.Tensor, gold: Sequence[Graph]) -> torch.Tensor:
        """Weighted mean over the words that have a gold tag.

        # Shape: logits (batch_size, words, num_tags)
        """
        tags = pad_sequence(
            [torch.tensor(self._gold(graph), device="cpu") for graph in gold],
            batch_first=True,
            padding_value=NO_TAG,
        ).to(logits.device)
        known = tags != NO_TAG
        scores, tags = logits[known], tags[known]
        self._accuracy(scores.argmax(1) == tags)
        total = cross_entropy(scores, tags, reduction="sum")
        return self.loss_weight * total / known.sum().clamp(min=1)

    def get_metrics(self, reset: bool = False) -> dict[str, float]:
        return {"tag_accuracy": self._accuracy.get_metric(reset)}

    def _gold(self, graph: Graph) -> list[int]:
        return [NO_TAG if token.pos == "_" else self._index(token.pos) for token in graph.tokens]


@Tagger.register("bilstm")
class BiLstmTagger(Tagger):
    """Bidirectional LSTMs of its own; the features are their states and the expected tag's vector.

    The expected vector is the mean of the tags' vectors by their probabilities. It says "surely a
    noun" or "noun or verb", and lets the parser's loss reach the tagger.

    # Parameters

    vocab, namespace, loss_weight :
        See `Tagger`.
    input_size : `int`
        Given by the backbone.
    hidden_size : `int`, optional (default = `128`)
        In each direction.
    num_layers : `int`, optional (default = `1`)
    tag_size : `int`, optional (default = `100`)
        Of a tag's vector.
    dropout : `float`, optional (default = `0.33`)
    """

    def __init__(
        self,
        vocab: Vocabulary,
        input_size: int,
        hidden_size: int = 128,
        num_layers: int = 1,
        tag_size: int = 100,
        dropout: float = 0.33,
        namespace: str = TAGS,
        loss_weight: float = 1.0,
    ) -> None:
        super().__init__(vocab, namespace, loss_weight)
        self.encoder = VariationalBiLstm(input_size, hidden_size, num_layers, dropout)
        self.scores = nn.Linear(2 * hidden_size, self.num_tags)
        self.tags = nn.Linear(self.num_tags, tag_size, bias=False)

    @overrides
    def get_output_dim(self) -> int:
        return self.encoder.get_output_dim() + self.tags.out_features

    @overrides
    def forward(self, words: torch.Tensor, mask: torch.Tensor) -> Tagged:
        states = self.encoder(words, mask)
        logits = self.scores(states)
        expected = self.tags(logits.softmax(2))
        # Both at the scale of normalized word vectors.
        kinds = [layer_norm(kind, kind.shape[2:]) for kind in (states, expected)]
        return Tagged(torch.cat(kinds, dim=2), logits)
