"""The pointer network: from focus words and their features to pointer scores."""

import math
from collections.abc import Sequence
from typing import NamedTuple, Optional

import torch
from allennlp.modules.input_variational_dropout import InputVariationalDropout
from torch import nn
from torch.nn.functional import elu, linear, pad

from ...nn.biaffine import PointerScorer
from ...nn.lstm import Lstm
from ...transitions import FEATURES
from ..decoder import Encoded


class Memory(NamedTuple):
    """What the decoder knows about the sentences, computed once for all steps.

    `words` : encoder states with ROOT first, (batch_size, positions, word_size)
    `inputs` : their part of the decoder's input, 0 for ROOT, (batch_size, positions, input_size)
    `keys` : their part of the pointer's scores, -inf in padding
    `mask` : which positions there are, (batch_size, positions)
    `start` : the decoder's first hidden state and cell, (batch_size, state_size) each
    `direct` : what goes straight from a focus word to the pointer,
        (batch_size, positions, arc_size), or nothing
    """

    words: torch.Tensor
    inputs: torch.Tensor
    keys: tuple[torch.Tensor, torch.Tensor]
    mask: torch.Tensor
    start: tuple[torch.Tensor, torch.Tensor]
    direct: Optional[torch.Tensor] = None

    def of(self, sentences: torch.Tensor) -> "Memory":
        """The memory of some sentences, by their rows."""
        words, inputs, keys, mask, start, direct = self
        return Memory(
            words[sentences],
            inputs[sentences],
            (keys[0][sentences], keys[1][sentences]),
            mask[sentences],
            (start[0][sentences], start[1][sentences]),
            None if direct is None else direct[sentences],
        )


def join_memories(memories: Sequence[Memory]) -> Memory:
    """One memory of the sentences of several, padded to the longest."""
    if len(memories) == 1:
        return memories[0]
    words, inputs, keys, mask, start, direct = zip(*memories)
    state, bias = zip(*keys)
    return Memory(
        _padded(words),
        _padded(inputs),
        (_padded(state), _padded([b.transpose(1, 2) for b in bias], -math.inf).transpose(1, 2)),
        _padded([m.unsqueeze(2) for m in mask], False).squeeze(2),
        (torch.cat([hidden for hidden, _ in start]), torch.cat([cell for _, cell in start])),
        None if direct[0] is None else _padded(direct),
    )


def _padded(tables: Sequence[torch.Tensor], value: float = 0.0) -> torch.Tensor:
    """Tables (sentences, positions, size) below each other, with equally many positions."""
    longest = max(table.shape[1] for table in tables)
    return torch.cat([pad(t, (0, 0, 0, longest - t.shape[1]), value=value) for t in tables])


class PointerNetwork(nn.Module):
    """An LSTM that is fed the focus word plus features, and points at a position in each step.

    # Parameters

    word_size : `int`
        Size of the encoder's states.
    input_size : `int`, optional (default = `256`)
        Size to which the sum of focus word and features is reduced.
    state_size : `int`, optional (default = `512`)
        Size of the LSTM.
    arc_size : `int`, optional (default = `512`)
        Size of the pointer's perceptrons.
    dropout : `float`, optional (default = `0.33`)
    features : `Sequence[str]`, optional (default = `("co_parent",)`)
        What is added to the focus word: some of `transitions.FEATURES`.
    shift_score : `bool`, optional (default = `False`)
        Add a score of its own to the focus word's position, that is, to Shift. In the paper a word
        is found by its content, and so it has to learn to find itself, which takes most of the
        first epochs; see docs/results.md.
    skip_connection : `bool`, optional (default = `False`)
        Give the pointer the focus word's encoder state, too, and not only what the LSTM keeps of
        it.
    """

    def __init__(
        self,
        word_size: int,
        input_size: int = 256,
        state_size: int = 512,
        arc_size: int = 512,
        dropout: float = 0.33,
        features: Sequence[str] = ("co_parent",),
        shift_score: bool = False,
        skip_connection: bool = False,
    ) -> None:
        super().__init__()
        self.features = tuple(features)
        self._columns = [FEATURES.index(name) for name in features]
        self.root = nn.Parameter(torch.empty(word_size).normal_() / word_size**0.5)
        self.start = nn.Linear(word_size, state_size)
        self.input = nn.Linear(word_size, input_size, bias=False)
        nn.init.xavier_uniform_(self.input.weight)
        self.input_bias = nn.Parameter(torch.zeros(input_size))
        self.lstm = Lstm(input_size, state_size, batch_first=True)
        self.pointer = PointerScorer(state_size, word_size, arc_size, dropout)
        self.shift = nn.Linear(state_size, 1) if shift_score else None
        self.skip = nn.Linear(word_size, arc_size, bias=False) if skip_connection else None
        self.dropout = InputVariationalDropout(dropout)

    def remember(self, encoded: Encoded) -> Memory:
        """What all steps share, with ROOT in front of the words."""
        encoded_words, summary = (part.to(self.root.dtype) for part in encoded[:2])
        root = self.root.expand(len(encoded_words), 1, -1)
        words = torch.cat([root, encoded_words], dim=1)
        mask = pad(encoded.mask, (1, 0), value=True)
        keys, bias = self.pointer.keys(words)
        cell = self.start(summary)
        return Memory(
            words,
            pad(self.input(encoded_words), (0, 0, 1, 0)),
            (keys, bias.masked_fill(~mask.unsqueeze(1), float("-inf"))),
            mask,
            (torch.tanh(cell), cell),
            None if self.skip is None else self.skip(words),
        )

    def forward(
        self, memory: Memory, focus: torch.Tensor, features: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """States and pointer logits of whole sequences, given all inputs (teacher forcing).

        # Shape: focus (batch_size, steps), features (batch_size, steps, FEATURES), 0 for none;
        # returns (batch_size, steps, state_size), (batch_size, steps, positions)
        """
        inputs = self.dropout(self.step_inputs(memory, focus, features))
        start = tuple(part.unsqueeze(0) for part in memory.start)
        states = self.dropout(self.lstm(inputs, start)[0])
        return states, self.logits(states, memory, focus)

    def step_inputs(
        self, memory: Memory, focus: torch.Tensor, features: torch.Tensor
    ) -> torch.Tensor:
        """ELU of the projected sum of focus word and features.

        # Shape: (batch_size, steps, input_size)
        """
        total = gathered(memory.inputs, focus) + self.input_bias
        for column in self._columns:
            total = total + gathered(memory.inputs, features[:, :, column])
        return elu(total)

    @property
    def _weights(self) -> list[torch.Tensor]:
        return self.lstm._flat_weights  # type: ignore[return-value]

    def gates(self, inputs: torch.Tensor) -> torch.Tensor:
        """The inputs' share of the LSTM's gates: (..., 4 * state_size)."""
        of_inputs, _, bias, other_bias = self._weights
        return linear(inputs, of_inputs, bias + other_bias)

    def gates_after_shift(self, memory: Memory) -> torch.Tensor:
        """The same for every focus word in the step after a Shift, where it has no features yet.

        # Shape: (batch_size, positions, 4 * state_size)
        """
        return self.gates(elu(memory.inputs + self.input_bias))

    def gates_with_features(
        self, gates: torch.Tensor, inputs: torch.Tensor, features: torch.Tensor
    ) -> torch.Tensor:
        """Puts the gates of the inputs that have features among the given ones of those without.

        # Shape: gates (batch_size, steps, 4 * state_size), inputs (batch_size, steps, input_size),
        # features (batch_size, steps, FEATURES)
        """
        has_features = features[:, :, self._columns].any(2)
        gates[has_features] = self.gates(inputs[has_features])
        return gates

    def step(
        self, gates: torch.Tensor, hidden: torch.Tensor, cell: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """One step of the LSTM from its inputs' gates, for any leading dimensions."""
        state = hidden.flatten(0, -2)
        total = torch.addmm(gates.flatten(0, -2), state, self._weights[1].t())
        keep_in, forget, new, out = total.view_as(gates).chunk(4, dim=-1)
        cell = torch.addcmul(forget.sigmoid() * cell, keep_in.sigmoid(), new.tanh())
        return out.sigmoid() * cell.tanh(), cell

    def logits(self, states: torch.Tensor, memory: Memory, focus: torch.Tensor) -> torch.Tensor:
        # Shape: (batch_size, steps, positions)
        direct = None if memory.direct is None else gathered(memory.direct, focus)
        scores = self.pointer(states, memory.keys, direct)
        if self.shift is not None:
            scores = scores.scatter_add(2, focus.unsqueeze(2), self.shift(states))
        return scores


def log_softmax(scores: torch.Tensor) -> torch.Tensor:
    """Log-probabilities of the last dimension, in at least 32 bits: they are added over steps."""
    return scores.log_softmax(-1, dtype=torch.promote_types(scores.dtype, torch.float32))


def gathered(
    table: torch.Tensor, positions: torch.Tensor, sentences: Optional[torch.Tensor] = None
) -> torch.Tensor:
    """What stands at some positions of each sentence; faster than `table[rows, positions]`.

    The sentences are those of the table, unless some of them are named.

    # Shape: table (batch_size, length, ...), positions (sentences, number);
    # returns (sentences, number, ...)

    >>> gathered(torch.tensor([[1, 2, 3], [4, 5, 6]]), torch.tensor([[0, 2], [1, 1]]))
    tensor([[1, 3],
            [5, 5]])
    """
    length = table.shape[1]
    if sentences is None:
        sentences = torch.arange(len(table), device=table.device)
    first = length * sentences.unsqueeze(1)
    chosen = table.flatten(0, 1).index_select(0, (positions + first).flatten())
    return chosen.unflatten(0, positions.shape)
