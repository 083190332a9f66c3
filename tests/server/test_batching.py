"""Micro-batching, with a parser that only notes what it is asked."""

from threading import Event

import pytest

from sdp_pointer.errors import UserError
from sdp_pointer.graphs import Graph
from sdp_pointer.parser import Result
from sdp_pointer.parser.text import Text
from sdp_pointer.server.batching import ENOUGH_WORDS, Batcher
from sdp_pointer.server.questions import Limits, Question, RefusedError


class Noting:
    """Parses by giving the sentences back, and waits at the first batch until it may go on."""

    def __init__(self):
        self.text = Text()
        self.batches = []
        self.began, self.may_go_on = Event(), Event()

    def options(self, n_best, beam):
        if beam is not None and n_best > beam:
            raise UserError("n_best is larger than beam")

    def prepare(self, graph):
        return graph

    def parse_prepared(self, sentences, n_best, beam):
        self.batches.append((n_best, beam, [" ".join(graph.forms) for graph in sentences]))
        self.began.set()
        assert self.may_go_on.wait(20)
        if any("fail" in graph.forms for graph in sentences):
            raise RuntimeError("a bug")
        return [Result([graph] * n_best) for graph in sentences]


@pytest.fixture
def parser():
    return Noting()


@pytest.fixture
def batcher(parser):
    batcher = Batcher(parser, Limits(waiting=20))
    yield batcher
    parser.may_go_on.set()
    batcher.close()
    assert not batcher.is_alive


def words(*sentences, **options):
    return Question([{"tokens": sentence.split()} for sentence in sentences], **options)


def busy(batcher):
    """The batcher, while its thread is at work."""
    first = batcher.submit(words("the first"))
    assert batcher.parser.began.wait(20)
    return first


def texts(future):
    return [" ".join(graphs[0].forms) for graphs in future.result(20)]


def test_what_comes_during_a_batch_makes_the_next(batcher, parser):
    futures = [busy(batcher), *(batcher.submit(words(f"word {n}", "and more")) for n in range(3))]
    parser.may_go_on.set()
    assert [texts(future) for future in futures] == [
        ["the first"],
        *(["word " + str(n), "and more"] for n in range(3)),
    ]
    assert [len(sentences) for _, _, sentences in parser.batches] == [1, 6]


def test_other_options_make_another_batch(batcher, parser):
    busy(batcher)
    futures = [
        batcher.submit(words(f"word {n}", n_best=n_best, beam=beam))
        for n, (n_best, beam) in enumerate([(1, None), (2, 4), (1, None), (1, 4), (2, 4)])
    ]
    parser.may_go_on.set()
    assert [texts(future) for future in futures] == [[f"word {n}"] for n in range(5)]
    assert [batch[:2] for batch in parser.batches[1:]] == [(1, None), (2, 4), (1, 4)]
    assert [len(graphs) for future in futures for graphs in future.result()] == [1, 2, 1, 1, 2]


def test_a_batch_has_enough_words_at_some_time(batcher, parser):
    busy(batcher)
    long = "word " * (ENOUGH_WORDS // 3 + 1)
    futures = [batcher.submit(words(long)) for _ in range(7)]
    parser.may_go_on.set()
    for future in futures:
        assert texts(future) == [long.strip()]
    assert [len(sentences) for _, _, sentences in parser.batches] == [1, 3, 3, 1]


def test_a_bad_question_harms_nobody_else(batcher, parser):
    busy(batcher)
    good, bad, after = (batcher.submit(words(text)) for text in ("good", "", "after"))
    broken = batcher.submit(words("fail", n_best=2))
    parser.may_go_on.set()
    assert texts(good) + texts(after) == ["good", "after"]
    with pytest.raises(UserError, match="at least one word"):
        bad.result(20)
    with pytest.raises(RuntimeError, match="a bug"):
        broken.result(20)
    assert texts(batcher.submit(words("still there"))) == ["still there"]


def test_one_of_several_sentences_is_named_by_its_number(batcher, parser):
    parser.may_go_on.set()
    future = batcher.submit(Question([{"sentence": "Go"}, {"sentence": " "}], single=False))
    with pytest.raises(UserError, match="sentence 2: there are no words"):
        future.result(20)


def test_what_nobody_waits_for_any_more_is_not_parsed(batcher, parser):
    busy(batcher)
    given_up, wanted = batcher.submit(words("given up")), batcher.submit(words("wanted"))
    assert given_up.cancel()
    parser.may_go_on.set()
    assert texts(wanted) == ["wanted"]
    assert parser.batches[1:] == [(1, None, ["wanted"])]


def test_a_full_queue_refuses(batcher, parser):
    busy(batcher)
    futures = [batcher.submit(words(f"word {n}")) for n in range(20)]
    assert batcher.waiting == 20
    with pytest.raises(RefusedError, match="20 requests are waiting already") as caught:
        batcher.submit(words("one more"))
    assert caught.value.status == 503
    parser.may_go_on.set()
    assert [texts(future) for future in futures] == [[f"word {n}"] for n in range(20)]


def test_impossible_options_are_refused_at_once(batcher):
    with pytest.raises(UserError, match="larger than beam"):
        batcher.submit(words("word", n_best=3, beam=2))


def test_closing_answers_what_waits(parser):
    batcher = Batcher(parser)
    busy(batcher)
    future = batcher.submit(words("last"))
    parser.may_go_on.set()
    batcher.close()
    assert isinstance(future.result(0)[0][0], Graph)


def test_spacy_does_not_keep_every_word_that_anybody_ever_typed(batcher, parser):
    parser.may_go_on.set()
    assert texts(batcher.submit(Question([{"sentence": "Go !"}]))) == ["Go !"]
    strings = parser.text._nlp.vocab.strings
    before = len(strings)
    for n in range(5):
        text = f"newword{n}"
        assert texts(batcher.submit(Question([{"sentence": text}]))) == [text]
    assert len(strings) == before
