"""The page can be read and used by keyboard, with a screen reader, in light and in dark."""

import pytest

from tests.server.page.browser import LONG, SENTENCE, reached, titles, violations


@pytest.mark.parametrize("width", [1200, 375])
def test_the_keyboard_reaches_every_arc_once(page, words_parser, width):
    page.show(width)
    page.parse(LONG)
    graph = words_parser.parse(LONG)
    seen = reached(page)
    assert len(seen) == len(graph.arcs) + len(graph.tops)
    assert set(seen) == titles(page.all("[role='img']"))


def test_every_control_has_a_name(page):
    page.parse(SENTENCE)
    for control in page.all("textarea, select, button, .drawing svg, .sdp-arc"):
        assert control.accessible_name, control.get_attribute("outerHTML")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_text_can_be_read_in_light_and_in_dark(page, scheme):
    page.show(1200, scheme)
    page.parse(SENTENCE)

    def lightness(selector, style):
        colour = page.script(
            "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]",
            selector,
            style,
        )
        return sum(map(int, colour.removeprefix("rgb(").removesuffix(")").split(","))) / 3

    back = lightness("body", "backgroundColor")
    assert (back > 128) == (scheme == "light")
    for selector, style in (
        ("body", "color"),
        ("#hint", "color"),
        ("g:not(.sdp-idle) > .sdp-form", "fill"),
        (".sdp-label", "fill"),
    ):
        assert abs(lightness(selector, style) - back) > 100


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 375])
def test_axe_finds_nothing(page, width, scheme):
    page.show(width, scheme)
    page.parse(SENTENCE)
    assert violations(page) == []
    page.choose("#n-best", 2)
    page.choose("#other-beam", 4)
    page.parse(f"{LONG}. {SENTENCE}")
    page.search("?who <-ARG1- *")
    page.hide_below(0.5)
    page.script("arguments[0].focus()", page.find(".sdp-arc[tabindex='0']"))
    assert violations(page) == []
    page.parse("{")
    assert violations(page) == []
