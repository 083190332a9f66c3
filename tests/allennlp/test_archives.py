"""Archives are whole; damaged and hostile ones are refused in one line, and do nothing."""

import io
import json
import shutil
import tarfile
from pathlib import Path

import pytest
import torch

import sdp_pointer.components  # noqa: F401
from sdp_pointer.archives import ArchiveError, extract, extracted_archive

from .bomb import Bomb


@pytest.fixture
def archive(trained, tmp_path):
    return shutil.copy(trained / "out" / "model.tar.gz", tmp_path / "model.tar.gz")


def load(archive):
    from allennlp.models.archival import load_archive

    return load_archive(archive)


def repack(archive, members):
    """Rewrite an archive with members replaced or added: name -> bytes or TarInfo."""
    with tarfile.open(archive) as tar:
        old = {m.name: (m, tar.extractfile(m).read() if m.isfile() else None) for m in tar}
    with tarfile.open(archive, "w:gz") as tar:
        for name, (member, content) in old.items():
            if name not in members:
                tar.addfile(member, io.BytesIO(content) if content is not None else None)
        for name, content in members.items():
            if isinstance(content, tarfile.TarInfo):
                tar.addfile(content)
            elif content is not None:
                member = tarfile.TarInfo(name)
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))


def refusal(archive):
    with pytest.raises(ArchiveError) as refused:
        load(archive)
    message = str(refused.value)
    assert str(archive) in message
    assert "\n" not in message
    return message


def test_a_good_archive_loads(archive):
    assert load(archive).model.vocab.get_vocab_size("labels") == 2


@pytest.mark.parametrize("length", [0, 1, 10, 200, -1])
def test_a_truncated_archive_is_refused(archive, length):
    content = Path(archive).read_bytes()
    with open(archive, "wb") as file:
        file.write(content[:length])
    assert "damaged" in refusal(archive)


def test_an_archive_with_flipped_bits_is_refused(archive):
    content = bytearray(Path(archive).read_bytes())
    content[len(content) // 2] ^= 0xFF
    with open(archive, "wb") as file:
        file.write(content)
    assert "damaged" in refusal(archive)


def test_a_missing_archive_is_named(tmp_path):
    assert "no such file" in refusal(tmp_path / "nowhere.tar.gz")


def test_any_other_file_is_refused(tmp_path):
    path = tmp_path / "model.tar.gz"
    path.write_text("this is not an archive")
    assert "damaged" in refusal(path)


@pytest.mark.parametrize("name", ["config.json", "weights.th"])
def test_an_archive_without_its_parts_is_refused(archive, name):
    repack(archive, {name: None})
    assert name.split(".")[0] in refusal(archive)


@pytest.mark.parametrize("name", ["../escaped", "{}/escaped", "a/../../escaped", "..\\escaped"])
def test_a_path_that_leaves_the_folder_is_refused(archive, name, tmp_path, monkeypatch):
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    repack(archive, {name.format(tmp_path / "tmp"): b"x"})
    assert "outside" in refusal(archive)
    assert {path.name for path in tmp_path.rglob("*")} == {"model.tar.gz", "tmp"}


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE])
def test_a_link_out_of_the_folder_is_refused(archive, kind):
    member = tarfile.TarInfo("link")
    member.type = kind
    member.linkname = "/etc/passwd" if kind == tarfile.SYMTYPE else "../../etc/passwd"
    repack(archive, {"link": member})
    refusal(archive)


def test_weights_with_code_are_refused_and_not_run(archive, tmp_path):
    buffer = io.BytesIO()
    torch.save({"weight": Bomb(str(tmp_path / "exploded"))}, buffer)
    repack(archive, {"weights.th": buffer.getvalue()})
    assert "unsafe" in refusal(archive)
    assert not (tmp_path / "exploded").exists()


def test_weights_that_are_a_plain_pickle_are_refused_and_not_run(archive, tmp_path):
    import pickle

    repack(archive, {"weights.th": pickle.dumps(Bomb(str(tmp_path / "exploded")))})
    assert "unsafe" in refusal(archive)
    assert not (tmp_path / "exploded").exists()


def test_a_config_that_imports_files_is_refused(archive):
    repack(archive, {"config.json": b'{"model": importstr "/etc/passwd"}'})
    assert "not JSON" in refusal(archive)


CONFIG = {"dataset_reader": {"type": "text_classification_json"}, "model": {"type": "x"}}


@pytest.mark.parametrize(
    "config",
    [
        [],
        {},
        {"model": {}},
        {**CONFIG, "model": "basic_classifier"},
        {**CONFIG, "model": {"type": "unknown"}},
        {**CONFIG, "model": {"type": "subprocess.Popen", "args": ["true"]}},
        {**CONFIG, "model": {"type": "os.path"}},
        {**CONFIG, "dataset_reader": {"type": "unknown"}},
        {**CONFIG, "model": {"type": "basic_classifier", "text_field_embedder": 7}},
    ],
    ids=repr,
)
def test_a_config_that_makes_no_model_is_refused(archive, config):
    repack(archive, {"config.json": json.dumps(config).encode()})
    refusal(archive)


def test_a_config_cannot_import_modules(archive, tmp_path, monkeypatch):
    (tmp_path / "evil_module.py").write_text("open('exploded', 'w')\nclass X: pass\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    config = {**CONFIG, "model": {"type": "evil_module.X"}}
    repack(archive, {"config.json": json.dumps(config).encode()})
    assert "--include-package evil_module" in refusal(archive)
    assert not (tmp_path / "exploded").exists()


def test_a_config_cannot_ask_for_remote_code(archive):
    reader = {
        "type": "text_classification_json",
        "tokenizer": {
            "type": "pretrained_transformer",
            "model_name": "somebody/something",
            "tokenizer_kwargs": {"trust_remote_code": True},
        },
    }
    repack(archive, {"config.json": json.dumps({**CONFIG, "dataset_reader": reader}).encode()})
    assert "code from elsewhere" in refusal(archive)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("vocabulary/tokens.txt", b"\xff\xfe"),
        ("vocabulary/tokens.txt", b"@@UNKNOWN@@\n"),
        ("vocabulary/non_padded_namespaces.txt", None),
    ],
)
def test_a_vocabulary_that_does_not_fit_is_refused(archive, name, content):
    repack(archive, {name: content})
    refusal(archive)


def test_weights_of_another_model_are_refused(archive):
    buffer = io.BytesIO()
    torch.save({"weight": torch.zeros(1)}, buffer)
    repack(archive, {"weights.th": buffer.getvalue()})
    refusal(archive)


def test_nothing_is_left_in_the_temporary_folder(archive, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    with extracted_archive(archive) as folder:
        assert json.loads(Path(folder, "config.json").read_text())["model"]
    with pytest.raises(ArchiveError), extracted_archive(__file__, cleanup=False):
        pass
    assert list((tmp_path / "tmp").iterdir()) == []


def test_extraction_makes_files_in_the_folder_only(archive, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    extract(archive, str(folder))
    assert {path.name for path in folder.iterdir()} >= {"config.json", "weights.th", "vocabulary"}
    assert {path.name for path in tmp_path.iterdir()} == {"folder", "model.tar.gz"}


def test_the_command_refuses_in_one_line(allennlp, tmp_path):
    (tmp_path / "model.tar.gz").write_text("no archive")
    (tmp_path / "input.jsonl").write_text("{}\n")
    result = allennlp(tmp_path, "predict", "model.tar.gz", "input.jsonl")
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("allennlp: error: cannot load model.tar.gz: the file is damaged")


def test_reading_a_vocabulary_leaves_no_lock_where_nobody_writes(tmp_path):
    from allennlp.data import Vocabulary

    Vocabulary().save_to_files(tmp_path)
    assert (tmp_path / ".lock").exists()
    (tmp_path / ".lock").unlink()
    Vocabulary.from_files(tmp_path)
    assert not (tmp_path / ".lock").exists()


def test_an_archive_has_the_folder_of_the_transformer(tmp_path):
    import tarfile

    from allennlp.models.archival import archive_model

    for folder in ("vocabulary", "transformer", "other"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "file").write_text(folder)
    for file in ("best.th", "config.json"):
        (tmp_path / file).write_text("{}")
    for included, expected in ((None, set()), (["other"], {"other/file"})):
        with tarfile.open(archive_model(tmp_path, include_in_archive=included)) as tar:
            names = {name for name in tar.getnames() if name.count("/") == 1}
        assert names == {"vocabulary/file", "transformer/file"} | expected


def test_only_a_model_that_is_being_loaded_expects_its_weights(monkeypatch):
    from allennlp.models import Model

    from sdp_pointer.archives import loading_weights

    seen = []

    def load(cls, *args, **kwargs):
        seen.append(loading_weights.get())
        raise ValueError("damaged")

    monkeypatch.setattr(Model, "_load", classmethod(load))
    monkeypatch.setattr(Model, "by_name", classmethod(lambda cls, name: Model))
    from allennlp.common import Params

    with pytest.raises(ValueError, match="damaged"):
        Model.load(Params({"model": {"type": "any"}}), "nowhere")
    assert seen == [True]
    assert not loading_weights.get()
