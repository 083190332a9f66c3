"""A config for given files, to be edited: Jsonnet that imports sdp.libsonnet."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Optional

from ..archives.config import items, read_config
from ..archives.errors import ArchiveError, one_line
from ..archives.folder import check
from ..archives.names import CONFIG, TRANSFORMER
from ..archives.packing import EMBEDDER
from ..archives.shipped import named_model
from ..archives.transformer import find
from ..errors import UserError
from .survey import Survey

# For so many sentences: sizes of layers, sentences in a batch, epochs. The last row is that of the
# configs open_*; with fewer sentences fewer parameters do, and more epochs are needed.
SIZES = ((1_000, 128, 8, 60), (5_000, 256, 8, 40), (10**9, 320, 16, 36))
# A transformer knows much already.
EPOCHS_OF_A_TRANSFORMER = 12
# Rates of fine-tuning, by the width of the transformer: small ones bear higher ones.
WIDE = 512


class Choice(NamedTuple):
    """What the user chose; None where the files decide."""

    format: Optional[str] = None
    lenient: bool = False
    columns: bool = False
    transformer: Optional[str] = None
    vectors: Optional[str] = None
    size: Optional[int] = None
    epochs: Optional[int] = None
    device: int = -1


def new_config(train: str, dev: str, files: Survey, choice: Choice) -> str:
    """A config that trains a parser from the beginning."""
    size, batch_size, epochs = next(row[1:] for row in SIZES if files.sentences < row[0])
    formalism = files.formalism or "graph"
    sizes = _call(formalism=formalism, size=choice.size or size, batch_size=batch_size)
    parts = [f"sdp.quick({sizes})"]
    if choice.transformer is not None:
        epochs = EPOCHS_OF_A_TRANSFORMER
        features = ["transformer"]
        name = _absolute(choice.transformer)
        lr = 2e-4 if _width(find(name)) < WIDE else 5e-5
        parts.append(f"sdp.tuned({_call(model_name=name, lr=lr)})")
    else:
        features = ["words", "characters"]
        features += ["lemmas"] if choice.columns and files.lemmas else []
        features += ["pos"] if choice.columns and files.tags else []
        if files.tags and not choice.columns:
            parts.append("sdp.tagged")
    vectors = None if choice.vectors is None else os.path.abspath(choice.vectors)
    parser = _call(
        train=os.path.abspath(train),
        validation=os.path.abspath(dev),
        features=features,
        vectors_default=vectors,
        formalism=formalism,
    )
    epochs = choice.epochs or epochs
    steps = epochs * -(-files.sentences // batch_size)
    return _text([f"sdp.parser({parser})", *parts, *_rest(choice, epochs, steps)])


def continued_config(model: str, train: str, dev: str, files: Survey, choice: Choice) -> str:
    """A config that goes on with the training of a model, which is a folder."""
    folder = os.path.abspath(named_model(model))
    if os.path.isfile(folder):
        raise UserError(
            f"cannot continue from {model}: name a folder, that of the training or one that"
            f" sdp-pointer pack {model} FOLDER makes"
        )
    if not os.path.exists(folder):
        raise UserError(
            f"there is no model {model}: name the folder of one; english_dm is that of the package"
        )
    try:
        check(folder)
    except ArchiveError as error:
        raise type(error)(f"cannot continue from {model}: {one_line(error)}") from error
    trained = read_config(os.path.join(folder, CONFIG))
    batch_size, epochs = 16 if files.sentences >= 1_000 else 8, choice.epochs or 10
    call = _call(
        folder=folder,
        transformer=_own(trained, folder)
        if choice.transformer is None
        else _absolute(choice.transformer),
        train=os.path.abspath(train),
        validation=os.path.abspath(dev),
        batch_size=batch_size,
    )
    imported = f"\n  import {_jsonnet(os.path.join(folder, CONFIG))},"
    steps = epochs * -(-files.sentences // batch_size)
    return _text([f"sdp.continued({imported}{call})", *_rest(choice, epochs, steps)])


def _own(trained: dict[str, Any], folder: str) -> Optional[str]:
    """The transformer of a model that was fine-tuned in it."""
    tuned = any(
        part.get("type") == EMBEDDER and part.get("trainable")
        for _, part in items(trained["model"])
        if isinstance(part, dict)
    )
    return os.path.join(folder, TRANSFORMER) if tuned else None


def _rest(choice: Choice, epochs: int, steps: int) -> Sequence[str]:
    trainer = {
        "num_epochs": epochs,
        "cuda_device": choice.device,
        "callbacks": ["progress"],
        "learning_rate_scheduler": {
            "type": "linear_with_warmup",
            "warmup_steps": min(500, steps // 10),
        },
    }
    rest = [f"{{ trainer+: {_jsonnet(trainer)} }}"]
    reader: dict[str, Any] = {"format": choice.format} if choice.format is not None else {}
    reader |= {"lenient": True} if choice.lenient else {}
    if reader:
        rest.append(f"{{ dataset_reader+: {_jsonnet(reader)} }}")
    return rest


def _absolute(transformer: str) -> str:
    """The path of a folder, or a name on the hub as it is; a model's name is its transformer's."""
    model = named_model(transformer)
    if model != transformer:
        return os.path.join(model, TRANSFORMER)
    return os.path.abspath(transformer) if os.path.isdir(transformer) else transformer


def _width(folder: Path) -> int:
    with (folder / CONFIG).open(encoding="utf-8") as file:
        config = json.load(file)
    width = config.get("hidden_size", config.get("dim", WIDE))
    if not isinstance(width, int):
        raise UserError(f"the hidden_size in {folder / CONFIG} is no number")
    return width


def _text(parts: Sequence[str]) -> str:
    head = (
        "// Written by sdp-pointer train. Edit it, and train again:\n"
        "//   allennlp train CONFIG -s FOLDER\n"
        "// docs/configuration.md has every option.\n"
        "local sdp = import 'sdp.libsonnet';\n\n"
    )
    return head + "\n+ ".join(parts) + "\n"


def _call(**arguments: Any) -> str:
    """Arguments of a function, one a line; those that are None are left out.

    >>> print(_call(train="dev.sdp", vectors=None, size=3))
    <BLANKLINE>
      train="dev.sdp",
      size=3,
    <BLANKLINE>
    """
    given = {name: value for name, value in arguments.items() if value is not None}
    return "\n" + "".join(f"  {name}={_jsonnet(value)},\n" for name, value in given.items())


def _jsonnet(value: Any) -> str:
    """JSON is Jsonnet."""
    indent = 2 if isinstance(value, dict) else None
    return json.dumps(value, ensure_ascii=False, indent=indent)
