"""What one can do on the page, in Debian's chromium, driven by selenium."""

import os
from pathlib import Path

import pytest

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
AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"


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

        return WebDriverWait(self.driver, 60, poll_frequency=0.02).until(lambda _: condition())

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


def titles(arcs):
    return {arc.get_attribute("aria-label") for arc in arcs}


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


def missing(reason):
    pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)


def violations(page):
    """What axe-core finds wrong with the page as it is."""
    if not AXE.exists():
        missing("there is no axe-core: `make browser` installs it (npm install)")
    page.script(AXE.read_text())
    found = page.driver.execute_async_script("axe.run().then(arguments[0])")["violations"]
    return [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found]
