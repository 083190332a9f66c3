"""The batched search against the slow reference, and what holds whatever the network says."""

import pytest
import torch

from sdp_pointer.nn.decoder import Memory, PointerDecoder
from sdp_pointer.nn.search import NONE, Options, search
from sdp_pointer.transitions import execute

from .reference_decoder import decode

WORD_SIZE = 6


def network(seed, **options):
    """A small random network; larger weights than usual, so that it has opinions."""
    torch.manual_seed(seed)
    decoder = PointerDecoder(WORD_SIZE, 5, 7, 8, dropout=0.0, **options).eval()
    for parameter in decoder.parameters():
        parameter.data.normal_(std=0.7)
    return decoder


def sentences(decoder, lengths):
    """The memory of a batch of random sentences."""
    mask = torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)
    encoded = torch.randn(len(lengths), max(lengths), WORD_SIZE)
    return decoder.remember(encoded, torch.randn(len(lengths), WORD_SIZE), mask)


def alone(memory: Memory, number: int, n: int) -> Memory:
    """One sentence of a batch, without padding."""
    one, to = slice(number, number + 1), slice(0, n + 1)
    return Memory(
        memory.words[one, to],
        memory.inputs[one, to],
        (memory.keys[0][one, to], memory.keys[1][one, :, to]),
        memory.mask[one, to],
        (memory.start[0][one], memory.start[1][one]),
    )


def pointers_of(path, number):
    return tuple(pointer for pointer in path.pointer[number].tolist() if pointer != NONE)


OPTIONS = [
    Options(),
    Options(beam_size=2),
    Options(beam_size=5),
    Options(ascending=False),
    Options(beam_size=5, ascending=False),
    Options(beam_size=3, acyclic=False),
    Options(beam_size=5, max_heads=1),
    Options(beam_size=2, max_heads=2, ascending=False),
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("seed", range(3))
@torch.no_grad()
def test_the_search_returns_what_the_slow_reference_returns(options, seed):
    decoder = network(seed, shift_score=bool(seed % 2))
    lengths = [1, 2, 5, 9, 3]
    memory = sentences(decoder, lengths)
    path = search(decoder, memory, options)
    for number, n in enumerate(lengths):
        expected = decode(decoder, alone(memory, number, n), n, options)
        assert pointers_of(path, number) == expected.pointers
        assert path.score[number].item() == pytest.approx(expected.score, abs=1e-3)


@pytest.mark.parametrize("features", [(), ("sibling",), ("co_parent", "grandparent", "sibling")])
@torch.no_grad()
def test_the_search_computes_the_same_features_as_the_oracle(features):
    decoder = network(7, features=features)
    memory = sentences(decoder, [6, 4])
    options = Options(beam_size=3, ascending=False)
    path = search(decoder, memory, options)
    for number, n in enumerate([6, 4]):
        expected = decode(decoder, alone(memory, number, n), n, options)
        assert pointers_of(path, number) == expected.pointers
        assert path.score[number].item() == pytest.approx(expected.score, abs=1e-3)


@pytest.mark.parametrize("beam_size", [1, 2, 5, 8])
@torch.no_grad()
def test_the_output_is_always_a_dag_with_n_shifts(beam_size):
    for seed in range(15):
        decoder = network(100 + seed)
        lengths = torch.randint(1, 31, (16,)).tolist()
        path = search(decoder, sentences(decoder, lengths), Options(beam_size))
        for number, n in enumerate(lengths):
            # Refuses cycles, self-loops, arcs that exist, and sequences without n Shifts.
            arcs = execute(n, pointers_of(path, number))
            assert len(set(arcs)) == len(arcs)


@torch.no_grad()
def test_the_states_are_those_of_teacher_forcing():
    decoder = network(3)
    memory = sentences(decoder, [5])
    path = search(decoder, memory, Options(beam_size=4))
    from sdp_pointer.transitions import steps

    sequence = list(steps(pointers_of(path, 0)))
    focus = torch.tensor([[step.focus for step in sequence]])
    features = torch.tensor([[step.features for step in sequence]])
    states, _ = decoder(memory, focus, features)
    torch.testing.assert_close(path.state[0, : len(sequence)], states[0])


@torch.no_grad()
def test_neither_batch_nor_padding_changes_a_result():
    decoder = network(5)
    lengths = [3, 11, 70, 1, 66]
    memory = sentences(decoder, lengths)
    together = search(decoder, memory, Options(beam_size=4))
    for number, n in enumerate(lengths):
        single = search(decoder, alone(memory, number, n), Options(beam_size=4))
        assert pointers_of(single, 0) == pointers_of(together, number)
        assert single.score[0].item() == pytest.approx(together.score[number].item(), rel=1e-4)


@torch.no_grad()
def test_more_than_64_positions_are_packed_into_several_words():
    decoder = network(9)
    path = search(decoder, sentences(decoder, [130]), Options(beam_size=2))
    execute(130, pointers_of(path, 0))
