"""Where a transformer comes from, without a network."""

import json
import shutil

import huggingface_hub
import pytest
import torch
from huggingface_hub.errors import LocalEntryNotFoundError
from safetensors.torch import load_file, save_file

from sdp_pointer.archives.strangers import confined, is_confined
from sdp_pointer.errors import UserError
from sdp_pointer.transformer import pretrained
from tests.archives.test_weights import deflated
from tests.transformer.conftest import make_transformer


@pytest.fixture
def copy(bert, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(bert, folder)
    return folder


def test_a_local_folder_needs_no_network(any_transformer, no_network):
    folder = pretrained.find(str(any_transformer))
    assert folder == any_transformer
    pretrained.load_tokenizer(folder)
    assert pretrained.load_config(folder).hidden_size == 32
    pretrained.load_model(folder)


@pytest.mark.parametrize("name", ["bert-base-nowhere", "a/b/c", "/nowhere/at/all"])
def test_offline_one_sentence_names_the_transformer_and_the_remedy(name, monkeypatch, no_network):
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(UserError) as error:
        pretrained.find(name)
    message = str(error.value)
    assert repr(name) in message
    assert "SDP_BERT" in message
    assert "HF_HUB_OFFLINE is set" in message
    assert "\n" not in message


class Hub:
    """Stands for the hub's library: some files are on the hub, perhaps some on the disk."""

    def __init__(self, folder, downloaded):
        self.folder = folder
        self.downloaded = downloaded
        self.asked = []

    def __call__(self, name, allow_patterns, local_files_only):
        self.asked.append(local_files_only)
        if local_files_only and not self.downloaded:
            raise LocalEntryNotFoundError("it was never downloaded")
        return str(self.folder)


def test_a_name_of_the_hub_is_downloaded_once(copy, monkeypatch):
    hub = Hub(copy, downloaded=False)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", hub)
    assert pretrained.find("bert-tiny") == copy
    assert hub.asked[-1] is False
    hub.downloaded, hub.asked = True, []
    assert pretrained.find("bert-tiny") == copy
    assert hub.asked == [True]


def test_a_download_that_lacks_the_weights_is_completed(copy, monkeypatch):
    (copy / "model.safetensors").unlink()
    monkeypatch.setattr(huggingface_hub, "snapshot_download", Hub(copy, downloaded=True))
    with pytest.raises(UserError, match="cannot find the transformer 'bert-tiny'"):
        pretrained.find("bert-tiny")


@pytest.mark.parametrize("missing", ["config.json", "model.safetensors"])
def test_a_folder_that_is_no_transformer_is_named(copy, missing):
    (copy / missing).unlink()
    with pytest.raises(UserError, match=f"{copy}.*SDP_BERT"):
        pretrained.find(str(copy))


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
    for path in pretrained.files(copy, *pretrained.VOCABULARIES):
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


def test_a_model_keeps_config_and_tokenizer_and_says_which_weights(bert, tmp_path):
    kept = pretrained.keep(str(bert), str(tmp_path))
    assert kept == tmp_path / "transformer"
    assert not pretrained.weights(kept)
    assert pretrained.load_tokenizer(kept)(["cat"])["input_ids"]
    assert pretrained.source(str(bert), kept) == bert
    assert sorted(path.name for path in tmp_path.iterdir()) == ["transformer"]


def test_what_a_model_keeps_is_not_looked_for_again(copy, tmp_path):
    pretrained.keep(str(copy), str(tmp_path))
    shutil.rmtree(copy)
    assert pretrained.keep(str(copy), str(tmp_path)) == tmp_path / "transformer"


def test_a_second_transformer_is_refused(bert, copy, tmp_path):
    pretrained.keep(str(bert), str(tmp_path))
    with pytest.raises(UserError, match=f"'{bert}' and '{copy}'"):
        pretrained.keep(str(copy), str(tmp_path))


def test_kept_weights_are_the_source(bert, tmp_path):
    pretrained.keep(str(bert), str(tmp_path))
    kept = pretrained.keep(str(bert), str(tmp_path), with_weights=True)
    assert pretrained.source("gone", kept) == kept
    weights = (kept / "model.safetensors").read_bytes()
    assert weights == (bert / "model.safetensors").read_bytes()


def test_weights_that_moved_are_found_by_the_environment(copy, tmp_path, monkeypatch):
    kept = pretrained.keep(str(copy), str(tmp_path))
    moved = copy.rename(tmp_path / "moved")
    with pytest.raises(UserError, match="cannot find the transformer"):
        pretrained.source(str(copy), kept)
    monkeypatch.setenv("SDP_BERT", str(moved))
    assert pretrained.source(str(copy), kept) == moved


def test_a_model_downloads_nothing_but_what_the_user_has_named(copy, tmp_path, monkeypatch):
    kept = pretrained.keep(str(copy), str(tmp_path))
    asked = []

    def find(name):
        asked.append((name, is_confined()))
        return copy

    monkeypatch.setattr(pretrained, "find", find)
    with confined():
        for chosen in ("", "another", "bert-tiny"):
            monkeypatch.setenv("SDP_BERT", chosen)
            assert pretrained.source("bert-tiny", kept) == copy
    assert asked == [("bert-tiny", True), ("bert-tiny", True), ("bert-tiny", False)]


def test_other_weights_are_refused(copy, tmp_path):
    kept = pretrained.keep(str(copy), str(tmp_path))
    make_transformer("bert", copy, seed=5)
    with pytest.raises(UserError, match="another transformer"):
        pretrained.source(str(copy), kept)


# Of BERT, RoBERTa, XLM-RoBERTa and ALBERT, as the hub has them.
TOKENIZERS = [
    *("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"),
    *("vocab.txt", "vocab.json", "merges.txt", "sentencepiece.bpe.model", "spiece.model"),
]
OTHERS = ["README.md", "evil.py", "flax_model.msgpack", "tf_model.h5", "training_args.bin"]


@pytest.fixture
def full(copy):
    """A transformer with all files that one may have."""
    for name in {*TOKENIZERS, *OTHERS, "pytorch_model.bin"}:
        if not (copy / name).exists():
            (copy / name).write_text("{}")
    return copy


def test_a_model_keeps_every_file_of_a_tokenizer_and_no_other(full, tmp_path):
    kept = pretrained.keep(str(full), str(tmp_path))
    own = {"weights.sha256", "model_name"}
    assert {path.name for path in kept.iterdir()} == {"config.json", *TOKENIZERS, *own}


def test_the_hub_is_asked_for_what_is_needed_and_one_kind_of_weights(full, tmp_path, monkeypatch):
    def download(name, allow_patterns, local_files_only):
        folder = tmp_path / "downloaded"
        folder.mkdir(exist_ok=True)
        for path in pretrained.files(full, *allow_patterns):
            shutil.copy(path, folder)
        return str(folder)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    folder = pretrained.find("bert-tiny")
    expected = {"config.json", "model.safetensors", *TOKENIZERS}
    assert {path.name for path in folder.iterdir()} == expected
    (full / "model.safetensors").unlink()
    (folder / "model.safetensors").unlink()
    assert [path.name for path in pretrained.weights(pretrained.find("bert-tiny"))] == [
        "pytorch_model.bin"
    ]


def test_of_two_processes_that_keep_a_transformer_one_is_faster(bert, tmp_path, monkeypatch):
    def digest(paths):
        monkeypatch.undo()
        monkeypatch.setattr("os.getpid", lambda: 2)
        pretrained.keep(str(bert), str(tmp_path))
        monkeypatch.undo()
        return pretrained.digest(paths)

    monkeypatch.setattr(pretrained, "digest", digest)
    monkeypatch.setattr("os.getpid", lambda: 1)
    kept = pretrained.keep(str(bert), str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == [kept.name] == ["transformer"]
    assert pretrained.source(str(bert), kept) == bert
