"""The page in a real browser: Debian's chromium, driven by selenium."""

import asyncio
import json
import os
import shutil
from contextlib import contextmanager
from copy import copy
from itertools import count
from pathlib import Path
from threading import Event
from xml.etree import ElementTree

import pytest

from sdp_pointer.graphs import loads
from sdp_pointer.graphs.labels import label_of
from sdp_pointer.parser import Parser
from sdp_pointer.server.app import make_app
from tests.server.conftest import serving

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1200,900",
)
SENTENCE = "Kim likes the old house."
GARDEN = "The cat sleeps in the garden."
LONG = "The old house that Kim likes was sold to the company in the city " * 3
KINDS = ("svg", "png", "json", "sdp")
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    names = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    if names:
        missing(
            f"there is no {' and no '.join(names)}: as root, `make browser` installs them"
            " (apt-get install chromium chromium-driver)"
        )
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
    yield driver
    driver.quit()


class Page:
    """What one can do on the page."""

    def __init__(self, driver, url, waits=True):
        self.driver = driver
        self.asked = 1  # The page asks for its example, or for what the address holds.
        self.show(1200)
        driver.get("about:blank")  # Another fragment alone would not load the page again.
        driver.get(url)
        driver.get_log("browser")
        if waits:
            self.wait_for_answer()
        # What is copied, where a test can see it; and the proof that no script was smuggled in.
        driver.execute_script(
            "navigator.clipboard.writeText = async (text) => { window.copied = text };"
            "window.alerted = false; window.alert = () => { window.alerted = true }"
        )

    def show(self, width, scheme="light"):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def all(self, selector):
        return self.driver.find_elements("css selector", selector)

    def script(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def wait(self, condition):
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.driver, 20, poll_frequency=0.02).until(lambda _: condition())

    def type(self, text):
        # By script, since a driver cannot type every character; Enter is typed by a test below.
        self.script("arguments[0].value = arguments[1]", self.find("#sentence"), text)

    def choose(self, name, value):
        from selenium.webdriver.support.ui import Select

        Select(self.find(name)).select_by_value(str(value))

    def chosen(self):
        fields = ("#sentence", "#beam", "#n-best", "#other-beam")
        return [self.find(field).get_property("value") for field in fields]

    def ask(self, text):
        self.type(text)
        self.find("#parse").click()
        self.asked += 1

    def parse(self, text):
        self.ask(text)
        self.wait_for_answer()

    def wait_for_answer(self):
        """Until the page shows the answer to what was asked last."""
        results = self.find("#results")
        self.wait(lambda: results.get_attribute("data-answered") == str(self.asked))

    def wait_for_health(self):
        """Until an answer is there; answers that were sent before have then come, too."""
        self.driver.execute_async_script(
            "fetch('health').then((response) => response.json()).then(arguments[0])"
        )

    def search(self, pattern):
        """Until the page shows what the pattern finds."""
        self.script("arguments[0].value = arguments[1]", self.find("#find"), pattern)
        self.find("#search button").click()
        self.wait_for_matches(pattern)

    def wait_for_matches(self, pattern):
        found = self.find("#found")
        self.wait(lambda: found.get_attribute("data-pattern") == pattern)

    def hide_below(self, threshold):
        self.script(
            "arguments[0].value = arguments[1];"
            "for (const kind of ['input', 'change']) arguments[0].dispatchEvent(new Event(kind));",
            self.find("#threshold"),
            threshold,
        )

    def overflows(self, selector):
        sizes = "return [arguments[0].scrollWidth, arguments[0].clientWidth]"
        whole, shown = self.script(sizes, self.find(selector))
        return whole > shown

    def words(self):
        words = "return [...document.querySelectorAll('.sdp-form')].map((word) => word.textContent)"
        return self.script(words)  # at once: no drawing may come in between

    @property
    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]


@pytest.fixture
def page(driver, server):
    return Page(driver, server.url)


def titles(arcs):
    return {arc.get_attribute("aria-label") for arc in arcs}


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


def reached(page):
    """The arcs that Tab and the arrow keys lead to from the last button."""
    from selenium.webdriver.common.keys import Keys

    page.find(".save-sdp").send_keys(Keys.TAB)
    seen = []
    while (active := page.driver.switch_to.active_element).get_attribute("aria-label") not in seen:
        seen.append(active.get_attribute("aria-label"))
        assert page.find(".about").text == seen[-1]
        active.send_keys(Keys.ARROW_RIGHT)
    return seen


@pytest.mark.parametrize("width", [1200, 375])
def test_the_keyboard_reaches_every_arc_once(page, words_parser, width):
    page.show(width)
    page.parse(LONG)
    graph = words_parser.parse(LONG)
    seen = reached(page)
    assert len(seen) == len(graph.arcs) + len(graph.tops)
    assert set(seen) == titles(page.all("[role='img']"))


def test_what_a_label_means_is_shown_at_its_arc(page, words_parser):
    page.parse(GARDEN)
    head, dependent, label = words_parser.parse(GARDEN).arcs[0]
    arc = page.find(f"[data-head='{head}'][data-dependent='{dependent}']")
    page.script("arguments[0].focus()", arc)
    expected = f"{label}: {label_of('dm', label).meaning}"
    assert page.find(".meaning").text == expected
    assert arc.get_attribute("aria-description") == expected


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


def test_wide_drawings_stand_below_one_another(page):
    page.choose("#n-best", 2)
    page.parse(SENTENCE.replace("house", "and very well known house of her grandparents"))
    cards = page.all(".card")
    assert cards[0].location["y"] < cards[1].location["y"]
    assert not page.overflows(".drawing")


def test_the_page_names_the_model(page, words_parser):
    assert words_parser.name in page.find("footer").text


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


def test_an_example_is_drawn_at_once(page, words_parser):
    assert page.words() == list(words_parser.parse(page.chosen()[0]).forms)
    assert page.find("#status").text.startswith("One graph with ")
    assert "#" not in page.driver.current_url


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


def test_an_arc_is_as_strong_as_it_is_likely(page, words_parser):
    page.parse(GARDEN)
    probabilities = words_parser.parse(GARDEN).meta["probabilities"]
    for arc in page.all(".sdp-arc"):
        ends = int(arc.get_attribute("data-head")), int(arc.get_attribute("data-dependent"))
        line = arc.find_element("css selector", ".sdp-line")
        width = float(line.value_of_css_property("stroke-width").removesuffix("px"))
        assert width == pytest.approx(0.7 + probabilities[ends], abs=0.02)


def test_a_graph_is_saved_as_svg_png_json_and_sdp(page, words_parser, tmp_path):
    behaviour = {"behavior": "allow", "downloadPath": str(tmp_path)}
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", behaviour)
    page.parse(SENTENCE)
    graph = words_parser.parse(SENTENCE)
    files = {kind: tmp_path / f"Kim-likes-the-old-house.{kind}" for kind in KINDS}
    for kind, file in files.items():
        page.find(f".save-{kind}").click()
        page.wait(file.exists)
        assert page.find("#status").text == f"{file.name} saved."
    for kind, format in (("json", "jsonl"), ("sdp", "sdp")):
        [read] = loads(files[kind].read_text(), format)
        assert (read.forms, read.arcs, read.tops) == (graph.forms, graph.arcs, graph.tops)
    root = ElementTree.fromstring(files["svg"].read_text())
    assert "style" in {part.tag.rpartition("}")[2] for part in root}
    start = files["png"].read_bytes()[:24]
    assert start[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = (int.from_bytes(start[at : at + 4], "big") for at in (16, 20))
    assert (width, height) == (2 * int(root.get("width")), 2 * int(root.get("height")))
    assert page.complaints == []


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


def test_json_and_sdp_can_be_copied(page, words_parser):
    page.choose("#n-best", 2)
    page.parse(SENTENCE)
    second = words_parser.n_best(SENTENCE, 2)[1]
    card = page.all(".card")[1]
    for name, format in (("JSON", "jsonl"), (".sdp", "sdp")):
        card.find_element("xpath", f".//button[text()='Copy {name}']").click()
        page.wait(lambda name=name: page.find("#status").text == f"{name} copied.")
        [graph] = loads(page.script("return window.copied"), format)
        assert (graph.forms, graph.arcs, graph.tops) == (second.forms, second.arcs, second.tops)


def test_words_with_tags_are_given_as_json(page):
    page.parse(json.dumps({"tokens": ["Cats", "purr"], "pos": ["NNS", "VBP"]}))
    assert [tag.text for tag in page.all(".sdp-pos")] == ["NNS", "VBP"]


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


def test_pieces_of_an_arc_light_up_together(page):
    page.show(375)
    page.parse(LONG)
    pieces = page.all(".sdp-arc")
    ends = [(arc.get_attribute("data-head"), arc.get_attribute("data-dependent")) for arc in pieces]
    several = next(pair for pair in ends if ends.count(pair) > 1)
    page.script("arguments[0].dispatchEvent(new Event('mousemove'))", pieces[ends.index(several)])
    assert len(page.all(".lit.sdp-arc")) == ends.count(several)


def test_every_control_has_a_name(page):
    page.parse(SENTENCE)
    for control in page.all("textarea, select, button, .drawing svg, .sdp-arc"):
        assert control.accessible_name, control.get_attribute("outerHTML")


def missing(reason):
    pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)


def violations(page):
    """What axe-core finds wrong with the page as it is."""
    if not AXE.exists():
        missing("there is no axe-core: `make browser` installs it (npm install)")
    page.script(AXE.read_text())
    found = page.driver.execute_async_script("axe.run().then(arguments[0])")["violations"]
    return [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found]


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


def test_a_server_that_is_gone_is_told(page):
    page.script("window.fetch = () => Promise.reject(new TypeError('gone'))")
    page.parse(SENTENCE)
    assert page.find("#error").text == "The server does not answer. Is it still running?"


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
            assert self.went.wait(20)


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
        assert held.came.wait(20)
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
