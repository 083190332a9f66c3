"""A config of a stranger that asks for the whole memory."""

import json
import resource

import pytest
import torch

import sdp_pointer
from sdp_pointer.archives import ArchiveError
from sdp_pointer.archives.construction import bounded, constructing, construction

HUGE = 10**9
# As much as a number of a config may be.
MOST = 2 * 10**6


@pytest.mark.parametrize(
    "values",
    [
        {"decoder_size": MOST},
        {"decoder_input_size": MOST},
        {"arc_size": 10**5},
        {"label_size": MOST},
        {"encoder": {"type": "variational_bilstm", "hidden_size": MOST}},
        {"encoder": {"type": "variational_bilstm", "hidden_size": 8, "num_layers": MOST}},
        {"encoder": {"type": "lstm", "hidden_size": 10**5}},
        {"encoder": {"type": "stacked_bidirectional_lstm", "hidden_size": 4, "num_layers": MOST}},
        {"tagger": {"type": "bilstm", "tag_size": MOST}},
    ],
    ids=json.dumps,
)
def test_a_config_does_not_ask_for_more_memory_than_its_weights_need(model, configure, values):
    namespace = model / "vocabulary" / "guessed_tag.txt"
    namespace.write_text("@@UNKNOWN@@\nNN\nVB\n")
    configure(**values)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ArchiveError, match=r"more than 128 MB of memory.*SDP_MODEL_LIMITS"):
        sdp_pointer.load(str(model))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500_000


@pytest.mark.parametrize("number", [HUGE, -HUGE, 1e9, 10**400])
@pytest.mark.parametrize("values", [lambda n: {"dims": n}, lambda n: {"dims": [1, [n]]}])
def test_a_number_that_no_model_needs_is_refused(model, configure, number, values):
    configure(encoder=values(number))
    with pytest.raises(
        ArchiveError, match=r"the number dims in its config\.json is more than 2,000,000"
    ):
        sdp_pointer.load(str(model))


@pytest.mark.parametrize("number", [HUGE, 10**400])
def test_a_transformer_has_as_few_labels_as_others(model, number):
    """It makes a name for each, before its weights are looked at."""
    (model / "transformer").mkdir()
    config = model / "transformer" / "config.json"
    config.write_text(json.dumps({"scale": float("inf"), "num_labels": number}))
    with pytest.raises(
        ArchiveError, match=r"number num_labels in its transformer/config\.json is more than"
    ):
        sdp_pointer.load(str(model))
    config.write_text(json.dumps({"scale": float("inf"), "num_labels": 2}))
    assert sdp_pointer.load(str(model)).model is not None
    config.write_text("{")
    with pytest.raises(ArchiveError, match=r"its transformer/config\.json is not JSON"):
        sdp_pointer.load(str(model))


def test_seeds_may_be_any_number(model):
    config = json.loads((model / "config.json").read_text())
    (model / "config.json").write_text(json.dumps({**config, "random_seed": 2**40}))
    sdp_pointer.load(str(model))


def test_the_user_may_allow_more(model, configure, monkeypatch):
    # 4 * 2500 * 2500 numbers for each direction and layer.
    configure(encoder={"type": "variational_bilstm", "hidden_size": 2500, "num_layers": 1})
    with pytest.raises(ArchiveError, match="more than 128 MB of memory"):
        sdp_pointer.load(str(model))
    monkeypatch.setenv("SDP_MODEL_LIMITS", "20")
    with pytest.raises(ArchiveError, match="its weights do not fit its config"):
        sdp_pointer.load(str(model))


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.zeros(HUGE, 1000),
        lambda: torch.ones(HUGE, 1000),
        lambda: torch.rand(HUGE, 1000),
        lambda: torch.full((HUGE, 1000), 1.0),
        lambda: torch.arange(HUGE * 1000),
        lambda: torch.eye(10**6),
        lambda: torch.Tensor(HUGE, 1000),
        lambda: torch.nn.Linear(10**6, 10**6),
        lambda: torch.nn.Embedding(HUGE, 1000),
        lambda: torch.ones(1).new_zeros(HUGE, 1000),
        lambda: torch.zeros(HUGE, 1000, dtype=torch.bool),
        lambda: [torch.nn.Linear(1, 1) for _ in range(HUGE)],
    ],
)
def test_whatever_makes_a_tensor_is_asked_first(make, tmp_path):
    (tmp_path / "weights").write_bytes(b"")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    refused = pytest.raises(ArchiveError, match="asks for more than 128 MB")
    with constructing(str(tmp_path / "weights")) as stranger, bounded(stranger), refused:
        make()
    assert construction() is None
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500_000


def test_what_is_no_strangers_is_not_counted(tmp_path):
    assert torch.zeros(2**26).numel() == 2**26
