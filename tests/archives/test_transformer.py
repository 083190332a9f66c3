"""The folder of a transformer: where it comes from, and what of it a model keeps."""

# ruff: noqa: F811 (fixtures of another folder)

import shutil

import huggingface_hub
import pytest
from huggingface_hub.errors import LocalEntryNotFoundError

from sdp_pointer.archives import transformer
from sdp_pointer.archives.strangers import confined, is_confined
from sdp_pointer.errors import UserError
from sdp_pointer.transformer.pretrained import load_tokenizer
from tests.transformer.conftest import bert, cache, copy, make_transformer, no_network  # noqa: F401


@pytest.mark.parametrize("name", ["bert-base-nowhere", "a/b/c", "/nowhere/at/all"])
def test_offline_one_sentence_names_the_transformer_and_the_remedy(name, monkeypatch, no_network):
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(UserError) as error:
        transformer.find(name)
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
    assert transformer.find("bert-tiny") == copy
    assert hub.asked[-1] is False
    hub.downloaded, hub.asked = True, []
    assert transformer.find("bert-tiny") == copy
    assert hub.asked == [True]


def test_a_download_that_lacks_the_weights_is_completed(copy, monkeypatch):
    (copy / "model.safetensors").unlink()
    monkeypatch.setattr(huggingface_hub, "snapshot_download", Hub(copy, downloaded=True))
    with pytest.raises(UserError, match="cannot find the transformer 'bert-tiny'"):
        transformer.find("bert-tiny")


@pytest.mark.parametrize("missing", ["config.json", "model.safetensors"])
def test_a_folder_that_is_no_transformer_is_named(copy, missing):
    (copy / missing).unlink()
    with pytest.raises(UserError, match=f"{copy}.*SDP_BERT"):
        transformer.find(str(copy))


def test_a_model_keeps_config_and_tokenizer_and_says_which_weights(bert, tmp_path):
    kept = transformer.keep(str(bert), str(tmp_path))
    assert kept == tmp_path / "transformer"
    assert not transformer.weights(kept)
    assert load_tokenizer(kept)(["cat"])["input_ids"]
    assert transformer.source_of(str(bert), kept) == bert
    assert sorted(path.name for path in tmp_path.iterdir()) == ["transformer"]


def test_what_a_model_keeps_is_not_looked_for_again(copy, tmp_path):
    transformer.keep(str(copy), str(tmp_path))
    shutil.rmtree(copy)
    assert transformer.keep(str(copy), str(tmp_path)) == tmp_path / "transformer"


def test_a_second_transformer_is_refused(bert, copy, tmp_path):
    transformer.keep(str(bert), str(tmp_path))
    with pytest.raises(UserError, match=f"'{bert}' and '{copy}'"):
        transformer.keep(str(copy), str(tmp_path))


def test_kept_weights_are_the_source(bert, tmp_path):
    transformer.keep(str(bert), str(tmp_path))
    kept = transformer.keep(str(bert), str(tmp_path), with_weights=True)
    assert transformer.source_of("gone", kept) == kept
    weights = (kept / "model.safetensors").read_bytes()
    assert weights == (bert / "model.safetensors").read_bytes()


def test_weights_that_moved_are_found_by_the_environment(copy, tmp_path, monkeypatch):
    kept = transformer.keep(str(copy), str(tmp_path))
    moved = copy.rename(tmp_path / "moved")
    with pytest.raises(UserError, match="cannot find the transformer"):
        transformer.source_of(str(copy), kept)
    monkeypatch.setenv("SDP_BERT", str(moved))
    assert transformer.source_of(str(copy), kept) == moved


def test_a_model_downloads_nothing_but_what_the_user_has_named(copy, tmp_path, monkeypatch):
    kept = transformer.keep(str(copy), str(tmp_path))
    asked = []

    def find(name):
        asked.append((name, is_confined()))
        return copy

    monkeypatch.setattr(transformer, "find", find)
    with confined():
        for chosen in ("", "another", "bert-tiny"):
            monkeypatch.setenv("SDP_BERT", chosen)
            assert transformer.source_of("bert-tiny", kept) == copy
    assert asked == [("bert-tiny", True), ("bert-tiny", True), ("bert-tiny", False)]


def test_other_weights_are_refused(copy, tmp_path):
    kept = transformer.keep(str(copy), str(tmp_path))
    make_transformer("bert", copy, seed=5)
    with pytest.raises(UserError, match="another transformer"):
        transformer.source_of(str(copy), kept)


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
    kept = transformer.keep(str(full), str(tmp_path))
    own = {"weights.sha256", "model_name"}
    assert {path.name for path in kept.iterdir()} == {"config.json", *TOKENIZERS, *own}


def test_the_hub_is_asked_for_what_is_needed_and_one_kind_of_weights(full, tmp_path, monkeypatch):
    def download(name, allow_patterns, local_files_only):
        folder = tmp_path / "downloaded"
        folder.mkdir(exist_ok=True)
        for path in transformer.files(full, *allow_patterns):
            shutil.copy(path, folder)
        return str(folder)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    folder = transformer.find("bert-tiny")
    expected = {"config.json", "model.safetensors", *TOKENIZERS}
    assert {path.name for path in folder.iterdir()} == expected
    (full / "model.safetensors").unlink()
    (folder / "model.safetensors").unlink()
    assert [path.name for path in transformer.weights(transformer.find("bert-tiny"))] == [
        "pytorch_model.bin"
    ]


def test_of_two_processes_that_keep_a_transformer_one_is_faster(bert, tmp_path, monkeypatch):
    def digest(paths):
        monkeypatch.undo()
        monkeypatch.setattr("os.getpid", lambda: 2)
        transformer.keep(str(bert), str(tmp_path))
        monkeypatch.undo()
        return transformer.digest(paths)

    monkeypatch.setattr(transformer, "digest", digest)
    monkeypatch.setattr("os.getpid", lambda: 1)
    kept = transformer.keep(str(bert), str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == [kept.name] == ["transformer"]
    assert transformer.source_of(str(bert), kept) == bert
