"""The encoder: fused layers, one dropout mask for all words of a sentence."""

import torch

import sdp_pointer.components  # noqa: F401
from sdp_pointer.nn.encoder import VariationalBiLstm


def test_padding_does_not_change_a_sentence():
    torch.manual_seed(0)
    encoder = VariationalBiLstm(3, hidden_size=4, num_layers=2).eval()
    short = torch.randn(1, 2, 3)
    padded = torch.cat([short, torch.randn(1, 3, 3)], dim=1)
    mask = torch.tensor([[True, True, False, False, False]])
    together = encoder(torch.cat([padded, torch.randn(1, 5, 3)]), torch.cat([mask, mask | True]))
    torch.testing.assert_close(together[:1, :2], encoder(short, mask[:, :2]))
    assert together[0, 2:].abs().sum() == 0


def test_it_is_torchs_stacked_lstm_without_dropout():
    torch.manual_seed(0)
    encoder = VariationalBiLstm(3, hidden_size=4, num_layers=2, dropout=0.0)
    stacked = torch.nn.LSTM(3, 4, num_layers=2, bidirectional=True, batch_first=True)
    for layers, ending in ((encoder.rightward, ""), (encoder.leftward, "_reverse")):
        for number, layer in enumerate(layers):
            for name, parameter in layer.named_parameters():
                target = name.replace("l0", f"l{number}") + ending
                getattr(stacked, target).data.copy_(parameter)
    inputs = torch.randn(2, 5, 3)
    mask = torch.ones(2, 5, dtype=torch.bool)
    torch.testing.assert_close(encoder(inputs, mask), stacked(inputs)[0])


def test_a_dropped_unit_is_dropped_in_all_words_of_a_sentence():
    torch.manual_seed(0)
    encoder = VariationalBiLstm(3, hidden_size=8, num_layers=1, dropout=0.5).train()
    output = encoder(torch.randn(4, 6, 3), torch.ones(4, 6, dtype=torch.bool))
    dropped = output == 0
    assert dropped.any()
    assert torch.equal(dropped.any(1), dropped.all(1))
    assert len({tuple(row.tolist()) for row in dropped[:, 0]}) > 1


def test_every_layer_loses_units_of_its_input():
    torch.manual_seed(0)
    encoder = VariationalBiLstm(16, hidden_size=8, num_layers=3, dropout=0.5).train()
    inputs = []
    for layer in (*encoder.rightward, *encoder.leftward):
        layer.register_forward_pre_hook(lambda layer, given: inputs.append(given[0]))
    encoder(torch.randn(2, 6, 16), torch.ones(2, 6, dtype=torch.bool))
    for right, left in zip(inputs[::2], inputs[1::2], strict=True):
        dropped = right == 0
        assert torch.equal(dropped.any(1), dropped.all(1))
        assert 0.1 < dropped.float().mean() < 0.9
        # Both directions read the same words.
        assert torch.equal(left.flip(1), right)


def test_sizes_are_told():
    encoder = VariationalBiLstm(3, hidden_size=4)
    assert (encoder.get_input_dim(), encoder.get_output_dim(), len(encoder.leftward)) == (3, 8, 3)
    assert encoder.is_bidirectional()
