"""From pieces to word vectors."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch.nn.utils.rnn import pad_sequence

from ..batches import by_length
from ..errors import UserError
from ..precision import dtype_of
from ..precision.int8 import in_8_bits
from .pieces import Pieces, special_tokens, windows
from .pretrained import load_model, load_tokenizer

# In one pass of the transformer, padding included.
MAX_PIECES = 8192


class WordEncoder(torch.nn.Module):
    """A transformer that yields a vector for each word: chosen layers side by side.

    # Parameters

    model, tokenizer : a transformer of the library `transformers`
    layers : `Sequence[int]`
        0 is the embeddings, 1 the first layer.
    pooling : `str`
        Of a word's pieces: `"mean"`, or `"first"`.
    """

    def __init__(self, model: Any, tokenizer: Any, layers: Sequence[int], pooling: str) -> None:
        super().__init__()
        self.model = model
        self.layers = tuple(layers)
        self.pool = {"mean": mean, "first": first}[pooling]
        self.before, self.after = special_tokens(tokenizer)
        self.padding = tokenizer.pad_token_id or 0
        length = min(tokenizer.model_max_length, longest_input(model))
        self.window = length - len(self.before) - len(self.after)
        if self.window < 1:
            raise UserError(f"the transformer reads {length} pieces at once, which is too few")
        self.pieces = model.get_input_embeddings().num_embeddings
        if len(tokenizer) > self.pieces:
            raise UserError(
                f"the tokenizer has {len(tokenizer):,} pieces, and its transformer vectors for"
                f" {self.pieces:,}: they do not belong together"
            )

    def forward(self, sentences: Sequence[Pieces]) -> list[torch.Tensor]:
        """For each sentence (words, layers * hidden_size)."""
        cuts = [windows(len(sentence.ids), self.window) for sentence in sentences]
        inputs = [
            [*self.before, *sentence.ids[read.start : read.stop], *self.after]
            for sentence, cut in zip(sentences, cuts)
            for read, _ in cut
        ]
        outputs = iter(self._encode(inputs))
        start = len(self.before)
        vectors = []
        for sentence, cut in zip(sentences, cuts):
            parts = [
                next(outputs)[start + kept.start - read.start : start + kept.stop - read.start]
                for read, kept in cut
            ]
            vectors.append(self.pool(torch.cat(parts).float(), sentence.counts))
        return vectors

    def lower(self, precision: str) -> None:
        """Read in a lower precision from now on; the vectors of words are float32 as before."""
        if precision == "int8":
            in_8_bits(self.model)
        self.model.to(dtype_of(precision))

    def _encode(self, inputs: Sequence[list[int]]) -> list[torch.Tensor]:
        """For each input (its length, layers * hidden_size); similar lengths share a pass."""
        outputs: list[torch.Tensor] = [torch.empty(0)] * len(inputs)
        device = next(self.model.parameters()).device
        for batch in by_length([len(ids) for ids in inputs], len(inputs), MAX_PIECES):
            rows = [torch.tensor(inputs[number]) for number in batch]
            # Shape: (batch_size, longest)
            ids = pad_sequence(rows, batch_first=True, padding_value=self.padding)
            if int(ids.max()) >= self.pieces:
                raise UserError(
                    f"the tokenizer has a piece {int(ids.max()):,}, and its transformer vectors for"
                    f" {self.pieces:,}: they do not belong together"
                )
            mask = pad_sequence([torch.ones_like(row) for row in rows], batch_first=True)
            states = self.model(
                input_ids=ids.to(device), attention_mask=mask.to(device), output_hidden_states=True
            ).hidden_states
            # Shape: (batch_size, longest, layers * hidden_size)
            chosen = torch.cat([states[layer] for layer in self.layers], dim=2)
            for number, row, vectors in zip(batch, rows, chosen):
                outputs[number] = vectors[: len(row)]
        return outputs


def load_word_encoder(
    weights: Path, tokenizer: Path, layers: Sequence[int], pooling: str
) -> WordEncoder:
    """An encoder with pretrained weights, ready to be used but not to be trained."""
    encoder = WordEncoder(load_model(weights), load_tokenizer(tokenizer), layers, pooling)
    return encoder.eval().requires_grad_(False)


def longest_input(model: Any) -> int:
    """How many pieces a model can read at once, special tokens included."""
    positions = getattr(getattr(model, "embeddings", None), "position_embeddings", None)
    if positions is None:
        return sys.maxsize  # the tokenizer may know
    # RoBERTa and its kind number the positions from behind the padding's id.
    reserved = 0 if positions.padding_idx is None else positions.padding_idx + 1
    return positions.num_embeddings - reserved


def mean(pieces: torch.Tensor, counts: Sequence[int]) -> torch.Tensor:
    """The mean of each word's pieces.

    >>> mean(torch.tensor([[1.0], [2.0], [6.0]]), [1, 2])
    tensor([[1.],
            [4.]])
    """
    sizes = torch.tensor(counts, dtype=torch.long, device=pieces.device)
    word = torch.arange(len(counts), device=pieces.device).repeat_interleave(sizes)
    total = pieces.new_zeros(len(counts), pieces.shape[1]).index_add(0, word, pieces)
    return total / sizes.unsqueeze(1)


def first(pieces: torch.Tensor, counts: Sequence[int]) -> torch.Tensor:
    """The first of each word's pieces.

    >>> first(torch.tensor([[1.0], [2.0], [6.0]]), [1, 2])
    tensor([[1.],
            [2.]])
    """
    sizes = torch.tensor(counts, dtype=torch.long, device=pieces.device)
    return pieces[sizes.cumsum(0) - sizes]
