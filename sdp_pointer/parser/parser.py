"""A trained parser in Python: from text to graphs.

parser = sdp_pointer.load()
graph = parser.parse("The results were in line with analysts' expectations.")
for graph in parser.parse_batch(sentences):
    ...
"""

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, Optional, Union, overload

from ..errors import UserError
from ..graphs import Graph
from ..steps import Steps
from .preparation import Preparation
from .results import Prepared, Refusal, Result
from .sentences import Sentence
from .text import Text, has_several_sentences

if TYPE_CHECKING:
    from allennlp.data import Instance

    from ..dataset_readers import SdpDatasetReader
    from ..decoders.options import Options
    from ..graphs import Match, Pattern
    from ..models import GraphParser

# So many batches are read ahead, in order to put sentences of similar lengths together.
WINDOW = 16

SEVERAL_SENTENCES = (
    "a text that was parsed as one sentence has several: parse_text parses each by itself"
)


class Parser:
    """A trained model with its reader; made by `load`. Threads can share it.

    `source` is the file or folder that it was loaded from.
    """

    def __init__(
        self,
        model: "GraphParser",
        reader: "SdpDatasetReader",
        text: Optional[Text] = None,
        name: str = "",
        source: Optional[str] = None,
    ) -> None:
        self.model = model
        self.reader = reader
        self.name = name
        self.source = source
        self.preparation = Preparation(text or Text(), reader.columns)

    def __repr__(self) -> str:
        described = (f"{name} {value}" for name, value in self.model.describe().items())
        return f"<Parser {self.name}, {', '.join(described)}>"

    @property
    def text(self) -> Text:
        """What splits raw text into words."""
        return self.preparation.text

    @property
    def formalisms(self) -> Sequence[str]:
        """Those of its graphs, such as `dm`; none if nobody has named any."""
        return self.model.formalisms

    @property
    def columns(self) -> Sequence[str]:
        """What the model needs beside the words: some of `lemma` and `pos`."""
        return self.preparation.columns

    @overload
    def parse(
        self, sentence: Sentence, beam: Optional[int] = None, split: Literal[False] = False
    ) -> Graph: ...

    @overload
    def parse(
        self, sentence: str, beam: Optional[int] = None, *, split: Literal[True]
    ) -> list[Graph]: ...

    def parse(
        self, sentence: Any, beam: Optional[int] = None, split: bool = False
    ) -> Union[Graph, list[Graph]]:
        """The best graph of a sentence, with `score` and `probabilities` in its `meta`.

        With `split` the sentence is a text of any number, and the result is that of `parse_text`.
        """
        return self.parse_text(sentence, beam) if split else self._n_best(sentence, 1, beam)[0]

    def parse_text(self, text: str, beam: Optional[int] = None) -> list[Graph]:
        """The best graph of each sentence of a raw text.

        Sentences are those of the spaCy pipeline, or end with their punctuation.
        """
        if not isinstance(text, str):
            raise UserError(f"only raw text can be split into sentences, not {type(text).__name__}")
        return list(self.parse_batch(self.text.sentences(text), beam=beam))

    def n_best(
        self, sentence: Sentence, n: Optional[int] = None, beam: Optional[int] = None
    ) -> list[Graph]:
        """The n best graphs of a sentence, best first; fewer if there are no more.

        By default as many as the model's own `n_best`.
        """
        return self._n_best(sentence, n, beam)

    def _n_best(self, sentence: Sentence, n: Optional[int], beam: Optional[int]) -> list[Graph]:
        prepared = self.prepare(sentence)
        if isinstance(sentence, str) and has_several_sentences(prepared):
            warnings.warn(SEVERAL_SENTENCES, stacklevel=3)  # the caller of the caller is shown
        [result] = self.parse_prepared([prepared], n, beam=beam)
        return list(result.graphs)

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
        for result in self.parse_prepared(prepared, n, batch_size, beam, progress):
            yield list(result.graphs)

    def find(
        self,
        pattern: Union[str, "Pattern"],
        sentences: Iterable[Sentence],
        batch_size: int = 32,
        beam: Optional[int] = None,
        progress: bool = False,
    ) -> Iterator["Match"]:
        """The matches of a pattern (docs/asking.md) in the graphs of `parse_batch`."""
        from ..graphs import Pattern, find

        # A pattern that is none is refused before anything is parsed.
        pattern = Pattern(pattern) if isinstance(pattern, str) else pattern
        return find(pattern, self.parse_batch(sentences, batch_size, beam, progress))

    def save(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        """Save the model to a new folder, which `load` and the commands take as a model.

        Its weights are those that the parser has now, in full precision; `sdp-pointer pack` makes
        them smaller.
        """
        from ..archives.packing import save

        if self.source is None:
            raise UserError("only a parser that was loaded can be saved: its files are copied")
        save(self.source, self.model.state_dict(), os.fspath(folder))

    def prepare(self, sentence: Sentence) -> Graph:
        """The sentence as the model needs it: split into words, with tags and lemmas if used."""
        return self.preparation.prepare(sentence)

    def parse_prepared(
        self,
        prepared: Iterable[Prepared],
        n: Optional[int] = None,
        batch_size: int = 32,
        beam: Optional[int] = None,
        progress: bool = False,
    ) -> Iterator[Result]:
        """As `n_best_batch`, for prepared sentences; what was refused keeps its place."""
        if batch_size < 1:
            raise UserError(f"batch_size must be at least 1; it is {batch_size}")
        options = self.options(n, beam)
        remaining = iter(prepared)
        with _progress_bar(progress) as bar:
            while window := list(islice(remaining, batch_size * WINDOW)):
                sentences = [sentence for sentence in window if isinstance(sentence, Graph)]
                parsed = iter(self.model.parse(self._instances(sentences), batch_size, options))
                for sentence in window:
                    if isinstance(sentence, Refusal):
                        yield Result([], sentence)
                    else:
                        yield Result(next(parsed))
                bar.update(len(window))

    def parse_steps(
        self, sentences: Sequence[Graph], n: Optional[int] = None, beam: Optional[int] = None
    ) -> Steps[list[list[Graph]]]:
        """The n best graphs of one batch of prepared sentences.

        It yields wherever other work may come in between, after fractions of a second.
        """
        options = self.options(n, beam)
        parsed = yield from self.model.parse_steps(self._instances(sentences), options=options)
        return parsed

    def options(self, n_best: Optional[int] = None, beam: Optional[int] = None) -> "Options":
        """The model's options of the search, perhaps with another beam and number of graphs."""
        from ..decoders.options import options_of_call

        return options_of_call(self.model.options, n_best, beam)

    def beam(self, n_best: Optional[int] = None, beam: Optional[int] = None) -> int:
        """How many hypotheses of a sentence such a call keeps."""
        return self.model.hypotheses(self.options(n_best, beam))

    def _instances(self, sentences: Iterable[Graph]) -> list["Instance"]:
        return [self.reader.sentence_to_instance(sentence) for sentence in sentences]

    def _prepared(self, sentences: Iterable[Sentence]) -> Iterator[Graph]:
        for number, sentence in enumerate(sentences, start=1):
            try:
                prepared = self.prepare(sentence)
            except UserError as error:
                raise UserError(f"sentence {number}: {error}") from error
            if isinstance(sentence, str) and has_several_sentences(prepared):
                warnings.warn(SEVERAL_SENTENCES, stacklevel=5)  # of parse_batch
            yield prepared


def _progress_bar(shown: bool) -> Any:
    from tqdm import tqdm

    return tqdm(disable=not shown, unit=" sentences")
