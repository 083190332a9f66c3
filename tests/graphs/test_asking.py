"""What a graph answers about its words, predications and paths, and its parts."""

import pickle
import warnings
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdp_pointer.graphs import Arc, Graph, Token, Word, dumps, loads
from tests.graphs.strategies import graphs

TOKENS = [
    *(Token("Kim", "Kim", "NNP"), Token("sees", "see", "VBZ"), Token("cats", "cat", "NNS")),
    *(Token("and", "and", "CC"), Token("dogs", "dog", "NNS"), Token(".")),
]
SEES = Graph(
    TOKENS,
    [(2, 1, "ARG1"), (2, 3, "ARG2"), (4, 3, "conj"), (4, 5, "conj")],
    tops=[2],
    bare_predicates=[6],
    meta={
        "text": "Kim sees cats and dogs.",
        "offsets": ((0, 3), (4, 8), (9, 13), (14, 17), (18, 22), (22, 23)),
        "probabilities": {(0, 2): 0.9, (2, 1): 0.8, (4, 5): 0.7},
        "score": -1.5,
    },
)
# As the parser of the package leaves it, which knows neither lemmas nor tags.
BARE = SEES.replace(tokens=[Token(token.form) for token in TOKENS], meta={})


def test_words_know_their_place_in_the_sentence_and_in_the_text():
    assert SEES.words[2] == SEES.word(3) == Word(3, "cats", "cat", "NNS", "_", 9, 13)
    assert [SEES.meta["text"][word.start : word.end] for word in SEES.words] == list(SEES.forms)
    assert (BARE.word(3).start, BARE.word(3).end) == (None, None)


@pytest.mark.parametrize("position", [0, 7, -1])
@pytest.mark.parametrize(
    "ask",
    [
        SEES.word,
        SEES.arguments,
        SEES.heads,
        lambda word: SEES.path(word, 1),
        lambda word: SEES.path(1, word),
        lambda word: SEES.subgraph([1, word]),
    ],
)
def test_a_position_outside_of_the_sentence_is_an_error(ask, position):
    with pytest.raises(IndexError, match=f"no word {position} in a sentence of 6 words"):
        ask(position)


def test_a_word_can_be_given_in_place_of_its_position():
    kim, sees, cats = SEES.words[:3]
    assert SEES.arguments(sees) == SEES.arguments(2)
    assert SEES.heads(kim) == (2,)
    assert SEES.path(kim, cats) == SEES.path(1, 3)
    assert SEES.subgraph([kim, sees]) == SEES.subgraph([1, 2])


def test_arguments_have_their_labels_in_the_order_of_the_sentence():
    assert [(label, word.form) for label, word in SEES.arguments(2)] == [
        ("ARG1", "Kim"),
        ("ARG2", "cats"),
    ]
    assert SEES.arguments(1) == ()


def test_every_predicate_is_the_word_of_a_predication():
    assert [p.word.form for p in SEES.predications()] == ["sees", "and", "."]
    assert {p.word.position for p in SEES.predications()} == SEES.predicates


def test_a_predication_maps_labels_to_words():
    sees, conjunction, stop = SEES.predications()
    assert sees["ARG1"].form == "Kim"
    assert sees.get("ARG3") is None
    assert list(sees) == ["ARG1", "ARG2"]
    assert "ARG2" in sees
    with pytest.raises(KeyError, match="ARG3"):
        sees["ARG3"]
    assert len(stop) == 0
    assert conjunction["conj"].form == "cats"
    assert [word.form for word in conjunction.all("conj")] == ["cats", "dogs"]
    assert (len(conjunction), list(conjunction)) == (1, ["conj"])
    assert sees.all("conj") == ()


def test_predications_are_values():
    sees, *others = SEES.predications()
    assert pickle.loads(pickle.dumps(sees)) == sees
    assert sees not in others
    assert {sees: 1}[next(SEES.predications())] == 1
    with pytest.raises(AttributeError):
        sees.word = SEES.word(1)


@pytest.mark.parametrize(
    ("labels", "conditions", "expected"),
    [
        ((), {"pos": "V"}, ["sees"]),
        ((), {"pos": "VBD"}, []),
        ((), {"lemma": "see"}, ["sees"]),
        ((), {"form": "and"}, ["and"]),
        ((), {"form": "and", "pos": "V"}, []),
        (("ARG1",), {}, ["sees"]),
        (("ARG1", "ARG2"), {}, ["sees"]),
        (("ARG1", "conj"), {}, []),
    ],
)
def test_predications_are_chosen_by_the_predicate_and_its_labels(labels, conditions, expected):
    assert [p.word.form for p in SEES.predications(*labels, **conditions)] == expected


def test_without_tags_and_lemmas_labels_still_choose():
    assert [str(p["ARG2"]) for p in BARE.predications("ARG1", "ARG2")] == ["cats"]
    with pytest.warns(UserWarning, match="choose by labels"):
        assert list(BARE.predications(pos="V")) == []


def simple_paths(graph, start, end, directed):
    """Every path without a word twice, as positions; each permutation is tried."""
    others = [word for word in range(1, len(graph) + 1) if word not in (start, end)]
    pairs = {(arc.head, arc.dependent) for arc in graph.arcs}
    if not directed:
        pairs |= {(dependent, head) for head, dependent in pairs}
    for number in range(len(others) + 1):
        for between in permutations(others, number):
            path = (start, *between, end)
            if start == end:
                path = (start,) if not between else None
            if path and all(pair in pairs for pair in pairwise(path)):
                yield path


@given(graphs(), st.data(), st.booleans())
def test_a_path_is_the_shortest_over_the_leftmost_words(graph, data, directed):
    positions = st.integers(1, len(graph))
    start, end = data.draw(positions), data.draw(positions)
    path = graph.path(start, end, directed)
    shortest = min(
        simple_paths(graph, start, end, directed), key=lambda p: (len(p), p), default=None
    )
    if shortest is None:
        assert path is None
        return
    arcs = {arc[:2]: arc for arc in graph.arcs}
    assert path == tuple(
        arcs.get((one, other)) or arcs[other, one] for one, other in pairwise(shortest)
    )


def test_a_filter_keeps_words_and_tops_and_the_arcs_of_some_labels():
    filtered = SEES.filter("ARG2", "conj")
    assert filtered == SEES.replace(arcs=[(2, 3, "ARG2"), (4, 3, "conj"), (4, 5, "conj")])
    assert SEES.filter().arcs == ()


def test_a_subgraph_has_the_words_and_the_arcs_between_them():
    part = SEES.subgraph([5, 4, 2, 2, 1])
    assert part.forms == ("Kim", "sees", "and", "dogs")
    assert part.arcs == (Arc(2, 1, "ARG1"), Arc(3, 4, "conj"))
    assert part.tops == (2,)
    assert part.bare_predicates == ()
    assert SEES.subgraph([1, 6]).bare_predicates == (2,)
    assert part.meta == {
        "text": SEES.meta["text"],
        "offsets": ((0, 3), (4, 8), (14, 17), (18, 22)),
        "probabilities": {(0, 2): 0.9, (2, 1): 0.8, (3, 4): 0.7},
    }
    assert loads(dumps([part], "jsonl"))[0].meta == part.meta


@given(graphs(), st.data())
def test_a_subgraph_loses_nothing_within_its_words(graph, data):
    words = data.draw(st.sets(st.integers(1, len(graph)), min_size=1))
    part = graph.subgraph(words)
    back = dict(enumerate(sorted(words), start=1))
    assert [graph.tokens[back[n] - 1] for n in back] == list(part.tokens)
    assert {(back[h], back[d], label) for h, d, label in part.arcs} == {
        arc for arc in graph.arcs if {arc.head, arc.dependent} <= words
    }
    assert {back[top] for top in part.tops} == words.intersection(graph.tops)
    assert graph.subgraph(range(1, len(graph) + 1)) == graph


def test_to_json_is_the_line_of_json_lines():
    [line] = dumps([SEES], "jsonl").splitlines()
    assert loads(line)[0] == SEES
    assert SEES.to_json()["arcs"][0] == {
        **{"head": 2, "dependent": 1, "label": "ARG1"},
        "probability": 0.8,
    }


def test_a_condition_on_a_column_that_no_word_has_causes_a_warning():
    graph = SEES.replace(tokens=[token._replace(pos="_") for token in TOKENS])
    with pytest.warns(UserWarning, match="no word of this graph has a pos, so nothing") as caught:
        assert list(graph.predications("ARG1", pos="V")) == []
    assert [warning.filename for warning in caught] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(graph.predications("ARG1", lemma="nobody")) == []
        assert list(SEES.predications(pos="X")) == []
