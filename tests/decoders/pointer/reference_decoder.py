"""A slow, plain decoder: one sentence, one hypothesis, one word at a time.

It shares the network's weights with the real search, and nothing else: the rules are those of
`transitions.Configuration`, and the features those of `transitions.steps`.
"""

from typing import NamedTuple

import torch

from sdp_pointer.decoders.pointer.labeller import Labeller
from sdp_pointer.decoders.pointer.network import Memory, PointerNetwork
from sdp_pointer.decoders.pointer.search import Options
from sdp_pointer.graphs import ROOT
from sdp_pointer.transitions import Configuration, steps


class Parts(NamedTuple):
    """Of a decoder: what it points and labels with."""

    network: PointerNetwork
    labeller: Labeller


class Hypothesis(NamedTuple):
    score: float
    pointers: tuple[int, ...]
    finished: bool


def decode(parts: Parts, memory: Memory, n: int, options: Options) -> list[Hypothesis]:
    """The best hypotheses for a batch of one sentence with n words."""
    beam = [Hypothesis(0.0, (), False)]
    while not all(hypothesis.finished for hypothesis in beam[: options.n_best]):
        candidates = [hypothesis for hypothesis in beam if hypothesis.finished]
        for hypothesis in beam:
            if not hypothesis.finished:
                candidates += successors(parts, memory, n, hypothesis, options)
        beam = sorted(candidates, key=lambda candidate: -candidate.score)[: options.beam_size]
    return beam[: options.n_best]


def successors(parts, memory, n, hypothesis, options):
    parse = Configuration(n, options.acyclic, options.ascending, options.max_heads)
    for pointer in hypothesis.pointers:
        parse.point(pointer)
    state, log_probs = score_next(parts.network, memory, hypothesis.pointers)
    for position in parse.permitted():
        score = hypothesis.score + log_probs[position].item()
        if options.label_weight and position not in (ROOT, parse.focus):
            dependent, head = memory.words[0, parse.focus], memory.words[0, position]
            labels = parts.labeller(*(part.unsqueeze(0) for part in (state, dependent, head)))
            score += options.label_weight * labels[0].log_softmax(0).max().item()
        finished = position == parse.focus == n
        yield Hypothesis(score, (*hypothesis.pointers, position), finished)


def score_next(network, memory, pointers):
    """State and log-probabilities of all positions after some pointers, from the first step on."""
    # The last pointer is never looked at: only the focus word and the features of its step are.
    sequence = list(steps((*pointers, 0)))
    focus = torch.tensor([[step.focus for step in sequence]])
    features = torch.tensor([[step.features for step in sequence]])
    states, logits = network(memory, focus, features)
    return states[0, -1], logits[0, -1].log_softmax(0)
