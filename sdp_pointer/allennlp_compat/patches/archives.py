"""Models from strangers, in archives and folders, plain and packed, with their transformers."""

from typing import Any, Optional

from ..mechanism import Overlay, after


@after("models.archival")
def safe_archives(module: Any) -> None:
    """Archives write where they like, and configs import, download and fill the memory."""
    import os
    from functools import wraps

    from allennlp.common.checks import ConfigurationError

    from ...archives import (
        ArchiveError,
        MissingError,
        check,
        extracted_archive,
        one_line,
        weights_of,
    )
    from ...archives.addresses import fetched, is_address
    from ...archives.construction import constructing
    from ...archives.strangers import another_model, confined, went_through_others
    from ...errors import UserError
    from ...interrupts import unwound_by_sigterm

    class ConfigError(ArchiveError, ConfigurationError):
        __qualname__ = "ConfigError"

    load_archive, load_readers, load_model = (
        module.load_archive,
        module._load_dataset_readers,
        module._load_model,
    )

    @wraps(load_archive)
    def load_safely(archive_file: Any, *args: Any, **kwargs: Any) -> Any:
        name = os.fspath(archive_file)
        with another_model(name), unwound_by_sigterm():
            if is_address(name):
                archive_file = fetched(name)
            elif not os.path.exists(name):
                raise MissingError(f"cannot load {name}: no such file")
            elif os.path.isdir(name) and not os.path.lexists(os.path.join(name, "config.json")):
                raise MissingError(f"cannot load {name}: it is not the folder of a training")
            try:
                if os.path.isdir(archive_file):
                    check(os.fspath(archive_file))
                return load_archive(archive_file, *args, **kwargs)
            except Exception as error:
                is_ours = isinstance(error, UserError) and not isinstance(error, ArchiveError)
                if is_ours or went_through_others(error):
                    raise
                kind = type(error) if isinstance(error, ArchiveError) else ArchiveError
                if isinstance(error, ConfigurationError):
                    kind = ConfigError
                raise kind(f"cannot load {name}: {_plain(one_line(error))}") from error

    def load_readers_safely(*args: Any) -> Any:
        with confined():
            return load_readers(*args)

    def load_model_safely(config: Any, weights: Any, *args: Any) -> Any:
        with confined(), constructing(weights):
            try:
                return load_model(config, weights, *args)
            except RuntimeError as error:
                # AllenNLP's, of several lines.
                first, *names = str(error).splitlines() or [""]
                if not first.startswith("Error loading state dict"):
                    raise
                said = "; ".join(name.strip() for name in names)
                if len(said) > 200:
                    said = f"{said[:200]} ..."
                message = f"its weights do not fit its config.json: {said}"
                raise ArchiveError(message) from error

    module.extracted_archive = extracted_archive
    module.get_weights_path = weights_of
    module._load_dataset_readers = load_readers_safely
    module._load_model = load_model_safely
    module.load_archive = load_safely


@after("common.registrable")
def registered_names(module: Any) -> None:
    """A stranger's config may name any callable of any module, which AllenNLP then imports."""
    import sys

    from ...archives.strangers import check_name, only_registered_names

    registrable = module.Registrable
    resolve = registrable.resolve_class_name.__func__

    def resolve_class_name(cls: Any, name: str) -> Any:
        if only_registered_names() and name not in registrable._registry[cls]:
            check_name(name)
            module_name, _, class_name = name.rpartition(".")
            if module_name and not fits(cls, vars(sys.modules[module_name]).get(class_name)):
                raise module.ConfigurationError(f"{name} is not a {cls.__name__}")
        return resolve(cls, name)

    def fits(cls: Any, found: Any) -> bool:
        # Activations are torch's, which know nothing of AllenNLP.
        homes = {component.__module__ for component, _ in registrable._registry[cls].values()}
        return isinstance(found, type) and (issubclass(found, cls) or found.__module__ in homes)

    registrable.resolve_class_name = classmethod(resolve_class_name)


@after("common.from_params")
def arguments_of_allennlp(module: Any) -> None:
    """A stranger's config may replace what AllenNLP gives: a folder to write to, data to read."""
    from ...archives import ArchiveError
    from ...archives.strangers import only_registered_names

    construct = module.pop_and_construct_arg

    def pop_and_construct_arg(
        class_name: str,
        argument_name: str,
        annotation: Any,
        default: Any,
        params: Any,
        **extras: Any,
    ) -> Any:
        both = argument_name in extras and argument_name in params
        # Sizes may be in both.
        if both and only_registered_names() and not isinstance(extras[argument_name], int):
            raise ArchiveError(
                f"its config.json gives {class_name} another {argument_name}, which a model may not"
                " choose"
            )
        return construct(class_name, argument_name, annotation, default, params, **extras)

    module.pop_and_construct_arg = pop_and_construct_arg


@after("common.file_utils")
def files_on_this_computer(module: Any) -> None:
    """A model asks for addresses again and again; for a file, AllenNLP makes a folder of others."""
    import os
    from functools import wraps

    from ...archives.strangers import check_address, is_confined, unconfined

    cached_path = module.cached_path

    @wraps(cached_path)
    def cached_if_allowed(url_or_filename: Any, *args: Any, **kwargs: Any) -> str:
        if not is_confined() or kwargs.get("extract_archive"):
            return cached_path(url_or_filename, *args, **kwargs)
        check_address(os.fspath(url_or_filename))
        with unconfined():
            return cached_path(url_or_filename, *args, **kwargs)

    module.cached_path = cached_if_allowed


@after("common.cached_transformers")
def downloaded_transformers(module: Any) -> None:
    """The hub is asked for half a minute, and the user whether to run what comes from there."""
    import os
    from functools import wraps

    from ...archives import MissingError
    from ...archives.strangers import is_confined, places

    def wrap(get: Any) -> Any:
        @wraps(get)
        def get_downloaded(model_name: str, *args: Any, **kwargs: Any) -> Any:
            if not is_confined():
                return get(model_name, *args, **kwargs)
            local = {"local_files_only": True, "trust_remote_code": False}
            found = next(filter(os.path.isdir, places(model_name)), model_name)
            try:
                return get(found, *args, **{**kwargs, **local})
            except OSError as error:
                raise MissingError(
                    f"it needs the transformer {model_name!r}, which is not on this computer, or"
                    " damaged: put its folder beside the model, or, if you trust it, run"
                    f" `hf download {model_name}`"
                ) from error

        return get_downloaded

    module.get, module.get_tokenizer = wrap(module.get), wrap(module.get_tokenizer)


@after("common.util")
def installed_pipelines(module: Any) -> None:
    """A pipeline of spaCy that is missing is installed, and any package may be named as one."""
    from functools import wraps
    from importlib.metadata import entry_points

    from ...archives import MissingError
    from ...archives.strangers import is_confined

    get_spacy_model = module.get_spacy_model

    @wraps(get_spacy_model)
    def get_installed(spacy_model_name: str, *args: Any, **kwargs: Any) -> Any:
        if is_confined() and spacy_model_name not in entry_points(group="spacy_models").names:
            raise MissingError(
                f"it needs the spaCy pipeline {spacy_model_name!r}: if you trust it, install that"
                f" with `python -m spacy download {spacy_model_name}`"
            )
        return get_spacy_model(spacy_model_name, *args, **kwargs)

    module.get_spacy_model = get_installed


@after("models.archival")
def whole_archives(module: Any) -> None:
    """A kill while the archive is written leaves half of one, as if the training were over.

    And an archive needs the config and tokenizer of a transformer, whatever the config includes.
    """
    import os
    from functools import wraps

    archive_model = module.archive_model

    @wraps(archive_model)
    def archive_when_whole(
        serialization_dir: Any,
        weights: str = module._DEFAULT_WEIGHTS,
        archive_path: Any = None,
        include_in_archive: Optional[list[str]] = None,
    ) -> str:
        path = os.fspath(archive_path or serialization_dir)
        if os.path.isdir(path):
            path = os.path.join(path, "model.tar.gz")
        included = [*(include_in_archive or []), "transformer"]
        archive_model(serialization_dir, weights, f"{path}.part", included)
        os.replace(f"{path}.part", path)
        return path

    module.archive_model = archive_when_whole


@after("models.model")
def models_being_loaded(module: Any) -> None:
    """A model cannot tell that weights will follow, so that it need not look for its first ones.

    And a config asks for any size.
    """
    from functools import wraps

    from ...archives import loading_weights
    from ...archives.construction import bounded, construction

    load, from_params = module.Model.load.__func__, module.Model.from_params.__func__

    @wraps(load)
    def load_knowingly(cls: Any, *args: Any, **kwargs: Any) -> Any:
        token = loading_weights.set(True)
        try:
            return load(cls, *args, **kwargs)
        finally:
            loading_weights.reset(token)

    @wraps(from_params)
    def from_params_within_bounds(cls: Any, *args: Any, **kwargs: Any) -> Any:
        stranger = construction()
        if stranger is None:
            return from_params(cls, *args, **kwargs)
        with bounded(stranger):
            stranger.model = from_params(cls, *args, **kwargs)
        return stranger.model

    module.Model.load = classmethod(load_knowingly)
    module.Model.from_params = classmethod(from_params_within_bounds)


@after("data.vocabulary")
def vocabularies_to_read(module: Any) -> None:
    """Reading leaves a lock file, in an installed package too; where nobody writes, none is needed.

    Who writes a vocabulary makes the file first. That of a model is there before its weights.
    """
    import os
    from contextlib import nullcontext

    from ...archives.strangers import is_confined

    lock = module.FileLock

    def lock_if_written(path: str, read_only_ok: bool = False) -> Any:
        if read_only_ok and (is_confined() or not os.path.exists(path)):
            return nullcontext()
        return lock(path, read_only_ok=read_only_ok)

    module.FileLock = lock_if_written


@after("commands.diff")
@after("data.vocabulary")
def parts_of_archives(module: Any) -> None:
    """The vocabulary or the weights of an archive are read by unpacking it, links and all."""
    import os

    from ...archives import check_archive

    cached_path = module.cached_path

    def cached_path_safely(name: Any, *args: Any, **kwargs: Any) -> Any:
        if kwargs.get("extract_archive"):
            archive = cached_path(os.fspath(name).partition("!")[0])
            if os.path.isfile(archive):
                check_archive(archive)
        return cached_path(name, *args, **kwargs)

    module.cached_path = cached_path_safely


@after("nn.util")
def plain_weights(module: Any) -> None:
    """Weights may be safetensors, too, and small; and those of strangers are not what they say."""
    import os

    from ...archives.construction import construction
    from ...archives.weights import read_weights

    torch = module.torch

    def load(path: Any, **kwargs: Any) -> Any:
        name, stranger = os.fspath(path), construction()
        if stranger is not None:
            return read_weights(name, stranger.model, **kwargs)
        return read_weights(name) if name.endswith(".safetensors") else torch.load(path, **kwargs)

    module.torch = Overlay(torch, load=load)


@after("nn.module")
def weights_that_fit(module: Any) -> None:
    """Weights may be of another type, or no numbers at all; and nobody says which do not fit."""
    from functools import wraps

    from ...archives.construction import construction
    from ...archives.weights import check_shapes, check_weights

    load_state_dict = module.Module.load_state_dict

    @wraps(load_state_dict)
    def load_what_fits(self: Any, state_dict: Any, strict: bool = True) -> Any:
        if construction() is None:
            return load_state_dict(self, state_dict, strict)
        check_weights(self, state_dict)
        try:
            return load_state_dict(self, state_dict, strict)
        except RuntimeError:
            check_shapes(self, state_dict)
            raise

    module.Module.load_state_dict = load_what_fits


def _plain(message: str) -> str:
    """AllenNLP's message for a name that nothing is registered under, with what to do.

    >>> _plain("gru2 not in acceptable choices for type: ['gru']. You should either use the ...")
    "gru2 not in acceptable choices for type: ['gru']; if it is a part of your own, import its \
module first: --include-package MODULE, or import in Python"
    """
    said, advice, _ = message.partition(". You should either use the ")
    if advice:
        said += "; if it is a part of your own, import its module first: --include-package MODULE,"
        said += " or import in Python"
    return said
