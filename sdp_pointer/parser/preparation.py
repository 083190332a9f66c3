"""From a sentence to one that a model can parse and a format can hold, or to why not."""

from collections.abc import Sequence

from ..errors import UserError
from ..graphs import FormatError, Graph, dumps
from ..graphs.formats import FORMATS
from .results import Prepared, Refusal
from .sentences import Sentence, sentence_of
from .text import Text


class Preparation:
    """Makes sentences ready for a model; raises a `UserError` for those that cannot be.

    # Parameters

    text : `Text`
        Splits raw text, and makes the tags and lemmas that a model needs, if it can.
    columns : `Sequence[str]`, optional
        What the model needs beside the words: some of `lemma` and `pos`.

    >>> Preparation(Text()).prepare({"sentence": "Cats purr.", "id": 7})
    Graph('7': Cats purr .)
    """

    def __init__(self, text: Text, columns: Sequence[str] = ()) -> None:
        self.text = text
        self.columns = columns

    def prepare(self, given: Sentence, to: str = "jsonl") -> Graph:
        """The sentence with all that the model needs.

        `to` is the format that its graph will be written in: a sentence that has no place there is
        refused before it is parsed.
        """
        graph = self._with_columns(sentence_of(given, self.text))
        if to in FORMATS and to != "jsonl":
            check_format(graph, to)
        return graph

    def prepare_or_refuse(
        self, graph: Graph, line: int = 0, where: str = "", to: str = "jsonl"
    ) -> Prepared:
        """As `prepare`; but returns a refusal, with `where` in front if the graph has no line."""
        try:
            return self.prepare(graph, to)
        except UserError as error:
            return Refusal(line, f"{where}{error}", graph.id)

    def _with_columns(self, graph: Graph) -> Graph:
        # Punctuation has no lemma in the official files.
        words = [token for token in graph.tokens if any(map(str.isalnum, token.form))]
        missing = [
            column
            for column in self.columns
            if words and all(getattr(word, column) == "_" for word in words)
        ]
        if not missing:
            return graph
        if self.text.pipeline is not None:
            return graph.replace(tokens=self.text.tagged(graph.tokens))
        names = " and ".join({"pos": "part-of-speech tags", "lemma": "lemmas"}[c] for c in missing)
        raise UserError(
            f"this model was trained with {names}, and the sentence beginning"
            f" {' '.join(graph.forms[:5])!r} has none: give them with its tokens, name a spaCy"
            " pipeline that makes them (such as en_core_web_sm), or use a model that was"
            " trained on words alone"
        )


def check_format(sentence: Graph, format: str) -> None:
    """Refuse a sentence that a format has no place for, whatever its arcs will be.

    >>> from ..graphs import Token
    >>> check_format(Graph([Token("two\\tcells")]), "sdp")
    Traceback (most recent call last):
    sdp_pointer.errors.UserError: the sentence cannot be written as sdp: not for .sdp: the \
form of token 1, 'two\\tcells', contains a separator
    """
    words = [token._replace(frame="_") for token in sentence.tokens]
    try:
        # Any formalism: that there is none, the writer is to say once, not of each sentence.
        dumps([Graph(words, id=sentence.id, meta=sentence.meta, formalism="any")], format)
    except FormatError as error:
        reason = error.problems[0].message
        raise UserError(f"the sentence cannot be written as {format}: {reason}") from None
