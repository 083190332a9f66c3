import re

from drawn_graphs import graphs, pairs
from hypothesis import given

from sdp_pointer.graphs import Graph, Token
from sdp_pointer.graphs.draw import dot
from sdp_pointer.graphs.draw.as_dot import quoted
from sdp_pointer.graphs.draw.characters import visible

STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


@given(graphs())
def test_whatever_a_graph_contains_stays_within_quotes(graph):
    code = STRING.sub("", dot(graph))
    assert re.fullmatch(r"[a-z0-9 \n{}\[\];=>,.-]*", code)
    assert len(
        re.findall(r"^  \d+ -> \d+ \[xlabel=\]|^  \d+ -> \d+ \[xlabel=,", code, re.M)
    ) == len(graph.arcs)
    assert len(re.findall(r"^  top -> \d", code, re.M)) == len(graph.tops)


@given(graphs())
def test_quoted_text_reads_as_what_it_was(graph):
    for form in graph.forms:
        inner = quoted(form)[1:-1]
        shown = re.sub(r"\\(.)", r"\1", inner).replace("&amp;", "&")
        assert shown == visible(form)


@given(pairs())
def test_comparisons_have_every_arc_of_both_graphs(pair):
    graph, gold = pair
    code = STRING.sub("", dot(graph, gold))
    drawn = {tuple(map(int, arc)) for arc in re.findall(r"^  (\d+) -> (\d+) ", code, re.M)}
    assert drawn == {arc[:2] for arc in graph.arcs + gold.arcs}


def test_the_words_are_chained_in_the_order_of_reading():
    assert "    1 -> 2 -> 3 [style=invis" in dot(Graph(map(Token, "abc")))
    assert "    3 -> 2 -> 1 [style=invis" in dot(Graph(map(Token, "אבג")))


def test_differences_are_dashed_or_dotted():
    words = [Token("a"), Token("b")]
    code = dot(Graph(words, [(1, 2, "x")]), Graph(words, [(2, 1, "y")], tops=[1]))
    assert re.search(r'1 -> 2 \[xlabel="x".* style=dotted\]', code)
    assert re.search(r'2 -> 1 \[xlabel="y".* style=dashed\]', code)
    assert re.search(r"top -> 1 \[.* style=dashed\]", code)
