"""A slow, plain decoder: one sentence, one hypothesis, one word at a time.

It shares the network's weights with the real search, and nothing else: the rules are those of
`transitions.Configuration`, and the features those of `transitions.steps`.
"""

from typing import NamedTuple

import torch

from sdp_pointer.nn.decoder import Memory, PointerDecoder
from sdp_pointer.transitions import Configuration, steps


class Hypothesis(NamedTuple):
    score: float
    pointers: tuple[int, ...]
    finished: bool


def decode(decoder: PointerDecoder, memory: Memory, n: int, options) -> Hypothesis:
    """The best hypothesis for a batch of one sentence with n words."""
    beam = [Hypothesis(0.0, (), False)]
    while not beam[0].finished:
        candidates = [hypothesis for hypothesis in beam if hypothesis.finished]
        for hypothesis in beam:
            if not hypothesis.finished:
                candidates += successors(decoder, memory, n, hypothesis, options)
        beam = sorted(candidates, key=lambda candidate: -candidate.score)[: options.beam_size]
    return beam[0]


def successors(decoder, memory, n, hypothesis, options):
    log_probs = score_next(decoder, memory, hypothesis.pointers)
    parse = Configuration(n, options.acyclic, options.ascending, options.max_heads)
    for pointer in hypothesis.pointers:
        parse.point(pointer)
    for position in parse.permitted():
        finished = position == parse.focus == n
        score = hypothesis.score + log_probs[position].item()
        yield Hypothesis(score, (*hypothesis.pointers, position), finished)


def score_next(decoder, memory, pointers):
    """Log-probabilities of all positions after a sequence of pointers, from the first step on."""
    # The last pointer is never looked at: only the focus word and the features of its step are.
    sequence = list(steps((*pointers, 0)))
    focus = torch.tensor([[step.focus for step in sequence]])
    features = torch.tensor([[step.features for step in sequence]])
    _, logits = decoder(memory, focus, features)
    return logits[0, -1].log_softmax(0)
