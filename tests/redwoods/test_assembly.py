"""Repeats, what is evaluated on, and what is held out."""

from collections import Counter

import pytest

from sdp_pointer.errors import UserError
from sdp_pointer.graphs import Graph, Token
from sdp_pointer.redwoods.assembly import EVALUATED, REPEATED, assemble, letters
from sdp_pointer.redwoods.splits import File, Split, chosen


def graph(text, id="", label="ARG1"):
    words = text.split()
    arcs = [(1, 2, label)] if len(words) > 1 else []
    return Graph([Token(word) for word in words], arcs, [1], id)


def texts(part):
    return [" ".join(graph.forms) for graph in part.graphs]


def train(*sentences, dev=()):
    converted = {"a": list(map(graph, sentences)), "b": list(map(graph, dev))}
    return assemble(chosen(["train=a", "dev=b"]), converted)["train"]


def test_a_sentence_with_the_same_graph_is_kept_once():
    part = train("one two three four five six", "one two three four five six")
    assert len(part.graphs) == 1
    assert part.dropped == Counter({REPEATED: 1})


def test_a_long_sentence_with_another_graph_is_kept():
    long = "one two three four five six"
    converted = {"a": [graph(long), graph(long, label="ARG2")]}
    assert len(assemble(chosen(["train=a"]), converted)["train"].graphs) == 2


def test_a_short_sentence_is_kept_once_whatever_its_graph_and_punctuation():
    assert texts(train("Yes , sir !", "yes sir", "yes ma'am")) == ["Yes , sir !", "yes ma'am"]


def test_sentences_of_evaluation_files_are_not_trained_on():
    part = train("go home !", "Stay here", dev=["Go home", "stay away"])
    assert texts(part) == ["Stay here"]
    assert part.dropped == Counter({EVALUATED: 1})


def test_evaluation_files_keep_their_repeats():
    parts = assemble(chosen(["dev=a"]), {"a": [graph("Yes"), graph("Yes")]})
    assert texts(parts["dev"]) == ["Yes", "Yes"]


def test_a_split_that_is_not_cleaned_keeps_everything():
    split = Split((File("train", ("a",)), File("dev", ("b",))), cleaned=False)
    parts = assemble(split, {"a": [graph("Yes"), graph("Yes")], "b": [graph("Yes")]})
    assert len(parts["train"].graphs) == 2


def test_ids_are_those_of_the_items_or_count_up():
    converted = {"a": [graph("one", "17"), graph("two", "18")], "b": [graph("three", "19")]}
    split = Split((File("train", ("a", "b"), last_id=500), File("dev", ("a",))))
    parts = assemble(split, converted)
    assert [g.id for g in parts["dev"].graphs] == ["17", "18"]
    assert [g.id for g in parts["train"].graphs] == ["501"]


@pytest.fixture
def many():
    return [graph(f"sentence {number}", str(number)) for number in range(1000)]


def held_out(many, others=()):
    split = Split((File("train", ("a",)), File("more-email", ("b",), last_id=10_000)))
    return assemble(split, {"a": list(others), "b": many}, hold_out=True)


def test_a_tenth_is_held_out_of_the_files_for_more_training(many):
    parts = held_out(many)
    assert list(parts) == ["train", "more-email", "dev-email"]
    rest, aside = parts["more-email"].graphs, parts["dev-email"].graphs
    assert 80 < len(aside) < 120
    # Numbers are those of the undivided file.
    assert sorted(int(g.id) for g in [*rest, *aside]) == list(range(10_001, 11_001))


def test_what_is_held_out_depends_on_nothing_but_the_sentence(many):
    before = set(texts(held_out(many)["dev-email"]))
    other = set(texts(held_out(many[:0:-2])["dev-email"]))
    assert other == before & {" ".join(g.forms) for g in many[:0:-2]}


def test_what_another_training_file_has_is_not_held_out(many):
    before = texts(held_out(many)["dev-email"])
    parts = held_out(many, others=[graph(before[0].upper())])
    assert texts(parts["dev-email"]) == before[1:]
    assert texts(parts["train"]) == [before[0].upper()]


def test_a_tenth_of_nothing_is_told():
    with pytest.raises(UserError, match="no file more-NAME of which a tenth could be held out"):
        assemble(chosen(["train=a"]), {"a": []}, hold_out=True)


def test_a_file_is_not_replaced_by_what_is_held_out(many):
    split = chosen(["more-email=a", "dev-email=b"])
    with pytest.raises(UserError, match=r"dev-email.sdp is there already, and cannot hold"):
        assemble(split, {"a": many, "b": []}, hold_out=True)


def test_letters_and_digits_tell_sentences_apart():
    assert letters(graph("I 'm 7 .")) == "im7"
    assert letters(graph(". .")) != letters(graph("."))
