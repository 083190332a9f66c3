"""Packed models: small, plain, without traces of their training, and loaded like any other."""

import json
import re
import shutil
import signal
import sys
import tarfile

import pytest
import torch
from safetensors.torch import load_file, save_file

import sdp_pointer
from sdp_pointer.archives import ArchiveError
from sdp_pointer.archives.eight_bits import rounded, unpacked
from sdp_pointer.archives.packing import pack
from sdp_pointer.commands import main
from sdp_pointer.graphs import read
from sdp_pointer.graphs.score import Scorer, pair
from sdp_pointer.interrupts import Interrupted
from tests.conftest import FIXTURES

DEV = FIXTURES / "data" / "dm.dev.sdp"


def score(parser):
    scorer = Scorer()
    for gold, system in pair(read(DEV), parser.parse_batch(read(DEV))):
        scorer.add(gold, system)
    return scorer.scores().with_top.LF


def files(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def copy(packed_model, tmp_path):
    return shutil.copytree(packed_model, tmp_path / "copy")


def test_a_matrix_is_stored_in_8_bits_the_rest_in_16_and_float32_computed(
    packed_model, words_model
):
    stored = load_file(packed_model / "weights.safetensors")
    before, after = (
        sdp_pointer.load(str(model), precision="float32").model.state_dict()
        for model in (words_model, packed_model)
    )
    assert set(before) == set(after)
    matrices = {name for name in stored if stored[name].dtype == torch.int8}
    assert {name + ".scale" for name in matrices} == set(stored) - set(before)
    size = {name: tensor.numel() for name, tensor in before.items()}
    assert sum(size[name] for name in matrices) > 0.9 * sum(size.values())
    for name, tensor in before.items():
        assert after[name].dtype == torch.float32
        if name in matrices:
            largest = tensor.abs().amax(-1, keepdim=True)
            assert ((after[name] - tensor).abs() <= largest / 253).all()
        else:
            assert stored[name].dtype == torch.float16
            assert torch.equal(after[name], tensor.half().float())


def test_scores_do_not_change_measurably(packed_model, words_parser):
    packed = score(sdp_pointer.load(str(packed_model)))
    assert packed > 0.1
    assert packed == pytest.approx(score(words_parser), abs=0.01)


def test_nothing_leads_back_to_the_training(packed_model):
    assert files(packed_model) == {
        "config.json",
        "metrics.json",
        "weights.safetensors",
        *(f"vocabulary/{name}.txt" for name in ("words", "characters", "arc_labels")),
        *(f"vocabulary/{name}.txt" for name in ("non_padded_namespaces", "words_once_labels")),
    }
    config = json.loads((packed_model / "config.json").read_text())
    assert not {"trainer", "train_data_path", "validation_data_path"} & set(config)
    assert config["vocabulary"] == {"type": "sdp_pointer"}
    assert str(FIXTURES) not in (packed_model / "config.json").read_text()


def test_pretrained_vectors_are_not_looked_for(words_model, tmp_path):
    source = shutil.copytree(words_model.parent, tmp_path / "source")
    config = json.loads((source / "config.json").read_text())
    embedder = config["model"]["backbone"]["text_field_embedder"]["token_embedders"]["words"]
    embedder["pretrained_file"] = config["vocabulary"]["pretrained_files"] = "nowhere.txt"
    (source / "config.json").write_text(json.dumps(config))
    pack(str(source), str(tmp_path / "packed"))
    assert "nowhere" not in (tmp_path / "packed" / "config.json").read_text()


def test_folder_and_archive_are_packed_alike(words_model, packed_model, tmp_path, capsys):
    assert main(["pack", str(words_model), str(tmp_path / "packed")]) == 0
    assert capsys.readouterr().out.endswith(" MB\n")
    for name in files(tmp_path / "packed"):
        assert (tmp_path / "packed" / name).read_bytes() == (packed_model / name).read_bytes()


def test_a_packed_model_can_be_an_archive_and_be_evaluated(packed_model, allennlp, tmp_path):
    with tarfile.open(tmp_path / "model.tar.gz", "w:gz") as tar:
        for path in packed_model.iterdir():
            tar.add(path, path.name)
    for model in (packed_model, "model.tar.gz"):
        result = allennlp(tmp_path, "evaluate", model, DEV, "--output-file", "scores.json")
        assert result.returncode == 0, result.stderr
        found = json.loads((tmp_path / "scores.json").read_text())
        assert found["LF"] == pytest.approx(score(sdp_pointer.load(str(packed_model))))


def test_a_packed_model_can_be_packed_again(packed_model, tmp_path):
    pack(str(packed_model), str(tmp_path / "again"))
    for name in files(packed_model):
        assert (tmp_path / "again" / name).read_bytes() == (packed_model / name).read_bytes()


def test_numbers_that_are_too_large_for_half_precision_stay_whole(copy, tmp_path):
    state = load_file(copy / "weights.safetensors")
    name = next(name for name in sorted(state) if state[name].dtype == torch.float16)
    state[name] = torch.full_like(state[name], 1e6, dtype=torch.float32)
    save_file(state, copy / "weights.safetensors")
    pack(str(copy), str(tmp_path / "packed"))
    assert torch.equal(load_file(tmp_path / "packed" / "weights.safetensors")[name], state[name])


def test_whole_numbers_that_nobody_packed_stay_as_they_are():
    numbers = torch.arange(6, dtype=torch.int8).reshape(2, 3)
    scale = torch.ones(2)
    foreign = {"codes": numbers, "norm.scale": scale, "norm": scale}
    assert {name: tensor.tolist() for name, tensor in unpacked(foreign).items()} == {
        "codes": numbers.tolist(),
        "norm.scale": scale.tolist(),
        "norm": scale.tolist(),
    }
    packed, its_scale = rounded(torch.tensor([[1.0, -2.0]]))
    both = unpacked({**foreign, "matrix": packed, "matrix.scale": its_scale})
    assert set(both) == {*foreign, "matrix"}
    assert both["matrix"].is_floating_point()
    assert both["codes"].dtype == torch.int8


def test_rows_of_32_numbers_or_more_are_stored_in_8_bits(copy, tmp_path):
    state = {"short": torch.ones(2, 31), "long": torch.ones(2, 32), "vector": torch.ones(32)}
    save_file(state, copy / "weights.safetensors")
    pack(str(copy), str(tmp_path / "packed"))
    packed = load_file(tmp_path / "packed" / "weights.safetensors")
    eight_bits = {name for name, tensor in packed.items() if tensor.dtype == torch.int8}
    assert eight_bits == {"long"}
    assert set(packed) == {*state, "long.scale"}


def test_loading_changes_nothing_in_the_folder(copy):
    before = files(copy)
    sdp_pointer.load(str(copy))
    assert files(copy) == before


@pytest.mark.parametrize("length", [0, 7, 1000, -1])
def test_damaged_weights_are_refused_in_one_line(copy, length):
    weights = copy / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:length])
    with pytest.raises(ArchiveError, match="weights are damaged") as refused:
        sdp_pointer.load(str(copy))
    assert str(copy) in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ('{"model": importstr "/etc/passwd"}', "not JSON"),
        ('{"dataset_reader": {}, "model": {"type": "evil_module.X"}}', "import evil_module"),
        ("{}", "has no model"),
    ],
)
def test_a_strangers_folder_is_not_trusted(copy, tmp_path, config, message):
    (copy / "config.json").write_text(config)
    with pytest.raises(ArchiveError, match=message):
        sdp_pointer.load(str(copy))
    with pytest.raises(ArchiveError, match=f"cannot pack .*{message}"):
        pack(str(copy), str(tmp_path / "packed"))


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (ArchiveError("no"), 2, "sdp-pointer: error: cannot pack .*: no"),
        (OSError(28, "No space left on device"), 2, "sdp-pointer: error: new: No space left on .*"),
        (Interrupted(signal.SIGTERM), 143, "sdp-pointer: interrupted; new was not made"),
    ],
)
def test_a_folder_is_packed_whole_or_not_at_all(
    packed_model, tmp_path, monkeypatch, capsys, error, code, message
):
    def config(trained):
        raise error

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sdp_pointer.archives.packing._config", config)
    with pytest.raises(SystemExit) as end:
        sys.exit(main(["pack", str(packed_model), "new"]))
    assert end.value.code == code
    assert re.fullmatch(f"{message}\n", capsys.readouterr().err)
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_packed_is_told_in_one_line(copy, tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    (copy / "weights.safetensors").unlink()
    for model, folder, message in (
        ("empty", "packed", "it contains no config.json"),
        ("copy", "packed", "it contains no weights"),
        ("nowhere.tar.gz", "packed", "nowhere.tar.gz: there is no such file or folder"),
        ("copy", "empty", "exists already"),
    ):
        assert main(["pack", str(tmp_path / model), str(tmp_path / folder)]) == 2
        error = capsys.readouterr().err
        assert message in error
        assert len(error.splitlines()) == 1
    assert not (tmp_path / "packed").exists()
