"""How requests share the thread that parses, with a parser that only notes what it is asked."""

import json
from queue import Queue
from threading import Event, current_thread
from types import SimpleNamespace

import pytest

from sdp_pointer.errors import UserError
from sdp_pointer.server import answers, engine
from sdp_pointer.server.engine import TOGETHER, Engine
from sdp_pointer.server.limits import Limits, RefusedError
from sdp_pointer.server.work import cost
from sdp_pointer.text import Text


class Noting:
    """Parses by giving the sentences back, and waits at the first batch until it may go on.

    A batch with the word `endless` in it is never done, but its steps are short.
    """

    def __init__(self):
        self.name = "noting"
        self.text = Text()
        self.reader = SimpleNamespace(columns=[])
        self.batches = []
        self.closed = []
        self.began, self.may_go_on = Event(), Event()

    def beam(self, n_best=1, beam=None):
        if beam is not None and n_best > beam:
            raise UserError("n_best is larger than beam")
        return beam or n_best

    def prepare(self, graph):
        return graph

    def parse_steps(self, sentences, n_best, beam):
        texts = [" ".join(graph.forms) for graph in sentences]
        self.batches.append((n_best, beam, texts))
        self.began.set()
        assert self.may_go_on.wait(20)
        try:
            while any("endless" in graph.forms for graph in sentences):
                yield
        except GeneratorExit:
            self.closed.append(texts)
            raise
        if any("fail" in graph.forms for graph in sentences):
            raise RuntimeError("a bug")
        return [[graph] * n_best for graph in sentences]


@pytest.fixture
def parser():
    return Noting()


def close(engine):
    engine.parser.may_go_on.set()
    engine._inbox.put(None)
    engine._thread.join()


@pytest.fixture
def engine_of(parser):
    """An engine with the given limits, which the test need not close."""
    engines = []

    def make(**limits):
        engines.append(Engine(parser, Limits(**limits)))
        return engines[-1]

    yield make
    for each in engines:
        close(each)


@pytest.fixture
def clock(monkeypatch):
    """The time that the engine sees, which runs only when a test says so."""
    clock = SimpleNamespace(now=0.0, monotonic=lambda: clock.now)
    monkeypatch.setattr(engine, "time", clock)
    return clock


def body(*sentences, **options):
    return json.dumps({"sentences": [{"tokens": s.split()} for s in sentences], **options}).encode()


def busy(engine):
    """What the engine is at, while its thread waits until it may go on."""
    first = engine.submit(body("the first"))
    assert engine.parser.began.wait(20)
    return first


def texts(future):
    graphs = json.loads(future.result(20))["graphs"]
    return [" ".join(token["form"] for token in graph["tokens"]) for graph in graphs]


def test_what_comes_during_a_batch_makes_the_next(engine_of, parser, clock):
    engine = engine_of()
    futures = [busy(engine), *(engine.submit(body(f"word {n}", "and more")) for n in range(3))]
    parser.may_go_on.set()
    assert [texts(future) for future in futures] == [
        ["the first"],
        *(["word " + str(n), "and more"] for n in range(3)),
    ]
    assert [len(sentences) for *_, sentences in parser.batches] == [1, 6]


def test_other_options_make_another_batch(engine_of, parser, clock):
    engine = engine_of()
    busy(engine)
    options = [(1, None), (2, 4), (1, None), (1, 4), (2, 4), (1, 1)]
    futures = [
        engine.submit(body(f"word {n}", n_best=n_best, beam=beam))
        for n, (n_best, beam) in enumerate(options)
    ]
    parser.may_go_on.set()
    assert [texts(future) for future in futures] == [[f"word {n}"] for n in range(6)]
    assert sorted(batch[:2] for batch in parser.batches[1:]) == [(1, 1), (1, 4), (2, 4)]


def test_what_is_parsed_together_is_done_in_a_fraction_of_a_second(engine_of, parser):
    engine = engine_of()
    sentence = " ".join(["word"] * 100)
    together = int(TOGETHER / cost(100, 1))
    future = engine.submit(body(*[sentence] * 3 * together))
    parser.may_go_on.set()
    assert texts(future) == [sentence] * 3 * together
    assert [len(sentences) for *_, sentences in parser.batches] == [together] * 3


def test_a_long_sentence_is_parsed_alone(engine_of, parser):
    engine = engine_of()
    long = " ".join(["word"] * 1000)
    future = engine.submit(body("short", long, "short as well"))
    parser.may_go_on.set()
    assert texts(future) == ["short", long, "short as well"]
    assert [batch[2] for batch in parser.batches] == [["short"], [long], ["short as well"]]


def test_a_short_request_is_answered_while_a_long_one_is_parsed(engine_of, parser):
    engine = engine_of()
    parser.may_go_on.set()
    large = engine.submit(body("endless " + "word " * 900))
    assert parser.began.wait(20)
    assert texts(engine.submit(body("Go"))) == ["Go"]
    assert not large.done()


def test_a_short_request_comes_before_the_long_ones_that_wait(engine_of, parser, clock):
    engine = engine_of()
    busy(engine)
    done = Queue()
    sizes = {"large": 4000, "middle": 400, "small": 4}
    for name, size in sizes.items():
        rest = " ".join([name] * (size // 4))
        engine.submit(body(*[rest] * 4)).add_done_callback(lambda _, name=name: done.put(name))
    parser.may_go_on.set()
    assert [done.get(timeout=20) for _ in sizes] == ["small", "middle", "large"]


def test_a_long_request_has_its_share_while_short_ones_keep_coming(engine_of, parser, clock):
    engine = engine_of()
    parse_steps = parser.parse_steps

    def timed(sentences, n_best, beam):
        for graph in sentences:
            clock.now += cost(len(graph), beam)
            yield
        return (yield from parse_steps(sentences, n_best, beam))

    parser.parse_steps = timed
    busy(engine)
    short = []

    def again(_):
        if not large.done():
            short.append(engine.submit(body("word " * 20)))
            short[-1].add_done_callback(again)

    large = engine.submit(body(*["word " * 100] * 10))
    again(None)
    parser.may_go_on.set()
    assert len(texts(large)) == 10
    # It takes as long as 61 of the short ones: they come first, but not for ever.
    assert 60 < len(short) < 200


def test_what_takes_longer_than_it_seemed_is_overtaken_all_the_same(engine_of, parser, clock):
    engine = engine_of()
    parse_steps = parser.parse_steps

    def timed(sentences, n_best, beam):
        slow = any("endless" in graph.forms for graph in sentences)
        steps = parse_steps(sentences, n_best, beam)
        for step in steps:
            clock.now += 1.0 if slow else 0.001
            yield step
        return [[graph] for graph in sentences]

    parser.parse_steps = timed
    parser.may_go_on.set()
    seems_small = engine.submit(body("endless"))
    assert parser.began.wait(20)
    longer = engine.submit(body("word " * 100))
    assert len(texts(longer)) == 1
    assert not seems_small.done()


def test_a_bad_question_harms_nobody_else(engine_of, parser, clock):
    engine = engine_of()
    busy(engine)
    good, bad, after = (engine.submit(body(text)) for text in ("good", "", "after"))
    broken = engine.submit(body("fail"))
    parser.may_go_on.set()
    assert texts(good) + texts(after) == ["good", "after"]
    with pytest.raises(UserError, match="at least one word"):
        bad.result(20)
    with pytest.raises(RefusedError, match="the server failed"):
        broken.result(20)
    # The batch that failed was parsed anew, request by request.
    together, *alone = [sorted(sentences) for *_, sentences in parser.batches[1:]]
    assert together == ["after", "fail", "good"]
    assert sorted(alone) == [["after"], ["fail"], ["good"]]
    assert texts(engine.submit(body("still there"))) == ["still there"]


def test_one_of_several_sentences_is_named_by_its_number(engine_of, parser):
    parser.may_go_on.set()
    future = engine_of().submit(b'{"sentences": ["Go", " "]}')
    with pytest.raises(UserError, match="sentence 2: there are no words"):
        future.result(20)


def test_what_nobody_waits_for_any_more_is_not_parsed(engine_of, parser):
    engine = engine_of()
    busy(engine)
    given_up, wanted = engine.submit(body("given up")), engine.submit(body("wanted"))
    assert given_up.cancel()
    parser.may_go_on.set()
    assert texts(wanted) == ["wanted"]
    assert parser.batches[1:] == [(1, 1, ["wanted"])]


def test_what_is_given_up_amid_its_batches_is_parsed_no_further(engine_of, parser):
    engine = engine_of()
    parser.may_go_on.set()
    long = "endless " + "word " * 900
    given_up = engine.submit(body(long, long))
    assert parser.began.wait(20)
    assert given_up.cancel()
    assert texts(engine.submit(body("wanted"))) == ["wanted"]
    assert parser.closed == [[long.strip()]]
    assert [len(sentences) for *_, sentences in parser.batches] == [1, 1]


def test_a_batch_goes_on_for_those_who_still_wait(engine_of, parser, clock):
    engine = engine_of()
    busy(engine)
    given_up, wanted = engine.submit(body("given up")), engine.submit(body("wanted"))
    parse_steps, among = parser.parse_steps, Event()

    def giving_up(sentences, n_best, beam):
        among.set()
        given_up.cancel()
        yield
        return (yield from parse_steps(sentences, n_best, beam))

    parser.parse_steps = giving_up
    parser.may_go_on.set()
    assert texts(wanted) == ["wanted"]
    assert among.is_set()
    assert [sorted(sentences) for *_, sentences in parser.batches[1:]] == [["given up", "wanted"]]


def test_few_batches_are_begun_at_a_time(engine_of, parser):
    engine = engine_of()
    parser.may_go_on.set()
    long = [engine.submit(body("endless " + "word " * (900 - number))) for number in range(10)]
    assert texts(engine.submit(body("word"))) == ["word"]
    for future in long:
        future.cancel()
    assert texts(engine.submit(body("another"))) == ["another"]
    begun = [batch for batch in parser.batches if "endless" in batch[2][0]]
    assert len(begun) <= 4


def test_of_too_many_requests_those_are_refused_whose_turn_is_last(engine_of, parser, clock):
    engine = engine_of(waiting=10)
    busy(engine)
    large = engine.submit(body("word " * 500, "word " * 500))
    small = [engine.submit(body(f"word {n}")) for n in range(9)]
    assert engine.waiting == 11
    with pytest.raises(RefusedError, match="10 requests are waiting already") as caught:
        engine.submit(body("one more"))
    assert caught.value.status == 503
    parser.may_go_on.set()
    assert [texts(future) for future in small] == [[f"word {n}"] for n in range(9)]
    with pytest.raises(RefusedError, match="10 requests are waiting already"):
        large.result(20)


def test_bodies_that_wait_are_limited_together(engine_of, parser, clock):
    engine = engine_of(waiting_bytes=100_000)
    busy(engine)
    small = engine.submit(body("small"))
    large = [engine.submit(body("large", page="x" * 40_000)) for _ in range(3)]
    parser.may_go_on.set()
    assert texts(small) == ["small"]
    assert [texts(future) for future in large[:2]] == [["large"]] * 2
    with pytest.raises(RefusedError, match="100,000 bytes are waiting already"):
        large[2].result(20)


def test_impossible_options_are_refused(engine_of, parser):
    with pytest.raises(UserError, match="larger than beam"):
        engine_of().submit(body("word", n_best=3, beam=2)).result(20)


def test_too_much_work_is_refused_before_it_is_begun(engine_of, parser):
    future = engine_of().submit(body(*["word " * 1000] * 3, beam=16, n_best=2, include=["svg"]))
    with pytest.raises(
        UserError, match=r"words times beam and drawings are 54,000, at most 50,000"
    ):
        future.result(20)
    assert parser.batches == []


def test_one_sentence_within_the_limits_is_never_too_much_work():
    limits = Limits()
    extras = len(answers._MAKE)
    assert limits.sentence_words * (limits.beam + limits.beam * extras) <= limits.work


def test_a_drawing_is_made_once_however_often_it_is_asked_for(engine_of, parser, monkeypatch):
    drawn = []
    monkeypatch.setitem(answers._MAKE, "svg", lambda graph: drawn.append(graph) or "drawing")
    parser.may_go_on.set()
    question = {"tokens": ["Go"], "n_best": 2, "include": ["svg"] * 3000}
    value = json.loads(engine_of().submit(json.dumps(question).encode()).result(20))
    assert [graph["svg"] for graph in [value, *value["n_best"]]] == ["drawing"] * 3
    assert len(drawn) == 2


def test_others_have_their_turn_between_two_drawings(engine_of, parser, monkeypatch):
    engine = engine_of()
    monkeypatch.setattr("sdp_pointer.server.engine.TURN", 0)
    parser.may_go_on.set()
    drawn, short = [], []

    def draw(graph):
        drawn.append(current_thread().name)
        if not short:
            short.append(engine.submit(body("Go")))
        return "" if short[0].done() else "too early"

    monkeypatch.setitem(answers._MAKE, "svg", draw)
    long = engine.submit(body(*["word " * 100] * 5, include=["svg"]))
    graphs = json.loads(long.result(20))["graphs"]
    assert [graph["svg"] for graph in graphs] == ["too early", "", "", "", ""]
    assert drawn == ["parser"] * 5


def test_a_closed_engine_refuses_what_waits(parser):
    engine = Engine(parser)
    first = busy(engine)
    future = engine.submit(body("last"))
    close(engine)
    for refused in (first, future):
        with pytest.raises(RefusedError, match="closed"):
            refused.result(0)
    assert engine.problem
    with pytest.raises(RefusedError, match="has ended: restart"):
        engine.submit(body("too late"))


def test_spacy_does_not_keep_every_word_that_anybody_ever_typed(engine_of, parser):
    engine = engine_of()
    parser.may_go_on.set()
    assert texts(engine.submit(b'{"sentences": ["Go !"]}')) == ["Go !"]
    strings = parser.text._nlp.vocab.strings
    before = len(strings)
    for n in range(5):
        assert texts(engine.submit(b'{"sentences": ["newword%d"]}' % n)) == [f"newword{n}"]
    assert len(strings) == before
