"""Models from strangers, in archives and folders, plain and packed, with their transformers."""

from typing import Any, Optional

from ..mechanism import Overlay, after


@after("models.archival")
def safe_archives(module: Any) -> None:
    """`extractall` follows paths out of the folder, and failures do not name the archive."""
    import os
    from functools import wraps

    from allennlp.common.checks import ConfigurationError

    from ...archives import DAMAGE, ArchiveError, check, extracted_archive, one_line, weights_of

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
    from ...archives import loading_weights

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

    from ...packing import unpacked

    torch = module.torch

    def load(path: Any, **kwargs: Any) -> Any:
        if not os.fspath(path).endswith(".safetensors"):
            return torch.load(path, **kwargs)
        from safetensors.torch import load_file

        return unpacked(load_file(path))

    module.torch = Overlay(torch, load=load)


@after("nn.util")
def safe_weights(module: Any) -> None:
    """Weights that are no plain tensors are refused; say so in one line."""
    from functools import wraps

    from ...archives import DAMAGE, ArchiveError, one_line

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
