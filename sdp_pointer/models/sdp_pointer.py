"""The model `sdp_pointer`: the paper's transition-based parser with a pointer network."""

from typing import Any, Optional

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_final_encoder_states, get_text_field_mask
from overrides import overrides
from torch.nn.functional import cross_entropy

from ..dataset_readers.transitions_field import LABELS, NO_LABEL
from ..graphs import ROOT, Graph
from ..metrics import SdpScores
from ..nn.biaffine import LabelScorer
from ..nn.decoder import Memory, PointerDecoder
from ..nn.search import NONE, Options, Path, search
from ..transitions import FEATURES


@Model.register("sdp_pointer")
class SdpPointer(Model):
    """Reads a sentence, and for each word points at its heads one after another.

    The defaults are the sizes of the paper's Table 1.

    # Parameters

    vocab : `Vocabulary`
    text_field_embedder : `TextFieldEmbedder`
    encoder : `Seq2SeqEncoder`
    decoder_input_size, decoder_size, arc_size, label_size : `int`, optional
        (default = `256`, `512`, `512`, `128`)
    dropout : `float`, optional (default = `0.33`)
        In the decoder and the scorers.
    shift_score : `bool`, optional (default = `False`)
        Beyond the paper: a score of its own for Shift; see `PointerDecoder`.
    label_loss_weight : `float`, optional (default = `1.0`)
    features : `List[str]`, optional (default = `["co_parent"]`)
        What is added to the focus word in the decoder's input: `co_parent`, `grandparent`,
        `sibling`.
    beam_size, acyclic, ascending, max_heads : optional (default = `1`, `True`, `True`, `None`)
        Of the search; see `sdp_pointer.nn.search`.
    initializer : `InitializerApplicator`, optional
    """

    default_predictor = "sdp_pointer"

    def __init__(
        self,
        vocab: Vocabulary,
        text_field_embedder: TextFieldEmbedder,
        encoder: Seq2SeqEncoder,
        decoder_input_size: int = 256,
        decoder_size: int = 512,
        arc_size: int = 512,
        label_size: int = 128,
        dropout: float = 0.33,
        shift_score: bool = False,
        label_loss_weight: float = 1.0,
        features: Optional[list[str]] = None,
        beam_size: int = 1,
        acyclic: bool = True,
        ascending: bool = True,
        max_heads: Optional[int] = None,
        initializer: Optional[InitializerApplicator] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(vocab, **kwargs)
        num_labels = vocab.get_vocab_size(LABELS)
        if not num_labels:
            raise ConfigurationError(
                "the training data has no arcs, so there are no labels to learn"
            )
        features = ["co_parent"] if features is None else features
        if not set(features) <= set(FEATURES):
            raise ConfigurationError(f"features {features} are not all among {list(FEATURES)}")
        word_size = encoder.get_output_dim()
        self.text_field_embedder = text_field_embedder
        self.encoder = encoder
        self.decoder = PointerDecoder(
            word_size,
            decoder_input_size,
            decoder_size,
            arc_size,
            dropout,
            features,
            shift_score,
        )
        self.labeller = LabelScorer(decoder_size, word_size, label_size, num_labels, dropout)
        self.label_loss_weight = label_loss_weight
        self.options = Options(beam_size, acyclic, ascending, max_heads)
        self._scores = SdpScores()
        if initializer is not None:
            initializer(self)

    @overrides(check_signature=False)
    def forward(
        self,
        tokens: TextFieldTensors,
        metadata: list[Graph],
        transitions: Optional[dict[str, torch.Tensor]] = None,
    ) -> dict[str, Any]:
        """
        # Returns

        `loss`, if there are gold transitions; and, unless in training, `graph`, the parsed ones.
        """
        memory = self._encode(tokens)
        output: dict[str, Any] = {}
        if transitions is not None:
            output["loss"] = self._loss(memory, **transitions)
        if not self.training:
            output["graph"] = self._parse(memory, metadata)
            if transitions is not None:
                self._scores(output["graph"], metadata)
        return output

    @overrides
    def get_metrics(self, reset: bool = False) -> dict[str, float]:
        return {} if self.training else self._scores.get_metric(reset)

    def _encode(self, tokens: TextFieldTensors) -> Memory:
        mask = get_text_field_mask(tokens)
        encoded = self.encoder(self.text_field_embedder(tokens), mask)
        summary = get_final_encoder_states(encoded, mask, self.encoder.is_bidirectional())
        return self.decoder.remember(encoded, summary, mask)

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
        if len(step):
            arcs = pointer[sentence, step]
            scores = self.labeller(states[sentence, step], memory.words[sentence, arcs])
            label_loss = cross_entropy(scores, label[sentence, step], reduction="sum") / steps
            loss = loss + self.label_loss_weight * label_loss
        return loss

    def _parse(self, memory: Memory, sentences: list[Graph]) -> list[Graph]:
        path = search(self.decoder, memory, self.options)
        arcs = self._arcs(memory, path)
        return [
            graph.replace(
                arcs=[arc for arc in arcs[number] if arc[0] != ROOT],
                tops=[dependent for head, dependent, _ in arcs[number] if head == ROOT],
                bare_predicates=(),
            )
            for number, graph in enumerate(sentences)
        ]

    def _arcs(self, memory: Memory, path: Path) -> list[list[tuple[int, int, str]]]:
        """Arcs of every sentence, tops with ROOT as head; labels are scored for all together."""
        pointer = path.pointer
        focus = _focus(pointer)
        sentence, step = ((pointer != NONE) & (pointer != focus)).nonzero(as_tuple=True)
        head, dependent = pointer[sentence, step], focus[sentence, step]
        scores = self.labeller(path.state[sentence, step], memory.words[sentence, head])
        names = self.vocab.get_index_to_token_vocabulary(LABELS)
        arcs: list[list[tuple[int, int, str]]] = [[] for _ in range(len(pointer))]
        columns = (part.tolist() for part in (sentence, head, dependent, scores.argmax(1)))
        for number, start, end, label in zip(*columns):
            arcs[number].append((start, end, names[label]))
        return arcs


def _focus(pointer: torch.Tensor) -> torch.Tensor:
    """The focus word of each step of sequences of pointers.

    >>> _focus(torch.tensor([[2, 1, 0, 2, -1]]))
    tensor([[1, 1, 2, 2, 3]])
    """
    focus = torch.ones_like(pointer[:, 0])
    columns = []
    for column in pointer.unbind(1):
        columns.append(focus)
        focus = focus + (column == focus)
    return torch.stack(columns, dim=1)
