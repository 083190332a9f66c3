"""A trained parser from a model's files."""

import os
import warnings
from typing import Any, Optional

from ..archives.addresses import is_address
from ..archives.shipped import ENGLISH_DM, named_model
from ..errors import UserError
from ..graphs import Graph, Token
from ..installation import require_allennlp
from .parser import Parser
from .text import Text


def load(
    model: Optional[str] = None,
    device: str = "cpu",
    pipeline: Optional[str] = None,
    beam: Optional[int] = None,
    precision: str = "auto",
    **options: Any,
) -> Parser:
    """Load a model and return its parser.

    # Parameters

    model : `str`, optional
        The `model.tar.gz` of a training, its folder, or a folder made by `sdp-pointer pack`. Or an
        address to download it from: `hf://owner/name` or
        `https://HOST/model.tar.gz#sha256=CHECKSUM`. By default `english_dm`, the shipped English DM
        model.
    device : `str`, optional (default = `"cpu"`)
        `"cpu"`, `"cuda"` or `"cuda:1"`; AllenNLP knows no others.
    pipeline : `str`, optional
        The spaCy pipeline that tokenizes and tags raw text, if the model needs tags or lemmas.
    beam : `int`, optional
        Hypotheses per sentence; by default the model's own number.
    precision : `str`, optional (default = `"auto"`)
        `"float32"`, `"bfloat16"`, `"int8"`, or `"auto"`, which suits the CPU; see docs/parsing.md.
    options : optional
        Other options of the search, such as `max_heads=2`; see
        `sdp_pointer.decoders.pointer.Options`.
    """
    if "beam_size" in options:
        if beam is not None:
            raise UserError("beam and beam_size are the same: give beam alone")
        warnings.warn("load(beam_size=...) is load(beam=...) now", DeprecationWarning, stacklevel=2)
        beam = options.pop("beam_size")
    if model is None:
        if not os.path.isdir(ENGLISH_DM):
            raise UserError(
                f"no model was named, and none came with the package ({ENGLISH_DM}): name the"
                " model.tar.gz that a training left, or its folder"
            )
        model = ENGLISH_DM
    require_allennlp()
    address = model if is_address(model) else ""
    model = named_model(model)
    from allennlp.models import load_archive

    from .. import dataset_readers, nn, transformer  # noqa: F401  (register what models are made of)
    from ..decoders.options import changed
    from ..models import GraphParser

    archive = load_archive(model, cuda_device=device_number(device))
    if not isinstance(archive.model, GraphParser):
        raise UserError(f"{model} is an archive of another model: {type(archive.model).__name__}")
    trained = archive.model.eval()
    trained.lower(precision)
    if beam is not None:
        options["beam"] = beam
    trained.options = changed(trained.options, **options)
    parser = Parser(
        trained,
        archive.validation_dataset_reader,
        Text(pipeline),
        address or _name(model),
        os.path.abspath(model),
    )
    if model != ENGLISH_DM:
        try_out(parser)
    return parser


def try_out(parser: Parser) -> None:
    """Parse the last words of the vocabulary, to find out whether the model's parts fit."""
    from ..archives import one_line
    from ..archives.strangers import went_through_others

    vocab = parser.model.vocab
    namespaces = map(vocab.get_index_to_token_vocabulary, vocab.get_namespaces())
    words = ["a", *(next(reversed(words.values())) or "a" for words in namespaces if words)]
    try:
        list(parser.parse_prepared([Graph(Token(word, word, word) for word in words)]))
    except UserError:
        raise
    except Exception as error:
        if went_through_others(error):
            raise
        raise UserError(
            f"cannot parse by the model {parser.name}: its parts do not belong together, or not"
            f" to its config.json: {one_line(error)}"
        ) from error


def _name(model: str) -> str:
    """What to call a model, without where it is.

    >>> _name("runs/dm/model.tar.gz"), _name("/models/english_dm/")
    ('dm/model.tar.gz', 'english_dm')
    """
    parts = os.path.abspath(model).split(os.sep)
    return "/".join(parts[-2:] if parts[-1] == "model.tar.gz" else parts[-1:])


def device_number(name: str) -> int:
    """AllenNLP's number of a device: -1 is the CPU, 1 is `cuda:1`; it has none for others."""
    import torch

    try:
        device = torch.device(name)
    except RuntimeError:
        raise UserError(f"there is no device {name!r}; expected cpu, cuda or cuda:1") from None
    if device.type == "cpu":
        return -1
    if device.type != "cuda":
        raise UserError(f"cannot parse on the device {name!r}; expected cpu, cuda or cuda:1")
    if not torch.cuda.is_available():
        raise UserError(f"there is no device {name!r}: torch finds no GPU here; use cpu")
    number = device.index or 0
    if number >= torch.cuda.device_count():
        raise UserError(
            f"there is no device {name!r}: torch finds {torch.cuda.device_count()} here, the first"
            " being cuda:0"
        )
    return number
