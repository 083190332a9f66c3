"""The share of what is right, also over several processes."""

import torch
from allennlp.common.testing import run_distributed_test

from sdp_pointer.metrics import Share

RIGHT = torch.tensor([[True, False], [True, True]])


def test_calls_add_up_until_the_reset():
    share = Share()
    assert share.get_metric() == 0.0
    share(RIGHT)
    share(torch.tensor([False]))
    assert share.get_metric() == share.get_metric(reset=True) == 0.6
    assert share.get_metric(reset=True) == 0.0
    share(torch.tensor([True]))
    assert share.get_metric() == 1.0


def count_on_one_rank(rank, world_size, device):
    share = Share()
    if rank == 1:
        share(RIGHT)
        share(torch.tensor([False]))
    # Before the reset no rank waits for another, and each has its own.
    assert share.get_metric() == (0.6 if rank == 1 else 0.0)
    assert share.get_metric(reset=True) == 0.6


def test_counts_are_summed_over_the_ranks():
    run_distributed_test([-1, -1], count_on_one_rank)
