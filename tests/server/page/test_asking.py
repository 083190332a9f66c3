"""What can be asked of the page: several graphs, several sentences, patterns."""

import json

from tests.server.page.browser import SENTENCE


def test_the_n_best_graphs_stand_side_by_side_with_what_differs(page, words_parser):
    page.choose("#n-best", 3)
    page.parse(SENTENCE)
    graphs = words_parser.n_best(SENTENCE, 3)
    cards = page.all(".card")
    assert [card.find_element("css selector", ".score").text for card in cards] == [
        f"score {graph.meta['score']:.4f}" for graph in graphs
    ]
    assert cards[0].location["y"] == cards[1].location["y"]
    best = {*graphs[0].arcs, *graphs[0].tops}
    for card, graph in zip(cards[1:], graphs[1:]):
        surplus = {*graph.arcs, *graph.tops} - best
        assert len(card.find_elements("css selector", ".differs")) == len(surplus)
        note = card.find_element("css selector", ".differences").text.lower()
        assert ("only here" in note) == bool(surplus)


def test_two_beams_can_be_compared(page):
    page.choose("#other-beam", 8)
    page.parse(SENTENCE)
    assert [title.text for title in page.all("h3")] == ["Graph, beam 1", "Graph, beam 8"]
    assert page.find(".card:last-child .differences").text


def test_the_automatic_beam_is_the_models_own_or_as_wide_as_there_are_graphs(page):
    automatic = page.find("#beam option")
    assert automatic.text == "1 (automatic)"
    page.choose("#n-best", 2)
    assert automatic.text == "2 (automatic)"
    page.parse(SENTENCE)
    assert [title.text for title in page.all("h3")] == [
        "Graph 1 of 2, beam 2",
        "Graph 2 of 2, beam 2",
    ]


def test_more_graphs_than_the_beam_cannot_be_chosen_and_no_choice_is_changed(page):
    def disabled(name):
        return [option.text for option in page.all(f"{name} option") if not option.is_enabled()]

    page.choose("#beam", 4)
    assert disabled("#n-best") == [str(n) for n in range(5, 17)]
    page.choose("#n-best", 4)
    page.choose("#other-beam", 5)
    assert disabled("#beam") == disabled("#other-beam") == ["1", "2"]
    assert page.chosen()[1:] == ["4", "4", "5"]
    page.parse(SENTENCE)
    assert len(page.all(".card")) == 8
    page.choose("#beam", "")
    assert disabled("#n-best") == [str(n) for n in range(6, 17)]


def test_several_sentences_have_a_graph_each(page):
    page.parse("Cats purr. Kim sleeps!")
    assert [title.text for title in page.all("h2")] == ["1. Cats purr.", "2. Kim sleeps!"]
    assert page.words() == ["Cats", "purr", ".", "Kim", "sleeps", "!"]
    page.choose("#n-best", 2)
    page.choose("#other-beam", 4)
    page.parse(json.dumps({"sentences": ["Go!", "Cats purr."]}))
    cards = [
        len(article.find_elements("css selector", ".card")) for article in page.all(".sentence")
    ]
    assert cards == [4, 4]
    page.find("#split").click()
    page.parse("Cats purr. Kim sleeps!")
    assert len(page.all(".sentence")) == 1


def test_words_with_tags_are_given_as_json(page):
    page.parse(json.dumps({"tokens": ["Cats", "purr"], "pos": ["NNS", "VBP"]}))
    assert [tag.text for tag in page.all(".sdp-pos")] == ["NNS", "VBP"]


def test_a_pattern_is_found_in_every_graph(page):
    page.parse("Kim likes the house. Kim sleeps.")
    page.search("?who=Kim")
    assert page.find("#found").text == "2 matches"
    assert [item.text for item in page.all(".matches li")] == ["who=Kim", "who=Kim"]
    assert [word.text for word in page.all(".found .sdp-form")] == ["Kim", "Kim"]
    page.search("* -BV-> ?what")
    assert len(page.all(".sdp-arc.found")) == 1
    assert page.find(".matches li").text == "the -BV-> what=house"
    page.parse("The house sleeps.")
    page.wait_for_matches("* -BV-> ?what")
    assert page.find(".matches li").text == "The -BV-> what=house"
    for pattern, message in (
        ("like -ARG1->", "pattern, column 13: expected a word"),
        ("sleeps -NONE-> *", "0 matches; no arc here has the label NONE"),
        ("", ""),
    ):
        page.search(pattern)
        assert page.find("#found").text.startswith(message)
        assert not page.all(".found")


def test_a_mistake_in_a_pattern_is_shown_as_one_until_it_is_corrected(page):
    page.parse(SENTENCE)
    found, pattern = page.find("#found"), page.find("#find")
    page.search("?who=Kim")
    plain = found.value_of_css_property("color")
    page.search("like -ARG1->")
    error = page.find("#error").value_of_css_property("border-left-color")
    assert found.value_of_css_property("color") == error != plain
    assert pattern.get_attribute("aria-invalid") == "true"
    page.search("?who=Kim")
    assert found.value_of_css_property("color") == plain
    assert pattern.get_attribute("aria-invalid") == "false"


def test_what_a_pattern_found_is_gone_with_its_graphs(page):
    page.parse(SENTENCE)
    page.search("?who=Kim")
    page.parse("{")
    assert page.find("#found").text == ""
