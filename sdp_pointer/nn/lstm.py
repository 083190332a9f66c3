"""torch's LSTM, with first values from which it learns faster."""

from overrides import overrides
from torch import nn

from ..archives import loading_weights


class Lstm(nn.LSTM):
    """An `nn.LSTM` that starts with orthogonal recurrences and gates that forget nothing yet."""

    @overrides
    def reset_parameters(self) -> None:
        if loading_weights.get():
            return  # a second for each, for what is replaced at once
        for name, parameter in self.named_parameters():
            gates = parameter.data.chunk(4)  # input, forget, cell, output
            if "weight_ih" in name:
                for gate in gates:
                    nn.init.xavier_uniform_(gate)
            elif "weight_hh" in name:
                for gate in gates:
                    nn.init.orthogonal_(gate)
            else:
                nn.init.zeros_(parameter)
                if "bias_ih" in name:
                    nn.init.ones_(gates[1])
