"""BERT, as far as a parser needs it.

It has the weights of transformers' own, by their names, and its numbers to the last digit; but what
transformers imports for a model takes longer than all that follows.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Optional

import torch
from torch import nn
from torch.nn.functional import gelu, relu, scaled_dot_product_attention

from ..errors import UserError

ACTIVATIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {"gelu": gelu, "relu": relu}


class Output(NamedTuple):
    """Of every layer, (batch_size, length, hidden_size) each; the first are the embeddings."""

    hidden_states: list[torch.Tensor]


class BertConfig(NamedTuple):
    """The sizes of a BERT, by the names and with the defaults of transformers."""

    vocab_size: int = 30522
    hidden_size: int = 768
    num_hidden_layers: int = 12
    num_attention_heads: int = 12
    intermediate_size: int = 3072
    max_position_embeddings: int = 512
    type_vocab_size: int = 2
    hidden_act: str = "gelu"
    hidden_dropout_prob: float = 0.1
    attention_probs_dropout_prob: float = 0.1
    layer_norm_eps: float = 1e-12
    pad_token_id: Optional[int] = 0

    @property
    def problem(self) -> str:
        """Why there is no such model, or nothing.

        >>> BertConfig(hidden_size=0).problem
        'hidden_size is 0; expected a positive whole number'
        """
        for name, value in zip(self._fields[:7], self):
            if type(value) is not int or value < 1:
                return f"{name} is {value!r:.100}; expected a positive whole number"
        if self.hidden_size % self.num_attention_heads:
            return (
                f"{self.num_attention_heads} heads cannot share a hidden_size of {self.hidden_size}"
            )
        return ""


def bert_config(values: dict[str, Any]) -> Optional[BertConfig]:
    """The config of a `Bert`, or nothing for a model that is none.

    >>> bert_config({"model_type": "bert", "hidden_size": 384}).hidden_size
    384
    >>> bert_config({"model_type": "roberta"})
    """
    known = {name: values[name] for name in BertConfig._fields if name in values}
    config = BertConfig(**known)
    is_bert = values.get("model_type") == "bert" and not values.get("is_decoder")
    is_bert = is_bert and values.get("position_embedding_type", "absolute") == "absolute"
    return config if is_bert and config.hidden_act in ACTIVATIONS else None


class Bert(nn.Module):
    """The embeddings and layers of a BERT."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        if config.problem:
            raise UserError(config.problem)
        self.embeddings = Embeddings(config)
        layers = [Layer(config) for _ in range(config.num_hidden_layers)]
        self.encoder = nn.ModuleDict({"layer": nn.ModuleList(layers)})

    @property
    def layers(self) -> nn.ModuleList:
        layers = self.encoder["layer"]
        assert isinstance(layers, nn.ModuleList)
        return layers

    def get_input_embeddings(self) -> nn.Embedding:
        return self.embeddings.word_embeddings

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor, **_: Any) -> Output:
        # Shape: (batch_size, length), (batch_size, length)
        present = attention_mask.bool()
        # Shape: (batch_size, 1, length, length)
        seen = (
            None if present.all() else present[:, None, None, :].expand(-1, -1, len(present[0]), -1)
        )
        states = [self.embeddings(input_ids)]
        for layer in self.layers:
            states.append(layer(states[-1], seen))
        return Output(states)


class Embeddings(nn.Module):
    """Of pieces, of their places, and of the first of two texts, of which there is one."""

    def __init__(self, config: BertConfig) -> None:
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

    def __init__(self, config: BertConfig) -> None:
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

    def __init__(self, config: BertConfig) -> None:
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

    def __init__(self, input_size: int, config: BertConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(input_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, computed: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
        return self.LayerNorm(self.dropout(self.dense(computed)) + before)
