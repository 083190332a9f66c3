"""How requests share the thread that parses, with a parser that only notes what it is asked."""

import json
from queue import Queue
from threading import Event
from types import SimpleNamespace

import pytest

from sdp_pointer.errors import UserError
from sdp_pointer.parser.text import Text
from sdp_pointer.server import answers, engine
from sdp_pointer.server.engine import ENOUGH, MOST_BEGUN, SHARE, Engine
from sdp_pointer.server.limits import Limits, RefusedError
from sdp_pointer.server.questions import Questions
from sdp_pointer.server.work import Work

LARGE = 1000  # words


class Noting:
    """Parses by giving the sentences back, and waits at the first batch until it may go on.

    A batch with the word `endless` in it is never done, but its steps are short. A batch takes a
    second for each hundred words, by the clock that the engine sees.
    """

    def __init__(self, clock):
        self.clock = clock
        self.name = "noting"
        self.text = Text()
        self.batches = []
        self.closed = []
        self.began, self.may_go_on = Event(), Event()

    def options(self, n_best=1, beam=None):
        if beam is not None and n_best > beam:
            raise UserError("n_best is larger than beam")

    def beam(self, n_best=1, beam=None):
        return beam or n_best

    def prepare(self, graph):
        return graph

    def parse_steps(self, sentences, n_best, beam):
        texts = [" ".join(graph.forms) for graph in sentences]
        self.batches.append((n_best, self.beam(n_best, beam), texts))
        self.began.set()
        assert self.may_go_on.wait(20)
        try:
            while True:
                for _ in range(0, sum(map(len, sentences)), 100):
                    self.clock.now += 1
                    yield
                if not any("endless" in graph.forms for graph in sentences):
                    break
        except GeneratorExit:
            self.closed.append(texts)
            raise
        if any("fail" in graph.forms for graph in sentences):
            raise RuntimeError("a bug")
        return [[graph] * n_best for graph in sentences]


@pytest.fixture
def parser(monkeypatch):
    """A turn is one step, since a step takes a second of the clock, or none."""
    clock = SimpleNamespace(now=0.0, monotonic=lambda: clock.now)
    monkeypatch.setattr(engine, "time", clock)
    return Noting(clock)


@pytest.fixture
def engine_of(parser):
    """An engine with the given limits, which the test need not close."""
    engines = []

    def make(**limits):
        engines.append(Engine(parser, Limits(**limits)))
        return engines[-1]

    yield make
    parser.may_go_on.set()
    for each in engines:
        each.close()


def submit(engine, *sentences, **options):
    value = {"sentences": [{"tokens": text.split()} for text in sentences], **options}
    return engine.submit(Questions(Limits()).read(json.dumps(value).encode()))


def busy(engine):
    """What the engine is at, while its thread waits until it may go on."""
    first = submit(engine, "the first")
    assert engine.parser.began.wait(20)
    return first


def words(number, word="word"):
    return " ".join([word] * number)


def texts(future):
    graphs = json.loads(future.result(20))["graphs"]
    return [" ".join(token["form"] for token in graph["tokens"]) for graph in graphs]


def in_order_of_answers(engine, futures):
    """The names of requests, as they are answered."""
    done = Queue()
    for name, future in futures.items():
        future.add_done_callback(lambda _, name=name: done.put(name))
    engine.parser.may_go_on.set()
    return [done.get(timeout=20) for _ in futures]


def test_what_comes_during_a_batch_makes_the_next(engine_of, parser):
    engine = engine_of()
    futures = [busy(engine), *(submit(engine, f"word {n}", "and more") for n in range(3))]
    parser.may_go_on.set()
    assert [texts(future) for future in futures] == [
        ["the first"],
        *(["word " + str(n), "and more"] for n in range(3)),
    ]
    assert [len(sentences) for *_, sentences in parser.batches] == [1, 6]


def test_other_options_make_another_batch(engine_of, parser):
    engine = engine_of()
    busy(engine)
    options = [(1, None), (2, 4), (1, None), (1, 4), (2, 4), (1, 1)]
    futures = [
        submit(engine, f"word {n}", n_best=n_best, beam=beam)
        for n, (n_best, beam) in enumerate(options)
    ]
    parser.may_go_on.set()
    assert [texts(future) for future in futures] == [[f"word {n}"] for n in range(6)]
    assert sorted(batch[:2] for batch in parser.batches[1:]) == [(1, 1), (1, 4), (2, 4)]


def test_many_small_requests_make_batches_that_are_full(engine_of, parser):
    engine = engine_of()
    busy(engine)
    futures = [submit(engine, words(20), words(20)) for _ in range(130)]
    parser.may_go_on.set()
    assert [len(texts(future)) for future in futures] == [2] * 130
    full = ENOUGH // 20
    assert [len(sentences) for *_, sentences in parser.batches[1:]] == [full] * 5 + [260 - 5 * full]


def test_the_shortest_of_those_that_came_together_comes_first(engine_of, parser):
    engine = engine_of()
    busy(engine)
    longer = [submit(engine, words(100)) for _ in range(3 * ENOUGH // 100)]
    small = submit(engine, "Go")
    parser.may_go_on.set()
    assert texts(small) == ["Go"]
    assert [texts(future) for future in longer] == [[words(100)]] * len(longer)
    assert "Go" in parser.batches[1][-1]


def test_nobody_is_overtaken_for_ever(parser):
    read = Questions(Limits()).read
    question = read(json.dumps({"tokens": words(100).split()}).encode())
    first, later = (Work(question, parser, Limits()) for _ in range(2))
    short = Work(read(b'{"tokens": ["Go"]}'), parser, Limits())
    assert short.due < first.due < later.due
    short.came += 60
    assert first.due < short.due


def test_who_seemed_large_does_not_come_before_who_was_there(engine_of, parser):
    engine = engine_of()
    busy(engine)
    small = submit(engine, "Go")
    padded = [submit(engine, words(100), page="x" * 20_000) for _ in range(2 * ENOUGH // 100)]
    parser.may_go_on.set()
    assert texts(small) == ["Go"]
    assert [texts(future) for future in padded] == [[words(100)]] * len(padded)
    assert "Go" in parser.batches[1][-1]


def test_a_large_request_is_parsed_by_shares(engine_of, parser):
    parser.may_go_on.set()
    assert len(texts(submit(engine_of(), *[words(100)] * 20))) == 20
    assert [len(sentences) for *_, sentences in parser.batches] == [SHARE // 100] * 4


def test_new_requests_do_not_divide_a_batch_nor_wait_for_its_answers(engine_of, parser):
    engine = engine_of()
    busy(engine)
    first = {f"first {n}": submit(engine, words(50)) for n in range(8)}
    second = {}

    def draw(graph, width):
        # Amid the first answer, others come; all that is parsed is answered before.
        for n in range(0 if second else 8):
            second[f"second {n}"] = submit(engine, words(50))
        yield ""

    drawn = submit(engine, words(50), include=["svg"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answers, "svg_parts", draw)
        order = in_order_of_answers(engine, {**first, "drawn": drawn})
    assert order == [*first, "drawn"]
    assert [texts(future) for future in second.values()] == [[words(50)]] * 8
    assert [len(sentences) for *_, sentences in parser.batches[1:]] == [9, 8]


def test_a_short_request_is_answered_while_a_long_one_is_parsed(engine_of, parser):
    engine = engine_of()
    parser.may_go_on.set()
    large = submit(engine, "endless " + words(900))
    assert parser.began.wait(20)
    assert texts(submit(engine, "Go")) == ["Go"]
    assert not large.done()


@pytest.mark.parametrize(
    ("sentences", "options"),
    [
        ([words(1000)] * 5, {}),
        ([words(1000)] * 5, {"n_best": 16, "include": ["svg", "sdp"]}),
        ([words(100)] * 50, {"beam": 16}),
    ],
    ids=["5,000 words", "16 graphs of 1,000 words, drawn", "50 sentences with a wide beam"],
)
def test_a_short_request_comes_before_large_ones(
    engine_of, parser, monkeypatch, sentences, options
):
    drawn = []
    monkeypatch.setattr(answers, "svg_parts", lambda graph, width: drawn.append(graph) or [""])
    monkeypatch.setattr(answers, "as_sdp", lambda graph: "")
    engine = engine_of()
    busy(engine)
    futures = {"large": submit(engine, *sentences, **options), "small": submit(engine, "Go")}
    assert in_order_of_answers(engine, futures) == ["small", "large"]
    assert len(drawn) == len(sentences) * options.get("n_best", 0)


def test_a_long_request_has_its_share_while_short_ones_keep_coming(engine_of, parser):
    engine = engine_of()
    busy(engine)
    short = []

    def again(_):
        if not large.done():
            short.append(submit(engine, words(100)))
            short[-1].add_done_callback(again)

    large = submit(engine, *[words(LARGE)] * 2)
    again(None)
    parser.may_go_on.set()
    assert len(texts(large)) == 2
    # It takes 20 seconds; in the meantime short ones, of a second each, have as many.
    assert 15 < len(short) < 25


def test_large_requests_are_parsed_by_turns_and_those_with_least_first(engine_of, parser):
    engine = engine_of()
    busy(engine)
    futures = {
        name: submit(engine, *[words(LARGE, name)] * number)
        for name, number in (("five", 5), ("three", 3), ("one", 1))
    }
    assert in_order_of_answers(engine, futures) == ["one", "three", "five"]
    begun = [texts[0].split()[0] for *_, texts in parser.batches[1:]]
    assert begun[0] == "one"


def test_few_large_requests_are_begun_at_a_time(engine_of, parser):
    engine = engine_of()
    busy(engine)
    works = [submit(engine, words(LARGE, f"w{n}"), words(LARGE, f"w{n}")) for n in range(12)]
    parser.may_go_on.set()
    for work in works:
        assert len(texts(work)) == 2
    names = [text.split()[0] for *_, some in parser.batches[1:] for text in some]
    unfinished = [
        len({name for name in names[:end] if names[:end].count(name) < 2})
        for end in range(len(names))
    ]
    assert max(unfinished) <= MOST_BEGUN


def test_a_bad_question_harms_nobody_else(engine_of, parser):
    engine = engine_of()
    busy(engine)
    good, bad, after = (submit(engine, text) for text in ("good", "", "after"))
    broken = submit(engine, "fail")
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
    assert texts(submit(engine, "still there")) == ["still there"]


def test_a_failure_outside_of_the_parser_is_that_of_one_request(engine_of, parser, monkeypatch):
    monkeypatch.setattr(answers, "svg_parts", lambda graph, width: 1 / 0)
    engine = engine_of()
    parser.may_go_on.set()
    with pytest.raises(RefusedError, match="the server failed"):
        submit(engine, "Go", include=["svg"]).result(20)
    assert texts(submit(engine, "still there")) == ["still there"]


def test_one_of_several_sentences_is_named_by_its_number(engine_of, parser):
    parser.may_go_on.set()
    with pytest.raises(UserError, match="sentence 2: token 1 is no word"):
        engine_of().submit(
            Questions(Limits()).read(b'{"sentences": ["Go", {"tokens": [7]}]}')
        ).result(20)


def test_what_nobody_waits_for_any_more_is_not_parsed(engine_of, parser):
    engine = engine_of()
    busy(engine)
    given_up, wanted = submit(engine, "given up"), submit(engine, "wanted")
    assert given_up.cancel()
    assert engine.waiting == 2
    parser.may_go_on.set()
    assert texts(wanted) == ["wanted"]
    assert parser.batches[1:] == [(1, 1, ["wanted"])]


def test_what_is_given_up_amid_its_batches_is_parsed_no_further(engine_of, parser):
    engine = engine_of()
    parser.may_go_on.set()
    long = words(LARGE - 1) + " endless"
    given_up = submit(engine, *[long] * 4)
    assert parser.began.wait(20)
    assert given_up.cancel()
    assert texts(submit(engine, "wanted")) == ["wanted"]
    assert parser.closed == [[long]]
    assert [len(sentences) for *_, sentences in parser.batches] == [1, 1]


def test_a_batch_goes_on_for_those_who_still_wait(engine_of, parser):
    engine = engine_of()
    busy(engine)
    given_up, wanted = submit(engine, "given up"), submit(engine, "wanted")
    parse_steps = parser.parse_steps

    def giving_up(sentences, n_best, beam):
        given_up.cancel()
        yield
        return (yield from parse_steps(sentences, n_best, beam))

    parser.parse_steps = giving_up
    parser.may_go_on.set()
    assert texts(wanted) == ["wanted"]
    assert [sorted(sentences) for *_, sentences in parser.batches[1:]] == [["given up", "wanted"]]


def test_many_large_requests_leave_room_for_small_ones(engine_of, parser):
    engine = engine_of(waiting=3)
    busy(engine)
    large = [submit(engine, *[words(LARGE)] * 2) for _ in range(3)]
    for number in (2, 3):
        with pytest.raises(RefusedError, match="3 requests are waiting already") as caught:
            submit(engine, *[words(LARGE)] * number)
        assert caught.value.status == 503
    small = [submit(engine, f"word {n}") for n in range(2)]
    with pytest.raises(RefusedError, match="3 requests are waiting already"):
        submit(engine, "one more")
    parser.may_go_on.set()
    assert [texts(future) for future in small] == [[f"word {n}"] for n in range(2)]
    for future in large:
        assert len(texts(future)) == 2


def test_too_many_words_are_refused_before_all_are_split(engine_of, parser):
    parser.may_go_on.set()
    split = []
    sentence = parser.text.sentence
    parser.text.sentence = lambda text: split.append(text) or sentence(text)
    question = Questions(Limits()).read(
        json.dumps({"sentences": [words(400, "a.b!")] * 12}).encode()
    )
    with pytest.raises(UserError, match="too many words for a request: at most 5,000"):
        engine_of().submit(question).result(20)
    assert len(split) < 12
    assert parser.batches == []


def test_a_drawing_is_made_once_however_often_it_is_asked_for(engine_of, parser, monkeypatch):
    drawn = []

    def draw(graph, width):
        drawn.append(graph)
        yield "drawing"

    monkeypatch.setattr(answers, "svg_parts", draw)
    parser.may_go_on.set()
    question = {"tokens": ["Go"], "n_best": 2, "include": ["svg"] * 3000}
    future = engine_of().submit(Questions(Limits()).read(json.dumps(question).encode()))
    value = json.loads(future.result(20))
    assert [graph["svg"] for graph in [value, *value["n_best"]]] == ["drawing"] * 3
    assert len(drawn) == 2


def test_others_have_their_turn_between_two_rows_of_a_drawing(engine_of, parser, monkeypatch):
    engine = engine_of()
    parser.may_go_on.set()
    short = []

    def draw(graph, width):
        short.append(submit(engine, "Go"))
        for _ in range(3):
            parser.clock.now += 1
            yield "" if short[-1].done() else "too early"

    monkeypatch.setattr(answers, "svg_parts", draw)
    long = submit(engine, *[words(200)] * 5, include=["svg"])
    graphs = json.loads(long.result(20))["graphs"]
    assert [graph["svg"] for graph in graphs] == ["too early"] * 5


def test_an_answer_that_is_too_long_is_not_written_to_its_end(engine_of, parser, monkeypatch):
    rows = []

    def draw(graph, width):
        while True:
            rows.append(graph)
            yield "x" * 1000

    monkeypatch.setattr(answers, "svg_parts", draw)
    parser.may_go_on.set()
    with pytest.raises(UserError, match="the answer is too long: at most 4,500 characters"):
        submit(engine_of(answer=4500), "Go", include=["svg"]).result(20)
    assert len(rows) == 5
    files = submit(engine_of(answer=4500), *[words(200)] * 5, include=["sdp"])
    with pytest.raises(UserError, match="the answer is too long"):
        files.result(20)


def test_a_closed_engine_refuses_what_waits(parser):
    engine = Engine(parser)
    first, last = busy(engine), submit(engine, "last")
    engine._inbox.put(None)
    parser.may_go_on.set()
    engine.close()
    for refused in (first, last):
        with pytest.raises(RefusedError, match="closed"):
            refused.result(0)
    assert not engine.is_alive
    with pytest.raises(RefusedError, match="has ended: restart"):
        submit(engine, "too late")


def test_spacy_does_not_keep_every_word_that_anybody_ever_typed(engine_of, parser, monkeypatch):
    monkeypatch.setattr("sdp_pointer.parser.text.REMEMBERED", 10)
    engine = engine_of()
    parser.may_go_on.set()
    read = Questions(Limits()).read
    assert texts(engine.submit(read(b'{"sentences": ["Go !"]}'))) == ["Go !"]
    strings = parser.text._nlp.vocab.strings
    before = len(strings)
    for n in range(50):
        asked = read(b'{"sentences": ["newword%d"]}' % n)
        assert texts(engine.submit(asked)) == [f"newword{n}"]
        assert len(strings) < before + 30
