from itertools import pairwise

from drawn_graphs import PLAIN_LABEL, graphs
from hypothesis import given
from hypothesis import strategies as st

from sdp_pointer.graphs.draw.layout import Spacing
from sdp_pointer.graphs.draw.marks import compare
from sdp_pointer.graphs.draw.rows import rows

COLUMNS = Spacing(port=2, gap=3, margin=2, clearance=1)


def laid_out(graph, width, is_reversed=False):
    sizes = [len(form) for form in graph.forms]
    return list(rows(compare(graph), sizes, len, COLUMNS, width, is_reversed))


GRAPHS = graphs(label=PLAIN_LABEL)
WIDTHS = st.none() | st.integers(1, 80)


@given(GRAPHS, WIDTHS, st.booleans())
def test_every_word_stands_in_one_row_in_the_order_of_the_sentence(graph, width, is_reversed):
    found = laid_out(graph, width, is_reversed)
    assert [position for row in found for position in row.words] == [*range(1, len(graph) + 1)]
    for row in found:
        assert len(row.centres) == len(row.words)
        assert list(row.centres) == sorted(row.centres, reverse=is_reversed)


@given(GRAPHS, st.integers(1, 80))
def test_a_row_is_as_broad_as_the_width_at_most_unless_it_has_one_word(graph, width):
    assert all(row.width <= width or len(row.words) == 1 for row in laid_out(graph, width))


@given(GRAPHS, st.booleans())
def test_there_is_one_row_without_a_width_or_where_all_fits(graph, is_reversed):
    [row] = laid_out(graph, None, is_reversed)
    assert laid_out(graph, row.width, is_reversed) == [row]


@given(GRAPHS, WIDTHS)
def test_an_arc_has_a_piece_in_every_row_from_one_of_its_words_to_the_other(graph, width):
    for row in laid_out(graph, width):
        expected = {
            arc[:2]
            for arc in graph.arcs
            if min(arc[:2]) <= row.words[-1] and max(arc[:2]) >= row.words[0]
        }
        assert {(arc.head, arc.dependent) for arc, _ in row.arcs} == expected
        assert {top.word for top, _ in row.tops} == set(graph.tops).intersection(row.words)


@given(GRAPHS, st.integers(1, 40))
def test_pieces_come_in_the_same_order_where_a_row_ends_and_where_the_next_begins(graph, width):
    for row, following in pairwise(laid_out(graph, width)):
        ends = {arc: placed for arc, placed in row.arcs if max(arc[:2]) not in row.words}
        ends = {arc: placed for arc, placed in ends.items() if max(arc[:2]) > row.words[-1]}
        begins = {a: p for a, p in following.arcs if min(a[:2]) < following.words[0]}
        assert ends.keys() == begins.keys()
        assert sorted(ends, key=lambda arc: ends[arc].level) == sorted(
            begins, key=lambda arc: begins[arc].level
        )
        # Each has a level of its own there, and reaches the edge.
        assert len({placed.level for placed in ends.values()}) == len(ends)
        assert {placed.right for placed in ends.values()} <= {row.width}
        assert {placed.left for placed in begins.values()} <= {0}
