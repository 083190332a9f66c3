"""The model `sdp_pointer`: a backbone that reads sentences, and decoders that make their graphs."""

from collections.abc import Sequence
from itertools import islice
from typing import Any, Optional

import torch
from allennlp.common import Lazy, Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, Instance, TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import move_to_device
from overrides import overrides

from ..batches import by_length
from ..decoders import Decoder, Encoded, Options
from ..errors import UserError
from ..graphs import Graph
from ..steps import Steps, completed
from ..taggers import Tagger
from .backbone import Backbone
from .graph_parser import GraphParser
from .upgrade import UNNAMED, present_name, upgraded_config

# Of sentences that are decoded together, with all hypotheses; see `SdpPointer.parse`.
MAX_TOKENS = 32768
# So many batches of the encoder are decoded together: a step for few rows takes as long.
DECODED_TOGETHER = 8


@Model.register("sdp_pointer")
class SdpPointer(GraphParser):
    """Reads sentences with its backbone, and makes graphs with its decoder.

    # Parameters

    vocab : `Vocabulary`
    backbone : `Backbone`
    decoders : `Dict[str, Lazy[Decoder]]`
        The decoder, by the name of the formalism that it learns, such as `dm`; or as `graph`, if
        that has no name.
    initializer : `InitializerApplicator`, optional
    taggers : `Dict[str, Lazy[Tagger]]`, optional
        Beyond the paper: what guesses columns of the words, by their names, such as `pos`.
    """

    default_predictor = "sdp_pointer"

    def __init__(
        self,
        vocab: Vocabulary,
        backbone: Backbone,
        decoders: dict[str, Lazy[Decoder]],
        initializer: Optional[InitializerApplicator] = None,
        taggers: Optional[dict[str, Lazy[Tagger]]] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(vocab, **kwargs)
        if len(decoders) != 1:
            names = ", ".join(decoders) or "none"
            raise ConfigurationError(f"the model needs one decoder; decoders has {names}")
        self.backbone = backbone
        self.decoders = torch.nn.ModuleDict(
            {
                name: decoder.construct(vocab=vocab, word_size=backbone.get_output_dim())
                for name, decoder in decoders.items()
            }
        )
        self.taggers = torch.nn.ModuleDict(
            {
                column: tagger.construct(
                    vocab=vocab, input_size=backbone.get_output_dim(), column=column
                )
                for column, tagger in (taggers or {}).items()
            }
        )
        if UNNAMED not in self.decoders:
            [self.decoder.formalism] = self.decoders
        self.register_load_state_dict_pre_hook(_rename)
        if initializer is not None:
            initializer(self)

    @classmethod
    def from_params(cls, params: Params, *args: Any, **kwargs: Any) -> "SdpPointer":
        """Also takes the flat parameters of version 0.1; see `upgraded_config`."""
        params = Params(upgraded_config(params.as_dict(quiet=True)))
        return super().from_params(params, *args, **kwargs)

    @property
    def decoder(self) -> Decoder:
        [decoder] = self.decoders.values()
        assert isinstance(decoder, Decoder)
        return decoder

    @property
    @overrides
    def formalisms(self) -> tuple[str, ...]:
        return tuple(name for name in self.decoders if name != UNNAMED)

    @property
    @overrides
    def options(self) -> Options:
        return self.decoder.options

    @options.setter
    def options(self, options: Options) -> None:
        self.decoder.options = options

    @overrides(check_signature=False)
    def forward(
        self,
        tokens: TextFieldTensors,
        metadata: list[Graph],
        gold: Optional[list[Graph]] = None,
    ) -> dict[str, Any]:
        """
        # Returns

        `loss`, if there are gold graphs; and, unless in training, `n_best`, the best graphs of
        each sentence with score and probabilities of arcs in their `meta`, and `graph`, the best.
        """
        encoded, tagger_loss = self.backbone(tokens, gold)
        output: dict[str, Any] = {}
        if gold is not None:
            loss = self.decoder.loss(encoded, gold)
            for tagger in self._taggers():
                loss = loss + tagger.loss(tagger(encoded.words, encoded.mask).logits, gold)
            output["loss"] = loss if tagger_loss is None else loss + tagger_loss
        if not self.training:
            n_best = self.decoder.parse([encoded], metadata, self.options)
            n_best = self._with_columns([encoded], n_best)
            output.update(graph=[graphs[0] for graphs in n_best], n_best=n_best)
            if gold is not None:
                self.decoder.count(output["graph"], metadata)
        return output

    @overrides
    def parse(
        self, instances: Sequence[Instance], batch_size: int = 32, options: Optional[Options] = None
    ) -> list[list[Graph]]:
        """The best graphs of every sentence, best first, in the order of the sentences.

        The encoder reads `batch_size` sentences of similar lengths at a time, and the decoder gets
        up to `DECODED_TOGETHER` such batches at once. The memory is bounded: it gets at most
        `MAX_TOKENS` tokens, counted once for every copy (`Decoder.copies`), unless it is a single
        longer sentence. Nothing of the model is changed, so that threads can share it.
        """
        return completed(self.parse_steps(instances, batch_size, options))

    @torch.inference_mode()
    @overrides
    def parse_steps(
        self, instances: Sequence[Instance], batch_size: int = 32, options: Optional[Options] = None
    ) -> Steps[list[list[Graph]]]:
        """As `parse`; yields after each batch of the encoder, and often in a search."""
        options = options or self.options
        if options.problem:
            raise UserError(options.problem)
        lengths = [len(instance["tokens"]) for instance in instances]
        parsed: list[list[Graph]] = [[] for _ in lengths]
        max_tokens = MAX_TOKENS // self.decoder.copies(options)
        for numbers in by_length(lengths, DECODED_TOGETHER * batch_size, max_tokens):
            chosen = [instances[number] for number in numbers]
            encoded = []
            for start in range(0, len(chosen), batch_size):
                encoded.append(self._encoded(chosen[start : start + batch_size]))
                yield
            sentences = [instance["metadata"].metadata for instance in chosen]
            graphs = yield from self.decoder.parse_steps(encoded, sentences, options)
            for number, best in zip(numbers, self._with_columns(encoded, graphs)):
                parsed[number] = best
        return parsed

    @overrides
    def hypotheses(self, options: Options) -> int:
        return self.decoder.hypotheses(options)

    @overrides
    def describe(self) -> dict[str, Any]:
        return {**self.decoder.describe(), **super().describe()}

    @overrides(check_signature=False)
    def forward_on_instances(self, instances: list[Instance]) -> list[dict[str, Any]]:
        parsed = self.parse(instances, len(instances))
        return [{"graph": graphs[0], "n_best": graphs} for graphs in parsed]

    @overrides
    def get_metrics(self, reset: bool = False) -> dict[str, float]:
        metrics = {} if self.training else self.decoder.get_metrics(reset)
        for tagger in self._taggers():
            for name, value in tagger.get_metrics(reset).items():
                metrics[f"{tagger.column.name}_{name}"] = value
        return {**metrics, **self.backbone.get_metrics(reset)}

    def present_name(self, name: str) -> str:
        """What weights are called that version 0.1 called so."""
        return present_name(name, *self.decoders)

    def _taggers(self) -> list[Tagger]:
        return [tagger for tagger in self.taggers.values() if isinstance(tagger, Tagger)]

    def _with_columns(
        self, encoded: Sequence[Encoded], n_best: list[list[Graph]]
    ) -> list[list[Graph]]:
        """The graphs of the sentences of some batches, with what the taggers guess."""
        for tagger in self._taggers():
            remaining = iter(n_best)
            n_best = []
            for batch in encoded:
                logits = tagger(batch.words, batch.mask).logits
                n_best += tagger.fill(logits, list(islice(remaining, len(logits))))
        return n_best

    def _encoded(self, instances: list[Instance]) -> Encoded:
        batch = Batch(instances)
        batch.index_instances(self.vocab)
        inputs = move_to_device(batch.as_tensor_dict(), self._get_prediction_device())
        return self.backbone(inputs["tokens"])[0]


def _rename(model: SdpPointer, state: dict[str, Any], prefix: str, *args: Any) -> None:
    """Give weights of version 0.1 their present names, in place, before torch loads them."""
    for name in [name for name in state if name.startswith(prefix)]:
        tensor = state.pop(name)
        state[prefix + model.present_name(name.removeprefix(prefix))] = tensor
