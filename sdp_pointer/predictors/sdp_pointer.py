"""The predictor `sdp_pointer`: one JSON object a sentence in, one graph out."""

import json
from collections.abc import Sequence
from typing import Optional

from allennlp.common.util import JsonDict
from allennlp.data import Instance
from allennlp.predictors import Predictor
from overrides import overrides

from ..dataset_readers import SdpDatasetReader
from ..models import GraphParser
from ..parser import Parser, Result
from ..parser.loading import try_out
from ..parser.sentences import Sentence
from ..parser.text import Text


@Predictor.register("sdp_pointer")
class SdpPointerPredictor(Predictor):
    """Takes `{"sentence": "raw text"}` or `{"tokens": [...], "pos": [...], "lemmas": [...]}`.

    The output is the JSON of `docs/graph.schema.json`, with the input's id and unknown keys.

    # Parameters

    n_best : `int`, optional (default = the model's own)
        How many graphs of each sentence to write, in a list `n_best`.
    pipeline : `str`, optional
        An installed spaCy pipeline for raw text, if the model needs tags or lemmas.
    precision : `str`, optional (default = `"auto"`)
        As for `sdp_pointer.load`. The model is changed, and cannot be trained afterwards.

    `allennlp predict` passes them on: `--predictor-args '{"n_best": 3}'`.
    """

    def __init__(
        self,
        model: GraphParser,
        dataset_reader: SdpDatasetReader,
        frozen: bool = True,
        n_best: Optional[int] = None,
        pipeline: Optional[str] = None,
        precision: str = "auto",
    ) -> None:
        super().__init__(model, dataset_reader, frozen)
        model.lower(precision)
        self.parser = Parser(model, dataset_reader, Text(pipeline))
        self.n_best = self.parser.options(n_best).n_best
        try_out(self.parser)

    @overrides
    def predict_json(self, inputs: JsonDict) -> JsonDict:
        return self.predict_batch_json([inputs])[0]

    @overrides
    def predict_batch_json(self, inputs: list[JsonDict]) -> list[JsonDict]:
        return self._outputs(inputs)

    @overrides
    def predict_instance(self, instance: Instance) -> JsonDict:
        return self.predict_batch_instance([instance])[0]

    @overrides
    def predict_batch_instance(self, instances: list[Instance]) -> list[JsonDict]:
        return self._outputs([instance["metadata"].metadata for instance in instances])

    def _outputs(self, sentences: Sequence[Sentence]) -> list[JsonDict]:
        parsed = self.parser.n_best_batch(sentences, self.n_best, max(len(sentences), 1))
        return [Result(graphs).to_json(self.n_best > 1) for graphs in parsed]

    @overrides
    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        return self.parser.reader.sentence_to_instance(self.parser.prepare(json_dict))

    @overrides
    def dump_line(self, outputs: JsonDict) -> str:
        return json.dumps(outputs, ensure_ascii=False, separators=(",", ":")) + "\n"
