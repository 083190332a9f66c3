"""spaCy's tokenizer in linear time.

spaCy peels a run of characters without a blank from both ends, one suffix and prefix after another,
and looks through the whole rest of the run for each: 20,000 dollar signs took it two minutes. Here
a longer run than any author writes is one word, and of a shorter one only the end is searched for
suffixes, if they are spaCy's English ones.
"""

import re
from collections.abc import Callable
from typing import Any

# Characters without a blank that are split into words: more than of most addresses on the web.
LONGEST_RUN = 500

# spaCy's English suffixes have up to 5 characters, but for dots, of which there may be any number.
LONGEST_SUFFIX = 16

Search = Callable[..., Any]


def in_linear_time(nlp: Any) -> Any:
    """The spaCy pipeline, so changed that a text takes it time in proportion to its length.

    The words are as before, but for runs of more than `LONGEST_RUN` characters.

    >>> import spacy
    >>> nlp = in_linear_time(spacy.blank("en"))
    >>> [word.text for word in nlp("(a/b)")], len(nlp("(" * 500)), len(nlp("(" * 501))
    (['(', 'a', '/', 'b', ')'], 500, 1)
    """
    from spacy.attrs import LIKE_URL
    from spacy.tokenizer import Tokenizer

    before = nlp.tokenizer
    if type(before) is not Tokenizer:  # such as that of Chinese, which finds words otherwise
        return nlp
    nlp.tokenizer = Tokenizer(
        nlp.vocab,
        rules=before.rules,
        prefix_search=before.prefix_search,
        suffix_search=_quick_suffix_search(before.suffix_search),
        infix_finditer=before.infix_finditer,
        token_match=_match_or_long_run(before.token_match),
        url_match=before.url_match,
        faster_heuristics=before.faster_heuristics,
        max_cache_size=before.max_cache_size,
    )
    # Whether a new word is an address, which spaCy finds out in quadratic time.
    facts = nlp.vocab.lex_attr_getters
    is_url = facts[LIKE_URL]
    facts[LIKE_URL] = lambda word: len(word) <= LONGEST_RUN and is_url(word)
    return nlp


def _quick_suffix_search(search: Any) -> Any:
    """The search for a suffix, quicker if it is for spaCy's English ones."""
    from spacy.lang.en import EnglishDefaults
    from spacy.util import compile_suffix_regex

    is_known = getattr(search, "__self__", None) == compile_suffix_regex(EnglishDefaults.suffixes)
    return search_at_end(search) if is_known else search


def search_at_end(search: Search) -> Search:
    """The search for a suffix, a pattern that ends in `$`, in the end of a run alone.

    >>> import re
    >>> search_at_end(re.compile(r"(?:km|\\.\\.+)$").search)("(" * 400 + "8km").start()
    401
    """

    def search_the_end(run: str) -> Any:
        start = len(run) - LONGEST_SUFFIX
        match = search(run, start)
        # What begins where the search began may have begun before.
        return search(run) if match and match.start() == start else match

    return search_the_end


def _match_or_long_run(match: Any) -> Any:
    """The pattern of runs that are words as they are, or one that matches all that are too long."""
    is_long = re.compile(rf"\S{{{LONGEST_RUN + 1}}}").match
    return is_long if match is None else lambda run: is_long(run) or match(run)
