import unicodedata
from itertools import takewhile

import pytest
from drawn_graphs import PLAIN_LABEL, graphs, pairs
from hypothesis import given
from hypothesis import strategies as st

from sdp_pointer.graphs import Graph, Token
from sdp_pointer.graphs.draw import text
from sdp_pointer.graphs.draw.characters import clusters, columns, visible
from sdp_pointer.graphs.draw.marks import compare
from sdp_pointer.graphs.draw.text_above import lay_out

WIDE, NARROW = 10_000, 1
FISH = [Token("Cats", pos="NNS"), Token("like", pos="VBP"), Token("fish", pos="NN")]
PLAIN = {"text": st.just("word"), "label": PLAIN_LABEL, "pos": st.just("_")}
CORNERS = set("┌┐└┘┏┓┗┛")


def drawing(*lines):
    return "\n".join(lines)


def cells(drawn):
    """The character in each row and column."""
    found = {}
    for row, line in enumerate(drawn.split("\n")):
        column = 0
        for part, width in clusters(line):
            found[row, column] = part
            column += width
    return found


def follow(sheet, row, column, step):
    """Where a line from this cell in this direction reaches its next corner."""
    while sheet[row, column] not in CORNERS:
        row, column = row + step[0], column + step[1]
    return row, column


def test_arcs_are_drawn_above_words_that_fit_in_the_terminal():
    graph = Graph(FISH, [(2, 1, "ARG1"), (2, 3, "ARG2")], tops=[2])
    assert text(graph, width=22) == drawing(
        "         top",
        " ┌─ARG1─┐ │ ┌─ARG2─┐",
        " ▼      │ ▼ │      ▼",
        "Cats     like     fish",
        "NNS      VBP       NN",
    )


def test_a_sentence_that_does_not_fit_in_the_terminal_is_drawn_in_rows():
    graph = Graph([*FISH, Token(".")], [(2, 1, "ARG1"), (2, 3, "ARG2")], tops=[2])
    assert text(graph, width=24) == drawing(
        "            top",
        "    ┌─ARG1─┐ │ ┌─ARG2──",
        "    ▼      │ ▼ │",
        "   Cats     like",
        "   NNS      VBP",
        "",
        "──ARG2─┐",
        "       ▼",
        "      fish  .",
        "       NN",
    )


def test_arcs_are_drawn_beside_words_that_do_not_fit_in_the_terminal():
    graph = Graph(FISH, [(2, 1, "ARG1"), (2, 3, "ARG2")], tops=[2])
    assert text(graph, width=15) == drawing(
        "      1 Cats NNS ◀─ARG1─┐",
        "top─▶ 2 like VBP ───────┘",
        "                 ───────┐",
        "      3 fish NN  ◀─ARG2─┘",
    )


def test_crossing_arcs_opposite_arcs_and_self_loops_are_drawn():
    arcs = [(1, 3, "a"), (2, 4, "b"), (4, 2, "c"), (3, 3, "self")]
    graph = Graph(map(Token, "pqrs"), arcs)
    assert text(graph, width=WIDE) == drawing(
        "   ┌────────b─────────┐",
        "   │ ┌──────c───────┐ │",
        "┌──┼a┼──┐ ┌─self─┐  │ │",
        "│  │ ▼  ▼ │      ▼  │ ▼",
        "p   q       r        s",
    )


def test_a_wide_character_takes_two_columns_and_a_combining_mark_none():
    graph = Graph([Token("日本"), Token("e\u0301e\u0301"), Token("x")], [(1, 2, "A"), (2, 3, "B")])
    heads, words = text(graph, width=WIDE).split("\n")[-2:]
    assert heads == " │    ▼ │   ▼"
    assert words == "日本   e\u0301e\u0301   x"


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_differences_have_line_styles_of_their_own(width):
    graph = Graph(FISH, [(2, 1, "ARG1"), (2, 3, "ARG3")], tops=[1])
    gold = Graph(FISH, [(3, 1, "ARG1"), (2, 3, "ARG2")], tops=[2])
    drawn = text(graph, gold, width)
    assert "━ARG1━" in drawn
    assert "┄ARG1┄" in drawn
    assert "─ARG3 (gold: ARG2)─" in drawn
    assert drawn.endswith(
        "\n\n┄┄┄┄ missing (only in gold)\n━━━━ surplus (not in gold)\n"
        "a (gold: b): label a instead of b"
    )


def test_right_to_left_sentences_are_written_a_word_a_line():
    graph = Graph([Token("שלום"), Token("עולם")], [(1, 2, "ARG1")])
    first, second = text(graph, width=WIDE).split("\n")
    assert first == "1 \u200eשלום\u200e ───────┐"
    assert second == "2 \u200eעולם\u200e ◀─ARG1─┘"


def test_forms_are_clipped_to_the_width_of_the_terminal():
    graph = Graph([Token("x" * 30), Token("y" * 30)], [(1, 2, "ARG1")], tops=[1])
    assert max(map(columns, text(graph, width=30).split("\n"))) == 30


def test_words_without_arcs_are_written_without_empty_lines():
    assert text(Graph([Token("No"), Token("arcs")]), width=80) == "No  arcs"


@given(graphs(), st.sampled_from([WIDE, NARROW]))
def test_nothing_that_a_terminal_would_obey_is_written(graph, width):
    drawn = text(graph, width=width)
    categories = {unicodedata.category(char) for char in drawn if char != "\n"}
    assert not categories & {"Cc", "Cs", "Zl", "Zp"}
    assert drawn.encode()


@given(pairs(), st.sampled_from([WIDE, NARROW]))
def test_colours_change_nothing_but_the_colours(pair, width):
    coloured = text(*pair, width=width, colour=True)
    start, *parts = coloured.split("\x1b[")
    plain = start + "".join(part.partition("m")[2] for part in parts)
    stripped = [line.rstrip(" ") for line in plain.split("\n")]
    assert stripped == text(*pair, width=width).split("\n")


def test_colours_are_used_only_if_asked_for():
    pair = Graph(FISH, [(2, 1, "ARG1")]), Graph(FISH, tops=[2])
    assert "\x1b[31m" in text(*pair, width=80, colour=True)
    assert "\x1b[34m" in text(*pair, width=80, colour=True)
    assert "\x1b" not in text(*pair, width=80)


@given(graphs(), st.integers(1, 120))
def test_a_drawing_above_the_words_is_never_wider_than_the_terminal(graph, width):
    lines = text(graph, width=width).split("\n")
    if not any("◀" in line for line in lines) and graph.arcs:
        assert max(map(columns, lines)) <= width


@given(graphs(**PLAIN))
def test_all_arcs_can_be_read_back_from_the_drawing_beside_the_words(graph):
    drawn = text(graph, width=NARROW)
    sheet = cells(drawn)
    lines = drawn.split("\n")
    words = []  # the word of each row
    for line in lines:
        number = line.removeprefix("top─▶").split(" word")[0].strip()
        words.append(int(number) if "word" in line else words[-1])
    read = set()
    for row, line in enumerate(lines):
        if "◀" in line:
            start = line.index("◀")
            label = "".join(takewhile(str.isalnum, line[start + 2 :]))
            bend = follow(sheet, row, start, (0, 1))
            is_down = sheet[bend] == "┐"
            end, _ = follow(
                sheet, bend[0] + (1 if is_down else -1), bend[1], (1 if is_down else -1, 0)
            )
            read.add((words[end], words[row], label))
    assert read == set(graph.arcs)
    tops = {words[row] for row, line in enumerate(lines) if line.startswith("top")}
    assert tops == set(graph.tops)


@given(graphs(**PLAIN))
def test_all_arcs_can_be_read_back_from_the_drawing_above_the_words(graph):
    [layout] = lay_out(graph, compare(graph), WIDE)
    sheet = cells(text(graph, width=WIDE))
    read = set()
    for (row, column), char in sheet.items():
        if char == "▼" and column not in {top.left for _, top in layout.tops}:
            bend = follow(sheet, row, column, (-1, 0))
            step = (0, 1 if sheet[bend] == "┌" else -1)
            _, end = follow(sheet, bend[0], bend[1] + step[1], step)
            read.add((end, column))
    expected = set()
    for arc, placed in layout.arcs:
        is_rightward = arc.head <= arc.dependent
        expected.add(placed[:2] if is_rightward else (placed.right, placed.left))
    assert read == expected


@given(graphs(pos=st.just("_"), label=PLAIN_LABEL))
def test_every_form_and_every_label_can_be_read(graph):
    above = text(graph, width=WIDE).replace("\u200e", "")
    beside = text(graph, width=NARROW).replace("\u200e", "")
    for arc in graph.arcs:
        assert arc.label in above
        assert arc.label in beside
    for form in map(visible, graph.forms):
        if columns(form) <= 8:
            assert form.replace("\u200e", "").strip() in above
            assert form.replace("\u200e", "").strip() in beside


def test_by_default_the_width_is_that_of_the_terminal(monkeypatch):
    graph = Graph(FISH, [(2, 1, "ARG1")])
    for columns_there in (10, 100):
        monkeypatch.setenv("COLUMNS", str(columns_there))
        assert text(graph) == text(graph, width=columns_there)
    assert text(graph, width=10) != text(graph, width=100)
