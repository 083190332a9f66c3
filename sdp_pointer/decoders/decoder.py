"""The interface of all decoders."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Optional

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary

from ..graphs import ROOT, Graph
from ..metrics import SdpScores
from ..namespaces import LABELS
from ..steps import Steps
from .options import OneGraph, Options

# Head, dependent, label, probability; a top has ROOT as its head and no label.
ProbableArc = tuple[int, int, str, float]


class Encoded(NamedTuple):
    """Sentences as the backbone has read them.

    `words` : states, (batch_size, words, word_size)
    `summary` : of each whole sentence, (batch_size, word_size)
    `mask` : which words there are, (batch_size, words)
    """

    words: torch.Tensor
    summary: torch.Tensor
    mask: torch.Tensor


class Decoder(torch.nn.Module, Registrable):
    """Learns graphs from encoded sentences, and makes them.

    A subclass implements `loss` and `parse`, and is registered under its `type` in configs. It is
    built with `vocab` and `word_size`, and with whatever the config adds; see docs/architecture.md
    for an example.

    # Parameters

    vocab : `Vocabulary`
    label_namespace : `str`, optional (default = `"arc_labels"`)
        Where the vocabulary has the labels; the same as the reader's `label_namespace`.
    """

    default_implementation = "pointer"

    # May be replaced between two calls.
    options: Options = OneGraph()
    # Of its graphs, if anybody has named it.
    formalism: Optional[str] = None

    def __init__(self, vocab: Vocabulary, label_namespace: str = LABELS) -> None:
        super().__init__()
        if not vocab.get_vocab_size(label_namespace):
            raise ConfigurationError(
                "the training data has no arcs, so there are no labels to learn; those of a trained"
                f" model are in vocabulary/{label_namespace}.txt"
            )
        if "" in vocab.get_token_to_index_vocabulary(label_namespace):
            raise ConfigurationError(f"a label in vocabulary/{label_namespace}.txt is empty")
        self.label_indices = vocab.get_token_to_index_vocabulary(label_namespace)
        self.labels = tuple(sorted(self.label_indices, key=self.label_indices.__getitem__))
        self._scores = SdpScores()

    def loss(self, encoded: Encoded, gold: Sequence[Graph]) -> torch.Tensor:
        """Of a batch; without any arc in it, still with a gradient for every parameter."""
        raise NotImplementedError

    def parse(
        self, encoded: Sequence[Encoded], sentences: Sequence[Graph], options: Options
    ) -> list[list[Graph]]:
        """The best graphs of every sentence, best first; see `parsed_graph`.

        The sentences are in the order of the batches in `encoded`.
        """
        raise NotImplementedError

    def parse_steps(
        self, encoded: Sequence[Encoded], sentences: Sequence[Graph], options: Options
    ) -> Steps[list[list[Graph]]]:
        """As `parse`; yields wherever other work may come in between, by default once."""
        yield
        return self.parse(encoded, sentences, options)

    def hypotheses(self, options: Options) -> int:
        """How many hypotheses of a sentence are kept while it is parsed."""
        return 1

    def copies(self, options: Options) -> int:
        """How many copies of a sentence are in memory, with what is kept beside hypotheses."""
        return self.hypotheses(options)

    def describe(self) -> dict[str, Any]:
        """What people may want to know of the decoder, as JSON."""
        return {"decoder": next(iter(_names(type(self))), type(self).__name__)}

    def count(self, parsed: Iterable[Graph], gold: Iterable[Graph]) -> None:
        """Take note of how good some graphs are."""
        self._scores(parsed, gold)

    def get_metrics(self, reset: bool = False) -> dict[str, float]:
        return self._scores.get_metric(reset)


def _names(decoder: type[Decoder]) -> list[str]:
    return [name for name in Decoder.list_available() if Decoder.by_name(name) is decoder]


def parsed_graph(
    sentence: Graph, arcs: Iterable[ProbableArc], score: float, formalism: Optional[str] = None
) -> Graph:
    """The sentence with these arcs, and with their probabilities and the score in its `meta`.

    >>> from ..graphs import Token
    >>> graph = parsed_graph(Graph([Token("Cats"), Token("purr")]),
    ...                      [(2, 1, "ARG1", 0.9), (0, 2, "", 0.8)], score=-0.3)
    >>> graph, graph.meta["probabilities"]
    (Graph(Cats purr | top purr | purr -ARG1-> Cats), {(2, 1): 0.9, (0, 2): 0.8})
    """
    arcs = list(arcs)
    # Further digits vary with batching, by the order of additions.
    probabilities = {(head, dependent): round(value, 4) for head, dependent, _, value in arcs}
    # Of a graph that is parsed again, the old alternatives would not be this one's.
    meta = {key: value for key, value in sentence.meta.items() if key != "n_best"}
    return sentence.replace(
        formalism=formalism,
        # No decoder knows frames, and those of the input must not look as if it did.
        tokens=[token._replace(frame="_") for token in sentence.tokens],
        arcs=[arc[:3] for arc in arcs if arc[0] != ROOT],
        tops=[dependent for head, dependent, *_ in arcs if head == ROOT],
        bare_predicates=(),
        meta={**meta, "score": round(score, 4), "probabilities": probabilities},
    )
