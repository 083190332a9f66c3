"""The predictor `sdp_pointer`: one JSON object a sentence in, one graph out."""

import json
from typing import Any, Optional

from allennlp.common.util import JsonDict
from allennlp.data import DatasetReader, Instance
from allennlp.models import Model
from allennlp.predictors import Predictor
from overrides import overrides

from ..graphs import Graph
from ..graphs.formats import jsonl
from ..inputs import sentence
from ..parser import Parser, with_alternatives
from ..text import Text


@Predictor.register("sdp_pointer")
class SdpPointerPredictor(Predictor):
    """Takes `{"sentence": "raw text"}` or `{"tokens": [...], "pos": [...], "lemmas": [...]}`.

    The output is the JSON of `docs/graph.schema.json`, with the input's id and unknown keys.

    # Parameters

    n_best : `int`, optional (default = the model's own)
        How many graphs of each sentence to write, in a list `n_best`.
    pipeline : `str`, optional
        An installed spaCy pipeline for raw text, if the model needs tags or lemmas.

    `allennlp predict` passes them on: `--predictor-args '{"n_best": 3}'`.
    """

    def __init__(
        self,
        model: Model,
        dataset_reader: DatasetReader,
        frozen: bool = True,
        n_best: Optional[int] = None,
        pipeline: Optional[str] = None,
    ) -> None:
        super().__init__(model, dataset_reader, frozen)
        self.parser = Parser(model, dataset_reader, Text(pipeline))
        self.n_best = self.parser.options(n_best).n_best
        self.parser.try_out()

    def best(self, graphs: list[Graph]) -> Graph:
        """The best graph, with the others in its `meta` if several were asked for."""
        return graphs[0] if self.n_best == 1 else with_alternatives(graphs)

    @overrides
    def predict_json(self, inputs: JsonDict) -> JsonDict:
        return self.predict_batch_json([inputs])[0]

    @overrides
    def predict_batch_json(self, inputs: list[JsonDict]) -> list[JsonDict]:
        return self._outputs([sentence(value, self.parser.text) for value in inputs])

    @overrides
    def predict_instance(self, instance: Instance) -> JsonDict:
        return self.predict_batch_instance([instance])[0]

    @overrides
    def predict_batch_instance(self, instances: list[Instance]) -> list[JsonDict]:
        return self._outputs([instance["metadata"].metadata for instance in instances])

    def _outputs(self, sentences: list[Graph]) -> list[JsonDict]:
        parsed = self.parser.n_best_batch(sentences, self.n_best, max(len(sentences), 1))
        return [jsonl.to_json(self.best(graphs)) for graphs in parsed]

    @overrides
    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        graph = self.parser.prepare(sentence(json_dict, self.parser.text))
        instance: Any = self._dataset_reader.sentence_to_instance(graph)
        return instance

    @overrides
    def dump_line(self, outputs: JsonDict) -> str:
        return json.dumps(outputs, ensure_ascii=False, separators=(",", ":")) + "\n"
