"""A small model as AllenNLP saves it, to be damaged, and archives that nobody should trust."""

import io
import json
import shutil
import tarfile
import tempfile

import pytest
import torch

CONFIG = {
    "dataset_reader": {
        "type": "sdp",
        "token_indexers": {"words": {"type": "single_id", "namespace": "words"}},
    },
    "model": {
        "type": "sdp_pointer",
        "text_field_embedder": {
            "type": "token_dropout",
            "token_embedders": {
                "words": {"type": "embedding", "vocab_namespace": "words", "embedding_dim": 8}
            },
        },
        "encoder": {"type": "variational_bilstm", "hidden_size": 8, "num_layers": 1},
        "decoder_input_size": 8,
        "decoder_size": 8,
        "arc_size": 8,
        "label_size": 8,
    },
    "vocabulary": {"type": "sdp_pointer"},
    "data_loader": {"batch_size": 2},
}


@pytest.fixture(scope="session")
def small_model(tmp_path_factory):
    """The folder of a parser that nobody has trained, with weights of torch."""
    from allennlp.common import Params
    from allennlp.data import Vocabulary
    from allennlp.models import Model

    import sdp_pointer.components  # noqa: F401

    folder = tmp_path_factory.mktemp("small_model")
    (folder / "config.json").write_text(json.dumps(CONFIG))
    vocabulary = Vocabulary()
    for label in ("ARG1", "ARG2", "BV"):
        vocabulary.add_token_to_namespace(label, "arc_labels")
    for word in ("Kim", "likes", "the", "house"):
        vocabulary.add_token_to_namespace(word, "words")
    vocabulary.save_to_files(folder / "vocabulary")
    (folder / "vocabulary" / ".lock").unlink()
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = Model.from_params(Params(CONFIG).duplicate()["model"], vocab=vocabulary)
    torch.save(model.state_dict(), folder / "weights.th")
    return folder


@pytest.fixture
def model(small_model, tmp_path):
    """A copy of it, to be changed."""
    return shutil.copytree(small_model, tmp_path / "theirs")


@pytest.fixture
def configure(model):
    """Changes the config of the model: `configure(encoder="evil.X")` changes `model.encoder`."""

    def change(part="model", **values):
        config = json.loads((model / "config.json").read_text())
        config[part] |= values
        (model / "config.json").write_text(json.dumps(config))

    return change


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The folder of temporary files, which is empty after whatever happened."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


def member(name, content=b"", kind=tarfile.REGTYPE, **properties):
    """A member of an archive, with what it holds."""
    info = tarfile.TarInfo(name)
    info.type = kind
    info.size = len(content)
    for key, value in properties.items():
        setattr(info, key, value)
    return info, content


def link(name, target, kind=tarfile.SYMTYPE):
    return member(name, kind=kind, linkname=str(target))


def make_archive(path, folder=None, *members, format=tarfile.PAX_FORMAT):
    """An archive of some members, and then of the files of a folder."""
    with tarfile.open(path, "w:gz", format=format) as tar:
        for info, content in members:
            tar.addfile(info, io.BytesIO(content))
        for file in sorted(folder.rglob("*")) if folder else ():
            tar.add(file, file.relative_to(folder), recursive=False)
    return path
