"""A gold graph as the steps that build it: what teacher forcing needs, as one AllenNLP field."""

from typing import Any

import torch
from allennlp.data import Vocabulary
from allennlp.data.fields import Field
from overrides import overrides

from ..graphs import Graph
from ..transitions import oracle, steps

LABELS = "arc_labels"
NO_LABEL = -1


class TransitionsField(Field[dict[str, torch.Tensor]]):
    """The oracle's steps for a graph.

    As tensors, each of shape (batch_size, steps): `focus`, the word in focus; `pointer`, the
    position pointed at; `label`, the index of the new arc's label, or -1 where there is none
    (Shift, arcs from ROOT, labels unknown to the vocabulary) and in padding; `mask`. `features`,
    with one more dimension, holds the positions of co-parent, grandparent and sibling, 0 for none.
    """

    __slots__ = ["_indices", "_labels", "_steps"]

    def __init__(self, graph: Graph) -> None:
        labels = {(head, dependent): label for head, dependent, label in graph.arcs}
        self._steps = list(steps(oracle(graph)))
        self._labels = [labels.get((pointer, focus)) for focus, pointer, _ in self._steps]
        self._indices: list[int] = []

    @overrides
    def count_vocab_items(self, counter: dict[str, dict[str, int]]) -> None:
        for label in self._labels:
            if label is not None:
                counter[LABELS][label] += 1

    @overrides
    def index(self, vocab: Vocabulary) -> None:
        known = vocab.get_token_to_index_vocabulary(LABELS)
        self._indices = [known.get(label, NO_LABEL) for label in self._labels]

    @overrides
    def get_padding_lengths(self) -> dict[str, int]:
        return {"steps": len(self._steps)}

    @overrides
    def as_tensor(self, padding_lengths: dict[str, int]) -> dict[str, torch.Tensor]:
        padding = padding_lengths["steps"] - len(self._steps)
        focus, pointer, features = zip(*self._steps)
        nothing = (0,) * padding
        return {
            "focus": torch.tensor(focus + nothing),
            "pointer": torch.tensor(pointer + nothing),
            "features": torch.tensor(features + ((0, 0, 0),) * padding),
            "label": torch.tensor(self._indices + [NO_LABEL] * padding),
            "mask": torch.tensor([True] * len(focus) + [False] * padding),
        }

    @overrides
    def batch_tensors(self, tensor_list: list[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
        return {key: torch.stack([part[key] for part in tensor_list]) for key in tensor_list[0]}

    @overrides
    def empty_field(self) -> "TransitionsField":
        field = TransitionsField.__new__(TransitionsField)
        field._steps, field._labels, field._indices = [], [], []
        return field

    def __len__(self) -> int:
        return len(self._steps)

    def human_readable_repr(self) -> Any:
        return [pointer for _, pointer, _ in self._steps]
