"""The model `sdp_pointer`: the paper's transition-based parser with a pointer network."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Optional

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, Instance, TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_final_encoder_states, get_text_field_mask, move_to_device
from overrides import overrides
from torch.nn.functional import cross_entropy

from ..batches import by_length
from ..dataset_readers.sdp import TAGS
from ..dataset_readers.transitions_field import LABELS, NO_LABEL
from ..errors import UserError
from ..graphs import ROOT, Graph
from ..metrics import SdpScores, Share
from ..nn.biaffine import LabelScorer
from ..nn.decoder import Memory, PointerDecoder, together
from ..nn.search import NONE, Network, Options, Path, search
from ..nn.tagger import Tagger
from ..transitions import FEATURES

# Of a search, with all hypotheses; see `SdpPointer.parse`.
MAX_TOKENS = 32768
# So many batches of the encoder are searched together: a step of the decoder is dear for few rows.
SEARCHED_TOGETHER = 8

# So many arcs are labelled at once: what is computed for each is large, and should stay in cache.
LABELLED_AT_ONCE = 128

# Head, dependent, label, probability.
ProbableArc = tuple[int, int, str, float]


@Model.register("sdp_pointer")
class SdpPointer(Model):
    """Reads a sentence, and for each word points at its heads one after another.

    The defaults are the sizes of the paper's Table 1.

    # Parameters

    vocab : `Vocabulary`
    text_field_embedder : `TextFieldEmbedder`
    encoder : `Lazy[Seq2SeqEncoder]`
        Its `input_size` is that of the embedder, and of the tagger if there is one. Another
        encoder whose sizes have other names must be given them in the config.
    tagger : `Lazy[Tagger]`, optional
        Beyond the paper: guess tags, and give them to the encoder beside the words. It learns from
        the reader's field `tags`, and needs none when parsing.
    tag_loss_weight : `float`, optional (default = `1.0`)
    decoder_input_size, decoder_size, arc_size, label_size : `int`, optional
        (default = `256`, `512`, `512`, `128`)
    dropout : `float`, optional (default = `0.33`)
        In the decoder and the scorers.
    shift_score : `bool`, optional (default = `False`)
        Beyond the paper: a score of its own for Shift; see `PointerDecoder`.
    skip_connection : `bool`, optional (default = `False`)
        Beyond the paper: pointer and labeller also see the focus word's encoder state.
    label_loss_weight : `float`, optional (default = `1.0`)
    features : `List[str]`, optional (default = `["co_parent"]`)
        What is added to the focus word in the decoder's input: `co_parent`, `grandparent`,
        `sibling`.
    beam_size, acyclic, ascending, max_heads, label_weight, n_best : optional
        (default = `1`, `True`, `True`, `None`, `0.0`, `1`)
        Of the search; see `sdp_pointer.nn.search.Options`. The attribute `options` has them, and
        may be replaced between two calls.
    initializer : `InitializerApplicator`, optional
    """

    default_predictor = "sdp_pointer"

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        encoder: Lazy[Seq2SeqEncoder],
        tagger: Optional[Lazy[Tagger]] = None,
        tag_loss_weight: float = 1.0,
        decoder_input_size: int = 256,
        decoder_size: int = 512,
        arc_size: int = 512,
        label_size: int = 128,
        dropout: float = 0.33,
        shift_score: bool = False,
        skip_connection: bool = False,
        label_loss_weight: float = 1.0,
        features: Optional[list[str]] = None,
        beam_size: int = 1,
        acyclic: bool = True,
        ascending: bool = True,
        max_heads: Optional[int] = None,
        label_weight: float = 0.0,
        n_best: int = 1,
        initializer: Optional[InitializerApplicator] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(vocab, **kwargs)
        num_labels = vocab.get_vocab_size(LABELS)
        if not num_labels:
            raise ConfigurationError(
                "the training data has no arcs, so there are no labels to learn; those of a trained"
                " model are in vocabulary/arc_labels.txt"
            )
        if "" in vocab.get_token_to_index_vocabulary(LABELS):
            raise ConfigurationError("a label in vocabulary/arc_labels.txt is empty")
        features = ["co_parent"] if features is None else features
        if not set(features) <= set(FEATURES):
            raise ConfigurationError(f"features {features} are not all among {list(FEATURES)}")
        self.text_field_embedder = text_field_embedder
        input_size = text_field_embedder.get_output_dim()
        self.tagger: Optional[Tagger] = None
        if tagger is not None:
            num_tags = vocab.get_vocab_size(TAGS)
            if num_tags <= 2:  # padding and the unknown tag
                raise ConfigurationError(
                    "there are no tags from which the tagger could learn: set tags: true in the"
                    " dataset_reader"
                )
            self.tagger = tagger.construct(input_size=input_size, num_tags=num_tags)
            input_size += self.tagger.get_output_dim()
        self.tag_loss_weight = tag_loss_weight
        self._tag_accuracy = Share()
        self.encoder = encoder.construct(input_size=input_size)
        word_size = self.encoder.get_output_dim()
        self.decoder = PointerDecoder(
            word_size,
            decoder_input_size,
            decoder_size,
            arc_size,
            dropout,
            features,
            shift_score,
            skip_connection,
        )
        self.labeller = LabelScorer(
            decoder_size, word_size, label_size, num_labels, dropout, skip_connection
        )
        self.label_loss_weight = label_loss_weight
        self.options = Options(beam_size, acyclic, ascending, max_heads, label_weight, n_best)
        if self.options.problem:
            raise ConfigurationError(self.options.problem)
        self._scores = SdpScores()
        if initializer is not None:
            initializer(self)

    @overrides(check_signature=False)
    def forward(
        self,
        tokens: TextFieldTensors,
        metadata: list[Graph],
        transitions: Optional[dict[str, torch.Tensor]] = None,
        tags: Optional[TextFieldTensors] = None,
    ) -> dict[str, Any]:
        """
        # Returns

        `loss`, if there are gold transitions; and, unless in training, `n_best`, the best graphs of
        each sentence with score and probabilities of arcs in their `meta`, and `graph`, the best.
        """
        memory, tag_logits = self._encode(tokens)
        output: dict[str, Any] = {}
        if transitions is not None:
            output["loss"] = self._loss(memory, **transitions)
            if tag_logits is not None and tags is not None:
                output["loss"] = output["loss"] + self._tag_loss(tag_logits, tags, memory.mask)
        if not self.training:
            n_best = self._parse(memory, metadata, self.options)
            output.update(graph=[graphs[0] for graphs in n_best], n_best=n_best)
            if transitions is not None:
                self._scores(output["graph"], metadata)
        return output

    @torch.inference_mode()
    def parse(
        self,
        instances: Sequence[Instance],
        batch_size: int = 32,
        options: Optional[Options] = None,
    ) -> list[list[Graph]]:
        """The best graphs of every sentence, best first, in the order of the sentences.

        The encoder reads `batch_size` sentences of similar lengths at a time, and the search
        advances up to `SEARCHED_TOGETHER` such batches at once. The memory is bounded: a search has
        at most `MAX_TOKENS` tokens, counted once for every hypothesis of the beam, unless it is a
        single longer sentence. Nothing of the model is changed, so that threads can share it.
        """
        options = options or self.options
        if options.problem:
            raise UserError(options.problem)
        lengths = [len(instance["tokens"]) for instance in instances]
        parsed: list[list[Graph]] = [[] for _ in lengths]
        max_tokens = MAX_TOKENS // options.beam_size
        for numbers in by_length(lengths, SEARCHED_TOGETHER * batch_size, max_tokens):
            searched = [instances[number] for number in numbers]
            memory = together(
                [
                    self._memory(searched[start : start + batch_size])
                    for start in range(0, len(searched), batch_size)
                ]
            )
            sentences = [instance["metadata"].metadata for instance in searched]
            for number, graphs in zip(numbers, self._parse(memory, sentences, options)):
                parsed[number] = graphs
        return parsed

    @overrides(check_signature=False)
    def forward_on_instances(self, instances: list[Instance]) -> list[dict[str, Any]]:
        parsed = self.parse(instances, len(instances))
        return [{"graph": graphs[0], "n_best": graphs} for graphs in parsed]

    @overrides
    def get_metrics(self, reset: bool = False) -> dict[str, float]:
        metrics = {} if self.training else self._scores.get_metric(reset)
        if self.tagger is not None:
            metrics["tag_accuracy"] = self._tag_accuracy.get_metric(reset)
        return metrics

    def _memory(self, instances: list[Instance]) -> Memory:
        batch = Batch(instances)
        batch.index_instances(self.vocab)
        inputs = move_to_device(batch.as_tensor_dict(), self._get_prediction_device())
        return self._encode(inputs["tokens"])[0]

    def _encode(self, tokens: TextFieldTensors) -> tuple[Memory, Optional[torch.Tensor]]:
        """What the decoder remembers of the sentences, and the scores of the words' tags."""
        mask = get_text_field_mask(tokens)
        words = self.text_field_embedder(tokens)
        logits = None
        if self.tagger is not None:
            features, logits = self.tagger(words, mask)
            words = torch.cat([words, features], dim=2)
        encoded = self.encoder(words, mask)
        summary = get_final_encoder_states(encoded, mask, self.encoder.is_bidirectional())
        return self.decoder.remember(encoded, summary, mask), logits

    def _loss(
        self,
        memory: Memory,
        focus: torch.Tensor,
        pointer: torch.Tensor,
        features: torch.Tensor,
        label: torch.Tensor,
        mask: torch.Tensor,
    ) -> torch.Tensor:
        """Negative log-likelihood of the gold pointers and labels, for each step."""
        states, logits = self.decoder(memory, focus, features)
        steps = mask.sum()
        loss = cross_entropy(logits[mask], pointer[mask], reduction="sum") / steps
        sentence, step = (label != NO_LABEL).nonzero(as_tuple=True)
        # Without any arc the sum is 0, and the labeller has a gradient all the same, for which the
        # other processes of a distributed training wait.
        head, dependent = pointer[sentence, step], focus[sentence, step]
        scores = self._label(memory, states[sentence, step], sentence, head, dependent)
        label_loss = cross_entropy(scores, label[sentence, step], reduction="sum") / steps
        return loss + self.label_loss_weight * label_loss

    def _tag_loss(
        self, logits: torch.Tensor, tags: TextFieldTensors, mask: torch.Tensor
    ) -> torch.Tensor:
        words = mask[:, 1:]  # without ROOT
        scores, gold = logits[words], tags[TAGS]["tokens"][words]
        self._tag_accuracy(scores.argmax(1) == gold)
        return self.tag_loss_weight * cross_entropy(scores, gold)

    def _label(
        self,
        memory: Memory,
        states: torch.Tensor,
        sentence: torch.Tensor,
        head: torch.Tensor,
        dependent: torch.Tensor,
    ) -> torch.Tensor:
        # Shape: states (arcs, decoder_size), the others (arcs,); returns (arcs, num_labels)
        words = memory.words
        return self.labeller(states, words[sentence, dependent], words[sentence, head])

    def _parse(self, memory: Memory, sentences: list[Graph], options: Options) -> list[list[Graph]]:
        path = search(Network(self.decoder, self.labeller), memory, options)
        arcs = self._arcs(memory, path)
        scores = path.score.tolist()
        parsed = (
            (
                _parsed(sentence, arcs[number, rank], score)
                for rank, score in enumerate(scores[number])
                if score > float("-inf")
            )
            for number, sentence in enumerate(sentences)
        )
        # The same graph comes twice if the heads of a word may be attached in any order.
        return [list(dict.fromkeys(graphs)) for graphs in parsed]

    def _arcs(self, memory: Memory, path: Path) -> dict[tuple[int, int], list[ProbableArc]]:
        """Arcs by sentence and rank, tops with ROOT as head; labels are scored for all together."""
        focus = _focus(path.pointer)
        sentence, rank, step = ((path.pointer != NONE) & (path.pointer != focus)).nonzero(
            as_tuple=True
        )
        chosen = (sentence, rank, step)
        head, dependent = path.pointer[chosen], focus[chosen]
        columns = (path.state[chosen], sentence, head, dependent)
        parts = zip(*(column.split(LABELLED_AT_ONCE) for column in columns))
        scores = torch.cat([self._label(memory, *part) for part in parts])
        label_log_prob, label = scores.log_softmax(1).max(1)
        # Tops have no label.
        log_prob = path.log_prob[chosen] + label_log_prob.masked_fill(head == ROOT, 0.0)
        names = self.vocab.get_index_to_token_vocabulary(LABELS)
        arcs: dict[tuple[int, int], list[ProbableArc]] = defaultdict(list)
        found = (sentence, rank, head, dependent, label, log_prob.exp().clamp(max=1.0))
        for n, k, start, end, name, probability in zip(*(column.tolist() for column in found)):
            arcs[n, k].append((start, end, names[name], probability))
        return arcs


def _parsed(sentence: Graph, arcs: list[ProbableArc], score: float) -> Graph:
    # More digits would depend on the batch, by the order of additions.
    probabilities = {(head, dependent): round(value, 4) for head, dependent, _, value in arcs}
    # Of a graph that is parsed again, the old alternatives would not be this one's.
    meta = {key: value for key, value in sentence.meta.items() if key != "n_best"}
    return sentence.replace(
        # Frames are no business of this parser, and must not look as if they were its own.
        tokens=[token._replace(frame="_") for token in sentence.tokens],
        arcs=[arc[:3] for arc in arcs if arc[0] != ROOT],
        tops=[dependent for head, dependent, *_ in arcs if head == ROOT],
        bare_predicates=(),
        meta={**meta, "score": round(score, 4), "probabilities": probabilities},
    )


def _focus(pointer: torch.Tensor) -> torch.Tensor:
    """The focus word of each step of sequences of pointers: the number of Shifts before it, and 1.

    >>> _focus(torch.tensor([[2, 1, 0, 2, -1]]))
    tensor([[1, 1, 2, 2, 3]])
    """
    focus = torch.ones_like(pointer[..., 0])
    columns = []
    for column in pointer.unbind(-1):
        columns.append(focus)
        focus = focus + (column == focus)
    return torch.stack(columns, dim=-1)
