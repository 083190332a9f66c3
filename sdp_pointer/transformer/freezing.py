"""Which weights of a fine-tuned transformer are trained."""

import re

import torch


def freeze(model: torch.nn.Module, lowest: int, highest: int) -> None:
    """Train what is above the `lowest` layers, and not above the `highest`, which is not used."""
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(is_trained(name, lowest, highest))


def is_trained(name: str, lowest: int, highest: int) -> bool:
    """Whether a weight is between the lowest layers and the highest one.

    >>> is_trained("embeddings.word_embeddings.weight", lowest=0, highest=12)
    True
    >>> is_trained("embeddings.word_embeddings.weight", lowest=1, highest=12)
    False
    >>> is_trained("encoder.layer.3.output.dense.bias", lowest=4, highest=12)
    False
    >>> is_trained("encoder.layer.3.output.dense.bias", lowest=3, highest=4)
    True
    >>> is_trained("encoder.layer.3.output.dense.bias", lowest=0, highest=3)
    False
    """
    number = re.search(r"\blayer\.(\d+)\.", name)
    return lowest <= int(number[1]) < highest if number else not lowest
