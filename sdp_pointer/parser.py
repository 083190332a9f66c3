"""A trained parser in Python: load it, give it text, get graphs.

parser = sdp_pointer.load()
graph = parser.parse("The results were in line with analysts' expectations.")
for graph in parser.parse_batch(sentences):
    ...
"""

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Optional, Union

from .errors import UserError
from .graphs import Graph, GraphError, Token
from .graphs.formats import jsonl
from .graphs.formats.streams import damaged
from .inputs import Refused, check_length
from .inputs import sentence as sentence_of
from .text import Text

# Raw text, or words, or tokens with lemmas and tags, or a graph whose arcs are ignored, or what
# a line of JSON lines may hold (docs/parsing.md).
Sentence = Union[str, Sequence[str], Sequence[Token], Graph, Mapping[str, Any]]

# So many batches are read ahead, in order to put sentences of similar lengths together.
WINDOW = 16

# The model that comes with the package.
ENGLISH_DM = os.path.join(os.path.dirname(__file__), "english_dm")


class Parser:
    """A trained model with its reader; made by `load`. Threads can share it."""

    def __init__(
        self, model: Any, reader: Any, text: Optional[Text] = None, name: str = ""
    ) -> None:
        self.model = model
        self.reader = reader
        self.text = text or Text()
        self.name = name

    def __repr__(self) -> str:
        described = (f"{name} {value}" for name, value in self.model.describe().items())
        return f"<Parser {self.name}, {', '.join(described)}>"

    def parse(self, sentence: Sentence, beam: Optional[int] = None) -> Graph:
        """The best graph of a sentence, with `score` and `probabilities` in its `meta`."""
        return self.n_best(sentence, 1, beam)[0]

    def n_best(
        self, sentence: Sentence, n: Optional[int] = None, beam: Optional[int] = None
    ) -> list[Graph]:
        """The n best graphs of a sentence, best first; fewer if there are no more.

        By default as many as the model's own `n_best`.
        """
        [graphs] = self.parse_some([self.prepare(sentence)], n, beam=beam)
        assert isinstance(graphs, list)
        return graphs

    def parse_batch(
        self,
        sentences: Iterable[Sentence],
        batch_size: int = 32,
        beam: Optional[int] = None,
        progress: bool = False,
    ) -> Iterator[Graph]:
        """The best graphs of any number of sentences, in their order, as they are ready.

        # Parameters

        sentences : `Iterable[Sentence]`
            Each raw text, a sequence of words, a sequence of `Token`s, an object as in JSON lines,
            or a `Graph`, whose arcs are ignored and whose id is kept.
        batch_size : `int`, optional (default = `32`)
            Sentences of similar lengths are parsed together; `batch_size * WINDOW` are read ahead.
        beam : `int`, optional
            By default the model's own.
        progress : `bool`, optional (default = `False`)
            Show a progress bar on standard error.
        """
        for graphs in self.n_best_batch(sentences, 1, batch_size, beam, progress):
            yield graphs[0]

    def n_best_batch(
        self,
        sentences: Iterable[Sentence],
        n: Optional[int] = None,
        batch_size: int = 32,
        beam: Optional[int] = None,
        progress: bool = False,
    ) -> Iterator[list[Graph]]:
        """As `parse_batch`, but for each sentence a list of its n best graphs."""
        if isinstance(sentences, (str, bytes, Mapping)):
            raise UserError("this is one sentence: give a list of sentences, or use parse")
        prepared = self._prepared(sentences)
        for graphs in self.parse_some(prepared, n, batch_size, beam, progress):
            assert isinstance(graphs, list)
            yield graphs

    def parse_some(
        self,
        prepared: Iterable[Union[Graph, Refused]],
        n: Optional[int] = None,
        batch_size: int = 32,
        beam: Optional[int] = None,
        progress: bool = False,
    ) -> Iterator[Union[list[Graph], Refused]]:
        """As `n_best_batch`, for sentences from `prepare`; what was refused keeps its place."""
        if batch_size < 1:
            raise UserError(f"batch_size must be at least 1; it is {batch_size}")
        options = self.options(n, beam)
        remaining = iter(prepared)
        with _bar(progress) as bar:
            while window := list(islice(remaining, batch_size * WINDOW)):
                good = [sentence for sentence in window if isinstance(sentence, Graph)]
                parsed = iter(self.model.parse(self._instances(good), batch_size, options))
                for sentence in window:
                    yield next(parsed) if isinstance(sentence, Graph) else sentence
                bar.update(len(window))

    def options(self, n_best: Optional[int] = None, beam: Optional[int] = None) -> Any:
        """The model's options of the search, perhaps with another beam and number of graphs."""
        default = self.model.options
        if n_best is None:
            n_best = default.n_best if beam is None else min(default.n_best, beam)
        if beam is None and "beam_size" in default._fields:
            beam = max(default.beam_size, n_best)
        return _changed(default, beam, n_best=n_best)

    def beam(self, n_best: Optional[int] = None, beam: Optional[int] = None) -> Optional[int]:
        """The beam of such a call, or None if the model searches with none."""
        return getattr(self.options(n_best, beam), "beam_size", None)

    def prepare(self, sentence: Sentence) -> Graph:
        """The sentence as the model needs it: split into words, with tags and lemmas if used."""
        graph = self._graph(sentence)
        check_length(graph)
        _whole(" ".join(graph.forms))
        # Punctuation has no lemma in the official files.
        words = [token for token in graph.tokens if any(map(str.isalnum, token.form))]
        missing = [
            column
            for column in self.reader.columns
            if words and all(getattr(word, column) == "_" for word in words)
        ]
        if missing and self.text.pipeline is not None:
            graph = graph.replace(tokens=self.text.tagged(graph.tokens))
        elif missing:
            names = " and ".join(
                {"pos": "part-of-speech tags", "lemma": "lemmas"}[c] for c in missing
            )
            raise UserError(
                f"this model was trained with {names}, and the sentence beginning"
                f" {' '.join(graph.forms[:5])!r} has none: give them with its tokens, name a spaCy"
                " pipeline that makes them (such as en_core_web_sm), or use a model that was"
                " trained on words alone"
            )
        return graph

    def try_out(self) -> None:
        """Parse the last words of the vocabulary, to find out whether the model's parts fit."""
        from .archives import one_line
        from .archives.strangers import went_through_others

        vocab = self.model.vocab
        known = map(vocab.get_index_to_token_vocabulary, vocab.get_namespaces())
        words = ["a", *(next(reversed(words.values())) or "a" for words in known if words)]
        try:
            self.model.parse(self._instances([Graph(Token(word, word, word) for word in words)]))
        except UserError:
            raise
        except Exception as error:
            if went_through_others(error):
                raise
            raise UserError(
                f"cannot parse by the model {self.name}: its parts do not belong together, or not"
                f" to its config.json: {one_line(error)}"
            ) from error

    def _prepared(self, sentences: Iterable[Sentence]) -> Iterator[Graph]:
        for number, sentence in enumerate(sentences, start=1):
            try:
                yield self.prepare(sentence)
            except UserError as error:
                raise UserError(f"sentence {number}: {error}") from error

    def _graph(self, sentence: Sentence) -> Graph:
        if isinstance(sentence, str):
            return self.text.sentence(_whole(sentence))
        if isinstance(sentence, Graph):
            return sentence
        if isinstance(sentence, Mapping):
            return sentence_of(dict(sentence), self.text)
        if isinstance(sentence, bytes) or not isinstance(sentence, Iterable):
            kind = type(sentence).__name__
            raise UserError(f"a sentence is text, a list of words, or a Graph, not {kind}")
        words: list[Any] = list(sentence)
        if not words:
            raise UserError("there are no words in an empty list")
        check_length(words)
        try:
            return Graph([Token(word) if isinstance(word, str) else word for word in words])
        except GraphError as error:
            raise UserError(str(error)) from None

    def _instances(self, graphs: list[Graph]) -> list[Any]:
        instances = [self.reader.sentence_to_instance(graph) for graph in graphs]
        for instance in instances:
            self.reader.apply_token_indexers(instance)
        return instances


def _whole(text: str) -> str:
    if damaged(text):
        raise UserError(f"half of a character (a lone surrogate) in {text[:100]!a}")
    return text


def _bar(shown: bool) -> Any:
    from tqdm import tqdm

    return tqdm(disable=not shown, unit=" sentences")


def load(
    model: Optional[str] = None,
    device: str = "cpu",
    pipeline: Optional[str] = None,
    beam: Optional[int] = None,
    **options: Any,
) -> Parser:
    """A parser from an archive or a folder.

    # Parameters

    model : `str`, optional
        What `allennlp train` made: `model.tar.gz`, or its folder; or what `sdp-pointer pack` made
        of it. By default the English DM parser that comes with the package.
    device : `str`, optional (default = `"cpu"`)
        Or `"cuda"`, `"cuda:1"`; AllenNLP knows no others.
    pipeline : `str`, optional
        The spaCy pipeline that splits and tags raw text, if the model needs tags or lemmas.
    beam : `int`, optional
        Hypotheses kept for each sentence; by default the model's own.
    options : optional
        Others of the search, such as `max_heads=2`; see `sdp_pointer.decoders.pointer.Options`.
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
    from allennlp.models import load_archive

    from . import dataset_readers, nn, transformer  # noqa: F401  (register what models are made of)
    from .models import GraphParser

    archive = load_archive(model, cuda_device=_device(device))
    if not isinstance(archive.model, GraphParser):
        raise UserError(f"{model} is an archive of another model: {type(archive.model).__name__}")
    parser = archive.model.eval()
    parser.options = _changed(parser.options, beam, **options)
    loaded = Parser(parser, archive.validation_dataset_reader, Text(pipeline), _name(model))
    if model != ENGLISH_DM:
        loaded.try_out()
    return loaded


def _changed(options: Any, beam: Optional[int], **changes: Any) -> Any:
    """The options of a decoder with some of them changed."""
    names = ["beam" if name == "beam_size" else name for name in options._fields]
    given = changes if beam is None else {"beam": beam, **changes}
    unknown = ", ".join(sorted(set(given).difference(names)))
    if unknown:
        raise UserError(f"this model has no option {unknown}; it has {', '.join(names)}")
    if beam is not None:
        changes["beam_size"] = beam
    changed = options._replace(**changes)
    if changed.problem:
        raise UserError(changed.problem)
    return changed


def _name(model: str) -> str:
    """What to call a model, without where it is.

    >>> _name("runs/dm/model.tar.gz"), _name("/models/english_dm/")
    ('dm/model.tar.gz', 'english_dm')
    """
    parts = os.path.abspath(model).split(os.sep)
    return "/".join(parts[-2:] if parts[-1] == "model.tar.gz" else parts[-1:])


def _device(name: str) -> int:
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


def with_alternatives(graphs: list[Graph]) -> Graph:
    """The best graph with all of them in its `meta`, for files that hold one graph a sentence."""
    shown = ("score", "tops", "top_probabilities", "arcs")
    values = [jsonl.to_json(graph) for graph in graphs]
    n_best = [{key: value[key] for key in shown if key in value} for value in values]
    return graphs[0].replace(meta={**graphs[0].meta, "n_best": n_best})
