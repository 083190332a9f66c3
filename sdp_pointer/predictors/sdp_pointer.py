"""The predictor `sdp_pointer`: one JSON object a sentence in, one graph out."""

import json
from typing import Any

from allennlp.common.util import JsonDict
from allennlp.data import DatasetReader, Instance
from allennlp.models import Model
from allennlp.predictors import Predictor
from overrides import overrides

from ..errors import UserError
from ..graphs import Graph, Token
from ..graphs.formats import jsonl


@Predictor.register("sdp_pointer")
class SdpPointerPredictor(Predictor):
    """Takes `{"sentence": "raw text"}` or `{"tokens": [...], "pos": [...], "lemmas": [...]}`.

    The output is the JSON of `docs/graph.schema.json`, with the input's id and unknown keys.
    """

    def __init__(self, model: Model, dataset_reader: DatasetReader, frozen: bool = True) -> None:
        super().__init__(model, dataset_reader, frozen)
        self._tokenizer: Any = None

    @overrides
    def _json_to_instance(self, json_dict: JsonDict) -> Instance:
        graph = self._graph(json_dict)
        instance = self._dataset_reader.text_to_instance(graph.tokens)
        instance.fields["metadata"].metadata = graph
        return instance

    def _graph(self, json_dict: JsonDict) -> Graph:
        known = ("id", "tokens", "pos", "lemmas", "sentence")
        meta = {key: value for key, value in json_dict.items() if key not in known}
        if "tokens" in json_dict:
            tokens = _tokens(json_dict)
        elif "sentence" in json_dict:
            meta["text"] = json_dict["sentence"]
            words = self._words(json_dict["sentence"])
            tokens = [Token(word.text) for word in words]
            meta["offsets"] = tuple((word.idx, word.idx + len(word.text)) for word in words)
        else:
            raise UserError(f'neither "sentence" nor "tokens" in {json.dumps(json_dict)[:200]}')
        return Graph(tokens, id=str(json_dict.get("id", "")), meta=meta)

    def _words(self, text: str) -> list[Any]:
        """Words of a raw sentence by spaCy's English tokenizer, which needs no model."""
        if self._tokenizer is None:
            import spacy

            self._tokenizer = spacy.blank("en").tokenizer
        words = [word for word in self._tokenizer(text) if not word.is_space]
        if not words:
            raise UserError(f"there are no words in the sentence {text!r}")
        return words

    @overrides
    def predict_instance(self, instance: Instance) -> JsonDict:
        return self.predict_batch_instance([instance])[0]

    @overrides
    def predict_batch_instance(self, instances: list[Instance]) -> list[JsonDict]:
        for instance in instances:
            self._dataset_reader.apply_token_indexers(instance)
        outputs = self._model.forward_on_instances(instances)
        return [jsonl.to_json(output["graph"]) for output in outputs]

    @overrides
    def dump_line(self, outputs: JsonDict) -> str:
        return json.dumps(outputs, ensure_ascii=False, separators=(",", ":")) + "\n"


def _tokens(json_dict: JsonDict) -> list[Token]:
    forms = json_dict["tokens"]
    lemmas = json_dict.get("lemmas", ["_"] * len(forms))
    pos = json_dict.get("pos", ["_"] * len(forms))
    for name, column in (("lemmas", lemmas), ("pos", pos)):
        if len(column) != len(forms):
            raise UserError(f"{len(column)} {name} for {len(forms)} tokens: {forms}")
    return [Token(*columns) for columns in zip(forms, lemmas, pos)]
