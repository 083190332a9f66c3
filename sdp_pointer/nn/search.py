"""One beam search over transitions for all sentences of a batch; beam 1 is the greedy parser.

Exact acyclicity comes from a table of who reaches whom, packed into 64-bit words and updated at
Shift only; `transitions.Reachability` is the same in plain Python.
"""

from functools import partial
from typing import NamedTuple, Optional

import torch

from .decoder import Memory, PointerDecoder

BITS = 64
NONE = -1


class Options(NamedTuple):
    """What the search may do; the defaults are the paper's, but for the ascending order."""

    beam_size: int = 1
    acyclic: bool = True
    ascending: bool = True
    max_heads: Optional[int] = None


class Beam(NamedTuple):
    """All hypotheses of all sentences; the first two dimensions are batch_size and beam_size."""

    score: torch.Tensor
    focus: torch.Tensor
    last_head: torch.Tensor  # NONE if the focus word has no head yet
    num_heads: torch.Tensor
    sibling: torch.Tensor
    last_head_of: torch.Tensor  # of every word: (..., positions), or (..., 0) if nobody asks
    last_dependent_of: torch.Tensor  # likewise
    heads: torch.Tensor  # of the focus word, as bits: (..., words of bits)
    descendants: torch.Tensor  # of every word, as bits: (..., positions, words of bits)
    hidden: torch.Tensor
    cell: torch.Tensor


class Step(NamedTuple):
    """What has to be kept of a step to follow a hypothesis back, for the sentences still open."""

    sentences: torch.Tensor
    parent: torch.Tensor
    pointer: torch.Tensor  # NONE for a hypothesis that was finished before
    state: torch.Tensor


class Path(NamedTuple):
    """The best hypothesis of every sentence.

    `pointer` : (batch_size, steps), NONE in padding
    `state` : the decoder's states, (batch_size, steps, state_size)
    `score` : (batch_size,)
    """

    pointer: torch.Tensor
    state: torch.Tensor
    score: torch.Tensor


def search(decoder: PointerDecoder, memory: Memory, options: Options) -> Path:
    """The best sequence of transitions for every sentence of a batch."""
    batch_size = len(memory.mask)
    lengths = memory.mask.sum(1) - 1
    beam = _start(memory, options.beam_size, set(decoder.features) != {"co_parent"})
    sentences = torch.arange(batch_size, device=lengths.device)
    score = memory.words.new_empty(batch_size)
    steps: list[Step] = []
    while len(sentences):
        beam, step = _advance(decoder, memory, beam, lengths, sentences, options)
        steps.append(step)
        # Looking costs a synchronisation with the device, so not after every step.
        if len(steps) % 4 == 0 or len(sentences) * options.beam_size < 8:
            done = beam.focus[:, 0] > lengths
            score[sentences[done]] = beam.score[done, 0]
            if bool(done.any()):
                keep = (~done).nonzero().squeeze(1)
                beam = Beam(*(part[keep] for part in beam))
                memory = _select(memory, keep)
                lengths, sentences = lengths[keep], sentences[keep]
    return _follow_back(steps, score)


def _start(memory: Memory, beam_size: int, all_features: bool) -> Beam:
    batch_size, positions = memory.mask.shape
    device = memory.mask.device
    words = (positions + BITS - 1) // BITS
    shape = (batch_size, beam_size)
    score = memory.words.new_full(shape, float("-inf"))
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
        itself.expand(*shape, -1, -1),
        *(part.unsqueeze(1).expand(-1, beam_size, -1) for part in memory.start),
    )


def _advance(
    decoder: PointerDecoder,
    memory: Memory,
    beam: Beam,
    lengths: torch.Tensor,
    sentences: torch.Tensor,
    options: Options,
) -> tuple[Beam, Step]:
    batch_size, beam_size = beam.score.shape
    positions = memory.mask.shape[1]
    finished = beam.focus > lengths.unsqueeze(1)
    focus = beam.focus.clamp(max=positions - 1)
    inputs = decoder.step_inputs(memory, focus, _features(beam))
    hidden, cell = decoder.step(inputs, beam.hidden, beam.cell)
    # Shape: (batch_size, beam_size, positions)
    log_probs = decoder.logits(hidden, memory, focus).log_softmax(2)
    log_probs = log_probs.masked_fill(_forbidden(beam, focus, positions, options), float("-inf"))
    # A finished hypothesis stays as it is: its only successor is itself, by way of position 0.
    log_probs = log_probs.masked_fill(finished.unsqueeze(2), float("-inf"))
    log_probs[:, :, 0].masked_fill_(finished, 0.0)
    candidates = (beam.score.unsqueeze(2) + log_probs).flatten(1)
    score, chosen = candidates.topk(beam_size, dim=1)
    parent, pointer = chosen // positions, chosen % positions
    beam = beam._replace(hidden=hidden, cell=cell)
    if beam_size > 1:
        rows = torch.arange(batch_size, device=parent.device).unsqueeze(1)
        beam = Beam(*(part[rows, parent] for part in beam))
        finished = finished[rows, parent]
    pointer = pointer.masked_fill(finished, NONE)
    step = Step(sentences, parent, pointer, hidden)
    return _apply(beam._replace(score=score), pointer, positions), step


def _features(beam: Beam) -> torch.Tensor:
    """Positions of co-parent, grandparent and sibling, as `transitions.steps` defines them.

    # Shape: (batch_size, beam_size, FEATURES)
    """
    co_parent = beam.last_head.clamp(min=0)
    if not beam.last_head_of.shape[2]:
        return co_parent.unsqueeze(2)
    grandparent = beam.last_head_of.gather(2, co_parent.unsqueeze(2)).squeeze(2)
    return torch.stack([co_parent, grandparent, beam.sibling], dim=2)


def _forbidden(beam: Beam, focus: torch.Tensor, positions: int, options: Options) -> torch.Tensor:
    """Where each hypothesis must not point.

    # Shape: (batch_size, beam_size, positions)
    """
    position = torch.arange(positions, device=focus.device)
    if options.acyclic:
        forbidden = _unpack(_row(beam.descendants, focus), positions)
    else:
        forbidden = torch.zeros(*focus.shape, positions, dtype=torch.bool, device=focus.device)
    if options.ascending:
        forbidden = forbidden | (position <= beam.last_head.unsqueeze(2))
    else:
        forbidden = forbidden | _unpack(beam.heads, positions)
    if options.max_heads is not None:
        forbidden = forbidden | (beam.num_heads >= options.max_heads).unsqueeze(2)
    return forbidden & (position != focus.unsqueeze(2))


def _apply(beam: Beam, pointer: torch.Tensor, positions: int) -> Beam:
    """Attach or shift every hypothesis that is not finished."""
    shift = pointer == beam.focus
    attach = (pointer != NONE) & ~shift
    head = pointer.clamp(min=0)
    bit = torch.zeros_like(beam.heads).scatter_(
        2, (head // BITS).unsqueeze(2), (torch.ones_like(head) << head % BITS).unsqueeze(2)
    )
    heads = torch.where(attach.unsqueeze(2), beam.heads | bit, beam.heads)
    # Whoever reaches a head of the shifted word now reaches what that word reaches.
    gained = _row(beam.descendants, beam.focus.clamp(max=positions - 1)).unsqueeze(2)
    reaches = (beam.descendants & heads.unsqueeze(2)).ne(0).any(3) & shift.unsqueeze(2)
    if beam.last_head_of.shape[2]:
        beam = _remember(beam, head, attach, shift)
    return beam._replace(
        focus=beam.focus + shift,
        last_head=torch.where(attach, pointer, beam.last_head.masked_fill(shift, NONE)),
        num_heads=(beam.num_heads + attach).masked_fill(shift, 0),
        heads=heads.masked_fill(shift.unsqueeze(2), 0),
        descendants=torch.where(reaches.unsqueeze(3), beam.descendants | gained, beam.descendants),
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


def _row(table: torch.Tensor, position: torch.Tensor) -> torch.Tensor:
    """The row of a position in each table: (batch_size, beam_size, words of bits)."""
    index = position[:, :, None, None].expand(-1, -1, 1, table.shape[3])
    return table.gather(2, index).squeeze(2)


def _unpack(bits: torch.Tensor, positions: int) -> torch.Tensor:
    """Packed bits as booleans: (batch_size, beam_size, positions)."""
    shifts = torch.arange(BITS, device=bits.device)
    return (bits.unsqueeze(3) >> shifts & 1).flatten(2)[:, :, :positions].bool()


def _select(memory: Memory, keep: torch.Tensor) -> Memory:
    return Memory(
        memory.words[keep],
        memory.inputs[keep],
        (memory.keys[0][keep], memory.keys[1][keep]),
        memory.mask[keep],
        memory.start,
    )


def _follow_back(steps: list[Step], score: torch.Tensor) -> Path:
    slot = torch.zeros(len(score), dtype=torch.long, device=score.device)
    shape = (len(score), len(steps))
    pointer = torch.full(shape, NONE, device=score.device)
    state = score.new_zeros(*shape, steps[0].state.shape[2])
    for number in reversed(range(len(steps))):
        step = steps[number]
        rows = torch.arange(len(step.sentences), device=score.device)
        chosen = slot[step.sentences]
        parent = step.parent[rows, chosen]
        pointer[step.sentences, number] = step.pointer[rows, chosen]
        state[step.sentences, number] = step.state[rows, parent]
        slot[step.sentences] = parent
    return Path(pointer, state, score)
