"""The fused optimizer does what AllenNLP's `adam` does."""

import torch
from allennlp.common import Params
from allennlp.training.optimizers import Optimizer

import sdp_pointer.components  # noqa: F401


def trained(kind):
    torch.manual_seed(0)
    model = torch.nn.Linear(5, 3)
    inputs = torch.randn(4, 5)
    groups = [[["bias"], {"lr": 0.3}]]
    settings = {"type": kind, "lr": 0.1, "betas": [0.9, 0.8], "parameter_groups": groups}
    optimizer = Optimizer.from_params(
        Params(settings), model_parameters=list(model.named_parameters())
    )
    for _ in range(5):
        optimizer.zero_grad()
        model(inputs).square().sum().backward()
        optimizer.step()
    return model.weight, model.bias, optimizer.param_groups


def test_the_results_are_those_of_adam():
    weight, bias, groups = trained("fused_adam")
    expected_weight, expected_bias, _ = trained("adam")
    torch.testing.assert_close(weight, expected_weight)
    torch.testing.assert_close(bias, expected_bias)
    assert all(group["fused"] for group in groups)
