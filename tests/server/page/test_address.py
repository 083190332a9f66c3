"""The address of the page holds what was typed and chosen."""

import pytest

from tests.server.page.browser import SENTENCE, Page


def test_the_address_holds_text_and_options(page, server):
    page.choose("#n-best", 2)
    page.choose("#other-beam", 4)
    page.find("#split").click()
    page.parse("Cats purr. Kim & Zoë like 100% #1 + 2!")
    page.search("?who <-ARG1- *")
    page.hide_below(0.25)
    copied = Page(page.driver, page.driver.current_url)
    assert copied.chosen() == ["Cats purr. Kim & Zoë like 100% #1 + 2!", "", "2", "4"]
    assert not copied.find("#split").is_selected()
    assert copied.find("#threshold").get_property("value") == "0.25"
    assert len(copied.all(".card")) == 4
    copied.wait_for_matches("?who <-ARG1- *")


def test_back_and_forward_lead_to_earlier_questions(page):
    page.parse("Cats purr.")
    page.choose("#n-best", 2)
    page.parse("Go!")
    page.driver.back()
    page.wait(lambda: page.words() == ["Cats", "purr", "."])
    assert page.chosen() == ["Cats purr.", "", "1", ""]
    page.driver.forward()
    page.wait(lambda: page.words()[:2] == ["Go", "!"])
    assert page.chosen() == ["Go!", "", "2", ""]


@pytest.mark.parametrize("address", ["#beam=3&n_best=99&nonsense=1&split=1", "#%E0%A4%A&=&#", "#"])
def test_what_an_address_cannot_hold_is_left_out(driver, server, address):
    page = Page(driver, f"{server.url}/{address}")
    assert page.chosen()[1:] == ["", "1", ""]
    assert len(page.all(".card")) == 1


def test_an_address_overwrites_nothing_that_was_typed_before(page):
    page.parse("Cats purr.")
    page.type("Never mind.")
    page.find("footer a").click()
    page.wait(lambda: page.driver.current_url.endswith("/openapi.json"))
    page.driver.back()
    page.wait(lambda: page.all("#form"))
    page.wait(lambda: page.chosen()[0] == "Never mind.")


def test_what_was_typed_and_chosen_is_there_after_going_back(page):
    page.choose("#n-best", 2)
    page.choose("#other-beam", 4)
    page.type(SENTENCE)
    page.find("footer a").click()
    page.wait(lambda: page.driver.current_url.endswith("/openapi.json"))
    page.driver.back()
    page.wait(lambda: page.all("#form"))
    page.wait(lambda: page.chosen() == [SENTENCE, "", "2", "4"])
    page.wait(lambda: page.find("#beam option").text == "2 (automatic)")
