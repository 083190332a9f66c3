"""What AllenNLP's import statements find in place of what is gone, or slow to import."""

from functools import partial
from typing import Any

from ...errors import UserError
from ..mechanism import ImportedOnUse, Overlay, Placeholder, after, is_installed, replaces_import


@replaces_import(
    "torchvision",
    "data.image_loader",
    "modules.vision.grid_embedder",
    "modules.vision.region_detector",
)
def torchvision() -> Any:
    """Images are none of our business, but AllenNLP imports torchvision to start at all."""
    return None if is_installed("torchvision") else Placeholder("torchvision")


@replaces_import(
    "fairscale",
    "nn.parallel.fairscale_fsdp_accelerator",
    "nn.checkpoint.fairscale_checkpoint_wrapper",
)
def fairscale() -> Any:
    """FairScale is abandoned and does not build for today's torch; AllenNLP imports it anyway."""
    return None if is_installed("fairscale") else Placeholder("fairscale")


def imported_on_use(package: str, *modules: str) -> None:
    """What these modules need once in a blue moon takes half of the time to start."""
    replaces_import(package, *modules)(partial(ImportedOnUse, package))


imported_on_use("nltk", "training.metrics.evalb_bracketing_scorer")
imported_on_use("pytest", "common.testing")
imported_on_use("sklearn", "training.metrics.auc")
imported_on_use("scipy", "training.metrics.spearman_correlation")
imported_on_use(
    "transformers",
    "",
    "common.cached_transformers",
    "data.data_loaders.data_collator",
    "data.tokenizers.pretrained_transformer_tokenizer",
    "data.vocabulary",
    "modules.token_embedders.pretrained_transformer_embedder",
    "modules.transformer.activation_layer",
    "training.learning_rate_schedulers.learning_rate_scheduler",
)


@replaces_import("huggingface_hub", "common.push_to_hf")
def huggingface_hub() -> Any:
    """`HfFolder` and `Repository` are gone; only `allennlp push-to-hf` uses them."""
    import huggingface_hub

    gone = [name for name in ("HfFolder", "Repository") if not hasattr(huggingface_hub, name)]
    remedy = "upload the model with huggingface_hub's own command, `hf upload`"
    names = {name: Placeholder(f"huggingface_hub.{name}", remedy) for name in gone}
    return Overlay(huggingface_hub, **names) if gone else None


@replaces_import("transformers", "training.optimizers")
def transformers_adamw() -> Any:
    """`transformers.AdamW` is gone; with bias correction it was torch's AdamW."""
    import torch

    class AdamW(torch.optim.AdamW):
        def __init__(self, params: Any, correct_bias: bool = True, **kwargs: Any) -> None:
            if not correct_bias:
                raise UserError(
                    "huggingface_adamw with correct_bias=false is not available any more:"
                    " remove the option or use another optimizer"
                )
            super().__init__(params, **kwargs)

    transformers: Any = ImportedOnUse("transformers")
    transformers.AdamW = AdamW
    return transformers


@replaces_import("torch", "training.learning_rate_schedulers.pytorch_lr_schedulers")
def torch_plateau() -> Any:
    """`ReduceLROnPlateau(verbose=)` is gone; the learning rate is in AllenNLP's log anyway."""
    import inspect

    import torch
    from torch.optim import lr_scheduler

    plateau = lr_scheduler.ReduceLROnPlateau
    if "verbose" in inspect.signature(plateau).parameters:
        return None

    def without_verbose(*args: Any, verbose: bool = False, **kwargs: Any) -> Any:
        return plateau(*args, **kwargs)

    schedulers = Overlay(lr_scheduler, ReduceLROnPlateau=without_verbose)
    return Overlay(torch, optim=Overlay(torch.optim, lr_scheduler=schedulers))


@replaces_import("torch.cuda", "training.gradient_descent_trainer")
def torch_amp() -> Any:
    """`torch.cuda.amp` warns in every epoch that it has become `torch.amp`."""
    from functools import partial

    import torch
    from torch import amp

    if not hasattr(amp, "GradScaler"):
        return None

    def autocast(enabled: bool = True) -> Any:
        return amp.autocast("cuda" if torch.cuda.is_available() else "cpu", enabled=enabled)

    scaler = partial(amp.GradScaler, "cuda")
    return Overlay(torch.cuda, amp=Overlay(torch.cuda.amp, autocast=autocast, GradScaler=scaler))


@replaces_import("torch.nn.utils", "training.gradient_descent_trainer", "training.util")
def torch_sparse_clipping() -> Any:
    """`clip_grad_norm_` fails on the sparse gradients of embeddings with `sparse: true`."""
    import torch
    from torch.nn import utils

    with torch.inference_mode(False), torch.enable_grad():  # whatever the importer is in
        embedding = torch.nn.Embedding(1, 1, sparse=True)
        embedding(torch.tensor([0])).sum().backward()
    try:
        utils.clip_grad_norm_([embedding.weight], 1.0)
    except NotImplementedError:
        return Overlay(utils, clip_grad_norm_=clip_grad_norm_)
    return None


def clip_grad_norm_(parameters: Any, max_norm: float) -> Any:
    """Scale gradients, sparse ones included, to a norm of at most `max_norm`; return the norm."""
    import torch

    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    if not gradients:
        return torch.tensor(0.0)
    norms = [torch.norm(g.coalesce().values() if g.is_sparse else g) for g in gradients]
    total = torch.norm(torch.stack([norm.to(norms[0].device) for norm in norms]))
    scale = torch.clamp(max_norm / (total + 1e-6), max=1.0)
    for gradient in gradients:
        gradient.mul_(scale.to(gradient.device))
    return total


@replaces_import("torch", "training.checkpointer", "training.gradient_descent_trainer")
def torch_checkpoints() -> Any:
    """Loading refuses metrics that are numpy's numbers; a killed run leaves half a file."""
    import torch

    return Overlay(torch, load=load_checkpoint, save=save_checkpoint)


def load_checkpoint(path: Any, *args: Any, **kwargs: Any) -> Any:
    """`torch.load` that also takes numpy's numbers, and still no code."""
    import numpy
    import torch

    from ...archives import DAMAGE, one_line

    numbers = (numpy.float64(0), numpy.float32(0), numpy.int64(0), numpy.bool_(False))
    dtypes: list[Any] = [numpy.dtype, *(type(number.dtype) for number in numbers)]
    safe = [numbers[0].__reduce__()[0], *dtypes]
    with torch.serialization.safe_globals(safe):
        try:
            return torch.load(path, *args, **kwargs)
        except DAMAGE as error:
            raise UserError(
                f"cannot recover from {path}: {one_line(error)}; delete it to go on from the"
                " checkpoint before"
            ) from error


def save_checkpoint(state: Any, path: Any) -> None:
    """`torch.save` whose file appears only when it is whole."""
    import os

    import torch

    part = f"{path}.part"
    torch.save(state, part)
    os.replace(part, path)


@replaces_import("torch", "data.data_loaders.multiprocess_data_loader")
def torch_multiprocessing() -> Any:
    """Workers with `start_method: "spawn"` cannot be sent the progress bar's lock made for fork."""
    import torch
    from torch import multiprocessing

    lock = multiprocessing.get_context("spawn").RLock
    return Overlay(torch, multiprocessing=Overlay(multiprocessing, RLock=lock))


@after("common.cached_transformers")
def tokenizers(module: Any) -> None:
    """Tokenizers take `add_special_tokens` in each call, not when built; `encode_plus` is gone."""
    original = module.get_tokenizer

    def get_tokenizer(model_name: str, **kwargs: Any) -> Any:
        from transformers import PreTrainedTokenizerBase

        if hasattr(PreTrainedTokenizerBase, "encode_plus"):
            return original(model_name, **kwargs)
        kwargs.pop("add_special_tokens", None)
        tokenizer = original(model_name, **kwargs)
        tokenizer.encode_plus = tokenizer.__call__
        return tokenizer

    module.get_tokenizer = get_tokenizer
