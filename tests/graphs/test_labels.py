"""The tables of labels."""

import pytest

import sdp_pointer
from sdp_pointer.graphs import FORMALISMS, read
from sdp_pointer.graphs.labels import LABELS, label_of
from tests.conftest import FIXTURES

ROWS = [(formalism, label) for formalism, table in LABELS.items() for label in table]


@pytest.mark.parametrize(("formalism", "label"), ROWS, ids=lambda each: getattr(each, "name", each))
def test_a_row_is_a_sentence_and_an_arc_between_two_words_of_its_example(formalism, label):
    assert formalism in FORMALISMS
    assert label.meaning.startswith("The ")
    assert label.meaning.endswith(".")
    words = label.sentence.split()
    assert label.head in words
    assert label.dependent in words
    assert label_of(formalism, label.name) is label


@pytest.mark.parametrize("formalism", LABELS)
def test_a_label_has_one_row(formalism):
    names = [label.name for label in LABELS[formalism]]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("formalism", LABELS)
def test_every_label_of_the_fixtures_is_explained(formalism):
    graphs = read(str(FIXTURES / "official" / f"en.{formalism}.sdp"))
    labels = {arc.label for graph in graphs for arc in graph.arcs}
    assert not [label for label in labels if label_of(formalism, label) is None]


def test_every_label_of_the_model_of_the_package_is_explained():
    [folder] = sdp_pointer.__path__
    with open(f"{folder}/english_dm/vocabulary/arc_labels.txt") as file:
        labels = file.read().split()
    assert not [label for label in labels if label_of("dm", label) is None]


@pytest.mark.parametrize(("formalism", "name"), [("dm", "ACT-arg"), ("eud", "nsubj"), (None, "BV")])
def test_other_labels_have_no_row(formalism, name):
    assert label_of(formalism, name) is None
