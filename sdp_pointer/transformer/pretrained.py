"""A pretrained transformer and its tokenizer, loaded from a folder; no code comes with them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Optional

from ..archives import MissingError, one_line
from ..archives.names import TRANSFORMER
from ..archives.strangers import is_confined
from ..archives.transformer import files, weights, weights_or_model
from ..errors import UserError
from .bert import Bert, BertConfig, bert_config
from .bert_tokenizer import BertTokenizer

# In the weights of a parser, before the names of its transformer's.
PREFIX = ".token_embedder_transformer.encoder.model."

# One of these is what a tokenizer knows.
VOCABULARIES = ("tokenizer.json", "vocab*", "*.model")


def load_tokenizer(folder: Path) -> Any:
    if not files(folder, *VOCABULARIES):
        where = f"its folder {TRANSFORMER!r}" if is_confined() else str(folder)
        raise MissingError(f"{where} holds no tokenizer.json, and no vocabulary of a tokenizer")
    # Byte-level tokenizers tell a word from the rest of one by the space before it.
    if _bert_config(folder) and files(folder, "tokenizer.json"):
        with _naming_folder(folder):
            return BertTokenizer(folder)
    from transformers import AutoTokenizer

    tokenizer = _load(AutoTokenizer, folder, add_prefix_space=True)
    if not tokenizer.is_fast:
        raise UserError(
            f"the tokenizer in {folder} does not tell which piece belongs to which word: use a"
            " transformer that has a fast tokenizer"
        )
    return tokenizer


def load_config(folder: Path) -> Any:
    found = _bert_config(folder)
    if found is not None:
        return found
    from transformers import AutoConfig

    return _load(AutoConfig, folder)


def _bert_config(folder: Path) -> Optional[BertConfig]:
    try:
        values = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None  # transformers says what is wrong
    return bert_config(values) if isinstance(values, dict) else None


def load_model(folder: Path) -> Any:
    """The transformer with its pretrained weights; random numbers stay as they are."""
    import torch
    from transformers import AutoModel

    from ..archives.construction import construction
    from ..archives.torch_files import check_torch_file
    from ..archives.weights import is_finite

    found = weights_or_model(folder)
    for path in found:
        if path.suffix == ".bin":
            check_torch_file(str(path))
    stranger = construction()
    if stranger is not None:
        stranger.allow(sum(path.stat().st_size for path in found))
    with torch.random.fork_rng(devices=[]):
        if weights(folder):
            model = _without_pooler(_load(AutoModel, folder, dtype=torch.float32))
        else:
            model = new_model(folder)
            model.load_state_dict(_weights_in_model(found[0]))
    for name, parameter in model.named_parameters():
        if not is_finite(parameter):
            raise UserError(
                f"the weights of the transformer in {folder} are damaged: not every number of"
                f" {name} is finite"
            )
    return model


def _weights_in_model(path: Path) -> dict[str, Any]:
    """The weights of a transformer among those of the parser that was fine-tuned with it."""
    from ..archives.weights import read_weights

    state = read_weights(str(path), map_location="cpu")
    found = {name.partition(PREFIX)[2]: state[name] for name in state if PREFIX in name}
    if not found:
        raise UserError(
            f"{path.parent} holds no fine-tuned transformer: name the one it was trained with"
        )
    return found


def new_model(folder: Path) -> Any:
    """The same without any weights worth having."""
    import torch

    config = load_config(folder)
    with torch.random.fork_rng(devices=[]), _naming_folder(folder):
        if isinstance(config, BertConfig):
            return Bert(config)
        from transformers import AutoModel

        return _without_pooler(AutoModel.from_config(config, dtype=torch.float32))


def _load(auto: Any, folder: Path, **options: Any) -> Any:
    with _naming_folder(folder):
        return auto.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False, **options
        )


@contextmanager
def _naming_folder(folder: Path) -> Iterator[None]:
    try:
        yield
    except UserError:
        raise
    except Exception as error:  # the libraries of transformers raise that itself
        raise UserError(
            f"cannot load the transformer in {folder}: {one_line(error)}: name another in SDP_BERT"
        ) from error


def _without_pooler(model: Any) -> Any:
    # It makes a vector of the whole sentence: none of ours, and without a gradient in training.
    if getattr(model, "pooler", None) is not None:
        model.pooler = None
    return model
