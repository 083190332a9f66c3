"""From raw text to sentences of tokens, by spaCy.

A sentence that is not parsed yet is a `Graph` without arcs.
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from threading import Lock
from typing import Any, Optional

from .errors import UserError
from .graphs import Graph, Token


class Text:
    """Splits raw text into words, and tags them if it is told with which pipeline.

    # Parameters

    pipeline : `str`, optional
        A spaCy pipeline that is installed, such as `en_core_web_sm`. By default spaCy's English
        tokenizer, which needs no model: it gives words, and no tags or lemmas.

    >>> [sentence] = Text().sentences("Zoë's cat sleeps.")
    >>> sentence.forms, sentence.meta["offsets"][1]
    (('Zoë', "'s", 'cat', 'sleeps', '.'), (3, 5))
    """

    def __init__(self, pipeline: Optional[str] = None) -> None:
        self.pipeline = pipeline
        self._lock = Lock()
        # A pipeline that is missing is told at once; spaCy's tokenizer waits until it is needed.
        self._nlp: Any = None if pipeline is None else _pipeline(pipeline)

    def sentence(self, text: str) -> Graph:
        """One sentence, wherever there are full stops in it."""
        return spacy_sentence(text, self._doc(text))

    def sentences(self, text: str) -> list[Graph]:
        """The sentences of a text: those of the pipeline, or by punctuation."""
        spans = [span for span in self._doc(text).sents if not span.text.isspace()]
        return [spacy_sentence(span.text, span, span.start_char) for span in spans if span.text]

    def tagged(self, tokens: Sequence[Token]) -> list[Token]:
        """Tokens with the pipeline's tags and lemmas where they have none of their own."""
        from spacy.tokens import Doc

        nlp = self._load()
        doc = Doc(nlp.vocab, words=[token.form for token in tokens])
        for _, pipe in nlp.pipeline:
            doc = pipe(doc)
        return [_merged(token, _token(word)) for token, word in zip(tokens, doc)]

    def forgetting(self) -> AbstractContextManager[Any]:
        """A context at whose end spaCy forgets the words it met there, as it never does otherwise.

        For a server, whose texts have no end; in one thread at a time.
        """
        return self._load().memory_zone()

    def _doc(self, text: str) -> Any:
        return self._load()(text)

    def _load(self) -> Any:
        with self._lock:
            if self._nlp is None:
                self._nlp = _pipeline(self.pipeline)
        return self._nlp


def _pipeline(name: Optional[str]) -> Any:
    import spacy

    if name is None:
        nlp: Any = spacy.blank("en")
        nlp.add_pipe("sentencizer")
    else:
        try:
            nlp = spacy.load(name)
        except OSError:
            raise UserError(
                f"there is no spaCy pipeline {name!r}: install it with `python -m spacy download"
                f" {name}`, or name one that is installed"
            ) from None
        if not {"parser", "senter", "sentencizer"} & set(nlp.pipe_names):
            nlp.add_pipe("sentencizer")
    return nlp


def spacy_sentence(text: str, words: Iterable[Any], start: int = 0) -> Graph:
    """A sentence of spaCy's tokens, without those that are but spaces, with tags and lemmas.

    The text is where the tokens stand in, and `start` its place in their document.
    """
    words = [word for word in words if not word.is_space]
    if not words:
        raise UserError(f"there are no words in the sentence {text!r}")
    offsets = tuple((w.idx - start, w.idx - start + len(w.text)) for w in words)
    return Graph([_token(word) for word in words], meta={"text": text, "offsets": offsets})


def _token(word: Any) -> Token:
    return Token(word.text, word.lemma_ or "_", word.tag_ or "_")


def _merged(token: Token, tagged: Token) -> Token:
    lemma = tagged.lemma if token.lemma == "_" else token.lemma
    return token._replace(lemma=lemma, pos=tagged.pos if token.pos == "_" else token.pos)
