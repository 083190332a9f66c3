"""The pictures of the documentation, from `make pictures`.

python docs/tools/pictures.py            # the drawings of docs/pictures
python docs/tools/pictures.py --parser   # and those that need the parser and a browser
"""

import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from sdp_pointer.graphs import Graph, Token, read
from sdp_pointer.graphs.draw import svg
from sdp_pointer.transitions import oracle

PICTURES = Path(__file__).parents[1] / "pictures"
# The sentence of the paper's Table 2.
WORDS = ["The", "results", "were", "in", "line", "with", "analysts", "'", "expectations", "."]
PAPER = Graph(
    [Token(word) for word in WORDS],
    [(1, 2, "BV"), (4, 2, "ARG1"), (6, 4, "ARG1"), (4, 5, "ARG2"), (6, 9, "ARG2"), (7, 9, "poss")],
    tops=[4],
)
PARSED = "Kim tried to open the old door that Mary had locked."
STYLE = """
.sdp .later { visibility: hidden }
.sdp .new .sdp-line { stroke: #c2410c; stroke-width: 2.4 }
.sdp .new .sdp-head, .sdp .new text, .sdp .focus text { fill: #c2410c }
.sdp .new text, .sdp .focus text { font-weight: bold }
</style>"""


def drawings() -> dict[str, str]:
    """The name and the content of every drawing that needs no parser."""
    images = {}
    for formalism in ("dm", "pas", "psd"):
        graphs = read(PICTURES / f"en.{formalism}.sdp")
        for name, graph in zip(("control", "coordination"), graphs):
            images[f"{formalism}-{name}.svg"] = svg(graph)
    for number, image in enumerate(transitions(PAPER)):
        images[f"transition-{number:02}.svg"] = image
    return images


def transitions(graph: Graph) -> list[str]:
    """The start and what each transition adds: always the whole graph, with later arcs hidden."""
    focus, arcs = 1, []
    images = [_state(graph, focus, arcs, None)]
    for pointer in oracle(graph):
        new = None
        if pointer == focus:
            focus += 1
        else:
            new = (pointer, focus)
            arcs.append(new)
        images.append(_state(graph, focus, arcs, new))
    return images


def _state(graph, focus, arcs, new) -> str:
    def arc(found):
        ends = int(found[2]), int(found[3])
        kind = "new" if ends == new else "" if ends in arcs else "later"
        return f'<g class="{found[1]} {kind}" data-head="{ends[0]}" data-dependent="{ends[1]}">'

    image = svg(graph).replace("\n</style>", STYLE)
    image = re.sub(r'<g class="([^"]*)" data-head="(\d+)" data-dependent="(\d+)">', arc, image)
    # Nobody has an arc to every word, so the drawing greys the others.
    image = image.replace('<g class="sdp-idle">', "<g>")
    return image.replace(f"<g><title>{focus} ", f'<g class="focus"><title>{focus} ')


def parsed() -> str:
    """What the model of the package makes of a sentence, without probabilities."""
    import sdp_pointer

    graph = sdp_pointer.load(precision="float32").parse(PARSED)
    return svg(graph.replace(meta={}))


def screenshot(path: Path) -> None:
    """The page of `sdp-pointer serve` with the same sentence."""
    from urllib.parse import quote

    with served() as address, browser() as driver:
        size = {"width": 1000, "height": 660, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        driver.get(f"{address}/#sentence={quote(PARSED)}")
        wait(driver, "document.querySelector('#results').dataset.answered === '1'")
        driver.save_screenshot(str(path))


@contextmanager
def served():
    command = [sys.executable, "-m", "sdp_pointer", "serve", "--port", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        yield next(found[0] for line in server.stderr if (found := re.search(r"http://\S+", line)))
    finally:
        server.terminate()
        server.communicate()


@contextmanager
def browser():
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for flag in ("--headless=new", "--no-sandbox", "--hide-scrollbars"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()


def wait(driver, condition):
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(driver, 60).until(lambda driver: driver.execute_script(f"return {condition}"))


def main() -> None:
    images = drawings()
    if "--parser" in sys.argv:
        images["parsed.svg"] = parsed()
    for name, image in images.items():
        (PICTURES / name).write_text(image, encoding="utf-8")
    if "--parser" in sys.argv:
        screenshot(PICTURES / "page.png")


if __name__ == "__main__":
    main()
