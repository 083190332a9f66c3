"""AllenNLP as its documentation has it, for code that knows nothing of this package."""

import json
import subprocess
import sys

import pytest

# Somebody's own model, reader and config, beside nothing else.
THEIRS = """
import torch
from allennlp.data import DatasetReader, Instance
from allennlp.data.fields import LabelField
from allennlp.models import Model
from allennlp.nn import Activation


@DatasetReader.register("numbers")
class Numbers(DatasetReader):
    def _read(self, path):
        for number in range(4):
            yield Instance({"label": LabelField(number % 2, skip_indexing=True)})


@Model.register("theirs")
class Theirs(Model):
    def __init__(self, vocab, activation: Activation, lookup: str = None, **kwargs):
        super().__init__(vocab, **kwargs)
        self.activation = activation
        self.layer = torch.nn.Linear(1, 2)
        if lookup is not None:
            {"known": 1}[lookup]

    def forward(self, label):
        scores = self.activation(self.layer(label.float().unsqueeze(1)))
        return {"loss": torch.nn.functional.cross_entropy(scores, label), "scores": scores}
"""
CONFIG = {
    "dataset_reader": {"type": "numbers"},
    "train_data_path": "anywhere",
    "model": {"type": "theirs", "activation": "torch.nn.SiLU"},
    "data_loader": {"batch_size": 2},
    "trainer": {"optimizer": {"type": "sgd", "lr": 0.1}, "num_epochs": 1},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory, allennlp):
    """A folder with their module, their config, and what `allennlp train` made of them."""
    folder = tmp_path_factory.mktemp("others")
    (folder / "theirs.py").write_text(THEIRS)
    (folder / "config.json").write_text(json.dumps(CONFIG))
    result = allennlp(folder, "train", "config.json", "-s", "out", "--include-package", "theirs")
    assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture
def python(folder, offline):
    """Runs a program of theirs in their folder; what it says."""

    def run(program):
        result = subprocess.run(
            [sys.executable, "-c", program],
            cwd=folder,
            env=offline,
            capture_output=True,
            text=True,
            timeout=300,
        )
        return result.returncode, result.stdout, result.stderr

    return run


def test_a_config_of_ones_own_may_name_any_class(folder):
    config = json.loads((folder / "out" / "config.json").read_text())
    assert config["model"]["activation"] == "torch.nn.SiLU"
    assert (folder / "out" / "model.tar.gz").exists()


def test_the_archive_of_that_training_is_loaded(python):
    code, said, error = python(
        "import theirs\n"
        "from allennlp.models import load_archive\n"
        "print(load_archive('out/model.tar.gz').model.activation)\n"
    )
    assert (code, said) == (0, "SiLU()\n"), error


def test_a_missing_archive_is_a_missing_file(python):
    code, said, error = python(
        "import os\n"
        "from allennlp.models import load_archive\n"
        "os.mkdir('empty')\n"
        "for name in ('nowhere.tar.gz', 'empty'):\n"
        "    try:\n"
        "        load_archive(name)\n"
        "    except FileNotFoundError as error:\n"
        "        print(error)\n"
    )
    assert code == 0, error
    assert said.splitlines() == [
        "cannot load nowhere.tar.gz: no such file",
        "cannot load empty: it is not the folder of a training",
    ]


@pytest.mark.parametrize("archive", ["out", "out/model.tar.gz"])
def test_an_error_in_ones_own_model_is_seen_as_it_is(python, archive):
    code, _, error = python(
        "import theirs\n"
        "from allennlp.models import load_archive\n"
        f"load_archive({archive!r}, overrides={{'model.lookup': 'unknown'}})\n"
    )
    assert code == 1
    assert error.splitlines()[-1] == "KeyError: 'unknown'"
    assert 'theirs.py", line' in error


def test_an_error_in_ones_own_model_has_its_traceback_in_commands(folder, allennlp):
    (folder / "input.jsonl").write_text("{}\n")
    overrides = json.dumps({"model.lookup": "unknown"})
    result = allennlp(
        folder,
        *("predict", "out/model.tar.gz", "input.jsonl", "--include-package", "theirs"),
        *("--overrides", overrides),
    )
    assert result.returncode == 1
    assert result.stderr.strip().splitlines()[-1] == "KeyError: 'unknown'"


def test_a_config_that_makes_no_model_is_a_configuration_error(python):
    code, said, error = python(
        "import theirs\n"
        "from allennlp.common.checks import ConfigurationError\n"
        "from allennlp.models import load_archive\n"
        "try:\n"
        "    load_archive('out', overrides={'model.type': 'unknown'})\n"
        "except ConfigurationError as error:\n"
        "    print(error)\n"
    )
    assert code == 0, error
    assert said.startswith("cannot load out: ")


def test_names_are_resolved_as_allennlp_does_it(tmp_path, monkeypatch):
    from allennlp.common import Params
    from allennlp.nn import Activation
    from allennlp.training.optimizers import Optimizer

    (tmp_path / "a_module_of_theirs.py").write_text("class X:\n    pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert Optimizer.by_name("a_module_of_theirs.X").__name__ == "X"
    assert type(Activation.from_params(Params({"type": "torch.nn.Tanh"}))).__name__ == "Tanh"


def test_weights_are_read_as_allennlp_does_it(tmp_path):
    import torch
    from allennlp.nn.util import read_state_dict

    with pytest.raises(FileNotFoundError):
        read_state_dict(tmp_path / "nowhere.th")
    torch.save({"a": torch.tensor(float("nan"))}, tmp_path / "weights.th")
    assert read_state_dict(tmp_path / "weights.th")["a"].isnan()
    with pytest.raises(ValueError, match="should be a list"):
        read_state_dict(tmp_path / "weights.th", ignore="a")


def test_a_model_of_ones_own_is_made_without_limits():
    import torch
    from allennlp.common import Params
    from allennlp.data import Vocabulary
    from allennlp.models import Model

    class Large(Model):
        def __init__(self, vocab, size: int):
            super().__init__(vocab)
            self.register_buffer("table", torch.empty(size))

    model = Large.from_params(Params({"size": 2**26}), vocab=Vocabulary())
    assert model.table.numel() == 2**26
