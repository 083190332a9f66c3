"""Every patch: what AllenNLP 2.10.1, its last release, misses on today's stack.

Each has one line on why. What replaces something gone is applied only if it is really gone; the
rest makes AllenNLP safer or friendlier.
"""

import sys
from functools import partial
from typing import Any, Optional

from ..errors import UserError
from .mechanism import Later, Missing, Overlay, after, gives, is_installed

# What AllenNLP imports.


@gives(
    "torchvision",
    "data.image_loader",
    "modules.vision.grid_embedder",
    "modules.vision.region_detector",
)
def torchvision() -> Any:
    """Images are none of our business, but AllenNLP imports torchvision to start at all."""
    return None if is_installed("torchvision") else Missing("torchvision")


@gives(
    "fairscale",
    "nn.parallel.fairscale_fsdp_accelerator",
    "nn.checkpoint.fairscale_checkpoint_wrapper",
)
def fairscale() -> Any:
    """FairScale is abandoned and does not build for today's torch; AllenNLP imports it anyway."""
    return None if is_installed("fairscale") else Missing("fairscale")


# Half of the time to start is for what these need once in a blue moon: see docs/allennlp.md.
gives("nltk", "training.metrics.evalb_bracketing_scorer")(partial(Later, "nltk"))
gives("sklearn", "training.metrics.auc")(partial(Later, "sklearn"))
gives("scipy", "training.metrics.spearman_correlation")(partial(Later, "scipy"))
gives(
    "transformers",
    "common.cached_transformers",
    "data.data_loaders.data_collator",
    "data.tokenizers.pretrained_transformer_tokenizer",
    "data.vocabulary",
    "modules.token_embedders.pretrained_transformer_embedder",
    "modules.transformer.activation_layer",
    "training.learning_rate_schedulers.learning_rate_scheduler",
)(partial(Later, "transformers"))


@gives("huggingface_hub", "common.push_to_hf")
def huggingface_hub() -> Any:
    """`HfFolder` and `Repository` are gone; only `allennlp push-to-hf` uses them."""
    import huggingface_hub

    gone = [name for name in ("HfFolder", "Repository") if not hasattr(huggingface_hub, name)]
    remedy = "upload the model with huggingface_hub's own command, `hf upload`"
    names = {name: Missing(f"huggingface_hub.{name}", remedy) for name in gone}
    return Overlay(huggingface_hub, **names) if gone else None


@gives("transformers", "training.optimizers")
def transformers_adamw() -> Any:
    """`transformers.AdamW` is gone; with bias correction it was torch's AdamW."""
    import torch
    import transformers

    if hasattr(transformers, "AdamW"):
        return None

    class AdamW(torch.optim.AdamW):
        def __init__(self, params: Any, correct_bias: bool = True, **kwargs: Any) -> None:
            if not correct_bias:
                raise UserError(
                    "huggingface_adamw with correct_bias=false is not available any more:"
                    " remove the option or use another optimizer"
                )
            super().__init__(params, **kwargs)

    return Overlay(transformers, AdamW=AdamW)


@gives("torch", "training.learning_rate_schedulers.pytorch_lr_schedulers")
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


@gives("torch.cuda", "training.gradient_descent_trainer")
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


@gives("torch.nn.utils", "training.gradient_descent_trainer", "training.util")
def torch_sparse_clipping() -> Any:
    """`clip_grad_norm_` fails on the sparse gradients of embeddings with `sparse: true`."""
    import torch
    from torch.nn import utils

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


@gives("torch", "training.checkpointer", "training.gradient_descent_trainer")
def torch_checkpoints() -> Any:
    """Loading refuses metrics that are numpy's numbers; a killed run leaves half a file."""
    import torch

    return Overlay(torch, load=load_checkpoint, save=save_checkpoint)


def load_checkpoint(path: Any, *args: Any, **kwargs: Any) -> Any:
    """`torch.load` that also takes numpy's numbers, and still no code."""
    import numpy
    import torch

    from ..archives import DAMAGE, one_line

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


@gives("torch", "data.data_loaders.multiprocess_data_loader")
def torch_multiprocessing() -> Any:
    """Workers with `start_method: "spawn"` cannot be sent the progress bar's lock made for fork."""
    import torch
    from torch import multiprocessing

    lock = multiprocessing.get_context("spawn").RLock
    return Overlay(torch, multiprocessing=Overlay(multiprocessing, RLock=lock))


# What AllenNLP does.


@after("training.checkpointer")
def whole_checkpoints(module: Any) -> None:
    """A run killed between its two files must be recovered from the checkpoint before."""
    import os

    find_all = module.Checkpointer._find_all_checkpoints

    def find_whole(self: Any) -> Any:
        found = find_all(self)
        return {point for point in found if os.path.exists(self._training_state_path(*point))}

    module.Checkpointer._find_all_checkpoints = find_whole


@after("training.gradient_descent_trainer")
def best_weights(module: Any) -> None:
    """A run killed between the checkpoint of its best epoch and `best.th` loses the best one."""
    import os

    restore = module.GradientDescentTrainer._maybe_restore_checkpoint

    def restore_with_best(self: Any) -> None:
        restore(self)
        last = self._start_after_epochs_completed - 1
        ended = self._start_after_batches_in_epoch_completed == 0
        if ended and self._metric_tracker.best_epoch == last and self._moving_average is None:
            self._best_model_filename = os.path.join(self._serialization_dir, "best.th")
            if self._primary:
                self._save_model_state(self._best_model_filename)

    module.GradientDescentTrainer._maybe_restore_checkpoint = restore_with_best


@after("training.gradient_descent_trainer")
def whole_validation(module: Any) -> None:
    """All ranks stop validating with the first that has no batch left, and lose sentences."""
    validate = module.GradientDescentTrainer._validation_loss

    def validate_all(self: Any, epoch: int) -> Any:
        from ..models import SdpPointer

        if not (self._distributed and isinstance(self.model, SdpPointer)):
            return validate(self, epoch)  # other models' metrics make ranks wait in each batch
        wrapped, self._ddp_wrapped_model, self._distributed = self._ddp_wrapped_model, None, False
        try:
            return validate(self, epoch)
        finally:
            self._ddp_wrapped_model, self._distributed = wrapped, True

    module.GradientDescentTrainer._validation_loss = validate_all


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


@after("models.archival")
def safe_archives(module: Any) -> None:
    """`extractall` follows paths out of the folder, and failures do not name the archive."""
    import os
    from functools import wraps

    from allennlp.common.checks import ConfigurationError

    from ..archives import DAMAGE, ArchiveError, check, extracted_archive, one_line, weights_of

    load_archive = module.load_archive

    @wraps(load_archive)
    def load_safely(archive_file: Any, *args: Any, **kwargs: Any) -> Any:
        name = os.fspath(archive_file)
        if "://" not in name and not os.path.exists(name):
            raise ArchiveError(f"cannot load {name}: no such file")
        if os.path.isdir(name) and not os.path.exists(os.path.join(name, "config.json")):
            raise ArchiveError(f"cannot load {name}: it is not the folder of a training")
        try:
            if os.path.isdir(name):
                check(name)
            return load_archive(archive_file, *args, **kwargs)
        except (ArchiveError, ConfigurationError, *DAMAGE) as error:
            raise ArchiveError(f"cannot load {name}: {one_line(error)}") from error

    module.extracted_archive = extracted_archive
    module.get_weights_path = weights_of
    module.load_archive = load_safely


@after("models.archival")
def transformers_in_archives(module: Any) -> None:
    """An archive needs the config and tokenizer of a transformer, whatever the config includes."""
    from functools import wraps

    archive_model = module.archive_model

    @wraps(archive_model)
    def archive_with_transformer(
        serialization_dir: Any,
        weights: str = module._DEFAULT_WEIGHTS,
        archive_path: Any = None,
        include_in_archive: Optional[list[str]] = None,
    ) -> str:
        included = [*(include_in_archive or []), "transformer"]
        return archive_model(serialization_dir, weights, archive_path, included)

    module.archive_model = archive_with_transformer


@after("models.model")
def models_being_loaded(module: Any) -> None:
    """A model cannot tell that weights will follow, so that it need not look for its first ones."""
    from ..archives import loading_weights

    load = module.Model.load.__func__

    def load_knowingly(cls: Any, *args: Any, **kwargs: Any) -> Any:
        token = loading_weights.set(True)
        try:
            return load(cls, *args, **kwargs)
        finally:
            loading_weights.reset(token)

    module.Model.load = classmethod(load_knowingly)


@after("data.vocabulary")
def vocabularies_to_read(module: Any) -> None:
    """Reading leaves a lock file, in an installed package too; where nobody writes, none is needed.

    Who writes a vocabulary makes the file first.
    """
    import os
    from contextlib import nullcontext

    lock = module.FileLock

    def lock_if_written(path: str, read_only_ok: bool = False) -> Any:
        if read_only_ok and not os.path.exists(path):
            return nullcontext()
        return lock(path, read_only_ok=read_only_ok)

    module.FileLock = lock_if_written


@after("nn.util")
def plain_weights(module: Any) -> None:
    """Weights may be safetensors, too, and those that `sdp-pointer pack` made small."""
    import os

    from ..packing import unpacked

    torch = module.torch

    def load(path: Any, **kwargs: Any) -> Any:
        if not os.fspath(path).endswith(".safetensors"):
            return torch.load(path, **kwargs)
        from safetensors.torch import load_file

        return unpacked(load_file(path))

    module.torch = Overlay(torch, load=load)


@after("modules.seq2vec_encoders.cnn_encoder")
def cnn_in_full_precision(module: Any) -> None:
    """In mixed precision the CNN does not know its own mark of masked windows: they become NaN."""
    import torch

    forward = module.CnnEncoder.forward

    def forward_in_full_precision(self: Any, tokens: torch.Tensor, mask: Any) -> torch.Tensor:
        if not torch.is_autocast_enabled(tokens.device.type):
            return forward(self, tokens, mask)
        with torch.autocast(tokens.device.type, enabled=False):
            return forward(self, tokens.float(), mask)

    module.CnnEncoder.forward = forward_in_full_precision


@after("nn.util")
def safe_weights(module: Any) -> None:
    """Weights that are no plain tensors are refused; say so in one line."""
    from functools import wraps

    from ..archives import DAMAGE, ArchiveError, one_line

    read_state_dict = module.read_state_dict

    @wraps(read_state_dict)
    def read_safely(path: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return read_state_dict(path, *args, **kwargs)
        except DAMAGE as error:
            raise ArchiveError(f"its weights are damaged or unsafe: {one_line(error)}") from error

    module.read_state_dict = read_safely


@after("common.registrable")
def only_subclasses(module: Any) -> None:
    """A config, a stranger's too, may name any callable of any module: take fitting ones only."""
    registrable = module.Registrable
    resolve = registrable.resolve_class_name.__func__

    def resolve_class_name(cls: Any, name: str) -> Any:
        subclass, constructor = resolve(cls, name)
        registered = name in registrable._registry[cls]
        if not registered and not (isinstance(subclass, type) and issubclass(subclass, cls)):
            raise module.ConfigurationError(f"{name} is not a {cls.__name__}")
        return subclass, constructor

    registrable.resolve_class_name = classmethod(resolve_class_name)


@after("common.params")
def environment(module: Any) -> None:
    """Jsonnet cannot ask whether a variable is set: give it all of them as one JSON object."""
    import json

    variables = module._environment_variables

    def with_all() -> dict[str, str]:
        return {**variables(), "SDP_ENVIRONMENT": json.dumps(variables())}

    module._environment_variables = with_all


@after("common.params")
def jsonnet(module: Any) -> None:
    """Without jsonnet, AllenNLP takes configs for JSON and fails at the first comment."""
    if is_installed("_jsonnet"):
        return

    def evaluate_file(filename: str, **kwargs: Any) -> str:
        import json

        with open(filename, encoding="utf-8") as file:
            text = file.read()
        try:
            json.loads(text)
        except ValueError as error:
            raise UserError(
                f"jsonnet is needed to read {filename}: run pip install jsonnet"
            ) from error
        return text

    module.evaluate_file = evaluate_file


@after("common.plugins")
def own_components(module: Any) -> None:
    """Our registered components are found from any directory, without `--include-package`."""
    module.DEFAULT_PLUGINS += ("sdp_pointer.components",)


@after("commands")
def one_line_errors(module: Any) -> None:
    """What the user can mend is told without a traceback, unless ALLENNLP_DEBUG is set."""
    import os
    from functools import wraps

    from allennlp.common.checks import ConfigurationError

    main = module.main

    @wraps(main)
    def main_with_one_line_errors(prog: Optional[str] = None) -> None:
        try:
            main(prog)
        except Exception as error:
            expected = isinstance(error, (UserError, ConfigurationError, FileNotFoundError))
            # Jsonnet's, and that of use_amp.
            known = ("RUNTIME ERROR", "STATIC ERROR", "Using AMP requires a cuda device")
            if not (expected or str(error).startswith(known)) or os.environ.get("ALLENNLP_DEBUG"):
                raise
            print(f"{prog or 'allennlp'}: error: {str(error).strip()}", file=sys.stderr)
            sys.exit(2)

    module.main = main_with_one_line_errors


@after("commands.predict")
def predictions(module: Any) -> None:
    """A bad line ends the run and loses what was parsed; batches do not look at lengths.

    And without `--batch-size` they have one sentence each, which ours need not.
    """
    original, add_subparser = module._PredictManager, module.Predict.add_subparser

    def manager(
        predictor: Any, source: Any, target: Any, batch_size: Optional[int], *rest: Any
    ) -> Any:
        from ..predictors import Manager, SdpPointerPredictor

        if isinstance(predictor, SdpPointerPredictor):
            return Manager(predictor, source, target, batch_size, *rest)
        return original(predictor, source, target, 1 if batch_size is None else batch_size, *rest)

    def add_with_our_default(self: Any, parser: Any) -> Any:
        subparser = add_subparser(self, parser)
        subparser.set_defaults(batch_size=None)
        return subparser

    module._PredictManager = manager
    module.Predict.add_subparser = add_with_our_default
