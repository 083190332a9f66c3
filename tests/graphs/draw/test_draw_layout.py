from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdp_pointer.graphs.draw.layout import Spacing, Span, arrange, levels

PIXELS = Spacing(port=10, gap=14, margin=11, clearance=3)
COLUMNS = Spacing(port=2, gap=3, margin=2, clearance=1)


@st.composite
def scenes(draw):
    """Widths of words, arcs (at most one in each direction, so two with the same ends), tops."""
    words = draw(st.lists(st.integers(0, 60), min_size=1, max_size=9))
    place = st.integers(0, len(words) - 1)
    pairs = draw(st.sets(st.tuples(place, place), max_size=20))
    spans = [Span(min(pair), max(pair), draw(st.integers(0, 70))) for pair in sorted(pairs)]
    tops = [Span(top, top, draw(st.integers(0, 30))) for top in sorted(draw(st.sets(place)))]
    return words, spans, tops, draw(st.sampled_from([PIXELS, COLUMNS]))


def label_box(placed, span):
    start = placed.label - span.label // 2
    return placed.level, start, start + span.label


def boxes_overlap(box, other):
    return box[0] == other[0] and box[1] <= other[2] and other[1] <= box[2]


@given(scenes())
def test_the_boxes_of_labels_never_overlap(scene):
    words, spans, tops, spacing = scene
    layout = arrange(words, spans, tops, spacing)
    boxes = list(map(label_box, layout.arcs + layout.tops, spans + tops))
    assert not any(boxes_overlap(*pair) for pair in combinations(boxes, 2))


@given(scenes())
def test_a_label_stands_on_its_arc_clear_of_both_corners(scene):
    words, spans, tops, spacing = scene
    for placed, span in zip(arrange(words, spans, tops, spacing).arcs, spans):
        _, start, end = label_box(placed, span)
        assert placed.left + spacing.margin <= start
        assert end <= placed.right - spacing.margin


@given(scenes())
def test_arcs_at_one_level_lie_side_by_side(scene):
    words, spans, tops, spacing = scene
    arcs = arrange(words, spans, tops, spacing).arcs
    lines = [(arc.level, arc.left, arc.right) for arc in arcs]
    assert not any(boxes_overlap(*pair) for pair in combinations(lines, 2))


@given(scenes())
def test_words_keep_their_distance_and_their_order(scene):
    words, spans, tops, spacing = scene
    layout = arrange(words, spans, tops, spacing)
    edge = -spacing.gap
    for centre, width in zip(layout.words, words):
        assert centre - width // 2 >= edge + spacing.gap
        edge = centre + width - width // 2
    assert edge <= layout.width


@given(scenes())
def test_every_end_of_an_arc_and_every_top_has_a_port_of_its_own(scene):
    words, spans, tops, spacing = scene
    layout = arrange(words, spans, tops, spacing)
    feet = [x for arc in layout.arcs for x in (arc.left, arc.right)]
    feet = sorted(feet + [top.left for top in layout.tops])
    assert all(after - before >= spacing.port for before, after in pairwise(feet))
    assert not feet or 0 <= feet[0] <= feet[-1] <= layout.width


@given(scenes())
def test_only_arcs_that_cross_in_the_graph_cross_on_paper(scene):
    words, spans, _, spacing = scene
    arcs = arrange(words, spans, [], spacing).arcs
    for (arc, span), (other, other_span) in combinations(zip(arcs, spans), 2):
        low, high = sorted((arc, other), key=lambda placed: placed.level)
        legs_through = sum(low.left < x < low.right for x in (high.left, high.right))
        first, second = sorted((span[:2], other_span[:2]))
        is_crossing = first[0] < second[0] < first[1] < second[1]
        assert legs_through == (1 if is_crossing and arc.level != other.level else 0)


@given(scenes())
def test_the_label_of_a_top_is_above_every_line_near_its_word(scene):
    words, spans, tops, spacing = scene
    layout = arrange(words, spans, tops, spacing)
    for placed, top in zip(layout.tops, tops):
        near = [
            a.level for a, span in zip(layout.arcs, spans) if span.left <= top.left <= span.right
        ]
        assert placed.level == 1 + max(near, default=0)


@pytest.mark.parametrize("spacing", [PIXELS, COLUMNS])
def test_a_label_moves_aside_for_an_arc_that_crosses_or_a_top_below(spacing):
    crossed, crossing = [Span(0, 2, 40), Span(1, 3, 40)]
    lower, upper = arrange([90] * 4, [crossed, crossing], [], spacing).arcs
    assert (lower.level, upper.level) == (1, 2)
    assert abs(lower.label - upper.left) > 40 // 2 + spacing.clearance
    layout = arrange([90] * 3, [crossed], [Span(1, 1, 20)], spacing)
    assert abs(layout.arcs[0].label - layout.tops[0].left) > 40 // 2 + spacing.clearance


def test_a_label_stays_in_the_middle_where_every_place_is_crossed():
    tops = [Span(place, place, 0) for place in range(1, 9)]
    layout = arrange([0] * 10, [Span(0, 9, 100)], tops, PIXELS)
    arc = layout.arcs[0]
    assert arc.label == (arc.left + arc.right) // 2


def test_a_hundred_words_with_arcs_between_neighbours_need_one_level():
    assert set(levels([Span(word, word + 1, 0) for word in range(99)])) == {1}


def test_nested_arcs_need_as_many_levels_as_they_are_deep():
    assert levels([Span(0, right, 0) for right in (3, 2, 1)]) == [3, 2, 1]


@given(scenes())
def test_an_arc_is_above_those_it_encloses(scene):
    _, spans, _, _ = scene
    heights = levels(spans)
    for (span, level), (other, other_level) in combinations(zip(spans, heights), 2):
        if other.left < span.left and span.right < other.right:
            assert level < other_level
        if span.left < other.left and other.right < span.right:
            assert other_level < level


def test_two_arcs_between_the_same_words_are_nested_in_each_other():
    inner, outer = arrange([20, 20], [Span(0, 1, 30), Span(0, 1, 30)], [], PIXELS).arcs
    assert outer.left < inner.left < inner.right < outer.right
    assert inner.level < outer.level


def test_a_self_loop_stands_above_its_word_and_below_arcs_that_pass():
    loop, arc = arrange([20] * 3, [Span(1, 1, 30), Span(0, 2, 5)], [], PIXELS).arcs
    assert (loop.level, arc.level) == (1, 2)
    assert loop.right - loop.left == 30 + 2 * PIXELS.margin
