"""AllenNLP's commands with a stranger's model: what they build beside it is confined as well."""

import json
import tarfile

import pytest

from tests.allennlp.conftest import run  # noqa: F401
from tests.archives.conftest import link, make_archive, member
from tests.conftest import FIXTURES

DEV = FIXTURES / "data" / "dm.dev.sdp"


@pytest.fixture(autouse=True)
def evil(model, tmp_path, monkeypatch):
    """A module beside the model, where the command is run; nobody imports it."""
    (model / "evil.py").write_text(
        "import pathlib\npathlib.Path(__file__).with_name('exploded').touch()\nclass X: pass\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    assert not (model / "exploded").exists()


def predict(run, model):  # noqa: F811
    (model / "input.jsonl").write_text('{"tokens": ["Kim", "likes", "the", "house"]}\n')
    return run("predict", model, model / "input.jsonl", "--silent", "--output-file", "parsed.jsonl")


def evaluate(run, model):  # noqa: F811
    return run("evaluate", model, DEV, "--output-file", "scores.json")


def test_a_good_model_predicts_and_is_evaluated(run, model, tmp_path):  # noqa: F811
    assert predict(run, model)[0] == 0
    assert len((tmp_path / "parsed.jsonl").read_text().splitlines()) == 1
    assert evaluate(run, model)[0] == 0
    assert "LF" in json.loads((tmp_path / "scores.json").read_text())


@pytest.mark.parametrize("command", [predict, evaluate])
@pytest.mark.parametrize("value", ["theirs.evil.X", {"type": "theirs.evil.X"}])
def test_a_name_is_not_imported(run, model, configure, command, value):  # noqa: F811
    configure(encoder=value)
    code, said = command(run, model)
    assert code == 2
    assert said.splitlines()[-1].startswith(
        f"allennlp: error: cannot load {model}: its config.json wants to import theirs.evil"
    )


def test_an_archive_in_a_command_is_one(run, model, configure, tmp_path, temporary):  # noqa: F811
    configure(encoder="theirs.evil.X")
    archive = make_archive(tmp_path / "theirs.tar.gz", model)
    assert "cannot load" in evaluate(run, archive)[1]


@pytest.mark.parametrize(
    ("loader", "message"),
    [
        ("theirs.evil.X", "data_loader in its config.json is no object"),
        ({"type": "this.X"}, "wants to import this"),
        ({"batch_sampler": "theirs.evil.X"}, "wants to import theirs.evil"),
        ({"data_path": "http://127.0.0.1:9/", "batch_size": 1}, "another data_path"),
        ({"reader": {"type": "sdp"}, "batch_size": 1}, "another reader"),
    ],
)
@pytest.mark.parametrize("key", ["data_loader", "validation_data_loader"])
def test_how_data_are_loaded_is_confined(run, model, key, loader, message):  # noqa: F811
    config = json.loads((model / "config.json").read_text())
    (model / "config.json").write_text(json.dumps({**config, key: loader}))
    code, said = evaluate(run, model)
    assert code == 2
    assert message in said.splitlines()[-1]


@pytest.mark.parametrize(
    "evaluation", [{"type": "theirs.evil.X"}, {"batch_serializer": "theirs.evil.X"}]
)
def test_how_it_is_evaluated_is_confined(run, model, evaluation):  # noqa: F811
    config = json.loads((model / "config.json").read_text())
    (model / "config.json").write_text(json.dumps({**config, "evaluation": evaluation}))
    code, said = evaluate(run, model)
    assert code == 2
    assert "wants to import theirs.evil" in said.splitlines()[-1]


@pytest.fixture
def home(monkeypatch, tmp_path):
    """A folder for what AllenNLP unpacks."""
    monkeypatch.setattr("allennlp.common.file_utils.CACHE_DIRECTORY", str(tmp_path / "home"))


def test_weights_in_archives_are_compared_but_no_link_is_unpacked(run, model, tmp_path, home):  # noqa: F811
    good = make_archive(tmp_path / "good.tar.gz", model)
    assert run("diff", good, good)[0] == 0
    bad = make_archive(tmp_path / "bad.tar.gz", model, link("a", "/etc"))
    code, said = run("diff", good, bad)
    assert code == 2
    assert "its member 'a' is a symbolic link" in said.splitlines()[-1]


def test_a_vocabulary_in_an_archive_is_read_but_no_link_is_unpacked(model, tmp_path, home):
    from allennlp.data import Vocabulary

    from sdp_pointer.archives import ArchiveError

    good = make_archive(tmp_path / "good.tar.gz", model)
    assert Vocabulary.from_files(good).get_vocab_size("arc_labels") == 3
    alone = make_archive(tmp_path / "alone.tar.gz", model / "vocabulary")
    assert Vocabulary.from_files(alone).get_vocab_size("arc_labels") == 3
    bad = make_archive(tmp_path / "bad.tar.gz", model, link("a", "/etc"))
    with pytest.raises(ArchiveError, match="its member 'a' is a symbolic link"):
        Vocabulary.from_files(bad)


def test_what_one_reader_takes_for_a_file_is_no_link_to_another(model, tmp_path, home):
    """AllenNLP unpacks with `tarfile`, to which the first of two headers says the size."""
    from allennlp.data import Vocabulary

    from sdp_pointer.archives import ArchiveError

    sizes = [
        member("x", f"{9 + len(str(n))} size={n}\n".encode(), tarfile.XHDTYPE) for n in (0, 512)
    ]
    hidden = member("non_padded_namespaces.txt", link("a.txt", "/etc/passwd")[0].tobuf())
    archive = make_archive(tmp_path / "theirs.tar.gz", model / "vocabulary", *sizes, hidden)
    with tarfile.open(archive) as tar:
        assert tar.getmember("a.txt").issym()
    with pytest.raises(ArchiveError, match="two headers of a kind"):
        Vocabulary.from_files(archive)
