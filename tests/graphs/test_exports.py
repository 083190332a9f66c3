"""Graphs as tables, networks and drawings of other libraries."""

import re
import sys

import networkx
import pytest
from spacy import displacy

from sdp_pointer.graphs import Graph, Token, to_pandas
from tests.graphs.test_asking import BARE, SEES


def test_a_table_has_a_row_for_each_top_and_each_arc():
    table = SEES.replace(id="7").to_pandas()
    assert len(table) == 1 + len(SEES.arcs)
    assert table.id.unique().tolist() == ["7"]
    top, kim = table.to_dict("records")[:2]
    assert (top["head"], top["head_form"], top["label"], top["dependent_form"]) == (
        *(0, "ROOT", "", "sees"),
    )
    assert (kim["head_lemma"], kim["label"], kim["dependent_pos"]) == ("see", "ARG1", "NNP")
    assert kim["probability"] == 0.8
    assert table.probability.isna().sum() == 2
    assert set(table.groupby("head_form").size().items()) >= {("sees", 2), ("and", 2)}


def test_a_table_of_words_has_their_places_and_what_they_are():
    table = SEES.to_pandas("words").set_index("position")
    assert table.form.tolist() == list(SEES.forms)
    assert table.loc[3, ["start", "end"]].tolist() == [9, 13]
    assert table.index[table.top].tolist() == [2]
    assert table.index[table.predicate].tolist() == [2, 4, 6]
    assert BARE.to_pandas("words").start.isna().all()


def test_several_graphs_make_one_table():
    graphs = (SEES.replace(id=str(number)) for number in range(3))
    assert to_pandas(graphs).id.value_counts().to_dict() == {"0": 5, "1": 5, "2": 5}


def test_a_table_without_rows_has_its_columns():
    lonely = Graph([Token("Go")])
    assert list(lonely.to_pandas().columns) == list(SEES.to_pandas().columns)
    assert to_pandas([], "words").empty


def test_another_kind_of_rows_is_refused():
    with pytest.raises(ValueError, match="rows are 'arcs' or 'words', not 'tops'"):
        SEES.to_pandas("tops")


def test_a_network_can_be_asked_by_its_library():
    network = SEES.to_networkx()
    assert set(network) == {1, 2, 3, 4, 5, 6}
    assert network.graph["text"] == SEES.meta["text"]
    assert network.nodes[2] == {
        **{"form": "sees", "lemma": "see", "pos": "VBZ", "frame": "_"},
        **{"start": 4, "end": 8, "top": True},
    }
    assert "start" not in BARE.to_networkx().nodes[2]
    assert network.edges[2, 1] == {"label": "ARG1", "probability": 0.8}
    assert network.edges[2, 3] == {"label": "ARG2"}
    assert networkx.shortest_path(network.to_undirected(), 1, 5) == [1, 2, 3, 4, 5]


def test_displacy_draws_every_arc_in_its_direction():
    loop = SEES.replace(arcs=[*SEES.arcs, (1, 1, "self"), (1, 2, "back")], bare_predicates=[])
    drawn = displacy.render(loop.to_displacy(), style="dep", manual=True, page=False, jupyter=False)
    labels = re.findall(r"<textPath[^>]*>\s*(\S+)\s*</textPath>", drawn)
    assert sorted(labels) == ["ARG1", "ARG2", "back", "conj", "conj"]
    assert all(form in drawn for form in SEES.forms)
    directions = {arc["label"]: arc["dir"] for arc in loop.to_displacy()["arcs"]}
    assert (directions["ARG1"], directions["ARG2"]) == ("left", "right")


@pytest.mark.parametrize(
    ("library", "export"), [("pandas", Graph.to_pandas), ("networkx", Graph.to_networkx)]
)
def test_a_library_that_is_missing_is_named_with_the_remedy(monkeypatch, library, export):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ModuleNotFoundError) as missing:
        export(SEES)
    assert str(missing.value) == (
        f"to_{library} needs {library}, which is not installed: pip install {library}"
    )
