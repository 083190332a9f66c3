from html.parser import HTMLParser

from drawn_graphs import graphs, pairs
from hypothesis import given
from hypothesis import strategies as st

from sdp_pointer.graphs import Graph, Token
from sdp_pointer.graphs.draw import html, svg

PAGE = {"html", "head", "meta", "title", "style", "body", "h1"}
FIGURE = {"figure", "figcaption", "span", "bdi", "svg", "rect", "g", "path", "text"}


class Page(HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.attributes = set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes.update(name for name, _ in attributes)


@given(st.lists(graphs() | pairs(), max_size=3))
def test_a_page_has_a_figure_for_each_graph_and_no_tag_of_theirs(items):
    page = Page(html(items, title="<script>alert(1)</script>"))
    assert page.tags.count("figure") == page.tags.count("svg") == len(items)
    assert set(page.tags) <= PAGE | FIGURE
    assert not page.attributes & {"src", "href", "onload", "onclick", "id"}


def test_a_figure_holds_the_drawing_below_id_and_sentence():
    graph = Graph([Token("A"), Token("<b>")], [(1, 2, "x")], id="7&8")
    caption = '<figcaption><span class="id">7&amp;8</span><bdi>A &lt;b&gt;</bdi></figcaption>'
    assert f"<figure>\n{caption}\n{svg(graph)}</figure>" in html([graph])


def test_a_pair_is_drawn_as_a_comparison():
    graph, gold = Graph([Token("Go")], tops=[1]), Graph([Token("Go")])
    assert svg(graph, gold) in html([(graph, gold)])


def test_text_stays_text_when_it_could_be_read_as_markup_across_columns():
    graph = Graph([Token("</svg><script>", pos="-->")], [(1, 1, "]]>")], id="<!--")
    assert "<script" not in html([graph])
    assert "<!--" not in html([graph])
