"""What a network begins with: from other first values it learns more slowly."""

import math

import pytest
import torch

from sdp_pointer.decoders.pointer.labeller import BiaffineLabeller
from sdp_pointer.decoders.pointer.network import PointerNetwork
from sdp_pointer.nn.biaffine import Mlp, PointerScorer
from sdp_pointer.nn.lstm import Lstm


def uniform(weight):
    """How far apart the values of a matrix are from 0, if they are uniform."""
    largest, mean = weight.abs().max().item(), weight.abs().mean().item()
    assert mean == pytest.approx(largest / 2, rel=0.1)
    return largest


def xavier(rows, columns):
    """Glorot and Bengio's bound; torch's own for a linear layer is 1 / sqrt(columns)."""
    return pytest.approx(math.sqrt(6 / (rows + columns)), rel=0.02)


def test_perceptrons_begin_with_xavier_and_without_bias():
    torch.manual_seed(0)
    linear = Mlp(80, 40, dropout=0.0)[0]
    assert uniform(linear.weight) == xavier(40, 80)
    assert not linear.bias.any()


def test_pointer_and_labeller_begin_with_xavier():
    torch.manual_seed(0)
    assert uniform(PointerScorer(8, 8, 60, 0.0).bilinear.weight) == xavier(60, 60)
    assert uniform(BiaffineLabeller(8, 8, 5, 0.0, size=60).bilinear) == xavier(60, 60)


def test_the_decoder_begins_with_a_root_of_length_1_and_without_bias():
    torch.manual_seed(0)
    network = PointerNetwork(word_size=400, input_size=30, state_size=8, arc_size=8)
    assert network.root.norm().item() == pytest.approx(1.0, rel=0.1)
    assert uniform(network.input.weight) == xavier(30, 400)
    assert not network.input_bias.any()


def test_an_lstm_begins_orthogonal_and_forgets_nothing():
    torch.manual_seed(0)
    lstm = Lstm(80, 40)
    for gate in lstm.weight_hh_l0.chunk(4):
        torch.testing.assert_close(gate @ gate.t(), torch.eye(40), atol=1e-4, rtol=0)
    for gate in lstm.weight_ih_l0.chunk(4):
        assert uniform(gate) == xavier(40, 80)
    forget = torch.tensor([0.0, 1.0, 0.0, 0.0]).repeat_interleave(40)
    assert torch.equal(lstm.bias_ih_l0 + lstm.bias_hh_l0, forget)
