"""Gold graphs as the steps that build them: what teacher forcing needs."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch.nn.utils.rnn import pad_sequence

from ...graphs import Graph
from ...transitions import oracle, steps

NO_LABEL = -1


class Targets(NamedTuple):
    """The oracle's steps for the graphs of a batch, each of shape (batch_size, steps).

    `focus` : the word in focus
    `pointer` : the position pointed at
    `features` : positions of co-parent, grandparent and sibling, 0 for none, in a third dimension
    `label` : the index of the new arc's label, or `NO_LABEL` where there is none (Shift, arcs from
        ROOT, unknown labels) and in padding
    `mask` : which steps there are
    """

    focus: torch.Tensor
    pointer: torch.Tensor
    features: torch.Tensor
    label: torch.Tensor
    mask: torch.Tensor


def targets(
    graphs: Sequence[Graph], label_indices: Mapping[str, int], device: torch.device
) -> Targets:
    """The steps of some graphs, on the device of the sentences.

    >>> from ...graphs import Token
    >>> graph = Graph([Token("Cats"), Token("purr")], [(2, 1, "ARG1")], tops=[2])
    >>> found = targets([graph], {"ARG1": 7}, torch.device("cpu"))
    >>> found.focus.tolist(), found.pointer.tolist(), found.label.tolist()
    ([[1, 1, 2, 2]], [[2, 1, 0, 2]], [[7, -1, -1, -1]])
    """
    columns = zip(*(_columns(graph, label_indices) for graph in graphs))
    focus, pointer, features, label = (
        pad_sequence(
            [torch.tensor(cells, device="cpu") for cells in column],
            batch_first=True,
            padding_value=pad,
        )
        for column, pad in zip(columns, (0, 0, 0, NO_LABEL))
    )
    mask = focus > 0
    return Targets(*(part.to(device) for part in (focus, pointer, features, label, mask)))


def _columns(graph: Graph, label_indices: Mapping[str, int]) -> tuple[Sequence[Any], ...]:
    labels = {(head, dependent): label for head, dependent, label in graph.arcs}
    focus, pointer, features = zip(*steps(oracle(graph)))
    found = (label_indices.get(labels.get(arc, ""), NO_LABEL) for arc in zip(pointer, focus))
    return focus, pointer, features, tuple(found)
