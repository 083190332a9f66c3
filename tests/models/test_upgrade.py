"""Configs and weights of version 0.1."""

import pytest
import torch
from allennlp.common import Params
from allennlp.models import Model

from sdp_pointer.models.upgrade import upgraded_config
from tests.models.conftest import Parser

EMBEDDER = {"type": "token_dropout", "token_embedders": {"words": {"type": "embedding"}}}
FLAT = {
    "type": "sdp_pointer",
    "text_field_embedder": EMBEDDER,
    "encoder": {"type": "variational_bilstm", "hidden_size": 8},
    "tagger": {},
    "tag_loss_weight": 0.5,
    "decoder_input_size": 1,
    "decoder_size": 2,
    "arc_size": 3,
    "label_size": 4,
    "dropout": 0.1,
    "shift_score": True,
    "skip_connection": True,
    "label_loss_weight": 0.7,
    "features": ["sibling"],
    "beam_size": 5,
    "acyclic": False,
    "ascending": False,
    "max_heads": 6,
    "label_weight": 0.3,
    "n_best": 2,
    "initializer": {},
}
NESTED = {
    "type": "sdp_pointer",
    "initializer": {},
    "backbone": {
        "text_field_embedder": EMBEDDER,
        "encoder": {"type": "variational_bilstm", "hidden_size": 8},
        "tagger": {"loss_weight": 0.5},
    },
    "decoders": {
        "graph": {
            "input_size": 1,
            "state_size": 2,
            "arc_size": 3,
            "labeller": {"size": 4},
            "dropout": 0.1,
            "shift_score": True,
            "skip_connection": True,
            "label_loss_weight": 0.7,
            "features": ["sibling"],
            "search": {
                "beam_size": 5,
                "acyclic": False,
                "ascending": False,
                "max_heads": 6,
                "label_weight": 0.3,
                "n_best": 2,
            },
        }
    },
}


def test_every_option_of_version_0_1_has_a_place():
    assert upgraded_config(FLAT) == NESTED


def test_a_config_of_today_is_left_alone():
    assert upgraded_config(NESTED) is NESTED


def test_a_weight_without_a_tagger_makes_none():
    old = {**FLAT, "tagger": None}
    assert upgraded_config(old)["backbone"]["tagger"] is None


@pytest.mark.parametrize(
    ("config", "override"),
    [(FLAT, {"decoders": {"graph": {"search": {"beam_size": 9}}}}), (NESTED, {"beam_size": 9})],
    ids=["a new name for an old config", "an old name for a new config"],
)
def test_overrides_count_under_either_name(config, override):
    [decoder] = upgraded_config({**config, **override})["decoders"].values()
    assert decoder["search"] == {**NESTED["decoders"]["graph"]["search"], "beam_size": 9}


def flat(parser):
    """The config and the weights of a parser, as version 0.1 would have written them."""
    config = {
        "type": "sdp_pointer",
        **parser.config["backbone"],
        "decoder_input_size": 64,
        "decoder_size": 64,
        "arc_size": 64,
        "label_size": 32,
        "dropout": 0.1,
        "shift_score": True,
    }
    names = {
        "backbone.": "",
        "decoders.dm.network.": "decoder.",
        "decoders.dm.labeller.": "labeller.",
    }
    weights = {}
    for name, tensor in parser.model.state_dict().items():
        [prefix] = [prefix for prefix in names if name.startswith(prefix)]
        weights[names[prefix] + name.removeprefix(prefix)] = tensor
    return config, weights


def test_a_model_of_version_0_1_says_the_same_as_before(parser):
    config, weights = flat(parser)
    assert "labeller.bilinear" in weights
    old = Model.from_params(Params(config), vocab=parser.vocab).eval()
    old.load_state_dict(weights)
    state, expected = old.state_dict(), parser.model.state_dict()
    assert [name.replace(".graph.", ".dm.") for name in state] == list(expected)
    assert all(torch.equal(*pair) for pair in zip(state.values(), expected.values()))
    assert "labeller.bilinear" in weights  # what was given is not changed


def test_weights_that_do_not_fit_are_still_named(parser):
    _, weights = flat(parser)
    del weights["labeller.bilinear"]
    weights["decoder.more"] = torch.zeros(1)
    with pytest.raises(RuntimeError, match=r"labeller\.bilinear") as error:
        Parser().model.load_state_dict(weights)
    assert "decoders.dm.network.more" in str(error.value)
