"""Words of a treebank's sentence: the initial tokens below a derivation, cleaned of markup."""

import html
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from simplemma import lemmatize

from .notations import InitialToken

PUNCTUATION = re.compile(r"[^\w]+")
# Tags of what the treebank's tagger sees as one word with its neighbour, and so does not tag alike.
TAGS = {
    **dict.fromkeys([".", "?", "!", "/"], "."),
    **dict.fromkeys(["-", "--", "—", "–", ":", ";", "…", "..."], ":"),
    **dict.fromkeys(["“", "‘", "``"], "``"),
    **dict.fromkeys(['"', "'", "”", "’", "''"], "''"),
    **dict.fromkeys("([", "-LRB-"),
    **dict.fromkeys(")]", "-RRB-"),
    **{",": ",", "%": "NN", "#": "#", "$": "$"},
}


class Word(NamedTuple):
    """A word, and which characters of the sentence it consists of."""

    form: str
    start: int
    end: int
    pos: str = "_"
    lemma: str = "_"

    @property
    def is_punctuation(self) -> bool:
        return PUNCTUATION.fullmatch(self.form) is not None


def words(text: str, tokens: Iterable[InitialToken]) -> Iterator[Word]:
    """The tokens of a sentence as words with tags and lemmas.

    The lemma is that of a lemmatiser that knows nothing of the treebank, so that no column leaks
    the gold analysis.

    >>> *_, word = words("⌊∗Algorithms∗⌋.", [InitialToken(0, 14, "NNS"), InitialToken(14, 15, ".")])
    >>> word
    Word(form='.', start=14, end=15, pos='.', lemma='.')
    """
    for start, end, tag in tokens:
        form = clean(text[start:end])
        word = Word(form, start, end, TAGS.get(form) or tag or "NN", form)
        if word.is_punctuation:
            yield word
        else:
            yield word._replace(lemma=lemmatize(form, lang="en").lower())


def clean(form: str) -> str:
    """A word without the markup of its source: half brackets, HTML's tags and entities.

    >>> clean("⌊>algorithms>⌋"), clean("<b>bold</b>"), clean("isn&#8217;t"), clean("New York")
    ('algorithms', 'bold', "isn't", 'New_York')
    """
    bare = re.sub(r"</?[A-Za-z][^<>]*>", "", form)
    form = bare if bare.strip() else form
    if "&" in form and ";" in form:
        form = html.unescape(form).translate(str.maketrans("’‘“”", "''\"\""))
    bare = re.sub(r"⌊[^\w\s]?|[^\w\s]?⌋", "", form)
    return (bare or form).replace(" ", "_")
