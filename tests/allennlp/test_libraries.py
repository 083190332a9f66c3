"""Patches for what AllenNLP expects of other packages."""

import importlib
import sys
import types

import numpy
import pytest
import torch

import sdp_pointer.components  # noqa: F401
from sdp_pointer.allennlp_compat import mechanism
from sdp_pointer.allennlp_compat.patches import libraries
from sdp_pointer.errors import UserError

from .bomb import Bomb


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


def test_placeholders_step_aside_for_the_real_packages(monkeypatch):
    assert isinstance(libraries.torchvision(), mechanism.Placeholder)
    monkeypatch.setitem(sys.modules, "torchvision", types.ModuleType("torchvision"))
    monkeypatch.setitem(sys.modules, "fairscale", types.ModuleType("fairscale"))
    assert libraries.torchvision() is None
    assert libraries.fairscale() is None


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


def test_huggingface_adafactor_is_that_of_transformers():
    from allennlp.training.optimizers import HuggingfaceAdafactor
    from transformers import Adafactor

    layers = [torch.nn.Linear(3, 2) for _ in range(2)]
    layers[1].load_state_dict(layers[0].state_dict())
    optimizers = [
        HuggingfaceAdafactor(list(layers[0].named_parameters())),
        Adafactor(layers[1].parameters()),
    ]
    assert isinstance(optimizers[0], (HuggingfaceAdafactor, Adafactor))
    for layer, optimizer in zip(layers, optimizers):
        layer(torch.ones(1, 3)).pow(2).sum().backward()
        optimizer.step()
    assert torch.equal(layers[0].weight, layers[1].weight)


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
    with pytest.raises(OSError, match="No space left"):
        libraries.save_checkpoint({"epoch": 2, "weights": Unsavable()}, path)
    assert torch.load(path) == {"epoch": 1}


class Unsavable:
    def __reduce__(self):
        raise OSError("No space left on device")


@pytest.fixture
def tiny_bert(tmp_path):
    from transformers import BertTokenizerFast

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "a", "b", "##s"]
    BertTokenizerFast(vocab={word: k for k, word in enumerate(words)}).save_pretrained(tmp_path)
    return str(tmp_path)


def test_the_stock_word_piece_tokenizer_works(tiny_bert):
    from allennlp.data.tokenizers import PretrainedTransformerTokenizer

    pieces = PretrainedTransformerTokenizer(tiny_bert).tokenize("the cats")
    assert [piece.text for piece in pieces] == ["[CLS]", "the", "cat", "##s", "[SEP]"]


@pytest.mark.parametrize("mode", [torch.inference_mode, torch.no_grad])
def test_allennlp_may_be_imported_where_no_gradients_are_computed(mode):
    with mode():
        libraries.torch_sparse_clipping()
