"""How a call changes the options of a decoder."""

import pytest

from sdp_pointer.decoders.options import OneGraph, changed, options_of_call
from sdp_pointer.decoders.pointer import Options
from sdp_pointer.errors import UserError


@pytest.mark.parametrize(
    ("n_best", "beam", "expected"),
    [
        (None, None, (4, 3)),
        (2, None, (4, 2)),
        (6, None, (6, 6)),
        (None, 2, (2, 2)),
        (None, 8, (8, 3)),
        (5, 8, (8, 5)),
    ],
)
def test_more_graphs_widen_the_models_beam_and_a_given_beam_bounds_its_graphs(
    n_best, beam, expected
):
    options = options_of_call(Options(beam_size=4, n_best=3, max_heads=2), n_best, beam)
    assert options == Options(*expected[:1], n_best=expected[1], max_heads=2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: options_of_call(Options(), 3, 2), "n_best must be between 1 and the beam"),
        (lambda: options_of_call(OneGraph(), beam=2), "this model has no option beam"),
        (lambda: options_of_call(OneGraph(), 2), "this model makes one graph of a sentence"),
        (lambda: changed(Options(), beam_size=2), "no option beam_size; it has beam, "),
    ],
)
def test_what_a_decoder_cannot_do_is_refused(call, message):
    with pytest.raises(UserError, match=message):
        call()


def test_a_decoder_without_a_beam_keeps_its_options():
    assert options_of_call(OneGraph()) == OneGraph()
