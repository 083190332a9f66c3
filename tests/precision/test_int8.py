import pytest
import torch
from torch import nn

from sdp_pointer.precision.int8 import Int8Linear, in_8_bits


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("shape", [(1, 32), (3, 5, 32)])
@torch.inference_mode()
def test_products_are_nearly_those_of_the_layer(bias, shape):
    torch.manual_seed(0)
    linear, inputs = nn.Linear(32, 24, bias=bias), torch.randn(*shape)
    expected = linear(inputs)
    assert torch.allclose(Int8Linear(linear)(inputs), expected, atol=0.03)
    assert torch.allclose(Int8Linear(linear)(inputs.bfloat16()).float(), expected, atol=0.04)


@torch.inference_mode()
def test_the_largest_number_of_a_row_of_bfloat16_does_not_overflow():
    inputs = torch.linspace(0.1, 9, 500).bfloat16().unsqueeze(1).expand(-1, 16)
    linear = Int8Linear(nn.Linear(16, 4))
    linear.weight.fill_(127)
    linear.bias.zero_()
    assert (linear(inputs) > 0).all()


@torch.inference_mode()
def test_sums_of_the_largest_products_are_exact():
    linear = nn.Linear(64, 8, bias=False)
    linear.weight.fill_(1.0)
    assert torch.allclose(Int8Linear(linear)(torch.ones(40, 64)), torch.full((40, 8), 64.0))


def test_every_linear_layer_of_a_model_is_replaced_and_takes_a_quarter_of_the_memory():
    model = nn.Sequential(nn.Linear(64, 64), nn.ModuleList([nn.Sequential(nn.Linear(64, 8))]))
    in_8_bits(model)
    layers = [part for part in model.modules() if isinstance(part, Int8Linear)]
    assert [layer.weight.dtype for layer in layers] == [torch.int8] * 2
    assert not list(model.parameters())
