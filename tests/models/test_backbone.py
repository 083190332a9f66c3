"""Encoders that are none of ours are told the size of their input, whatever they call it."""

import pytest
import torch
from allennlp.common import Lazy, Params
from allennlp.modules import Seq2SeqEncoder
from allennlp.modules.text_field_embedders import BasicTextFieldEmbedder

import sdp_pointer.components  # noqa: F401
from sdp_pointer.models import Backbone


class Words(BasicTextFieldEmbedder):
    def get_output_dim(self):
        return 6


@pytest.mark.parametrize(
    "config",
    [
        {"type": "lstm", "hidden_size": 4},
        {"type": "pytorch_transformer", "num_layers": 1, "num_attention_heads": 2},
        {"type": "pass_through"},
        {"type": "variational_bilstm", "hidden_size": 4},
        {"type": "lstm", "input_size": 6, "hidden_size": 4},
    ],
)
def test_an_encoder_of_allennlp_gets_its_size(config):
    backbone = Backbone(Words({}), Lazy(Seq2SeqEncoder, Params(config)))
    words, mask = torch.zeros(1, 2, 6), torch.ones(1, 2, dtype=torch.bool)
    assert backbone.encoder(words, mask).shape[2] == backbone.get_output_dim()
