"""What the config of a stranger's model names is not imported, and does nothing but compute."""

import http.server
import json
import os
import runpy
import socket
import subprocess
import sys
import threading

import pytest
from allennlp.data import TokenIndexer
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.models.archival import load_archive

import sdp_pointer
from sdp_pointer.archives import ArchiveError, ForbiddenError, MissingError
from sdp_pointer.archives.strangers import confined, registered_names
from sdp_pointer.commands import main
from tests.archives.conftest import make_archive
from tests.conftest import FIXTURES

EVIL = "import pathlib\npathlib.Path(__file__).with_name('exploded').touch()\nclass X: pass\n"


def refusal(model, error=ArchiveError):
    """What is said of a model by everyone who may load it."""
    said = set()
    for load in (load_archive, sdp_pointer.load):
        with pytest.raises(error) as refused:
            load(str(model))
        said.add(str(refused.value))
    [message] = said
    assert message.startswith(f"cannot load {model}: ")
    assert "\n" not in message
    return message


@pytest.fixture
def evil(model, tmp_path, monkeypatch):
    """A module in the folder of the model, which can be imported; true if it was."""
    (model / "evil.py").write_text(EVIL)
    monkeypatch.syspath_prepend(tmp_path)
    return (model / "exploded").exists


@pytest.mark.parametrize(
    ("part", "key"),
    [
        ("model", "encoder"),
        ("model", "text_field_embedder"),
        ("model", "type"),
        ("dataset_reader", "token_indexers"),
        ("dataset_reader", "type"),
        ("vocabulary", "type"),
    ],
)
@pytest.mark.parametrize("as_object", [False, True])
def test_a_name_imports_nothing_be_it_a_string_or_an_object(
    model, configure, evil, part, key, as_object
):
    value = {"type": "theirs.evil.X"} if as_object and key != "type" else "theirs.evil.X"
    configure(part, **{key: {"words": value} if key == "token_indexers" else value})
    message = refusal(model)
    assert "wants to import theirs.evil" in message
    assert "--include-package theirs" in message
    assert not evil()


@pytest.mark.parametrize("value", ["this.X", {"type": "this.X"}])
def test_an_archive_imports_no_module_that_is_installed(
    model, configure, tmp_path, temporary, value
):
    configure(encoder=value)
    assert "wants to import this" in refusal(make_archive(tmp_path / "theirs.tar.gz", model))
    assert "this" not in sys.modules


@pytest.mark.parametrize("value", ["unittest.__main__.X", {"type": "unittest.__main__.X"}])
def test_a_module_below_an_imported_one_is_not_imported(model, configure, value):
    import unittest  # noqa: F401

    configure(encoder=value)
    assert "wants to import unittest.__main__" in refusal(model)
    assert "unittest.__main__" not in sys.modules


@pytest.mark.parametrize("name", ["subprocess.Popen", "os.system", "os.path", "os.nowhere"])
def test_what_was_imported_but_is_no_component_is_not_called(model, configure, name):
    configure(encoder={"type": name, "args": ["true"]})
    assert f"{name} is not a Seq2SeqEncoder" in refusal(model)


def test_packing_imports_nothing_either(model, configure, evil, tmp_path, capsys):
    configure(encoder={"type": "theirs.evil.X"})
    assert main(["pack", str(model), str(tmp_path / "packed")]) == 2
    assert "wants to import theirs.evil" in capsys.readouterr().err
    configure(encoder="theirs.evil.X")
    main(["pack", str(model), str(tmp_path / "packed")])
    assert not evil()


def test_python_finds_no_module_in_the_folder_where_it_was_started(model, configure, offline):
    (model / "evil.py").write_text(EVIL)
    configure(encoder="theirs.evil.X")
    result = subprocess.run(
        [sys.executable, "-m", "sdp_pointer", "parse", "--model", "theirs", "Go on!"],
        cwd=model.parent,
        env=offline,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 2
    [line] = result.stderr.splitlines()
    assert line.startswith(
        "sdp-pointer: error: cannot load theirs: its config.json wants to import"
    )
    assert not (model / "exploded").exists()


class MyIndexer(SingleIdTokenIndexer):
    pass


def test_what_the_user_has_imported_is_taken(model, configure):
    configure("dataset_reader", token_indexers={"words": {"type": f"{__name__}.MyIndexer"}})
    reader = load_archive(model).dataset_reader
    assert type(reader._token_indexers["words"]) is MyIndexer


def test_an_activation_of_torch_is_taken_where_others_of_torch_are_registered():
    import torch
    from allennlp.nn import Activation

    with registered_names():
        assert Activation.by_name("torch.nn.modules.activation.SiLU") is torch.nn.SiLU
        assert Activation.by_name("torch.nn.SiLU") is torch.nn.SiLU


# What components do when they are made.
def write(folder):
    (folder / "written").write_text("x")


def append(folder):
    with (folder / "precious").open("a") as file:
        file.write("x")


def connect(folder):
    socket.create_connection(("127.0.0.1", 9))


def look_up(folder):
    socket.getaddrinfo("example.org", 80)


def run(folder):
    subprocess.run(["touch", str(folder / "written")], check=True)


def run_in_a_shell(folder):
    os.system(f"touch {folder / 'written'}")


EFFECTS = {
    "write": write,
    "append": append,
    "make a folder": lambda folder: (folder / "written").mkdir(),
    "delete": lambda folder: (folder / "precious").unlink(),
    "rename": lambda folder: (folder / "precious").rename(folder / "written"),
    "link": lambda folder: (folder / "written").symlink_to("precious"),
    "link hard": lambda folder: (folder / "written").hardlink_to(folder / "precious"),
    "open up": lambda folder: (folder / "precious").chmod(0o777),
    "connect": connect,
    "look up": look_up,
    "run": run,
    "run in a shell": run_in_a_shell,
    "ask": lambda folder: input("Do you wish to run the code?"),
}


@pytest.fixture
def effect(model, configure, tmp_path, monkeypatch):
    """Makes a component of the model that has an effect on a folder, when it is made."""
    (tmp_path / "precious").write_text("precious")

    def component(do):
        class Effective(SingleIdTokenIndexer):
            def __init__(self, **kwargs):
                super().__init__(**kwargs)
                do(tmp_path)

        registry = TokenIndexer._registry[TokenIndexer]
        monkeypatch.setitem(registry, "effective", (Effective, None))
        configure("dataset_reader", token_indexers={"words": {"type": "effective"}})
        return model

    return component


def precious(folder):
    return (folder / "precious").read_text(), (folder / "precious").stat().st_mode & 0o777


@pytest.mark.parametrize("do", EFFECTS.values(), ids=EFFECTS)
def test_nothing_is_written_connected_or_run_while_a_model_is_made(effect, tmp_path, do):
    theirs = effect(do)
    before = precious(tmp_path)
    for load in (load_archive, sdp_pointer.load):
        with pytest.raises(ForbiddenError, match=r"loading it would .*, which a model may not do"):
            load(str(theirs))
    assert precious(tmp_path) == before
    assert not os.path.lexists(tmp_path / "written")


@pytest.mark.parametrize("do", EFFECTS.values(), ids=EFFECTS)
def test_a_component_may_do_without(effect, tmp_path, do):
    def do_if_possible(folder):
        try:
            do(folder)
        except OSError:
            return

    before = precious(tmp_path)
    assert load_archive(effect(do_if_possible)).model is not None
    assert precious(tmp_path) == before
    assert not os.path.lexists(tmp_path / "written")


def test_a_library_that_ends_the_program_does_not_end_it(effect):
    def download(folder):
        try:
            connect(folder)
        except OSError:
            sys.exit("no network")

    assert "connect to '127.0.0.1'" in refusal(effect(download), ForbiddenError)


def test_reading_is_allowed(effect, tmp_path):
    read = []
    load_archive(effect(lambda folder: read.append((folder / "precious").read_text())))
    assert read == ["precious", "precious"]


def test_other_threads_are_not_confined(effect, tmp_path):
    def write_elsewhere(folder):
        thread = threading.Thread(target=write, args=(folder,))
        thread.start()
        thread.join()

    load_archive(effect(write_elsewhere))
    assert (tmp_path / "written").exists()


def test_afterwards_everything_is_allowed_again(effect, tmp_path):
    with pytest.raises(ForbiddenError):
        load_archive(effect(write))
    write(tmp_path)
    with pytest.raises(ForbiddenError), confined():
        write(tmp_path)
    append(tmp_path)


@pytest.fixture
def web(monkeypatch):
    """The address of a server, and what it was asked for."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_HEAD(self):
            asked.append(self.path)
            self.send_error(404)

        do_GET = do_HEAD

        def log_message(self, *arguments):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


@pytest.mark.parametrize("part", ["dataset_reader", "model"])
def test_a_transformer_of_the_hub_is_not_asked_for(model, configure, part):
    theirs = {"words": {"type": "pretrained_transformer", "model_name": "nobody/nowhere"}}
    if part == "model":
        configure(text_field_embedder={"token_embedders": theirs})
    else:
        configure(part, token_indexers=theirs)
    message = refusal(model, MissingError)
    assert "it needs the transformer 'nobody/nowhere'" in message
    assert "hf download nobody/nowhere" in message


def made_of(model, archive):
    """Changes the config of a model, so that it is another one."""
    config = json.loads((model / "config.json").read_text())
    config["model"] = {"type": "from_archive", "archive_file": str(archive)}
    (model / "config.json").write_text(json.dumps(config))


@pytest.mark.parametrize("as_part", [False, True])
def test_a_model_from_the_network_is_not_asked_for(model, configure, web, as_part):
    address, asked = web
    if as_part:
        pretrained = {"archive_file": f"{address}/model.tar.gz", "module_path": "encoder"}
        configure(text_field_embedder={"_pretrained": pretrained})
    else:
        made_of(model, f"{address}/model.tar.gz")
    assert f"loading it would download {address}/model.tar.gz" in refusal(model)
    assert asked == []


def test_the_user_may_ask_for_a_model_from_the_network(web):
    address, asked = web
    with pytest.raises(OSError, match=address) as error:
        load_archive(f"{address}/model.tar.gz")
    assert not isinstance(error.value, ArchiveError)
    assert asked


def test_files_from_the_network_are_not_asked_for(model, configure, web):
    address, asked = web
    files = {"options_file": f"{address}/options.json", "weight_file": f"{address}/weights.hdf5"}
    elmo = {"type": "elmo_token_embedder", **files}
    configure(text_field_embedder={"token_embedders": {"words": elmo}})
    assert f"loading it would download {address}/options.json" in refusal(model, ForbiddenError)
    assert asked == []


def test_a_model_may_be_made_of_another_on_this_computer(model, small_model, temporary):
    made_of(model, make_archive(model.parent / "other.tar.gz", small_model))
    assert len(sdp_pointer.load(str(model)).parse("Kim likes the house").tokens) == 4


def test_a_model_is_not_made_of_itself(model, tmp_path, temporary):
    archive = tmp_path / "theirs.tar.gz"
    made_of(model, archive)
    assert "made of itself" in refusal(make_archive(archive, model))


@pytest.mark.parametrize("name", ["xx_nowhere", "this", "theirs"])
def test_a_spacy_pipeline_is_not_downloaded_or_imported(model, configure, evil, monkeypatch, name):
    from allennlp.common import util

    monkeypatch.setattr(util, "spacy_download", lambda name: pytest.fail(f"downloads {name}"))
    (model / "__init__.py").write_text(EVIL)
    configure(
        "dataset_reader",
        type="text_classification_json",
        tokenizer={"type": "spacy", "language": name},
    )
    message = refusal(model, MissingError)
    assert f"it needs the spaCy pipeline {name!r}" in message
    assert not evil()
    assert "this" not in sys.modules


@pytest.mark.parametrize(
    ("part", "values", "what"),
    [
        ("model", {"serialization_dir": "/elsewhere"}, "serialization_dir"),
        ("dataset_reader", {"serialization_dir": "/elsewhere"}, "serialization_dir"),
        ("model", {"vocab": {"type": "from_files", "directory": "/elsewhere"}}, "vocab"),
    ],
)
def test_what_allennlp_gives_is_not_for_the_config_to_give(model, configure, part, values, what):
    configure(part, **values)
    assert f"another {what}, which a model may not choose" in refusal(model)


def test_an_embedder_copies_no_transformer_to_where_the_config_says(model, configure, tmp_path):
    make_bert = runpy.run_path(str(FIXTURES / "make_bert.py"))["make_bert"]
    make_bert(tmp_path / "bert")
    (tmp_path / "elsewhere").mkdir()
    embedder = {
        "type": "mismatched_transformer",
        "model_name": str(tmp_path / "bert"),
        "archive_weights": True,
        "serialization_dir": str(tmp_path / "elsewhere"),
    }
    configure(text_field_embedder={"token_embedders": {"words": embedder}})
    assert "another serialization_dir, which a model may not choose" in refusal(model)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_size_may_be_in_the_config_though_the_model_gives_it(model, configure):
    configure(
        encoder={"type": "variational_bilstm", "input_size": 8, "hidden_size": 8, "num_layers": 1}
    )
    assert load_archive(model).model.backbone.encoder is not None
