"""Graphs are copied and saved as files."""

from xml.etree import ElementTree

from sdp_pointer.graphs import loads
from tests.server.page.browser import SENTENCE

KINDS = ("svg", "png", "json", "sdp")


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
