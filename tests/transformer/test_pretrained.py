"""A transformer and its tokenizer from a folder, without a network."""

import json

import pytest
import torch
from safetensors.torch import load_file, save_file

from sdp_pointer.archives import transformer
from sdp_pointer.errors import UserError
from sdp_pointer.transformer import pretrained
from tests.archives.test_weights import deflated


def test_a_local_folder_needs_no_network(any_transformer, no_network):
    folder = transformer.find(str(any_transformer))
    assert folder == any_transformer
    pretrained.load_tokenizer(folder)
    assert pretrained.load_config(folder).hidden_size == 32
    pretrained.load_model(folder)


def test_code_that_comes_with_a_transformer_is_never_run(copy, monkeypatch):
    # The library would ask on the terminal, unless it is told.
    monkeypatch.setattr("builtins.input", lambda prompt: "y")
    config = json.loads((copy / "config.json").read_text())
    config |= {"model_type": "evil", "auto_map": {"AutoConfig": "evil.Config"}}
    (copy / "config.json").write_text(json.dumps(config))
    (copy / "evil.py").write_text("raise SystemExit('evil')")
    with pytest.raises(UserError, match="cannot load the transformer"):
        pretrained.load_config(copy)


def test_damaged_weights_are_told_in_one_sentence(copy):
    (copy / "model.safetensors").write_bytes(b"damaged")
    with pytest.raises(UserError, match=f"cannot load the transformer in {copy}"):
        pretrained.load_model(copy)


def test_weights_that_are_not_finite_are_told(copy):
    state = load_file(copy / "model.safetensors")
    name = "encoder.layer.1.output.dense.bias"
    state[name][3] = float("nan")
    save_file(state, copy / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(UserError, match=f"{copy} are damaged: not every number of {name}"):
        pretrained.load_model(copy)


def test_a_compressed_file_of_weights_is_refused(copy):
    state = load_file(copy / "model.safetensors")
    (copy / "model.safetensors").unlink()
    torch.save(state, copy / "pytorch_model.bin")
    pretrained.load_model(copy)
    deflated(copy / "pytorch_model.bin")
    with pytest.raises(UserError, match=r"pytorch_model\.bin is compressed"):
        pretrained.load_model(copy)


def test_a_tokenizer_that_is_not_there_is_not_made_up(copy):
    for path in transformer.files(copy, *pretrained.VOCABULARIES):
        path.unlink()
    with pytest.raises(UserError, match=f"{copy} holds no tokenizer.json, and no vocabulary"):
        pretrained.load_tokenizer(copy)


def test_loading_leaves_the_random_numbers_alone(bert):
    torch.manual_seed(1)
    expected = torch.rand(3)
    for load in (pretrained.load_model, pretrained.new_model):
        torch.manual_seed(1)
        load(bert)
        assert torch.equal(torch.rand(3), expected)
