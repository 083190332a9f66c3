"""A gold graph as an AllenNLP field: what a model learns from, and its vocabulary must know."""

from collections.abc import Sequence

from allennlp.data.fields import Field
from overrides import overrides

from ..columns import Column
from ..graphs import Graph
from ..namespaces import LABELS


class GraphField(Field[Graph]):
    """The graph itself, in a batch as a list of graphs; each decoder makes its own targets of it.

    # Parameters

    graph : `Graph`
    label_namespace : `str`, optional (default = `"arc_labels"`)
        Where the labels of its arcs are counted.
    columns : `Sequence[Column]`, optional
        Of its words, whose classes are counted.
    """

    __slots__ = ["columns", "graph", "label_namespace"]

    def __init__(
        self, graph: Graph, label_namespace: str = LABELS, columns: Sequence[Column] = ()
    ) -> None:
        self.graph = graph
        self.label_namespace = label_namespace
        self.columns = columns

    @overrides
    def count_vocab_items(self, counter: dict[str, dict[str, int]]) -> None:
        for arc in self.graph.arcs:
            counter[self.label_namespace][arc.label] += 1
        for column in self.columns:
            for name in column.classes(self.graph):
                if name is not None:
                    counter[column.namespace][name] += 1

    @overrides
    def get_padding_lengths(self) -> dict[str, int]:
        return {}

    @overrides
    def as_tensor(self, padding_lengths: dict[str, int]) -> Graph:
        return self.graph

    @overrides
    def batch_tensors(self, tensor_list: Sequence[Graph]) -> list[Graph]:
        return list(tensor_list)

    @overrides
    def empty_field(self) -> "GraphField":
        raise NotImplementedError("a graph has at least one word")

    def __len__(self) -> int:
        return len(self.graph)

    def human_readable_repr(self) -> str:
        return repr(self.graph)
