"""The paper's encoder: a stack of bidirectional LSTMs with variational dropout."""

import torch
from allennlp.modules.input_variational_dropout import InputVariationalDropout
from allennlp.modules.seq2seq_encoders import Seq2SeqEncoder
from overrides import overrides

from ..precision import dtype_of
from .lstm import Lstm


@Seq2SeqEncoder.register("variational_bilstm")
class VariationalBiLstm(Seq2SeqEncoder):
    """Bidirectional LSTM layers, each one fused call over all time steps.

    The sentences are reversed for the leftward LSTMs, not packed: on a CPU torch differentiates
    packed sequences step by step, with a matrix of zeros as large as the batch for each.

    Dropout is variational: one mask for all words of a sentence, on the input of every layer and on
    the output. (The published code also masks the hidden state from step to step, which no fused
    LSTM can do.)

    # Parameters

    input_size : `int`
    hidden_size : `int`, optional (default = `512`)
        In each direction.
    num_layers : `int`, optional (default = `3`)
    dropout : `float`, optional (default = `0.33`)
    """

    def __init__(
        self, input_size: int, hidden_size: int = 512, num_layers: int = 3, dropout: float = 0.33
    ) -> None:
        super().__init__()
        self._input_size = input_size
        self._output_size = 2 * hidden_size
        sizes = [input_size] + [2 * hidden_size] * (num_layers - 1)
        self.rightward = torch.nn.ModuleList(
            Lstm(size, hidden_size, batch_first=True) for size in sizes
        )
        self.leftward = torch.nn.ModuleList(
            Lstm(size, hidden_size, batch_first=True) for size in sizes
        )
        self.dropout = InputVariationalDropout(dropout)

    @overrides(check_signature=False)
    def forward(self, inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        # Shape: (batch_size, sequence_length, 2 * hidden_size)
        order = reversal(mask)
        hidden = inputs.to(next(self.parameters()).dtype)
        for rightward, leftward in zip(self.rightward, self.leftward):
            dropped = self.dropout(hidden)
            right, _ = rightward(dropped)
            left, _ = leftward(_reorder(dropped, order))
            hidden = torch.cat([right, _reorder(left, order)], dim=2)
        return self.dropout(hidden).to(inputs.dtype) * mask.unsqueeze(2)

    def lower(self, precision: str) -> None:
        """See `GraphParser.lower`."""
        self.to(dtype_of(precision))

    @overrides
    def get_input_dim(self) -> int:
        return self._input_size

    @overrides
    def get_output_dim(self) -> int:
        return self._output_size

    @overrides
    def is_bidirectional(self) -> bool:
        return True


def reversal(mask: torch.Tensor) -> torch.Tensor:
    """Positions of the words in reverse, padding staying where it is; its own inverse.

    >>> reversal(torch.tensor([[True, True, True, False]]))
    tensor([[2, 1, 0, 3]])
    """
    position = torch.arange(mask.shape[1], device=mask.device).expand(mask.shape)
    return torch.where(mask, mask.sum(1, keepdim=True) - 1 - position, position)


def _reorder(vectors: torch.Tensor, order: torch.Tensor) -> torch.Tensor:
    return vectors.gather(1, order.unsqueeze(2).expand(-1, -1, vectors.shape[2]))
