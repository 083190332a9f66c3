"""From the files of a model to a parser."""

import pytest

from sdp_pointer.errors import UserError
from sdp_pointer.parser import load
from sdp_pointer.precision import chosen

PRECISION = f", precision {chosen('auto')}"


def test_a_parser_tells_what_it_is(words_parser):
    assert words_parser.name.endswith("/model.tar.gz")
    assert repr(words_parser) == f"<Parser {words_parser.name}, decoder pointer, beam 1{PRECISION}>"


def test_a_gpu_that_is_not_there_is_told(monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    with pytest.raises(UserError, match="torch finds no GPU here"):
        load("MODEL", device="cuda:1")
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 1)
    with pytest.raises(UserError, match="no device 'cuda:1': torch finds 1 here"):
        load("MODEL", device="cuda:1")


@pytest.mark.parametrize("device", ["mps", "mps:0", "xpu", "meta"])
def test_a_device_that_allennlp_does_not_know_is_not_taken_for_the_first_gpu(device, monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    with pytest.raises(UserError, match=f"cannot parse on the device '{device}'; expected cpu"):
        load("MODEL", device=device)


def test_the_beam_has_one_name(words_model):
    model = str(words_model)
    assert repr(load(model, beam=3)).endswith(f"beam 3{PRECISION}>")
    with pytest.warns(DeprecationWarning, match=r"is load\(beam=...\) now"):
        assert repr(load(model, beam_size=3)).endswith(f"beam 3{PRECISION}>")
    with pytest.raises(UserError, match="the beam must be at least 1; it is 0"):
        load(model, beam=0)
    with pytest.raises(UserError, match="beam and beam_size are the same"):
        load(model, beam=3, beam_size=3)
    with pytest.raises(UserError, match="no option width; it has beam, acyclic, "):
        load(model, width=3)
