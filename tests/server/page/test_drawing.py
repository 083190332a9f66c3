"""What the page draws, and what it says of an arc."""

import pytest

from sdp_pointer.graphs.labels import label_of
from tests.server.page.browser import GARDEN, LONG, SENTENCE, reached, titles


def test_an_example_is_drawn_at_once(page, words_parser):
    assert page.words() == list(words_parser.parse(page.chosen()[0]).forms)
    assert page.find("#status").text.startswith("One graph with ")
    assert "#" not in page.driver.current_url


def test_the_page_names_the_model(page, words_parser):
    assert words_parser.name in page.find("footer").text


def test_a_typed_sentence_is_drawn(page, words_parser):
    page.parse(SENTENCE)
    graph = words_parser.parse(SENTENCE)
    assert page.words() == list(graph.forms)
    probabilities = graph.meta["probabilities"]
    forms = ("", *graph.forms)
    assert titles(page.all(".sdp-arc")) == {
        *(f"top {forms[top]} ({probabilities[0, top]:.3f})" for top in graph.tops),
        *(
            f"{forms[head]} -{label}-> {forms[dependent]} ({probabilities[head, dependent]:.3f})"
            for head, dependent, label in graph.arcs
        ),
    }
    assert page.find(".score").text == f"score {graph.meta['score']:.4f}"
    assert page.complaints == []


def test_enter_parses(page):
    from selenium.webdriver.common.keys import Keys

    box = page.find("#sentence")
    box.clear()
    box.send_keys("Cats purr.", Keys.ENTER)
    page.wait(lambda: page.words() == ["Cats", "purr", "."])


def test_pointing_at_an_arc_tells_its_label_and_probability(page):
    from selenium.webdriver import ActionChains

    page.parse(SENTENCE)
    waiting = page.find(".readout").text
    arc = page.find(".sdp-arc:not(.sdp-top)")
    ActionChains(page.driver).move_to_element(arc.find_element("css selector", "text")).perform()
    readout = page.find(".readout")
    page.wait(lambda: readout.text.split("\n")[0] == arc.get_attribute("aria-label"))
    line = arc.find_element("css selector", ".sdp-line")
    assert line.value_of_css_property("stroke-width") == "2.8px"
    ActionChains(page.driver).move_to_element(page.find("h1")).perform()
    page.wait(lambda: readout.text == waiting)


def test_what_a_label_means_is_shown_at_its_arc(page, words_parser):
    page.parse(GARDEN)
    head, dependent, label = words_parser.parse(GARDEN).arcs[0]
    arc = page.find(f"[data-head='{head}'][data-dependent='{dependent}']")
    page.script("arguments[0].focus()", arc)
    expected = f"{label}: {label_of('dm', label).meaning}"
    assert page.find(".meaning").text == expected
    assert arc.get_attribute("aria-description") == expected


def test_what_is_said_of_an_arc_is_in_sight_however_long_the_drawing_is(page):
    page.show(375)
    page.parse(LONG)
    card = page.find(".card")
    page.script("arguments[0].scrollIntoView()", card)
    page.script("arguments[0].focus({ preventScroll: true })", page.find(".sdp-arc[tabindex='0']"))
    bottom = "return [...arguments].map((part) => part.getBoundingClientRect().bottom)"
    end, said = page.script(bottom, card, page.find(".meaning"))
    assert end > 900 >= said > 0


def test_pieces_of_an_arc_light_up_together(page):
    page.show(375)
    page.parse(LONG)
    pieces = page.all(".sdp-arc")
    ends = [(arc.get_attribute("data-head"), arc.get_attribute("data-dependent")) for arc in pieces]
    several = next(pair for pair in ends if ends.count(pair) > 1)
    page.script("arguments[0].dispatchEvent(new Event('mousemove'))", pieces[ends.index(several)])
    assert len(page.all(".lit.sdp-arc")) == ends.count(several)


def test_an_arc_is_as_strong_as_it_is_likely(page, words_parser):
    page.parse(GARDEN)
    probabilities = words_parser.parse(GARDEN).meta["probabilities"]
    for arc in page.all(".sdp-arc"):
        ends = int(arc.get_attribute("data-head")), int(arc.get_attribute("data-dependent"))
        line = arc.find_element("css selector", ".sdp-line")
        width = float(line.value_of_css_property("stroke-width").removesuffix("px"))
        assert width == pytest.approx(0.7 + probabilities[ends], abs=0.02)


def test_arcs_below_a_threshold_are_hidden_from_pointer_and_keyboard(page, words_parser):
    page.parse(GARDEN)
    graph = words_parser.parse(GARDEN)
    probabilities = sorted(graph.meta["probabilities"].values())
    step = next(k for k in range(20) if probabilities[0] < k / 20 <= probabilities[-1]) / 20
    page.hide_below(step)
    shown = [p for p in probabilities if p >= step]
    arcs = page.all(".sdp-arc")
    assert sum(arc.is_displayed() for arc in arcs) == len(shown) < len(arcs)
    assert page.find("#weak").text == f"{step:.2f}: {len(arcs) - len(shown)} hidden"
    assert len(reached(page)) == len(shown)
    page.hide_below(0)
    assert all(arc.is_displayed() for arc in arcs)


@pytest.mark.parametrize("width", [1200, 375])
def test_a_long_sentence_is_drawn_in_rows_and_nothing_scrolls_sideways(page, words_parser, width):
    page.show(width)
    page.parse(LONG)
    assert len(page.all(".drawing [transform]")) > 1
    assert page.words() == list(words_parser.parse(LONG).forms)
    assert not page.overflows("html")
    assert not page.overflows(".drawing")


def test_a_drawing_is_made_again_for_a_window_of_another_size(page):
    page.parse(LONG)
    page.choose("#n-best", 2)  # not asked for yet
    rows = []
    for width in (375, 1200):
        page.show(width)
        page.wait(lambda width=width: page.script("return innerWidth") == width)
        room = page.script("return document.querySelector('#results').clientWidth - 18")
        page.wait(lambda room=room: page.find("#results").get_attribute("data-width") == str(room))
        rows.append(len(page.all(".drawing [transform]")))
        assert not page.overflows(".drawing")
        assert len(page.all(".card")) == 1
    assert rows[0] > rows[1] > 1
    assert page.chosen()[2] == "2"


def test_wide_drawings_stand_below_one_another(page):
    page.choose("#n-best", 2)
    page.parse(SENTENCE.replace("house", "and very well known house of her grandparents"))
    cards = page.all(".card")
    assert cards[0].location["y"] < cards[1].location["y"]
    assert not page.overflows(".drawing")
