"""From raw text to words: by spaCy, shared by threads, and without keeping what it read."""

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, Lock

import pytest

from sdp_pointer.errors import UserError
from sdp_pointer.graphs import Token
from sdp_pointer.parser.text import LONGEST_TEXT, Text, has_several_sentences
from sdp_pointer.server.engine import Engine
from sdp_pointer.server.questions import Question


class Words:
    """A parser that only splits text into words."""

    def __init__(self):
        self.text = Text()

    def options(self, n_best, beam):
        pass

    def beam(self, n_best, beam):
        return 1

    def prepare(self, graph):
        return graph

    def parse_steps(self, sentences, n_best, beam):
        yield
        return [[graph] for graph in sentences]


class NoticedLock:
    """A lock that notices whether anybody has to wait for it."""

    def __init__(self, waits):
        self.lock, self.waits = Lock(), waits

    def __enter__(self):
        if not self.lock.acquire(blocking=False):
            self.waits.set()
            self.lock.acquire()

    def __exit__(self, *error):
        self.lock.release()


def test_no_thread_changes_the_words_of_another():
    """Whatever a server's thread does with a text, another comes in between, if it can."""
    parser = Words()
    parser.text.sentence("Go!")
    came, served = Event(), Event()
    tokenizer = parser.text._nlp.tokenizer

    def interrupted(text):
        doc = tokenizer(text)
        if text.startswith("zzqx"):
            other.append(threads.submit(parser.text.sentence, "Kim2459 likes zzqx17213x"))
            assert came.wait(60)
        else:
            came.set()
            assert served.wait(60)
        return doc

    parser.text._nlp.tokenizer = interrupted
    parser.text._lock = NoticedLock(came)
    other = []
    engine = Engine(parser)
    with ThreadPoolExecutor(1) as threads:
        answer = json.loads(engine.submit(Question([{"sentence": "zzqx17213 sleeps"}])).result(60))
        served.set()
        assert [token["form"] for token in answer["tokens"]] == ["zzqx17213", "sleeps"]
        assert other[0].result(60).forms == ("Kim2459", "likes", "zzqx17213x")
    engine.close()


def test_many_threads_keep_their_words():
    text = Text()
    together = Barrier(4)

    def check(name):
        together.wait()
        for n in range(50):
            words = (f"{name}{n}", "likes", f"{name}{n}x", ".")
            assert text.sentence(" ".join(words)).forms == words

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(check, ("Ann", "Bob", "Kim", "Zoe")))


class Watched:
    """spaCy's tokenizer, and what was open while it worked."""

    def __init__(self, text):
        self.text = text
        self.tokenizer = text._nlp.tokenizer
        self.seen = []

    def __call__(self, string):
        self.seen.append((self.text._lock.locked(), self.text._nlp.vocab.in_memory_zone))
        return self.tokenizer(string)


def test_whoever_is_in_spacy_is_alone_there():
    text = Text()
    text.sentence("Go!")
    text._nlp.tokenizer = watched = Watched(text)
    text.sentence("Cats purr.")
    text.sentences("Cats purr. Dogs bark.")
    with pytest.raises(UserError):
        text.sentence(" ")
    assert watched.seen == [(True, True)] * 3
    assert not text._lock.locked()


def test_words_are_forgotten_once_there_are_many(monkeypatch):
    monkeypatch.setattr("sdp_pointer.parser.text.REMEMBERED", 10)
    text = Text()
    text.sentence("Go!")
    strings = text._nlp.vocab.strings
    before = len(strings)
    for n in range(200):
        assert text.sentence(f"new{n}word").forms == (f"new{n}word",)
        [graph] = text.sentences(f"other{n}word")
        [token] = text.tagged([Token(f"given{n}word")])
        assert (graph.forms, token.form) == ((f"other{n}word",), f"given{n}word")
        assert len(strings) < before + 30


@pytest.mark.parametrize("method", ["sentence", "sentences"])
def test_a_text_longer_than_a_book_is_refused(method):
    with pytest.raises(UserError, match=r"1,000,002 characters is too long: at most 1,000,000"):
        getattr(Text(), method)("a " * (LONGEST_TEXT // 2 + 1))


def test_a_text_without_words_is_told_by_its_beginning():
    with pytest.raises(UserError, match="no words in the sentence") as caught:
        Text().sentence(" " * 10_000)
    assert len(str(caught.value)) < 200


def test_an_unknown_pipeline_is_told_in_one_sentence():
    with pytest.raises(UserError, match=r"no spaCy pipeline 'en_nothing'.*spacy download"):
        Text("en_nothing")


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("Kim likes the old house. Cats purr all day.", True),
        ("Who goes there tonight? Nobody that I know.", True),
        ("Kim likes the old house.", False),
        ("Kim likes the old house. no capital letter follows", False),
        ("Mr. Smith of the U.S. Navy met Dr. Jones at 5 p.m.", False),
        ("Kim came. Sandy left.", True),
        ("Go! Now.", False),  # too short to be sure
        ('"Go away now!" said Kim to the cat.', False),
    ],
)
def test_several_sentences_are_noticed_where_they_are_clear(text, several):
    assert has_several_sentences(Text().sentence(text)) is several
