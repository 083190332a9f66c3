"""Answers that come late, or never, change nothing that was typed or chosen."""

import asyncio
from contextlib import contextmanager
from copy import copy
from itertools import count
from threading import Event

import pytest

from sdp_pointer.parser import Parser
from sdp_pointer.server.app import make_app
from tests.server.conftest import serving
from tests.server.page.browser import SENTENCE, Page


class Held:
    """An application whose answers to some requests wait until the test lets them go."""

    def __init__(self, app, is_held):
        self.app = app
        self.is_held = is_held
        self.came, self.may_go, self.went = Event(), Event(), Event()

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http" or not self.is_held(scope["path"]):
            return await self.app(scope, receive, send)
        self.came.set()
        await asyncio.to_thread(self.may_go.wait)
        await self.app(scope, receive, send)
        self.went.set()

    def let_go(self):
        """Until what has come is answered."""
        self.may_go.set()
        if self.came.is_set():
            assert self.went.wait(60)


@contextmanager
def holding(parser, is_held):
    """A server with requests that wait, and its address."""
    held = Held(make_app(parser), is_held)
    with serving(held) as server:
        try:
            yield held, server.url
        finally:
            held.may_go.set()


def is_health(path):
    return path == "/health"


def test_a_health_that_comes_late_changes_no_choice(driver, words_parser):
    with holding(words_parser, is_health) as (held, url):
        page = Page(driver, url)
        page.choose("#n-best", 2)
        page.type(SENTENCE)
        chosen = page.chosen()
        held.let_go()
        page.wait_for_health()
        page.parse(SENTENCE)
        assert len(page.all(".card")) == 2
        assert page.chosen() == chosen


@pytest.mark.parametrize("n_best", [1, 3])
def test_a_health_that_never_comes_is_not_waited_for(driver, words_parser, n_best):
    with holding(words_parser, is_health) as (_, url):
        page = Page(driver, url)
        assert words_parser.name in page.find("footer").text
        page.choose("#n-best", n_best)
        page.parse(SENTENCE)
        assert len(page.all(".card")) == n_best
        assert not page.find("#error").is_displayed()


def test_a_health_that_fails_is_not_needed(driver, words_parser):
    app = make_app(words_parser)

    async def broken(scope, receive, send):
        if scope["type"] == "http" and is_health(scope["path"]):
            scope = {**scope, "path": "/nowhere", "raw_path": b"/nowhere"}
        await app(scope, receive, send)

    with serving(broken) as server:
        page = Page(driver, server.url)
        page.parse(SENTENCE)
        assert len(page.all(".card")) == 1
        assert not page.find("#error").is_displayed()


def test_the_answer_to_the_last_question_is_shown_whichever_comes_first(driver, words_parser):
    questions = count()
    with holding(words_parser, lambda path: path == "/parse" and next(questions) == 1) as (
        held,
        url,
    ):
        page = Page(driver, url)
        page.ask("Cats purr.")
        assert held.came.wait(60)
        assert page.find("#results").get_attribute("aria-busy") == "true"
        page.parse("Go home!")
        held.let_go()
        page.wait_for_health()
        assert page.words() == ["Go", "home", "!"]
        assert page.find("#results").get_attribute("aria-busy") is None


def needing_tags(parser):
    """The parser as one that was trained with lemmas and tags, under a name that is markup."""

    class Reader(type(parser.reader)):
        columns = ("lemma", "pos")

    reader = copy(parser.reader)
    reader.__class__ = Reader
    return Parser(parser.model, reader, name="<b>bold</b> & 'quoted'")


def test_a_model_that_needs_tags_has_an_example_with_tags(driver, words_parser):
    with holding(needing_tags(words_parser), is_health) as (held, url):
        page = Page(driver, url)
        assert "trained with lemmas and part-of-speech tags" in page.find("#hint").text
        assert "Model <b>bold</b> & 'quoted'," in page.find("footer").text
        page.parse(page.chosen()[0])
        assert [tag.text for tag in page.all(".sdp-pos")] == ["NNP", "VBZ", "DT", "JJ", "NN", "."]
        page.type(SENTENCE)
        held.let_go()
        page.wait_for_health()
        page.parse(SENTENCE)
        assert "this model was trained with lemmas" in page.find("#error").text.lower()
        assert page.chosen()[0] == SENTENCE
