"""What all decoders of a model share: words to vectors to states."""

from collections.abc import Sequence
from typing import Optional

import torch
from allennlp.common import FromParams, Lazy
from allennlp.data import TextFieldTensors
from allennlp.modules import Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn.util import get_final_encoder_states, get_text_field_mask

from ..decoders import Encoded
from ..graphs import Graph
from ..taggers import Tagger


class Backbone(torch.nn.Module, FromParams):
    """Embeds and encodes sentences, perhaps with tags that it guesses in between.

    # Parameters

    text_field_embedder : `TextFieldEmbedder`
    encoder : `Lazy[Seq2SeqEncoder]`
        Its `input_size`, or `input_dim`, is that of the embedder, and of the tagger if there is
        one.
    tagger : `Lazy[Tagger]`, optional
        Beyond the paper: guess tags, which the encoder reads beside the words. The tagger learns
        from the tags of the training data, and needs none when parsing.
    """

    def __init__(
        self,
        text_field_embedder: TextFieldEmbedder,
        encoder: Lazy[Seq2SeqEncoder],
        tagger: Optional[Lazy[Tagger]] = None,
    ) -> None:
        super().__init__()
        self.text_field_embedder = text_field_embedder
        input_size = text_field_embedder.get_output_dim()
        self.tagger: Optional[Tagger] = None
        if tagger is not None:
            self.tagger = tagger.construct(input_size=input_size)
            input_size += self.tagger.get_output_dim()
        # AllenNLP's encoders have either name, and each takes its own.
        self.encoder = encoder.construct(input_size=input_size, input_dim=input_size)

    def get_output_dim(self) -> int:
        return self.encoder.get_output_dim()

    def forward(
        self, tokens: TextFieldTensors, gold: Optional[Sequence[Graph]] = None
    ) -> tuple[Encoded, Optional[torch.Tensor]]:
        """The sentences, and the tagger's loss if there are a tagger and gold tags."""
        mask = get_text_field_mask(tokens)
        words = self.text_field_embedder(tokens)
        loss = None
        if self.tagger is not None:
            features, logits = self.tagger(words, mask)
            words = torch.cat([words, features], dim=2)
            if gold is not None:
                loss = self.tagger.loss(logits, gold)
        states = self.encoder(words, mask)
        summary = get_final_encoder_states(states, mask, self.encoder.is_bidirectional())
        return Encoded(states, summary, mask), loss

    def get_metrics(self, reset: bool = False) -> dict[str, float]:
        found = {} if self.tagger is None else self.tagger.get_metrics(reset)
        return {f"tag_{name}": value for name, value in found.items()}
