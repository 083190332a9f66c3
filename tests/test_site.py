"""The documentation site: it builds without a network, and needs nothing from elsewhere."""

import doctest
import os
import re
import runpy
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

import pytest

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"
# Tags that make a browser fetch something, and the attributes that name it.
FETCHED = {
    **dict.fromkeys(("script", "img", "iframe", "source", "video", "audio", "embed"), "src"),
    "link": "href",
    "object": "data",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory, refusing):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder]
    result = subprocess.run(
        [str(part) for part in command],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(refusing), "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    return folder


class Fetched(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.addresses = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        address = attributes.get(FETCHED.get(tag))
        if address is not None and attributes.get("rel") not in ("canonical", "prev", "next"):
            self.addresses.append(address)


def test_pages_and_styles_fetch_nothing_from_elsewhere(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 30
    for page in pages:
        content = page.read_text(encoding="utf-8")
        for address in Fetched(content).addresses:
            assert not urljoin("file:///", address).startswith(("http:", "https:")), page
            assert not address.startswith("//"), page
    for style in site.rglob("*.css"):
        urls = re.findall(
            r"""(?:url\(|@import )['"]?([^'")]*)""", style.read_text(encoding="utf-8")
        )
        assert not [url for url in urls if "//" in url and not url.startswith("data:")], style


def test_every_document_is_in_the_navigation_and_has_a_page(site):
    named = (ROOT / "mkdocs.yml").read_text()
    for path in (ROOT / "docs").glob("*.md"):
        assert f" {path.name}\n" in named
        assert (site / f"{path.stem}.html").exists()


def test_docstrings_become_code_and_parameters(site):
    page = (site / "reference" / "graphs.html").read_text(encoding="utf-8")
    assert "&gt;&gt;&gt; " not in re.sub(r"<pre>.*?</pre>", "", page, flags=re.DOTALL)
    assert 'id="sdp_pointer.graphs.Graph.predications"' in page
    assert "<dd>" in page


def test_the_example_of_the_docstring_tool_runs():
    tool = runpy.run_path(str(ROOT / "docs" / "tools" / "docstrings.py"))
    example = doctest.DocTestParser().get_doctest(
        tool["markdown"].__doc__, tool, "markdown", None, None
    )
    assert doctest.DocTestRunner().run(example) == (0, 1)


def test_names_of_documents_become_links(site):
    page = (site / "parsing.html").read_text(encoding="utf-8")
    assert re.search('<a href="models.html">[^<]+</a>', page)
    assert '<a href="security.html">' in (site / "allennlp.html").read_text(encoding="utf-8")


def test_the_drawings_are_what_make_pictures_draws():
    drawings = runpy.run_path(str(ROOT / "docs" / "tools" / "pictures.py"))["drawings"]()
    assert len(drawings) == 24
    for name, content in drawings.items():
        assert (PICTURES / name).read_text(encoding="utf-8") == content, "run make pictures"


def test_the_parse_on_the_first_page_is_the_models():
    parsed = runpy.run_path(str(ROOT / "docs" / "tools" / "pictures.py"))["parsed"]
    assert (PICTURES / "parsed.svg").read_text(encoding="utf-8") == parsed(), "run make pictures"


def test_the_pictures_of_a_page_are_there_and_small():
    for page in (ROOT / "docs").glob("*.md"):
        for name in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / name).stat().st_size < 100_000
