"""spaCy's tokenizer in linear time: the same words, and a bound for what any text can cost."""

import re

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc

from sdp_pointer.parser.preparation import Preparation
from sdp_pointer.parser.sources import read_text
from sdp_pointer.parser.text import Text
from sdp_pointer.parser.tokenizer import LONGEST_RUN, LONGEST_SUFFIX, in_linear_time, search_at_end

TEXT = Text()
TEXT.sentence("Go!")
SPACY = spacy.blank("en")

# What spaCy's rules look for, and what none of them knows.
PIECES = [
    *"$_(#'\"-.,;:!?@/=&*+%~^<>[]{}|…«»€°²§—aBé7😀\u0301\u200b",
    *("'s", "n't", "km", "8km", "..", "...", "a-b", "a.B", "U.S.", "e.g.", "www.", "http://"),
    *("://", "x@y.z", "10.0", ":)", "don't", "cannot", "°C.", "Go"),
]
BLANKS = [" ", "  ", "\n", "\t", "\u00a0", "\r\n", "\u2028"]
REPEATED = st.tuples(st.sampled_from(PIECES), st.integers(1, 40)).map(
    lambda pair: pair[0] * pair[1]
)
RUNS = st.lists(REPEATED, min_size=1, max_size=8).map("".join)
SHORT_RUNS = RUNS.map(lambda run: run[:LONGEST_RUN])
LONG_RUNS = RUNS.map(lambda run: (run * LONGEST_RUN)[: LONGEST_RUN + 1 + len(run)])


def texts(runs):
    """Runs between blanks, with a word at the beginning so that there is one."""
    parts = st.lists(st.tuples(st.sampled_from(BLANKS), runs), max_size=4)
    return parts.map(lambda parts: "Go" + "".join(map("".join, parts)))


def expected(text):
    return [(word.text, word.idx) for word in SPACY(text) if not word.is_space]


def found(graph):
    return list(zip(graph.forms, (start for start, _ in graph.meta["offsets"])))


@settings(max_examples=300, deadline=None)
@given(texts(SHORT_RUNS))
def test_words_are_those_of_spacy(text):
    assert found(TEXT.sentence(text)) == expected(text)


@settings(deadline=None)
@given(texts(st.one_of(SHORT_RUNS, LONG_RUNS)))
def test_words_and_their_places_cover_the_text_whatever_its_runs(text):
    sentences = TEXT.sentences(text)
    for graph in [TEXT.sentence(text), *sentences]:
        rest, end = "", 0
        for form, (start, following) in zip(graph.forms, graph.meta["offsets"]):
            rest += graph.meta["text"][end:start]
            assert graph.meta["text"][start:following] == form
            end = following
        rest += graph.meta["text"][end:]
        assert not rest.strip()
    assert "".join(text.split()) == "".join(form for graph in sentences for form in graph.forms)


@settings(deadline=None)
@given(st.lists(st.one_of(SHORT_RUNS, LONG_RUNS), min_size=1, max_size=4))
def test_a_run_that_is_too_long_is_one_word_among_those_of_spacy(runs):
    long = iter([run for run in runs if len(run) > LONGEST_RUN])
    short = " ".join(run if len(run) <= LONGEST_RUN else "Long" for run in runs)
    words = [next(long) if word == "Long" else word for word, _ in expected(short)]
    assert list(TEXT.sentence(" ".join(runs)).forms) == words


HOSTILE = [
    *"$_(#'-.a=😀\u200b",
    *("a.", "a-", "?!(", "a:", ":@", "http://a.", "A.b,", "1+", "'s", "...a"),
]
ADDRESS = "a:" * 300 + "a.b"


class Counted:
    """A function of spaCy's tokenizer, and the runs that it was given."""

    def __init__(self, function):
        self.function = function
        self.runs = []

    def __call__(self, run):
        self.runs.append(len(run))
        return self.function(run)


def counted(nlp):
    names = ("prefix_search", "suffix_search", "infix_finditer", "url_match")
    functions = [Counted(getattr(nlp.tokenizer, name)) for name in names]
    for name, function in zip(names, functions):
        setattr(nlp.tokenizer, name, function)
    for function in functions:
        function.runs.clear()  # what spaCy asks of its own rules when they are set
    return functions


@pytest.mark.parametrize("piece", [*HOSTILE, ADDRESS])
def test_no_pattern_of_spacy_ever_sees_a_run_that_is_too_long(piece):
    text = Text()
    text.sentence("Go!")
    functions = counted(text._nlp)
    run = (piece * 20_000)[:20_000]
    assert text.sentence(run).forms == (run,)
    assert [function.runs for function in functions] == [[]] * 4
    text.sentence(" ".join([(piece * LONGEST_RUN)[:LONGEST_RUN]] * 3))
    assert max(max(function.runs, default=0) for function in functions) <= LONGEST_RUN
    # From both ends at most, and so often the middle.
    assert max(len(function.runs) for function in functions) <= 3 * (LONGEST_RUN + 1)


def test_whether_a_word_is_an_address_is_not_asked_of_what_is_too_long(monkeypatch):
    """spaCy asks it of every new word, also of those that a user gives."""
    asked = []
    monkeypatch.setattr("spacy.lang.lex_attrs.URL_MATCH", asked.append)
    for nlp in (in_linear_time(spacy.blank("en")), TEXT._nlp, SPACY):
        asked.clear()
        with nlp.memory_zone():
            Doc(nlp.vocab, words=[ADDRESS])
            nlp(f"See {ADDRESS}")
        assert (max(map(len, asked), default=0) > LONGEST_RUN) == (nlp is SPACY)


def test_other_pipelines_are_told_what_is_an_address():
    nlp = in_linear_time(spacy.blank("en"))
    longest = "http://" + "a" * (LONGEST_RUN - 7)
    told = [word.like_url for word in nlp(f"See a-b.com, {longest} {longest}a")]
    assert told == [False, True, False, True, False]


class Searched:
    """A pattern that remembers how many characters it was let loose on."""

    def __init__(self, pattern):
        self.pattern = re.compile(pattern)
        self.characters = []

    def __call__(self, run, start=0):
        self.characters.append(len(run) - max(start, 0))
        return self.pattern.search(run, start)


def test_a_suffix_is_looked_for_in_the_end_of_a_run_alone():
    searched = Searched(r"(?:(?<=[0-9])km|\.\.+|')$")
    search = search_at_end(searched)
    assert search("(" * 400 + "8km").span() == (401, 403)
    assert search("(" * 400) is None
    assert search("'").span() == (0, 1)
    assert searched.characters == [LONGEST_SUFFIX, LONGEST_SUFFIX, 1]


def test_a_suffix_of_many_dots_is_found_whole():
    search = search_at_end(Searched(r"(?:\.\.+|')$"))
    for dots in (2, LONGEST_SUFFIX - 1, LONGEST_SUFFIX, LONGEST_SUFFIX + 1, 100):
        assert search("a" * 50 + "." * dots).span() == (50, 50 + dots)
        assert search("." * dots).span() == (0, dots)


@settings(max_examples=300, deadline=None)
@given(RUNS)
def test_the_end_of_a_run_tells_every_english_suffix(run):
    def span(match):
        return match and match.span()

    search = SPACY.tokenizer.suffix_search
    assert span(search_at_end(search)(run)) == span(search(run))


def test_pipelines_of_other_languages_have_the_same_bound_and_their_own_words():
    hungarian = in_linear_time(spacy.blank("hu"))
    assert len(hungarian("(" * 20_000)) == 1
    before = spacy.blank("hu")
    for text in ("10.000-en, (ház-hoz)", "1995-ben." + "-" * 100):
        assert [w.text for w in hungarian(text)] == [w.text for w in before(text)]


def test_suffixes_that_are_not_spacys_may_be_of_any_length():
    def pipeline():
        nlp = spacy.blank("en")
        nlp.tokenizer.suffix_search = re.compile(r"-[a-z]+$").search
        return nlp

    text = "cat-" + "a" * 3 * LONGEST_SUFFIX
    words = [word.text for word in pipeline()(text)]
    assert words[-1] == text[3:]
    assert [word.text for word in in_linear_time(pipeline())(text)] == words


def test_a_tokenizer_that_is_not_spacys_own_stays():
    nlp = spacy.blank("en")
    nlp.tokenizer = tokenizer = str.split
    assert in_linear_time(nlp).tokenizer is tokenizer


def test_a_line_without_blanks_is_read_as_one_word():
    lines = ["_" * 6_000, "Kim saw " + "$" * 20_000 + " ."]
    first, second = read_text(lines, Preparation(Text()))
    assert first.forms == (lines[0],)
    assert second.forms == ("Kim", "saw", "$" * 20_000, ".")
    assert second.meta["offsets"][2:] == ((8, 20_008), (20_009, 20_010))
