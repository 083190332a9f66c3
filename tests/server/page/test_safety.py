"""Errors are told, and nothing that is typed or fetched can do harm."""

import json

import pytest

from tests.server.page.browser import SENTENCE


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("  ", "Type a sentence first."),
        ("word " * 1500, "a sentence of 1,500 words is too long: at most 1,000"),
        ("\u200b{", None),
        ("{", "This begins like a JSON object, but it is none"),
        ('{"tokens": []}', '"tokens" must be a list of at least one word'),
        ('{"sentence": "<img src=x onerror=alert(1)>", "id": []}', 'the "id" must be a string'),
        ('{"x": "<img src=x onerror=alert(1)>"}', "<img src=x onerror=alert(1)>"),
    ],
)
def test_an_error_is_told_and_gone_with_the_next_sentence(page, text, message):
    page.parse(text)
    error = page.find("#error")
    assert error.is_displayed() == (message is not None)
    if message:
        # The style makes the first letter a capital.
        assert message.lower() in error.text.lower()
        assert not page.all(".card")
    page.parse(SENTENCE)
    assert not error.is_displayed()
    assert len(page.all(".card")) == 1
    assert not page.script("return window.alerted")


def test_a_browser_hears_why_too_much_is_refused(page):
    status, answer = page.driver.execute_async_script(
        "const [done] = arguments;"
        "fetch('parse', { method: 'POST', body: 'x'.repeat(10_000_000) })"
        ".then(async (response) => done([response.status, await response.text()]))"
        ".catch((error) => done([0, String(error)]))"
    )
    assert (status, "at most 1,000,000 bytes" in answer) == (413, True), answer


def test_a_server_that_is_gone_is_told(page):
    page.script("window.fetch = () => Promise.reject(new TypeError('gone'))")
    page.parse(SENTENCE)
    assert page.find("#error").text == "The server does not answer. Is it still running?"


def test_markup_in_words_stays_text(page):
    words = [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "</text></svg><img src=x onerror=alert(1)>",
        "<style>*{display:none}</style>",
        '" onmouseover="alert(1)',
        "\u0000\u001b",
        "]]>",
    ]
    page.choose("#n-best", 4)
    page.parse(json.dumps({"tokens": words, "id": "<img src=x onerror=alert(1)>"}))
    assert len(page.all(".card")) == 4
    assert page.find(".sdp-form").get_attribute("textContent") == words[0]
    assert not page.all("main img, main script, main style, main [onmouseover], main [onerror]")
    assert not page.script("return window.alerted")
    assert page.complaints == []


def test_nothing_is_fetched_from_elsewhere(page, server):
    page.parse(SENTENCE)
    page.search("Kim")
    names = page.script("return performance.getEntriesByType('resource').map((e) => e.name)")
    expected = ["page.css", "drawing.css", "icon.svg", "parse", "find"]
    expected += [
        f"{name}.js" for name in ("page", "address", "asking", "card", "drawing", "saving")
    ]
    assert {*names} | {f"{server.url}/icon.svg"} == {f"{server.url}/{name}" for name in expected}
