"""Each patch of `sdp_pointer.allennlp_compat`, and that nobody but AllenNLP sees it."""

import importlib.util
import subprocess
import sys
import types

import numpy
import pytest
import torch

import sdp_pointer.components  # noqa: F401
from sdp_pointer.allennlp_compat import mechanism
from sdp_pointer.allennlp_compat.patches import commands, libraries, training
from sdp_pointer.errors import UserError
from tests.training.scripted import train


def importer(code, gifts):
    """Execute a module whose imports are given `gifts`."""
    module = types.ModuleType("importer")
    mechanism.give(module, gifts)
    exec(compile(code, "importer", "exec"), module.__dict__)
    return module


def test_image_classes_can_be_imported_and_say_what_they_need():
    from allennlp.modules.vision.grid_embedder import ResnetBackbone

    with pytest.raises(ImportError, match="install torchvision"):
        ResnetBackbone()


def test_fairscale_classes_can_be_imported_and_say_what_they_need():
    from allennlp.nn.checkpoint import FairScaleCheckpointWrapper
    from allennlp.nn.parallel.fairscale_fsdp_accelerator import _FSDP

    with pytest.raises(ImportError, match="install fairscale"):
        _FSDP(torch.nn.Linear(1, 1))
    with pytest.raises(ImportError, match="install fairscale"):
        FairScaleCheckpointWrapper().wrap_module(torch.nn.Linear(1, 1))


def test_nobody_else_believes_that_the_missing_packages_are_installed():
    import allennlp.data.image_loader  # noqa: F401
    from transformers.utils import is_torchvision_available

    assert not is_torchvision_available()
    for package in ("torchvision", "fairscale"):
        assert package not in sys.modules
        assert importlib.util.find_spec(package) is None
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module(package)


def test_placeholders_step_aside_for_the_real_packages(monkeypatch):
    assert isinstance(libraries.torchvision(), mechanism.Missing)
    monkeypatch.setitem(sys.modules, "torchvision", types.ModuleType("torchvision"))
    monkeypatch.setitem(sys.modules, "fairscale", types.ModuleType("fairscale"))
    assert libraries.torchvision() is None
    assert libraries.fairscale() is None


def test_every_form_of_import_statement_finds_the_gift():
    code = "import gone, json.decoder\nimport gone.a.b as c\nfrom gone.a import b\n"
    module = importer(code, {"gone": mechanism.Missing("gone")})
    for value, name in (
        (module.gone.a.b, "gone.a.b"),
        (module.c, "gone.a.b"),
        (module.b, "gone.a.b"),
    ):
        with pytest.raises(ImportError, match=name):
            value()
    assert module.json.decoder is importlib.import_module("json.decoder")


def test_what_is_slow_and_seldom_used_is_imported_when_it_is_used():
    program = (
        "import sys, sdp_pointer.components, torch\n"
        "slow = {'nltk', 'sklearn', 'scipy', 'transformers.modeling_utils'}\n"
        "print(*slow & set(sys.modules))\n"
        "from allennlp.training.metrics import Auc, SpearmanCorrelation\n"
        "metric = SpearmanCorrelation(); metric(torch.arange(3.0), torch.arange(3.0))\n"
        "print(metric.get_metric())\n"
        "metric = Auc(); metric(torch.tensor([0.1, 0.9]), torch.tensor([0, 1]))\n"
        "print(metric.get_metric())\n"
        "from allennlp.modules.transformer.activation_layer import ActivationLayer\n"
        "print(ActivationLayer(2, 2, 'relu').act_fn)\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stdout.split("\n")[:3] == ["", "1.0", "1.0"], result.stderr
    assert "ReLU" in result.stdout


def test_what_comes_later_can_be_asked_for_instances():
    later = mechanism.Later("pathlib").PurePath
    assert isinstance(later("a"), later)
    assert not isinstance("a", later)


def test_an_overlay_is_seen_by_one_module_alone():
    import json

    overlay = mechanism.Overlay(json, dumps="mine")
    module = importer("import json\nfrom json import dumps, loads\n", {"json": overlay})
    assert module.json.dumps == module.dumps == "mine"
    assert module.loads is json.loads
    assert json.dumps([1]) == "[1]"


def test_patches_survive_that_transformers_replaces_its_module_object():
    program = (
        "import transformers.processing_utils, sdp_pointer.components\n"
        "from allennlp.training.optimizers import HuggingfaceAdamWOptimizer\n"
        "import transformers\n"
        "print(hasattr(transformers, 'AdamW'))\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stdout == "False\n", result.stderr


def test_huggingface_adamw_is_torchs_adamw():
    from allennlp.training.optimizers import Optimizer

    def step(make):
        torch.manual_seed(0)
        layer = torch.nn.Linear(3, 2)
        optimizer = make(layer)
        for _ in range(3):
            optimizer.zero_grad()
            layer(torch.ones(1, 3)).pow(2).sum().backward()
            optimizer.step()
        return layer.weight

    ours = step(
        lambda layer: Optimizer.by_name("huggingface_adamw")(
            list(layer.named_parameters()), lr=0.1, weight_decay=0.01
        )
    )
    theirs = step(lambda layer: torch.optim.AdamW(layer.parameters(), lr=0.1, weight_decay=0.01))
    assert torch.equal(ours, theirs)


def test_huggingface_adamw_without_bias_correction_is_refused():
    from allennlp.training.optimizers import Optimizer

    with pytest.raises(UserError, match="correct_bias"):
        Optimizer.by_name("huggingface_adamw")(
            list(torch.nn.Linear(1, 1).named_parameters()), correct_bias=False
        )


def test_pushing_to_the_hub_names_the_tool_that_does_it_now():
    repository = importlib.import_module("allennlp.common.push_to_hf").Repository
    with pytest.raises(ImportError, match="hf upload"):
        repository("folder")


def test_reduce_on_plateau_takes_verbose_and_lowers_the_rate():
    from allennlp.training.learning_rate_schedulers import LearningRateScheduler

    optimizer = torch.optim.SGD(torch.nn.Linear(1, 1).parameters(), lr=1.0)
    scheduler = LearningRateScheduler.by_name("reduce_on_plateau")(
        optimizer=optimizer, mode="max", factor=0.75, patience=0, verbose=True
    )
    for _ in range(2):
        scheduler.step(0.5)
    assert optimizer.param_groups[0]["lr"] == 0.75


def test_sparse_gradients_are_clipped_like_dense_ones():
    def clipped(sparse):
        torch.manual_seed(0)
        embedding = torch.nn.Embedding(5, 3, sparse=sparse)
        layer = torch.nn.Linear(3, 1)
        layer(embedding(torch.tensor([1, 1, 4]))).pow(2).sum().mul(100).backward()
        parameters = [*embedding.parameters(), *layer.parameters()]
        norm = libraries.clip_grad_norm_(parameters, 0.5)
        return norm, [parameter.grad.to_dense() for parameter in parameters]

    sparse_norm, sparse = clipped(True)
    dense_norm, dense = clipped(False)
    torch.testing.assert_close(sparse_norm, dense_norm)
    torch.testing.assert_close(sparse, dense)
    assert torch.stack([gradient.norm() for gradient in dense]).norm() == pytest.approx(0.5)


def test_the_trainer_uses_the_sparse_clipping():
    from allennlp.training import gradient_descent_trainer

    assert gradient_descent_trainer.clip_grad_norm_ is libraries.clip_grad_norm_


def test_the_trainer_runs_without_warnings_about_amp(recwarn):
    from allennlp.training import gradient_descent_trainer

    with gradient_descent_trainer.amp.autocast(False):
        pass
    with gradient_descent_trainer.amp.autocast(True):
        mixed = torch.ones(2, 2) @ torch.ones(2, 2)
    assert mixed.dtype in (torch.bfloat16, torch.float16)
    assert not [warning for warning in recwarn if warning.category is FutureWarning]


def test_training_states_with_numpys_numbers_can_be_loaded(tmp_path):
    state = {"best": numpy.float64(0.5), "epoch": numpy.int64(3), "low": numpy.float32(0.25)}
    libraries.save_checkpoint(state, tmp_path / "state.th")
    assert libraries.load_checkpoint(tmp_path / "state.th") == state


def test_training_states_with_code_cannot_be_loaded(tmp_path):
    torch.save({"x": Bomb(str(tmp_path / "exploded"))}, tmp_path / "state.th")
    with pytest.raises(UserError, match=r"state\.th: Weights only load failed"):
        libraries.load_checkpoint(tmp_path / "state.th")
    assert not (tmp_path / "exploded").exists()


def test_a_checkpoint_appears_only_when_it_is_whole(tmp_path):
    path = tmp_path / "state.th"
    libraries.save_checkpoint({"epoch": 1}, path)
    with pytest.raises(Exception, match="pickle"):
        libraries.save_checkpoint({"epoch": lambda: 2}, path)
    assert torch.load(path) == {"epoch": 1}


def test_half_a_checkpoint_is_not_recovered_from(tmp_path):
    from allennlp.training.checkpointer import Checkpointer

    for name in ("model_state_e1_b0", "training_state_e1_b0", "model_state_e2_b0"):
        torch.save({"name": name}, tmp_path / f"{name}.th")
    checkpoint = Checkpointer(tmp_path).load_checkpoint()
    assert checkpoint.model_state == {"name": "model_state_e1_b0"}


@pytest.mark.parametrize("before", [[0.5], [0.4, 0.5]])
@pytest.mark.parametrize("left", ["nothing", "the best of before"])
def test_a_run_killed_before_its_best_weights_were_saved_recovers_them(tmp_path, before, left):
    expected, _ = train(tmp_path, before, patience=9)
    (tmp_path / "best.th").unlink()
    if left != "nothing":
        torch.save({"weight": torch.tensor([-1.0])}, tmp_path / "best.th")
    assert train(tmp_path, [0.3], patience=9, epochs_before=len(before)) == (expected, expected)


@pytest.fixture
def tiny_bert(tmp_path):
    from transformers import BertTokenizerFast

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "a", "b", "##s"]
    BertTokenizerFast(vocab={word: k for k, word in enumerate(words)}).save_pretrained(tmp_path)
    return str(tmp_path)


def test_reading_a_vocabulary_leaves_no_lock_where_nobody_writes(tmp_path):
    from allennlp.data import Vocabulary

    Vocabulary().save_to_files(tmp_path)
    assert (tmp_path / ".lock").exists()
    (tmp_path / ".lock").unlink()
    Vocabulary.from_files(tmp_path)
    assert not (tmp_path / ".lock").exists()


def test_the_stock_word_piece_tokenizer_works(tiny_bert):
    from allennlp.data.tokenizers import PretrainedTransformerTokenizer

    pieces = PretrainedTransformerTokenizer(tiny_bert).tokenize("the cats")
    assert [piece.text for piece in pieces] == ["[CLS]", "the", "cat", "##s", "[SEP]"]


def test_a_config_cannot_call_whatever_it_likes(tmp_path):
    from allennlp.common import Params
    from allennlp.common.checks import ConfigurationError
    from allennlp.models import Model

    command = ["touch", str(tmp_path / "exploded")]
    with pytest.raises(ConfigurationError, match=r"subprocess\.Popen is not a Model"):
        Model.from_params(Params({"type": "subprocess.Popen", "args": command}))
    assert not (tmp_path / "exploded").exists()


def test_a_class_may_still_be_given_by_its_full_name():
    from allennlp.data import DatasetReader
    from allennlp.data.dataset_readers import SequenceTaggingDatasetReader

    name = "allennlp.data.dataset_readers.sequence_tagging.SequenceTaggingDatasetReader"
    assert DatasetReader.by_name(name) is SequenceTaggingDatasetReader


def test_without_jsonnet_a_json_config_is_read_and_another_says_what_to_install(
    tmp_path, monkeypatch
):
    module = types.SimpleNamespace()
    monkeypatch.setattr(commands, "is_installed", lambda package: False)
    commands.jsonnet(module)
    (tmp_path / "plain.json").write_text('{"a": 1}')
    assert module.evaluate_file(str(tmp_path / "plain.json"), ext_vars={}) == '{"a": 1}'
    (tmp_path / "config.jsonnet").write_text("{a: 1}  // a comment")
    with pytest.raises(UserError, match="pip install jsonnet"):
        module.evaluate_file(str(tmp_path / "config.jsonnet"))


WITHOUT_ALLENNLP = (
    "import sys; sys.path[:] = [p for p in sys.path if 'site-packages' not in p];"
    "sys.path_importer_cache.clear();"
)


def run_without_allennlp(program, tmp_path):
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_ALLENNLP + program],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )


def test_without_allennlp_one_sentence_says_how_to_install_it(tmp_path):
    program = "sys.argv[0] = '-m'; import runpy; runpy._run_module_as_main('allennlp')"
    for_command = run_without_allennlp(program, tmp_path)
    [line] = for_command.stderr.strip().splitlines()
    assert "pip install --no-deps allennlp==2.10.1" in line
    in_python = run_without_allennlp("import sdp_pointer.components", tmp_path)
    assert "pip install --no-deps allennlp==2.10.1" in in_python.stderr.splitlines()[-1]


def test_whoever_asks_whether_allennlp_is_there_is_told_the_truth(tmp_path):
    program = "import importlib.util; print(importlib.util.find_spec('allennlp'))"
    assert run_without_allennlp(program, tmp_path).stdout == "None\n"


def test_the_environment_is_one_object_for_jsonnet(tmp_path, monkeypatch):
    from allennlp.common import Params

    monkeypatch.setenv("SDP_SEED", "17")
    config = "std.get(std.parseJson(std.extVar('SDP_ENVIRONMENT')), '{}', 'default')"
    (tmp_path / "config.jsonnet").write_text(
        f"{{a: {config.format('SDP_SEED')}, b: {config.format('SDP_UNSET')}}}"
    )
    assert Params.from_file(tmp_path / "config.jsonnet").as_dict() == {"a": "17", "b": "default"}


class Bomb:
    """Unpickling it runs a command."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        import os

        return os.system, (f"touch {self.path}",)


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


def test_processes_that_trained_together_part(tmp_path):
    from allennlp.commands import train
    from torch import distributed

    # As in a process of a distributed training that is over.
    address = {"init_method": f"file://{tmp_path}/meeting", "rank": 0, "world_size": 1}
    work = train._train_worker.__wrapped__
    assert work.__module__ == "allennlp.commands.train"
    module = types.SimpleNamespace(
        _train_worker=lambda: distributed.init_process_group("gloo", **address)
    )
    training.processes_that_part(module)
    module._train_worker()
    assert not distributed.is_initialized()
