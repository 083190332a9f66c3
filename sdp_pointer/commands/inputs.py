"""What `sdp-pointer parse` is given: a file, the standard input, or a sentence itself."""

import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, Any, Optional

from ..errors import UserError
from ..graphs import Graph
from ..graphs.formats import format_of_name
from ..graphs.formats.sniffing import MOST_LINES
from ..graphs.formats.streams import Lines, is_corruption, open_source

if TYPE_CHECKING:
    from ..parser.preparation import Preparation
    from ..parser.results import Prepared

# What is in the beginning of a model, and not even in damaged text.
BINARY = b"\0" * 4

ONE_GRAPH = "an SVG holds one graph: give one sentence, or write html"

# How names of files end, and sentences hardly ever.
FILE_NAME = re.compile(r"[^.\s]\.(txt|text|tsv|csv|json|jsonl|sdp|conllu|conll|mrp|gz)$", re.I)


class Input:
    """The sentences of an argument of the command.

    # Parameters

    name : `str`
        A path, `-`, or a sentence.
    format : `str`, optional
        `text`, `tokens` or a format of graphs; by default that of the name, or of the content.
    split : `bool`
        Whether each line of raw text is split into its sentences.
    """

    def __init__(self, name: str, format: Optional[str], split: bool) -> None:
        self.name = name
        self.format = format or format_of_name(name)
        self.split = split
        self.is_file = name == "-" or os.path.exists(name)
        if not self.is_file:
            self.format = "tokens" if format == "tokens" else "text"
        self._several = 0
        self._first_of_several = ""

    @property
    def typed(self) -> bool:
        """Whether somebody types the sentences now."""
        return self.name == "-" and sys.stdin.isatty()

    @property
    def hint(self) -> str:
        """What to say of raw text that was parsed as one sentence and is more, if there is any."""
        if not self._several:
            return ""
        more = f" and {self._several - 1} more" if self._several > 1 else ""
        return (
            f"there are several sentences in the line beginning {self._first_of_several!r}{more}:"
            " --split parses each"
        )

    def check(self, at_most_one: bool) -> None:
        """Refuse what cannot be parsed, as far as can be seen without a model."""
        if not self.is_file:
            self._check_sentence()
        elif os.path.isdir(self.name):
            raise UserError(f"{self.name} is a folder: name a file in it")
        elif os.path.isfile(self.name) and self.format is None:
            with self._opened() as stream:
                self._refuse_binary(stream)
        if at_most_one and (not self.is_file or os.path.isfile(self.name)):
            from ..parser.preparation import Preparation
            from ..parser.text import Text

            prepared = self._prepared(Preparation(Text()), "jsonl")
            graphs = (sentence for sentence in prepared if isinstance(sentence, Graph))
            if len(list(islice(graphs, 2))) > 1:
                raise UserError(ONE_GRAPH)

    def sentences(self, preparation: "Preparation", to: str) -> "Iterator[Prepared]":
        """The sentences, ready to be parsed, or why not; `to` is the format of the output."""
        for sentence in self._prepared(preparation, to):
            if isinstance(sentence, Graph) and not self.split:
                self._look_at(sentence)
            yield sentence

    def _look_at(self, sentence: Graph) -> None:
        from ..parser.text import has_several_sentences

        if "text" in sentence.meta and has_several_sentences(sentence):
            self._several += 1
            self._first_of_several = self._first_of_several or " ".join(sentence.forms[:4])

    def _prepared(self, preparation: "Preparation", to: str) -> "Iterator[Prepared]":
        from ..parser.sources import read_sentences

        with self._opened() as stream:
            if self.format is None:
                self._refuse_binary(stream)
            # Whoever types a sentence waits for its graph, whatever it begins with.
            most = 1 if self.typed else MOST_LINES
            yield from read_sentences(
                Lines(stream), preparation, self.format, split=self.split, to=to, sniffed_lines=most
            )

    def _opened(self) -> AbstractContextManager[Any]:
        return open_source(self.name) if self.is_file else nullcontext([self.name])

    def _check_sentence(self) -> None:
        words = self.name.split()
        if not words:
            raise UserError("there are no words in the sentence")
        folder, name = os.path.split(self.name)
        is_path = FILE_NAME.search(name) or (folder and os.path.isdir(folder))
        if len(words) > 1 and not is_path:
            return
        names = os.listdir(folder or ".") if os.path.isdir(folder or ".") else []
        similar = "".join(f" (is it {near!r}?)" for near in get_close_matches(name, names, 1))
        kind = "that looks like one" if len(words) > 1 else "of one word"
        raise UserError(
            f"there is no file {self.name!r}{similar}; a sentence {kind} is given by a pipe: echo"
            f" {shlex.quote(self.name)} | sdp-pointer parse"
        )

    def _refuse_binary(self, stream: Any) -> None:
        try:
            start = stream.peek(512)[:512] if hasattr(stream, "peek") else b""
        except Exception as error:
            if not is_corruption(error):
                raise
            raise UserError(
                f"{self.name} is damaged: nothing of it can be unpacked ({error})"
            ) from error
        if BINARY in start:
            raise UserError(f"{self.name} is no text; if it is a model, name it by --model")
