"""The pointer network as the search runs it: one step of all hypotheses at a time."""

from typing import NamedTuple, Optional

import torch

from ...graphs import ROOT
from .labeller import Labeller
from .network import Memory, PointerNetwork, gathered, log_softmax
from .search import Scored


class Running(NamedTuple):
    """Where all hypotheses of all sentences stand.

    `memory` : of the sentences that are still searched
    `label_keys` : the labeller's keys of their words, if labels take part in the search
    `rows` : of these sentences in the stepper's `after_shift`
    `hidden`, `cell` : of the LSTM, (batch_size, beam_size, state_size) each
    """

    memory: Memory
    label_keys: Optional[torch.Tensor]
    rows: torch.Tensor
    hidden: torch.Tensor
    cell: torch.Tensor


class PointerStepper:
    """A `search.Stepper`.

    # Parameters

    network : `PointerNetwork`
    memory : `Memory`
        Of the sentences that are searched.
    labeller : `Labeller`, optional
        Needed for a label weight only.
    label_weight : `float`, optional (default = `0.0`)
        Of the label's log-probability in a hypothesis' score, beside the pointer's.
    """

    def __init__(
        self,
        network: PointerNetwork,
        memory: Memory,
        labeller: Optional[Labeller] = None,
        label_weight: float = 0.0,
    ) -> None:
        self.network = network
        self.labeller = labeller if label_weight else None
        self.label_weight = label_weight
        self.all_features = set(network.features) != {"co_parent"}
        self.precision = memory.words.dtype
        self._memory = memory
        # Where looking at tensors is free, most of the inputs' gates need not be computed in the
        # steps: those in the step after a Shift, where a focus word has no features yet.
        self._after_shift = network.gates_after_shift(memory) if memory.mask.is_cpu else None

    def start(self, beam_size: int) -> Running:
        memory, label_keys = self._memory, None
        if self.labeller is not None:
            label_keys = self.labeller.keys(memory.words)
        else:
            # The steps read the words through their keys and inputs; what they do not read need not
            # be moved when sentences leave.
            memory = memory._replace(words=memory.words[:, :0])
        hidden, cell = (part.unsqueeze(1).expand(-1, beam_size, -1) for part in memory.start)
        rows = torch.arange(len(memory.mask), device=memory.mask.device)
        return Running(memory, label_keys, rows, hidden, cell)

    def step(
        self, state: Running, focus: torch.Tensor, features: torch.Tensor
    ) -> tuple[Scored, Running]:
        network, memory = self.network, state.memory
        inputs = network.step_inputs(memory, focus, features)
        if self._after_shift is None:
            gates = network.gates(inputs)
        else:
            without = gathered(self._after_shift, focus, state.rows)
            gates = network.gates_with_features(without, inputs, features)
        hidden, cell = network.step(gates, state.hidden, state.cell)
        scores = network.logits(hidden, memory, focus)
        log_probs = log_softmax(scores)
        gains = log_probs
        if state.label_keys is not None:
            best = self._best_labels(memory, state.label_keys, hidden, focus)
            gains = gains + self.label_weight * best
        return Scored(log_probs, gains, hidden), state._replace(hidden=hidden, cell=cell)

    def reorder(self, state: Running, parent: torch.Tensor) -> Running:
        return state._replace(
            hidden=gathered(state.hidden, parent), cell=gathered(state.cell, parent)
        )

    def keep(self, state: Running, sentences: torch.Tensor) -> Running:
        keys = state.label_keys
        return Running(
            state.memory.of(sentences),
            None if keys is None else keys[sentences],
            *(part[sentences] for part in (state.rows, state.hidden, state.cell)),
        )

    def _best_labels(
        self, memory: Memory, keys: torch.Tensor, hidden: torch.Tensor, focus: torch.Tensor
    ) -> torch.Tensor:
        """Log-probabilities of the best label of every arc; 0 for Shift and tops, which have none.

        # Shape: (batch_size, beam_size, positions)
        """
        assert self.labeller is not None
        best = self.labeller.best_log_probs(hidden, gathered(memory.words, focus), keys)
        best[:, :, ROOT] = 0.0
        return best.scatter(2, focus.unsqueeze(2), 0.0)
