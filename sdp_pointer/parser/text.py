"""From raw text to sentences of tokens, by spaCy.

A sentence that is not parsed yet is a `Graph` without arcs.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any, Optional

from ..errors import UserError
from ..graphs import Graph, Token
from ..graphs.formats.streams import has_lone_surrogate
from .tokenizer import in_linear_time

# Of a text that is split into words at once; a book has so many. More, spaCy refuses as well.
LONGEST_TEXT = 1_000_000

# Before and after a full stop, where it is clear that one sentence ends and another begins.
LEAST_WORDS = 2

# Words that spaCy remembers until it forgets them all: 5 MB.
REMEMBERED = 10_000


class Text:
    """Splits raw text into words, and tags them with a pipeline.

    Threads can share it. Nothing of a text is kept: what leaves it are plain strings.

    # Parameters

    pipeline : `str`, optional
        A spaCy pipeline that is installed, such as `en_core_web_sm`. By default spaCy's English
        tokenizer, which needs no model, and makes neither tags nor lemmas.

    >>> [sentence] = Text().sentences("Zoë's cat sleeps.")
    >>> sentence.forms, sentence.meta["offsets"][1]
    (('Zoë', "'s", 'cat', 'sleeps', '.'), (3, 5))
    """

    def __init__(self, pipeline: Optional[str] = None) -> None:
        self.pipeline = pipeline
        self._lock = Lock()
        # A missing pipeline is refused at once; spaCy's tokenizer waits until it is needed.
        self._nlp: Any = None if pipeline is None else _pipeline(pipeline)
        self._zone: Any = None
        self._known = 0

    def sentence(self, text: str) -> Graph:
        """One sentence, wherever there are full stops in it."""
        with self._spacy() as nlp:
            return spacy_sentence(text, nlp(_checked(text)))

    def sentences(self, text: str) -> list[Graph]:
        """The sentences of a text: those of the pipeline, or by punctuation."""
        with self._spacy() as nlp:
            spans = [span for span in nlp(_checked(text)).sents if not span.text.isspace()]
            return [spacy_sentence(span.text, span, span.start_char) for span in spans if span.text]

    def tagged(self, tokens: Sequence[Token]) -> list[Token]:
        """Tokens with the pipeline's tags and lemmas where they have none of their own."""
        from spacy.tokens import Doc

        with self._spacy() as nlp:
            doc = Doc(nlp.vocab, words=[token.form for token in tokens])
            for _, pipe in nlp.pipeline:
                doc = pipe(doc)
            return [_with_missing_columns(token, _token(word)) for token, word in zip(tokens, doc)]

    @contextmanager
    def _spacy(self) -> Iterator[Any]:
        """The pipeline, for one thread at a time.

        spaCy would keep the words that it meets for ever, half a kilobyte each; here it forgets
        them once there are many, which takes 10 µs a word if done for every sentence. Nobody else
        may be in the pipeline then: what it forgets under another's feet becomes another word.
        """
        with self._lock:
            if self._nlp is None:
                self._nlp = _pipeline(self.pipeline)
            if self._zone is None or len(self._nlp.vocab) > self._known + REMEMBERED:
                self._forget()
            yield self._nlp

    def _forget(self) -> None:
        if self._zone is not None:
            self._zone.__exit__(None, None, None)
        self._known = len(self._nlp.vocab)
        self._zone = self._nlp.memory_zone()
        self._zone.__enter__()


def has_several_sentences(sentence: Graph) -> bool:
    """Whether raw text that was taken for one sentence is clearly more.

    A full stop is in the middle of it, two words or more from either end, and what follows begins
    with a capital letter.

    >>> text = Text()
    >>> has_several_sentences(text.sentence("Kim likes cats. They do not like Kim."))
    True
    >>> has_several_sentences(text.sentence("Mr. Smith of the U.S. Navy met Dr. Jones at 5 p.m."))
    False
    >>> has_several_sentences(text.sentence("Kim sleeps. Mary runs."))
    True
    """
    forms = sentence.forms
    return any(
        form in (".", "!", "?") and forms[place + 1][0].isupper()
        for place, form in enumerate(forms[:-LEAST_WORDS])
        if place >= LEAST_WORDS
    )


def _checked(text: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise UserError(
            f"a text of {len(text):,} characters is too long: at most {LONGEST_TEXT:,}; split it"
        )
    check_characters(text)
    return text


def check_characters(text: str) -> None:
    """Refuse a string that is no text: neither spaCy nor a file has a place for it."""
    if has_lone_surrogate(text):
        raise UserError(f"half of a character (a lone surrogate) in {text[:100]!a}")


def _pipeline(name: Optional[str]) -> Any:
    import spacy
    from spacy.attrs import IS_PUNCT, IS_SPACE

    if name is None:
        nlp: Any = in_linear_time(spacy.blank("en"))
        nlp.add_pipe("sentencizer")
        # Of two dozen facts that spaCy finds out about every new word, these are asked for.
        facts = nlp.vocab.lex_attr_getters
        nlp.vocab.lex_attr_getters = {fact: facts[fact] for fact in (IS_PUNCT, IS_SPACE)}
    else:
        try:
            nlp = in_linear_time(spacy.load(name))
        except OSError:
            raise UserError(
                f"there is no spaCy pipeline {name!r}: install it with `python -m spacy download"
                f" {name}`, or name one that is installed"
            ) from None
        if not {"parser", "senter", "sentencizer"} & set(nlp.pipe_names):
            nlp.add_pipe("sentencizer")
    return nlp


def spacy_sentence(text: str, words: Iterable[Any], start: int = 0) -> Graph:
    """A sentence of spaCy's tokens, without those of spaces alone, with tags and lemmas.

    The text is where the tokens stand in, and `start` its place in their document.
    """
    words = [word for word in words if not word.is_space]
    if not words:
        raise UserError(f"there are no words in the sentence {text[:100]!r}")
    offsets = tuple((w.idx - start, w.idx - start + len(w)) for w in words)
    return Graph([_token(word) for word in words], meta={"text": text, "offsets": offsets})


def _token(word: Any) -> Token:
    return Token(word.text, word.lemma_ or "_", word.tag_ or "_")


def _with_missing_columns(token: Token, tagged: Token) -> Token:
    lemma = tagged.lemma if token.lemma == "_" else token.lemma
    return token._replace(lemma=lemma, pos=tagged.pos if token.pos == "_" else token.pos)
