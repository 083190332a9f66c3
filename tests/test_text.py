"""From raw text to words: by spaCy, shared by threads, and without keeping what it read."""

import sys
from threading import Barrier, Thread

import pytest

from sdp_pointer.errors import UserError
from sdp_pointer.graphs import Token
from sdp_pointer.server.batching import Batcher
from sdp_pointer.server.questions import Question
from sdp_pointer.text import LONGEST_TEXT, Text


class Words:
    """A parser that only splits text into words."""

    def __init__(self):
        self.text = Text()

    def options(self, n_best, beam):
        pass

    def prepare(self, graph):
        return graph

    def parse_some(self, sentences, n_best, beam):
        return [[graph] for graph in sentences]


@pytest.fixture
def hasty():
    """Threads that take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_no_thread_changes_the_words_of_another(hasty):
    """A server's thread and others, all with words that spaCy has never met."""
    parser = Words()
    batcher = Batcher(parser)
    together = Barrier(5)
    wrong = []

    def by_the_server(text):
        return batcher.submit(Question([{"sentence": text}])).result()[0][0].forms

    def by_itself(text):
        return parser.text.sentence(text).forms

    def parse(name, forms_of):
        together.wait()
        for n in range(300):
            expected = (f"{name}{n}", "likes", f"{name}{n}x", ".")
            try:
                found = forms_of(" ".join(expected))
            except Exception as error:  # spaCy's, of words that it has forgotten
                found = error
            if found != expected:
                wrong.append((expected, found))

    threads = [
        Thread(target=parse, args=(f"{name}{number}q", forms_of))
        for number in range(2)
        for name, forms_of in (("zzqx", by_the_server), ("Kim", by_itself))
    ]
    for thread in threads:
        thread.start()
    together.wait()
    for thread in threads:
        thread.join()
    batcher.close()
    assert not wrong


class Watched:
    """spaCy's tokenizer, and what was open while it worked."""

    def __init__(self, text):
        self.text = text
        self.tokenizer = text._nlp.tokenizer
        self.seen = []

    def __call__(self, string):
        self.seen.append((self.text._lock.locked(), self.text._nlp.vocab.in_memory_zone))
        return self.tokenizer(string)


def test_whoever_is_in_spacy_is_alone_there_and_leaves_nothing_open():
    text = Text()
    text.sentence("Go!")
    text._nlp.tokenizer = watched = Watched(text)
    text.sentence("Cats purr.")
    text.sentences("Cats purr. Dogs bark.")
    with pytest.raises(UserError):
        text.sentence(" ")
    assert watched.seen == [(True, True)] * 3
    assert not text._lock.locked()
    assert not text._nlp.vocab.in_memory_zone


def test_words_are_forgotten_as_soon_as_they_are_split():
    text = Text()
    text.sentence("Go!")
    strings = text._nlp.vocab.strings
    before = len(strings)
    for n in range(20):
        assert text.sentence(f"new{n}word").forms == (f"new{n}word",)
        [graph] = text.sentences(f"other{n}word")
        [token] = text.tagged([Token(f"given{n}word")])
        assert (graph.forms, token.form) == ((f"other{n}word",), f"given{n}word")
    assert len(strings) == before


@pytest.mark.parametrize("method", ["sentence", "sentences"])
def test_a_text_longer_than_a_book_is_refused(method):
    with pytest.raises(UserError, match=r"1,000,002 characters is too long: at most 1,000,000"):
        getattr(Text(), method)("a " * (LONGEST_TEXT // 2 + 1))


def test_a_text_without_words_is_told_by_its_beginning():
    with pytest.raises(UserError, match="no words in the sentence") as caught:
        Text().sentence(" " * 10_000)
    assert len(str(caught.value)) < 200
