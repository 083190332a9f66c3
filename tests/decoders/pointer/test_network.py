"""The network: its sizes, where it drops units in training, and memories put together."""

import pytest
import torch
from torch.nn.functional import elu

from sdp_pointer.decoders import Encoded
from sdp_pointer.decoders.pointer.labeller import BiaffineLabeller
from sdp_pointer.decoders.pointer.network import Memory, PointerNetwork, join_memories
from sdp_pointer.nn.biaffine import PointerScorer


def remembered(network, lengths):
    mask = torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)
    word_size = len(network.root)
    encoded = torch.randn(len(lengths), max(lengths), word_size)
    return network.remember(Encoded(encoded, torch.randn(len(lengths), word_size), mask))


def test_the_defaults_are_the_papers():
    network = PointerNetwork(word_size=10)
    assert (network.lstm.input_size, network.lstm.hidden_size) == (256, 512)
    assert network.input.weight.shape == (256, 10)
    assert network.pointer.bilinear.weight.shape == (512, 512)
    assert network.features == ("co_parent",)
    assert network.shift is network.skip is None
    dropouts = (network.dropout, network.pointer.f1[2], network.pointer.f2[2])
    assert [dropout.p for dropout in dropouts] == [0.33] * 3


def test_inputs_and_states_lose_the_same_units_in_all_steps_of_a_sentence():
    torch.manual_seed(0)
    network = PointerNetwork(4, 16, 16, 8, dropout=0.5).train()
    inputs = []
    network.lstm.register_forward_pre_hook(lambda lstm, given: inputs.append(given[0]))
    focus = torch.tensor([[1, 2, 3, 4, 5]]).expand(3, -1)
    states, _ = network(remembered(network, [5, 5, 5]), focus, torch.zeros(3, 5, 3).long())
    for vectors in (inputs[0], states):
        dropped = vectors == 0
        assert torch.equal(dropped.any(1), dropped.all(1))
        assert 0.2 < dropped.float().mean() < 0.8
        assert len({tuple(sentence.tolist()) for sentence in dropped[:, 0]}) == 3


@torch.no_grad()
def test_the_first_state_is_made_of_the_summary():
    network = PointerNetwork(4, 6, 5, 8)
    summary = torch.randn(2, 4)
    encoded = Encoded(torch.randn(2, 3, 4), summary, torch.ones(2, 3).bool())
    hidden, cell = network.remember(encoded).start
    torch.testing.assert_close(cell, network.start(summary))
    torch.testing.assert_close(hidden, torch.tanh(cell))


def test_nothing_is_dropped_outside_of_training():
    torch.manual_seed(0)
    network = PointerNetwork(4, 16, 16, 8, dropout=0.5).eval()
    memory, focus = remembered(network, [5]), torch.tensor([[1, 2, 3, 4, 5]])
    states, logits = network(memory, focus, torch.zeros(1, 5, 3).long())
    again, same = network(memory, focus, torch.zeros(1, 5, 3).long())
    assert (states != 0).all()
    assert torch.equal(states, again)
    assert torch.equal(logits, same)


@torch.no_grad()
def test_the_input_is_the_projected_sum_of_focus_word_and_features():
    torch.manual_seed(0)
    network = PointerNetwork(4, 6, 5, 8, features=("co_parent", "sibling"))
    network.input_bias.data.normal_()
    memory = remembered(network, [5])
    inputs = network.step_inputs(
        memory, torch.tensor([[3, 4]]), torch.tensor([[[1, 5, 2], [0] * 3]])
    )
    words = memory.words[0]
    # The grandparent, 5, is not asked for, and 0 is nothing, though ROOT has a vector.
    for found, total in zip(inputs[0], (words[3] + words[1] + words[2], words[4])):
        expected = elu(network.input(total) + network.input_bias)
        torch.testing.assert_close(found, expected)


@torch.no_grad()
def test_shift_has_a_score_of_its_own_at_the_focus_word():
    torch.manual_seed(0)
    network = PointerNetwork(4, 6, 5, 8, shift_score=True).eval()
    memory, focus, states = remembered(network, [5]), torch.tensor([[3, 4]]), torch.randn(1, 2, 5)
    added = network.logits(states, memory, focus) - network.pointer(states, memory.keys)
    expected = torch.zeros(1, 2, 6)
    expected[0, 0, 3], expected[0, 1, 4] = network.shift(states)[0, :, 0]
    torch.testing.assert_close(added, expected)


@torch.no_grad()
def test_both_sides_of_the_pointer_have_dropout():
    scorer = PointerScorer(state_size=4, word_size=5, size=6, dropout=1.0)
    states, words = torch.randn(2, 3, 4), torch.randn(2, 7, 5)
    keys, bias = scorer.eval().keys(words)
    assert (scorer(states, (keys, bias)) != bias).all()
    # With everything dropped, states do not count at all, and words have neither keys nor bias.
    scorer.train()
    torch.testing.assert_close(scorer(states, (keys, bias)), bias.expand(-1, 3, -1))
    assert not any(part.any() for part in scorer.keys(words))


@torch.no_grad()
def test_both_sides_of_the_labeller_have_dropout():
    labeller = BiaffineLabeller(4, 5, size=6, num_labels=3, dropout=1.0).train()
    states, dependents, heads = torch.randn(2, 4), torch.randn(2, 5), torch.randn(2, 5)
    bias = labeller.bilinear[-1, :, -1]
    torch.testing.assert_close(labeller(states, dependents, heads), bias.expand(2, -1))
    assert (labeller.eval()(states, dependents, heads) != bias).any()


@pytest.mark.parametrize("skip_connection", [False, True])
@torch.no_grad()
def test_memories_put_together_are_the_memory_of_all_sentences(skip_connection):
    torch.manual_seed(0)
    network = PointerNetwork(4, 6, 5, 8, skip_connection=skip_connection).eval()
    lengths = [3, 6, 2]
    mask = torch.arange(6) < torch.tensor(lengths).unsqueeze(1)
    encoded, summary = torch.randn(3, 6, 4) * mask.unsqueeze(2), torch.randn(3, 4)
    parts = [
        network.remember(Encoded(encoded[i : i + 1, :n], summary[i : i + 1], mask[i : i + 1, :n]))
        for i, n in enumerate(lengths)
    ]
    whole, found = network.remember(Encoded(encoded, summary, mask)), join_memories(parts)
    assert isinstance(found, Memory)
    assert torch.equal(found.mask, whole.mask)
    real = whole.mask
    for name in ("words", "inputs", *["direct"][:skip_connection]):
        torch.testing.assert_close(getattr(found, name)[real], getattr(whole, name)[real])
    torch.testing.assert_close(found.keys[0][real], whole.keys[0][real])
    torch.testing.assert_close(found.keys[1], whole.keys[1])  # -inf in padding
    torch.testing.assert_close(found.start, whole.start)
    assert skip_connection or found.direct is None
