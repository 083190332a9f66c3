"""One beam search over transitions for all sentences of a batch; beam 1 is the greedy parser.

Exact acyclicity comes from a table of who reaches whom, packed into 64-bit words and updated at
Shift only; `transitions.Reachability` is the same in plain Python.
"""

from functools import partial
from typing import Any, NamedTuple, Optional, Protocol, TypeVar

import torch

from ...steps import Steps
from .network import gathered

State = TypeVar("State")

BITS = 64
NONE = -1
UNLIKELY = -1e4
# A search takes memory for every hypothesis, and gains nothing from hundreds.
LARGEST_BEAM = 1000


class Options(NamedTuple):
    """What the search may do; the paper's beam is 5, and it attaches heads in any order.

    `beam_size` : hypotheses kept for each sentence; 1 is the greedy parser
    `acyclic` : never close a cycle
    `ascending` : attach the heads of a word from left to right only
    `max_heads` : of a word, ROOT being one; no limit by default
    `label_weight` : of the label's log-probability in a hypothesis' score, beside the pointer's
    `n_best` : how many hypotheses of each sentence are returned
    """

    beam_size: int = 1
    acyclic: bool = True
    ascending: bool = True
    max_heads: Optional[int] = None
    label_weight: float = 0.0
    n_best: int = 1

    @property
    def problem(self) -> str:
        """What is wrong with the options, or nothing.

        >>> Options(beam_size=2, n_best=3).problem
        'n_best must be between 1 and the beam, which is 2; it is 3'
        """
        if self.beam_size < 1:
            return f"the beam must be at least 1; it is {self.beam_size}"
        if self.beam_size > LARGEST_BEAM:
            return f"the beam must be at most {LARGEST_BEAM}; it is {self.beam_size}"
        if not 1 <= self.n_best <= self.beam_size:
            return (
                f"n_best must be between 1 and the beam, which is {self.beam_size}; "
                f"it is {self.n_best}"
            )
        if self.max_heads is not None and self.max_heads < 0:
            return f"max_heads must not be negative; it is {self.max_heads}"
        if self.label_weight < 0:
            return f"label_weight must not be negative; it is {self.label_weight}"
        return ""


class Beam(NamedTuple):
    """All hypotheses of all sentences; the first two dimensions are batch_size and beam_size."""

    score: torch.Tensor
    focus: torch.Tensor
    last_head: torch.Tensor  # NONE if the focus word has no head yet
    num_heads: torch.Tensor
    sibling: torch.Tensor
    last_head_of: torch.Tensor  # of every word: (..., positions), or (..., 0) if not used
    last_dependent_of: torch.Tensor  # likewise
    heads: torch.Tensor  # of the focus word, as bits: (..., words of bits)
    reached: torch.Tensor  # by the focus word, as bits: (..., words of bits)
    descendants: torch.Tensor  # of every word, as bits: (..., positions, words of bits)


class Scored(NamedTuple):
    """Scores of the next step of every hypothesis.

    `log_probs` : of pointing at each position, (batch_size, beam_size, positions)
    `gains` : what each adds to the hypothesis' score: the same, or with something else added
    `states` : what the path keeps of the step, (batch_size, beam_size, state_size)
    """

    log_probs: torch.Tensor
    gains: torch.Tensor
    states: torch.Tensor


class Stepper(Protocol[State]):
    """What the search needs of a network, whose state of the hypotheses it does not look into.

    `all_features` : whether `step` looks at more features than the co-parent
    `precision` : of its scores, which are summed in at least 32 bits
    """

    all_features: bool
    precision: torch.dtype

    def start(self, beam_size: int) -> State:
        """The state of `beam_size` hypotheses for each sentence, before the first step."""

    def step(
        self, state: State, focus: torch.Tensor, features: torch.Tensor
    ) -> tuple[Scored, State]:
        """
        # Shape: focus (batch_size, beam_size); features (batch_size, beam_size, FEATURES), or only
        # the first of them
        """

    def reorder(self, state: State, parent: torch.Tensor) -> State:
        """The hypotheses of each sentence replaced by some of them: (batch_size, beam_size)."""

    def keep(self, state: State, sentences: torch.Tensor) -> State:
        """Some of the sentences, by their rows."""


class Step(NamedTuple):
    """What has to be kept of a step to follow a hypothesis back, for the sentences still open."""

    sentences: torch.Tensor
    parent: torch.Tensor
    pointer: torch.Tensor  # NONE for a hypothesis that was finished before
    log_prob: torch.Tensor  # of the pointer
    state: torch.Tensor  # of the hypotheses before the step, that is, by parent


class Path(NamedTuple):
    """The best hypotheses of every sentence, best first.

    `pointer` : (batch_size, n_best, steps), NONE in padding
    `log_prob` : of the pointers, (batch_size, n_best, steps)
    `state` : the decoder's states, (batch_size, n_best, steps, state_size)
    `score` : (batch_size, n_best), -inf where a sentence has fewer hypotheses
    """

    pointer: torch.Tensor
    log_prob: torch.Tensor
    state: torch.Tensor
    score: torch.Tensor


def search(stepper: Stepper[Any], mask: torch.Tensor, options: Options) -> Steps[Path]:
    """The best sequences of transitions for every sentence of a batch; yields every few.

    # Shape: mask (batch_size, positions)
    """
    lengths = mask.sum(1) - 1
    state = stepper.start(options.beam_size)
    beam = _start(mask, options.beam_size, stepper.all_features, stepper.precision)
    sentences = torch.arange(len(mask), device=mask.device)
    score = beam.score.new_empty(len(mask), options.n_best)
    best = slice(options.n_best)
    steps: list[Step] = []
    while len(sentences):
        beam, state, step = _advance(stepper, state, beam, mask, lengths, sentences, options)
        steps.append(step)
        if len(steps) % 4 == 0:
            yield
        # Looking costs a synchronisation with the device, so not after every step.
        if len(steps) % 4 == 0 or len(sentences) * options.beam_size < 8:
            finished = (beam.focus > lengths.unsqueeze(1)) | beam.score.isneginf()
            # The hypotheses are sorted, and scores only fall: nothing can come before these.
            done = finished[:, best].all(1)
            # Leaving costs about a step for all that stay, so sentences leave together.
            if int(done.sum()) * 8 >= len(sentences):
                score[sentences[done]] = beam.score[done, best]
                keep = (~done).nonzero().squeeze(1)
                beam, state = Beam(*(part[keep] for part in beam)), stepper.keep(state, keep)
                mask, lengths, sentences = mask[keep], lengths[keep], sentences[keep]
    return _follow_back(steps, score)


def _start(mask: torch.Tensor, beam_size: int, all_features: bool, precision: torch.dtype) -> Beam:
    batch_size, positions = mask.shape
    device = mask.device
    words = (positions + BITS - 1) // BITS
    shape = (batch_size, beam_size)
    # Sums of many terms: in half precision they would drift.
    precision = torch.promote_types(precision, torch.float32)
    score = torch.full(shape, float("-inf"), dtype=precision, device=device)
    score[:, 0] = 0.0
    position = torch.arange(positions, device=device)
    itself = torch.zeros(positions, words, dtype=torch.long, device=device)
    itself[position, position // BITS] = torch.ones_like(position) << position % BITS
    zeros = partial(torch.zeros, dtype=torch.long, device=device)
    remembered = positions if all_features else 0
    return Beam(
        score,
        torch.ones(shape, dtype=torch.long, device=device),
        torch.full(shape, NONE, device=device),
        zeros(shape),
        zeros(shape),
        zeros(*shape, remembered),
        zeros(*shape, remembered),
        zeros(*shape, words),
        itself[1].expand(*shape, -1),
        itself.repeat(*shape, 1, 1),
    )


def _advance(
    stepper: Stepper[State],
    state: State,
    beam: Beam,
    mask: torch.Tensor,
    lengths: torch.Tensor,
    sentences: torch.Tensor,
    options: Options,
) -> tuple[Beam, State, Step]:
    beam_size, positions = beam.score.shape[1], mask.shape[1]
    finished = beam.focus > lengths.unsqueeze(1)
    focus = beam.focus.clamp(max=positions - 1)
    scored, state = stepper.step(state, focus, _features(beam))
    # A broken network must not outdo what is forbidden: no number is worse than -inf but NaN.
    gains = scored.gains.to(beam.score.dtype).nan_to_num(nan=UNLIKELY, neginf=float("-inf"))
    forbidden = _forbidden(beam, focus, mask, options) | finished.unsqueeze(2)
    gains = gains.masked_fill(forbidden, float("-inf"))
    # A finished hypothesis stays as it is: its only successor is itself, by way of position 0.
    gains[:, :, 0].masked_fill_(finished, 0.0)
    candidates = (beam.score.unsqueeze(2) + gains).flatten(1)
    score, chosen = candidates.topk(beam_size, dim=1)
    log_prob = scored.log_probs.flatten(1).gather(1, chosen)
    parent, pointer = chosen // positions, chosen % positions
    if beam_size > 1:
        beam = Beam(*(gathered(part, parent) for part in beam))
        state = stepper.reorder(state, parent)
        finished = finished.gather(1, parent)
    pointer = pointer.masked_fill(finished, NONE)
    step = Step(sentences, parent, pointer, log_prob, scored.states)
    return _apply(beam._replace(score=score), pointer, positions), state, step


def _features(beam: Beam) -> torch.Tensor:
    """Positions of co-parent, grandparent and sibling, as `transitions.steps` defines them.

    # Shape: (batch_size, beam_size, FEATURES)
    """
    co_parent = beam.last_head.clamp(min=0)
    if not beam.last_head_of.shape[2]:
        return co_parent.unsqueeze(2)
    grandparent = beam.last_head_of.gather(2, co_parent.unsqueeze(2)).squeeze(2)
    return torch.stack([co_parent, grandparent, beam.sibling], dim=2)


def _forbidden(
    beam: Beam, focus: torch.Tensor, mask: torch.Tensor, options: Options
) -> torch.Tensor:
    """Where each hypothesis must not point.

    # Shape: (batch_size, beam_size, positions)
    """
    positions = mask.shape[1]
    position = torch.arange(positions, device=focus.device)
    forbidden = ~mask.unsqueeze(1)
    if options.acyclic:
        forbidden = forbidden | _unpack(beam.reached, positions)
    if options.ascending:
        forbidden = forbidden | (position <= beam.last_head.unsqueeze(2))
    else:
        forbidden = forbidden | _unpack(beam.heads, positions)
    if options.max_heads is not None:
        forbidden = forbidden | (beam.num_heads >= options.max_heads).unsqueeze(2)
    return forbidden & (position != focus.unsqueeze(2))


def _apply(beam: Beam, pointer: torch.Tensor, positions: int) -> Beam:
    """Attach or shift every hypothesis that is not finished; changes the table in place."""
    shift = pointer == beam.focus
    attach = (pointer != NONE) & ~shift
    head = pointer.clamp(min=0)
    bit = torch.zeros_like(beam.heads).scatter_(
        2, (head // BITS).unsqueeze(2), (torch.ones_like(head) << head % BITS).unsqueeze(2)
    )
    heads = torch.where(attach.unsqueeze(2), beam.heads | bit, beam.heads)
    # What reaches a head of the shifted word now reaches all that this word reaches.
    # Looking for those that shift costs a GPU more than what it saves.
    changed = shift.nonzero(as_tuple=True) if shift.is_cpu else (slice(None), slice(None))
    table = beam.descendants[changed]
    reaches = (table & heads[changed].unsqueeze(-2)).ne(0).any(-1) & shift[changed].unsqueeze(-1)
    gained = torch.where(reaches, -1, 0).unsqueeze(-1) & beam.reached[changed].unsqueeze(-2)
    beam.descendants[changed] = table | gained
    focus = beam.focus + shift
    if beam.last_head_of.shape[2]:
        beam = _remember(beam, head, attach, shift)
    return beam._replace(
        focus=focus,
        last_head=torch.where(attach, pointer, beam.last_head.masked_fill(shift, NONE)),
        num_heads=(beam.num_heads + attach).masked_fill(shift, 0),
        heads=heads.masked_fill(shift.unsqueeze(2), 0),
        reached=_row_of(beam.descendants, focus.clamp(max=positions - 1)),
    )


def _remember(beam: Beam, head: torch.Tensor, attach: torch.Tensor, shift: torch.Tensor) -> Beam:
    """Take note of the new arcs for the features of later steps; ROOT, position 0, is nobody's."""
    positions = beam.last_head_of.shape[2]
    focus = beam.focus.clamp(max=positions - 1)
    position = torch.arange(positions, device=head.device)
    at_focus = (position == focus.unsqueeze(2)) & attach.unsqueeze(2)
    at_head = (position == head.unsqueeze(2)) & (attach & (head > 0)).unsqueeze(2)
    sibling = beam.last_dependent_of.gather(2, head.unsqueeze(2)).squeeze(2)
    return beam._replace(
        sibling=torch.where(attach, sibling, beam.sibling.masked_fill(shift, 0)),
        last_head_of=torch.where(at_focus, head.unsqueeze(2), beam.last_head_of),
        last_dependent_of=torch.where(at_head, focus.unsqueeze(2), beam.last_dependent_of),
    )


def _row_of(table: torch.Tensor, position: torch.Tensor) -> torch.Tensor:
    """The row of a position in each table: (batch_size, beam_size, words of bits)."""
    index = position[:, :, None, None].expand(-1, -1, 1, table.shape[3])
    return table.gather(2, index).squeeze(2)


def _unpack(bits: torch.Tensor, positions: int) -> torch.Tensor:
    """Packed bits as booleans: (batch_size, beam_size, positions)."""
    shifts = torch.arange(BITS, device=bits.device)
    return (bits.unsqueeze(3) >> shifts & 1).flatten(2)[:, :, :positions].bool()


def _follow_back(steps: list[Step], score: torch.Tensor) -> Path:
    shape = (*score.shape, len(steps))
    slot = torch.arange(shape[1], device=score.device).expand(shape[:2]).clone()
    pointer = torch.full(shape, NONE, device=score.device)
    log_prob = score.new_zeros(shape)
    state = steps[0].state.new_zeros(*shape, steps[0].state.shape[2])
    for number in reversed(range(len(steps))):
        step = steps[number]
        rows = torch.arange(len(step.sentences), device=score.device).unsqueeze(1)
        chosen = slot[step.sentences]
        parent = step.parent[rows, chosen]
        pointer[step.sentences, :, number] = step.pointer[rows, chosen]
        log_prob[step.sentences, :, number] = step.log_prob[rows, chosen]
        state[step.sentences, :, number] = step.state[rows, parent]
        slot[step.sentences] = parent
    return Path(pointer, log_prob, state, score)
