import subprocess
import sys
from itertools import combinations
from xml.etree import ElementTree

import pytest
from drawn_graphs import graphs, pairs
from hypothesis import given
from hypothesis import strategies as st

from sdp_pointer.graphs import Graph, Token
from sdp_pointer.graphs.draw import svg

NAMESPACE = "{http://www.w3.org/2000/svg}"
FISH = [Token("Cats", pos="NNS"), Token("like", pos="VBP"), Token("fish", pos="NN")]


def elements(image, tag, css_class=""):
    root = ElementTree.fromstring(image)
    found = root.iter(NAMESPACE + tag)
    return [each for each in found if css_class in each.get("class", "").split() or not css_class]


def texts(image, css_class):
    return [text.text for text in elements(image, "text", css_class)]


def tooltips(image, css_class="sdp-arc"):
    arcs = elements(image, "g", "sdp-arc")
    return [arc[0].text for arc in arcs if css_class in arc.get("class").split()]


@given(graphs())
def test_every_graph_becomes_well_formed_xml_with_all_its_parts(graph):
    image = svg(graph)
    assert len(elements(image, "g", "sdp-arc")) == len(graph.arcs) + len(graph.tops)
    assert len(elements(image, "path", "sdp-head")) == len(graph.arcs) + len(graph.tops)
    assert len(texts(image, "sdp-form")) == len(graph)
    assert len(elements(image, "g", "sdp-idle")) == len(graph.singletons)


@given(pairs())
def test_every_comparison_becomes_well_formed_xml_with_all_arcs(pair):
    graph, gold = pair
    arcs = {arc[:2] for arc in graph.arcs + gold.arcs}
    tops = {*graph.tops, *gold.tops}
    assert len(elements(svg(graph, gold), "g", "sdp-arc")) == len(arcs) + len(tops)


def boxes(parent, tag):
    found = parent.iter(NAMESPACE + tag)
    return [tuple(int(box.get(key)) for key in ("x", "y", "width", "height")) for box in found]


def moved(row):
    """How far right and down a row is, and everything in it."""
    return map(int, row.get("transform").removeprefix("translate(").removesuffix(")").split())


@given(graphs(), st.none() | st.integers(50, 500))
def test_labels_as_drawn_lie_inside_the_image_and_never_overlap(graph, width):
    image = svg(graph, width=width)
    page, *_ = boxes(ElementTree.fromstring(image), "rect")
    labels = []
    for row in rows_of(image):
        right, down = moved(row)
        labels += [(x + right, y + down, w, h) for x, y, w, h in boxes(row, "rect")]
    for x, y, width, height in labels:
        assert page[0] <= x <= page[0] + page[2] - width
        assert page[1] <= y <= page[1] + page[3] - height
    for (x, y, width, height), (x2, y2, width2, height2) in combinations(labels, 2):
        is_beside = x + width <= x2 or x2 + width2 <= x
        assert is_beside or y + height <= y2 or y2 + height2 <= y


def rows_of(image):
    return [part for part in elements(image, "g") if "transform" in part.attrib]


@given(graphs(), st.integers(50, 500))
def test_an_image_in_rows_is_as_broad_as_asked_for_unless_a_row_has_but_one_word(graph, width):
    image = svg(graph, width=width)
    found = [list(row.iter(f"{NAMESPACE}text")) for row in rows_of(image)]
    words = [[text for text in row if text.get("class") == "sdp-form"] for row in found]
    assert sum(map(len, words)) == len(graph)
    if int(ElementTree.fromstring(image).get("width")) > width:
        assert min(map(len, words)) == 1


def test_an_arc_between_two_rows_has_a_piece_in_each_and_one_arrow_head():
    image = svg(Graph(FISH, [(1, 3, "ARG2")]), width=120)
    first, second, third = rows_of(image)
    assert [len(list(row.iter(f"{NAMESPACE}rect"))) for row in (first, second, third)] == [1, 1, 1]
    heads = [row.findall(f".//{NAMESPACE}path[@class='sdp-head']") for row in rows_of(image)]
    assert list(map(len, heads)) == [0, 0, 1]
    assert tooltips(image) == 3 * ["Cats -ARG2-> fish"]


def test_rows_of_a_right_to_left_sentence_begin_at_the_right():
    words = ["أحب", "القهوة", "وأحب", "الشاي"]
    image = svg(Graph(map(Token, words), [(1, 2, "x")]), width=200)
    xs = []
    for row in rows_of(image):
        right, _ = moved(row)
        xs.append([right + int(form.get("x")) for form in row.iter(f"{NAMESPACE}text")][-2:])
    assert len(xs) > 1
    assert all(row == sorted(row, reverse=True) for row in xs)
    assert texts(image, "sdp-form") == words


def test_a_legend_is_no_broader_than_the_page():
    graph = Graph(FISH, [(2, 1, "ARG1"), (2, 3, "ARG3")], tops=[1])
    gold = Graph(FISH, [(3, 1, "ARG1"), (2, 3, "ARG2")], tops=[2])
    image = svg(graph, gold, width=330)
    assert int(ElementTree.fromstring(image).get("width")) <= 330
    assert len({note.get("y") for note in elements(image, "text", "sdp-note")}) > 1


def test_an_arc_has_its_label_and_a_tooltip_that_says_it_in_words():
    image = svg(Graph(FISH, [(2, 1, "ARG1")], meta={"probabilities": {(2, 1): 0.5}}))
    assert texts(image, "sdp-label") == ["ARG1"]
    assert tooltips(image) == ["like -ARG1-> Cats (0.500)"]


def test_the_tooltip_says_what_the_label_means_where_the_formalism_has_a_table():
    image = svg(Graph(FISH, [(2, 1, "ARG2"), (2, 3, "mine")], formalism="dm"))
    explained, alone = tooltips(image)
    first, meaning = explained.split("\n")
    assert first == "like -ARG2-> Cats"
    assert meaning.startswith("ARG2: The dependent is the head's second argument")
    assert alone == "like -mine-> fish"


def test_the_arrow_head_is_at_the_dependent():
    for arc, is_leftward in (((3, 1, "x"), True), ((1, 3, "x"), False)):
        image = svg(Graph(FISH, [arc]))
        first, _, last = (int(form.get("x")) for form in elements(image, "text", "sdp-form"))
        tip = int(elements(image, "path", "sdp-head")[0].get("d").split()[0][1:])
        assert (abs(tip - first) < abs(tip - last)) == is_leftward


@given(graphs())
def test_higher_arcs_are_drawn_first_so_that_labels_cover_the_lines_behind_them(graph):
    labels = elements(svg(graph.replace(tops=[])), "text", "sdp-label")
    heights = [int(label.get("y")) for label in labels]
    assert heights == sorted(heights)


def test_every_top_has_an_arrow_labelled_top():
    image = svg(Graph(FISH, tops=[1, 3]))
    assert texts(image, "sdp-label") == ["top", "top"]
    assert len(elements(image, "g", "sdp-top")) == 2


def test_the_part_of_speech_is_shown_where_there_is_one():
    assert texts(svg(Graph([Token("Go", pos="VB"), Token("!")])), "sdp-pos") == ["VB"]


def test_the_image_is_titled_by_id_and_sentence():
    root = ElementTree.fromstring(svg(Graph(FISH, id="22100001")))
    assert root[0].text == "22100001: Cats like fish"
    assert root.get("role") == "img"


@pytest.mark.parametrize(
    ("sentence", "is_reversed"),
    [("أحب القهوة", True), ("הוא אוהב YouTube", True), ("he said שלום", False), ("猫 鱼", False)],
)
def test_words_run_in_the_direction_of_reading(sentence, is_reversed):
    forms = sentence.split()
    image = svg(Graph(map(Token, forms), [(1, 2, "x")]))
    xs = [int(form.get("x")) for form in elements(image, "text", "sdp-form")]
    assert texts(image, "sdp-form") == forms
    assert xs == sorted(xs, reverse=is_reversed)


def test_each_right_to_left_form_has_its_own_direction():
    image = svg(Graph([Token("peace"), Token("שלום"), Token("42")]))
    forms = elements(image, "text", "sdp-form")
    assert [form.get("direction") for form in forms] == [None, "rtl", None]
    assert "unicode-bidi: isolate" in image


def test_in_a_reversed_sentence_each_form_keeps_the_room_that_it_needs():
    image = svg(Graph([Token("ש" * 20), Token("ש"), Token("ש")]))
    long, short, shortest = (int(form.get("x")) for form in elements(image, "text", "sdp-form"))
    assert long - short > 3 * (short - shortest)


def test_a_very_long_form_is_clipped_but_told_in_full_by_its_tooltip():
    image = svg(Graph([Token("x" * 500)]))
    (form,) = texts(image, "sdp-form")
    assert len(form) < 50
    assert "…" in form
    assert f">1 {'x' * 500}<" in image


def test_differences_have_a_colour_and_a_dash_pattern_of_their_own():
    graph = Graph(FISH, [(2, 1, "ARG1"), (2, 3, "ARG3")], tops=[1])
    gold = Graph(FISH, [(3, 1, "ARG1"), (2, 3, "ARG2")], tops=[2])
    image = svg(graph, gold)
    assert tooltips(image, "sdp-surplus") == [
        "top Cats, surplus (not in gold)",
        "like -ARG1-> Cats, surplus (not in gold)",
    ]
    assert tooltips(image, "sdp-missing") == [
        "top like, missing (only in gold)",
        "fish -ARG1-> Cats, missing (only in gold)",
    ]
    assert tooltips(image, "sdp-relabelled") == ["like -ARG3 (gold: ARG2)-> fish"]
    style = elements(image, "style")[0].text
    for status in ("surplus", "missing"):
        assert style.count(f".sdp-{status} .sdp-line {{ stroke-dasharray:") == 1
        assert style.count(f".sdp-{status} .sdp-line {{ stroke: #") == 2  # light and dark
    assert len(texts(image, "sdp-note")) == 3


def test_there_is_no_legend_without_a_gold_graph():
    assert texts(svg(Graph(FISH, [(2, 1, "ARG1")])), "sdp-note") == []


def test_an_image_needs_nothing_but_itself_and_does_not_clash_with_others():
    image = svg(Graph(FISH, [(2, 1, "ARG1")], tops=[2]), Graph(FISH))
    content = image.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not any(
        word in content for word in ("http", "url(", "@import", "<script", " id=", "href")
    )
    selectors = [line.split("{")[0] for line in image.splitlines() if "{" in line]
    assert all(selector.startswith((".sdp", "@media")) for selector in selectors)


def test_a_notebook_shows_a_graph_as_svg():
    graph = Graph(FISH, [(2, 1, "ARG1")])
    assert graph._repr_svg_() == svg(graph)


def test_importing_the_drawings_imports_hardly_anything_else():
    script = (
        "import sys, sdp_pointer.graphs; before = set(sys.modules); import sdp_pointer.graphs.draw;"
        "print(*(name for name in set(sys.modules) - before if not name.startswith('sdp_pointer')))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) <= {"bisect", "_bisect", "math", "unicodedata"}
