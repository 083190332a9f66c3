"""The batched search against the slow reference, and what holds whatever the network says."""

import re

import pytest
import torch

from sdp_pointer.decoders import Encoded
from sdp_pointer.decoders.pointer.labeller import BiaffineLabeller, Labeller
from sdp_pointer.decoders.pointer.network import Memory, PointerNetwork
from sdp_pointer.decoders.pointer.search import NONE, Options, Path, search
from sdp_pointer.decoders.pointer.stepper import PointerStepper
from sdp_pointer.steps import completed
from sdp_pointer.transitions import execute, steps

from .reference_decoder import Parts, decode

WORD_SIZE = 6
STATE_SIZE = 7


def random_network(seed, skip_connection=False, **options):
    """A small random network; larger weights than usual, so that it has opinions."""
    torch.manual_seed(seed)
    network = PointerNetwork(
        WORD_SIZE, 5, STATE_SIZE, 8, dropout=0.0, skip_connection=skip_connection, **options
    )
    labeller = BiaffineLabeller(STATE_SIZE, WORD_SIZE, 3, 0.0, skip_connection, size=4)
    for parameter in (*network.parameters(), *labeller.parameters()):
        parameter.data.normal_(std=0.7)
    return Parts(network.eval(), labeller.eval())


def searched(parts: Parts, memory: Memory, options: Options) -> Path:
    stepper = PointerStepper(parts.network, memory, parts.labeller, options.label_weight)
    return completed(search(stepper, memory.mask, options))


def sentences(parts, lengths):
    """The memory of a batch of random sentences."""
    mask = torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)
    encoded = torch.randn(len(lengths), max(lengths), WORD_SIZE)
    summary = torch.randn(len(lengths), WORD_SIZE)
    return parts.network.remember(Encoded(encoded, summary, mask))


def alone(memory: Memory, number: int, n: int) -> Memory:
    """One sentence of a batch, without padding."""
    one, to = slice(number, number + 1), slice(0, n + 1)
    return Memory(
        memory.words[one, to],
        memory.inputs[one, to],
        (memory.keys[0][one, to], memory.keys[1][one, :, to]),
        memory.mask[one, to],
        (memory.start[0][one], memory.start[1][one]),
        None if memory.direct is None else memory.direct[one, to],
    )


def pointers_of(path, number, rank=0):
    return tuple(pointer for pointer in path.pointer[number, rank].tolist() if pointer != NONE)


def check_against_the_reference(parts, lengths, options):
    memory = sentences(parts, lengths)
    path = searched(parts, memory, options)
    for number, n in enumerate(lengths):
        expected = decode(parts, alone(memory, number, n), n, options)
        found = path.score[number].isfinite().sum().item()
        assert found == len(expected)
        for rank, hypothesis in enumerate(expected):
            assert pointers_of(path, number, rank) == hypothesis.pointers
            assert path.score[number, rank].item() == pytest.approx(hypothesis.score, abs=1e-3)


OPTIONS = [
    Options(),
    Options(beam_size=2),
    Options(beam_size=5),
    Options(ascending=False),
    Options(beam_size=5, ascending=False),
    Options(beam_size=3, acyclic=False),
    Options(beam_size=5, max_heads=1),
    Options(beam_size=2, max_heads=2, ascending=False),
    Options(label_weight=1.0),
    Options(beam_size=5, label_weight=0.5),
    Options(beam_size=4, n_best=3),
    Options(beam_size=5, n_best=5, max_heads=0),
    Options(beam_size=5, n_best=2, label_weight=2.0, ascending=False, max_heads=2),
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("seed", range(3))
@torch.no_grad()
def test_the_search_returns_what_the_slow_reference_returns(options, seed):
    parts = random_network(seed, shift_score=bool(seed % 2), skip_connection=seed == 2)
    check_against_the_reference(parts, [1, 2, 5, 9, 3], options)


@pytest.mark.parametrize("options", OPTIONS)
@torch.no_grad()
def test_lengths_1_to_30_against_the_reference(options):
    parts = random_network(20, shift_score=True)
    # A random network attaches everything to everything; a trained one mostly shifts.
    parts.network.shift.bias.data.fill_(6.0)
    check_against_the_reference(parts, [1, 30, 12, 21], options)


class OwnLabeller(Labeller):
    """Somebody else's: it can only be called, for arcs that it is given."""

    def __init__(self, num_labels):
        super().__init__()
        self.linear = torch.nn.Linear(STATE_SIZE + 2 * WORD_SIZE, num_labels)

    def forward(self, states, dependents, heads):
        return self.linear(torch.cat([states, dependents, heads], dim=1))


@pytest.mark.parametrize("options", [option for option in OPTIONS if option.label_weight])
@torch.no_grad()
def test_any_labeller_can_take_part_in_the_search(options):
    parts = random_network(3)
    own = OwnLabeller(num_labels=3)
    own.linear.weight.normal_(std=0.7)
    check_against_the_reference(parts._replace(labeller=own), [1, 2, 5, 9, 3], options)


@torch.no_grad()
def test_all_gates_are_computed_where_looking_at_tensors_is_not_free(monkeypatch):
    parts = random_network(12)
    # As on a GPU.
    monkeypatch.setattr(parts.network, "gates_after_shift", lambda memory: None)
    check_against_the_reference(parts, [1, 2, 5, 9, 3], Options(beam_size=3))


@pytest.mark.parametrize("features", [(), ("sibling",), ("co_parent", "grandparent", "sibling")])
@torch.no_grad()
def test_the_search_computes_the_same_features_as_the_oracle(features):
    parts = random_network(7, features=features)
    check_against_the_reference(parts, [6, 4], Options(beam_size=3, ascending=False))


@pytest.mark.parametrize("beam_size", [1, 2, 5, 8])
@torch.no_grad()
def test_the_output_is_always_a_dag_with_n_shifts(beam_size):
    """500 sentences with each beam, 50 with each of 10 networks."""
    for seed in range(10):
        parts = random_network(100 + seed, shift_score=seed % 3 == 0)
        lengths = torch.randint(1, 21, (50,)).tolist()
        options = Options(beam_size, ascending=seed % 2 == 0)
        path = searched(parts, sentences(parts, lengths), options)
        for number, n in enumerate(lengths):
            # Refuses cycles, self-loops, arcs that exist, and sequences without n Shifts.
            arcs = execute(n, pointers_of(path, number), ascending=options.ascending)
            assert len(set(arcs)) == len(arcs)


@torch.no_grad()
def test_a_search_with_label_scores_finds_other_graphs():
    parts = random_network(4)
    memory = sentences(parts, [8] * 10)
    plain, labelled = (
        searched(parts, memory, Options(beam_size=4, label_weight=weight)) for weight in (0.0, 3.0)
    )
    assert not torch.equal(plain.pointer, labelled.pointer)


@torch.no_grad()
def test_the_hypotheses_are_different_and_sorted():
    parts = random_network(6)
    path = searched(parts, sentences(parts, [4, 7, 2]), Options(beam_size=8, n_best=8))
    assert (path.score.diff(dim=1) <= 0).all()
    for number in range(3):
        assert len({pointers_of(path, number, rank) for rank in range(8)}) == 8


@pytest.mark.parametrize("label_weight", [0.0, 1.5])
@torch.no_grad()
def test_states_and_log_probs_are_those_of_teacher_forcing(label_weight):
    parts = random_network(3)
    memory = sentences(parts, [5])
    path = searched(parts, memory, Options(beam_size=4, n_best=3, label_weight=label_weight))
    for rank in range(3):
        sequence = list(steps(pointers_of(path, 0, rank)))
        focus = torch.tensor([[step.focus for step in sequence]])
        features = torch.tensor([[step.features for step in sequence]])
        states, logits = parts.network(memory, focus, features)
        torch.testing.assert_close(path.state[0, rank, : len(sequence)], states[0])
        pointers = torch.tensor(pointers_of(path, 0, rank)).unsqueeze(1)
        log_probs = logits[0].log_softmax(1).gather(1, pointers).squeeze(1)
        torch.testing.assert_close(path.log_prob[0, rank, : len(sequence)], log_probs)


@torch.no_grad()
def test_neither_batch_nor_padding_changes_a_result():
    parts = random_network(5)
    lengths = [3, 11, 70, 1, 66]
    memory = sentences(parts, lengths)
    together = searched(parts, memory, Options(beam_size=4))
    for number, n in enumerate(lengths):
        single = searched(parts, alone(memory, number, n), Options(beam_size=4))
        assert pointers_of(single, 0) == pointers_of(together, number)
        assert single.score[0].item() == pytest.approx(together.score[number].item(), rel=1e-4)


@torch.no_grad()
def test_double_precision_works_too():
    parts = random_network(8)
    parts.network.double(), parts.labeller.double()
    mask = torch.ones(2, 5, dtype=torch.bool)
    words = torch.randn(2, 5, WORD_SIZE, dtype=torch.double)
    memory = parts.network.remember(Encoded(words, words[:, 0], mask))
    path = searched(parts, memory, Options(beam_size=3, label_weight=1.0))
    assert path.score.dtype == torch.double
    execute(5, pointers_of(path, 0))


@torch.no_grad()
def test_more_than_64_positions_are_packed_into_several_words():
    parts = random_network(9)
    path = searched(parts, sentences(parts, [130]), Options(beam_size=2))
    execute(130, pointers_of(path, 0))


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (Options(beam_size=0), "the beam must be at least 1"),
        (Options(beam_size=1001), "the beam must be at most 1000"),
        (Options(n_best=2), "n_best must be between 1 and the beam"),
        (Options(max_heads=-1), "max_heads must not be negative"),
        (Options(label_weight=-0.5), "label_weight must not be negative"),
        (Options(beam_size=5, n_best=5), "^$"),
    ],
)
def test_options_that_make_no_sense_are_told(options, problem):
    assert re.search(problem, options.problem)


@pytest.mark.parametrize("options", [Options(1), Options(3), Options(3, label_weight=1.0)])
@pytest.mark.parametrize("broken", ["network", "labeller"])
@torch.no_grad()
def test_a_network_of_nan_still_gives_a_dag(broken, options):
    parts = random_network(2, shift_score=True)
    lengths = [3, 11, 1, 7]
    for parameter in getattr(parts, broken).parameters():
        parameter.data.fill_(float("nan"))
    path = searched(parts, sentences(parts, lengths), options)
    for number, n in enumerate(lengths):
        execute(n, pointers_of(path, number))


@torch.no_grad()
def test_scores_are_summed_in_full_precision():
    parts = random_network(8)
    parts.network.bfloat16()
    words = torch.randn(2, 6, WORD_SIZE, dtype=torch.bfloat16)
    mask = torch.ones(2, 6, dtype=torch.bool)
    memory = parts.network.remember(Encoded(words, words[:, 0], mask))
    path = searched(parts, memory, Options(beam_size=2))
    assert path.score.dtype == torch.float32
    log_prob = path.log_prob.masked_fill(path.pointer == NONE, 0.0)
    torch.testing.assert_close(log_prob[:, 0].sum(1), path.score[:, 0])
    assert path.state.dtype == torch.bfloat16


@pytest.mark.parametrize("features", [("co_parent",), ("co_parent", "grandparent", "sibling")])
@torch.no_grad()
def test_all_tensors_are_made_where_the_sentences_are(features):
    parts = random_network(13, features=features)
    memory = sentences(parts, [3, 9, 1])
    options = Options(beam_size=3, ascending=False, label_weight=1.0)
    expected = searched(parts, memory, options)
    # As if the sentences were on a GPU: whatever is not told where to be is somewhere else.
    with torch.device("meta"):
        path = searched(parts, memory, options)
    for part, same in zip(path, expected):
        assert torch.equal(part, same)
