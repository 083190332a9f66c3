"""The paper's encoder: a stack of bidirectional LSTMs with variational dropout."""

import torch
from allennlp.modules.input_variational_dropout import InputVariationalDropout
from allennlp.modules.seq2seq_encoders import Seq2SeqEncoder
from overrides import overrides
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from .lstm import Lstm


@Seq2SeqEncoder.register("variational_bilstm")
class VariationalBiLstm(Seq2SeqEncoder):
    """Bidirectional LSTM layers, each one fused call over all time steps.

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
        self.layers = torch.nn.ModuleList(
            Lstm(size, hidden_size, batch_first=True, bidirectional=True) for size in sizes
        )
        self.dropout = InputVariationalDropout(dropout)

    @overrides(check_signature=False)
    def forward(self, inputs: torch.Tensor, mask: torch.BoolTensor) -> torch.Tensor:
        # Shape: (batch_size, sequence_length, 2 * hidden_size)
        lengths = mask.sum(1).cpu()
        hidden = inputs
        for layer in self.layers:
            packed = pack_padded_sequence(
                self.dropout(hidden), lengths, batch_first=True, enforce_sorted=False
            )
            hidden, _ = pad_packed_sequence(
                layer(packed)[0], batch_first=True, total_length=inputs.shape[1]
            )
        return self.dropout(hidden)

    @overrides
    def get_input_dim(self) -> int:
        return self._input_size

    @overrides
    def get_output_dim(self) -> int:
        return self._output_size

    @overrides
    def is_bidirectional(self) -> bool:
        return True
