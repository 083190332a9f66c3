"""The folders of strangers' models pass the same checks as archives."""

import json
import shutil

import pytest

import sdp_pointer
from sdp_pointer.archives import ArchiveError, check
from sdp_pointer.archives.packing import pack


def test_a_good_folder_is_loaded_and_packed(model, tmp_path):
    check(str(model))
    assert len(sdp_pointer.load(str(model)).parse("Kim likes the house").tokens) == 4
    pack(str(model), str(tmp_path / "packed"))
    assert len(sdp_pointer.load(str(tmp_path / "packed")).parse(["Go"]).tokens) == 1


@pytest.mark.parametrize(
    "name",
    ["vocabulary/words.txt", "vocabulary/secret.txt", "config.json", "weights.th", "metrics.json"],
)
@pytest.mark.parametrize("target", ["secret", "nowhere"])
def test_a_link_is_not_followed(model, tmp_path, name, target):
    (tmp_path / "secret").write_text("secret")
    (model / name).unlink(missing_ok=True)
    (model / name).symlink_to(tmp_path / target)
    for use in (check, sdp_pointer.load, lambda folder: pack(folder, str(tmp_path / "packed"))):
        with pytest.raises(ArchiveError, match=f"its {name} is a link, where a file has to be"):
            use(str(model))
    assert not (tmp_path / "packed").exists()


@pytest.mark.parametrize("name", ["vocabulary", "transformer"])
def test_a_folder_in_it_is_no_link(model, tmp_path, name):
    shutil.copytree(model / "vocabulary", tmp_path / "elsewhere")
    shutil.rmtree(model / name, ignore_errors=True)
    (model / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ArchiveError, match=f"its {name} is a link"):
        check(str(model))


def test_the_folder_itself_may_be_a_link(model, tmp_path):
    (tmp_path / "best").symlink_to(model)
    check(str(tmp_path / "best"))


def test_what_is_no_part_of_a_model_may_be_anything(model, tmp_path):
    (model / "log").symlink_to(tmp_path)
    (model / "training_state_e1_b0.th").symlink_to(tmp_path / "nowhere")
    (model / "vocabulary" / ".lock").symlink_to(tmp_path)
    check(str(model))


def test_a_transformer_is_nothing_but_a_transformer(model):
    (model / "transformer").mkdir()
    (model / "transformer" / "tokenizer.json").write_text("{}")
    check(str(model))
    for name in ("adapter_config.json", "modeling_evil.py", "tokenizer_evil.py"):
        (model / "transformer" / name).write_text("{}")
        with pytest.raises(
            ArchiveError, match=f"its transformer/{name} is no part of a transformer"
        ):
            check(str(model))
        (model / "transformer" / name).unlink()


@pytest.mark.parametrize("name", ["config.json", "vocabulary/words.txt"])
def test_a_folder_is_limited_as_an_archive_is(model, monkeypatch, name):
    with (model / name).open("ab") as file:
        file.write(b" " * 40_000)
    monkeypatch.setenv("SDP_MODEL_LIMITS", "0.001")
    with pytest.raises(ArchiveError, match=r"is more than 0\.0.*: .* SDP_MODEL_LIMITS=1$"):
        check(str(model))


def test_a_vocabulary_of_empty_words_is_counted(model):
    (model / "vocabulary" / "words.txt").write_bytes(b"\n" * 5_000_001)
    with pytest.raises(ArchiveError, match="words in its vocabulary is more than 5,000,000: "):
        sdp_pointer.load(str(model))


def test_limits_are_numbers(model, monkeypatch):
    for wrong in ("much", "0", "-1", "nan", "inf"):
        monkeypatch.setenv("SDP_MODEL_LIMITS", wrong)
        with pytest.raises(sdp_pointer.errors.UserError, match="SDP_MODEL_LIMITS is"):
            check(str(model))


def test_a_pipe_is_not_waited_for(model):
    import os

    (model / "metrics.json").unlink(missing_ok=True)
    os.mkfifo(model / "metrics.json")
    with pytest.raises(ArchiveError, match=r"its metrics\.json is no file"):
        check(str(model))


@pytest.mark.parametrize(
    ("found", "given", "message"),
    [
        ('"model": {', '"model": {}, "model": {', "the key 'model' is given twice"),
        ('"decoder_size": 8', '"decoder_size": NaN', "NaN is not JSON"),
        ('"type": "sdp"', '"type": "sdp", "x": "\\ud800"', "half of a character"),
        ('"type": "sdp"', '"type": "sdp", "x": ' + "[" * 200 + "]" * 200, "nested too deeply"),
        ('"type": "sdp"', '"type": "sdp", "x": importstr "secret"', "not JSON"),
    ],
)
def test_a_config_has_one_reading(model, tmp_path, found, given, message):
    config = model / "config.json"
    assert found in config.read_text()
    config.write_text(config.read_text().replace(found, given, 1))
    for use in (sdp_pointer.load, lambda folder: pack(folder, str(tmp_path / "packed"))):
        with pytest.raises(ArchiveError, match=f"its config.json cannot be read: .*{message}"):
            use(str(model))
    assert not (tmp_path / "packed").exists()


def name_of_a_link(model):
    (model / "vocabulary" / "a\x1b[31m\nred.txt").symlink_to("nowhere")


def key_of_metadata(model):
    (model / "meta.json").write_text(json.dumps({"version": "2.10.1", "\0\u202e": 1}))


def type_of_a_part(model):
    config = (model / "config.json").read_text()
    (model / "config.json").write_text(config.replace('"sdp_pointer"', '"\\u001b[31m\\nred"', 1))


@pytest.mark.parametrize("name", [name_of_a_link, key_of_metadata, type_of_a_part])
def test_what_a_stranger_names_does_not_move_the_cursor(model, tmp_path, name):
    name(model)
    with pytest.raises(ArchiveError) as refused:
        sdp_pointer.load(str(model))
    assert str(refused.value).isprintable()
    if name is name_of_a_link:
        with pytest.raises(ArchiveError) as refused:
            pack(str(model), str(tmp_path / "packed"))
        assert str(refused.value).isprintable()
