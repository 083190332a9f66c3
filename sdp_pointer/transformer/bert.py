"""BERT, as far as a parser needs it.

It has the weights of transformers' own, by their names, and its numbers to the last digit; but what
transformers imports for a model takes longer than all that follows.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Optional

import torch
from torch import nn
from torch.nn.functional import gelu, relu, scaled_dot_product_attention

ACTIVATIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {"gelu": gelu, "relu": relu}


class Output(NamedTuple):
    """Of every layer, (batch_size, length, hidden_size) each; the first are the embeddings."""

    hidden_states: list[torch.Tensor]


def is_bert(config: Any) -> bool:
    """Whether `Bert` is the model of a config of transformers."""
    return (
        config.model_type == "bert"
        and config.hidden_act in ACTIVATIONS
        and not config.is_decoder
        and config.hidden_size % config.num_attention_heads == 0
    )


class Bert(nn.Module):
    """The embeddings and layers of a BERT; `config` is that of transformers."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.embeddings = Embeddings(config)
        layers = [Layer(config) for _ in range(config.num_hidden_layers)]
        self.encoder = nn.ModuleDict({"layer": nn.ModuleList(layers)})

    def get_input_embeddings(self) -> nn.Embedding:
        return self.embeddings.word_embeddings

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor, **_: Any) -> Output:
        # Shape: (batch_size, length), (batch_size, length)
        present = attention_mask.bool()
        # Shape: (batch_size, 1, length, length)
        seen = None if present.all() else present[:, None, None, :].expand(-1, -1, len(present[0]), -1)
        states = [self.embeddings(input_ids)]
        for layer in self.encoder["layer"]:  # type: ignore[union-attr]
            states.append(layer(states[-1], seen))
        return Output(states)


class Embeddings(nn.Module):
    """Of pieces, of their places, and of the first of two texts, of which there is one."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        size, padding = config.hidden_size, config.pad_token_id
        self.word_embeddings = nn.Embedding(config.vocab_size, size, padding_idx=padding)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, size)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, size)
        self.LayerNorm = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids: torch.Tensor) -> torch.Tensor:
        first = self.word_embeddings(input_ids) + self.token_type_embeddings.weight[0]
        places = self.position_embeddings.weight[: input_ids.shape[1]]
        return self.dropout(self.LayerNorm(first + places))


class Layer(nn.Module):
    """Attention, and a perceptron for each piece."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        size = config.hidden_size
        self.attention = nn.ModuleDict(
            {"self": Attention(config), "output": Residual(size, config)}
        )
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(size, config.intermediate_size)})
        self.output = Residual(config.intermediate_size, config)
        self.activation = ACTIVATIONS[config.hidden_act]

    def forward(self, states: torch.Tensor, seen: Optional[torch.Tensor]) -> torch.Tensor:
        states = self.attention["output"](self.attention["self"](states, seen), states)
        return self.output(self.activation(self.intermediate["dense"](states)), states)


class Attention(nn.Module):
    """What each piece takes of the others, by several heads."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        size = config.hidden_size
        self.heads = config.num_attention_heads
        self.query = nn.Linear(size, size)
        self.key = nn.Linear(size, size)
        self.value = nn.Linear(size, size)
        self.dropout = config.attention_probs_dropout_prob

    def forward(self, states: torch.Tensor, seen: Optional[torch.Tensor]) -> torch.Tensor:
        # Shape: (batch_size, heads, length, size of a head)
        query, key, value = (
            part(states).unflatten(2, (self.heads, -1)).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        dropout = self.dropout if self.training else 0.0
        attended = scaled_dot_product_attention(query, key, value, seen, dropout)
        return attended.transpose(1, 2).flatten(2)


class Residual(nn.Module):
    """What was computed, added to what it was computed from."""

    def __init__(self, input_size: int, config: Any) -> None:
        super().__init__()
        self.dense = nn.Linear(input_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, computed: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
        return self.LayerNorm(self.dropout(self.dense(computed)) + before)
