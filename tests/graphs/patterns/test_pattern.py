"""What patterns find."""

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdp_pointer.graphs import Arc, Graph, Match, Pattern, Token, find
from sdp_pointer.graphs.patterns.syntax import is_name, parse
from tests.graphs.patterns.naive_matcher import naive_matches
from tests.graphs.strategies import graphs

# The -BV-> cat, who likes fish, sleeps; likes is the top.
CAT = Graph(
    [
        *(Token("The", "the", "DT"), Token("cat", "cat", "NN"), Token("likes", "like", "VBZ")),
        *(Token("and", "and", "CC"), Token("eats", "eat", "VBZ", "v:e-i"), Token("fish")),
    ],
    arcs=[
        *((1, 2, "BV"), (3, 2, "ARG1"), (5, 2, "ARG1"), (3, 6, "ARG2"), (5, 6, "ARG2")),
        *((3, 5, "_and_c"),),
    ],
    tops=[3],
    id="1",
)


def found(pattern, graph=CAT):
    """The forms that a pattern's names stand for, match by match."""
    return [" ".join(map(str, match.values())) for match in Pattern(pattern).matches(graph)]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        # words
        ("?x=like", ["likes"]),
        ("?x=LIKES", ["likes"]),
        ('?x="likes"|fish', ["likes", "fish"]),
        ("?x!=like|/.*s/|the|and", ["cat", "fish"]),
        ("?x=/.a./", ["cat", "eats"]),  # the lemma eat
        ("?x=/.A.S/i", ["eats"]),
        ("?x[form=likes]", ["likes"]),
        ("?x[form=like]", []),
        ("?x[form=Likes]", []),
        ("?x[lemma=like]", ["likes"]),
        ("?x[pos=/V.*/ lemma!=like]", ["eats"]),
        ("?x[frame!=_]", ["eats"]),
        ("?x[top]", ["likes"]),
        ("?x[!top pos=VBZ]", ["eats"]),
        ("?x[predicate]", ["The", "likes", "eats"]),
        ("?x[!predicate]", ["cat", "and", "fish"]),
        # arcs
        ("like -ARG1-> ?x", ["cat"]),
        ("cat <-ARG1- ?x", ["likes", "eats"]),
        ("cat <-- ?x", ["The", "likes", "eats"]),
        ("?x --> fish", ["likes", "eats"]),
        ("like -ARG1|ARG2-> ?x", ["cat", "fish"]),
        ("like -/ARG./-> ?x", ["cat", "fish"]),
        ("like -!ARG1|ARG2-> ?x", ["eats"]),
        ("like -?r-> ?x", ["cat ARG1", "eats _and_c", "fish ARG2"]),
        ("like -?r=/ARG./-> ?x", ["cat ARG1", "fish ARG2"]),
        ("like -?r!=/ARG./-> ?x", ["eats _and_c"]),
        ("fish <-?r- ?x -_and_c-> *", ["likes ARG2"]),
        ("?x -ARG1-> cat <-BV- ?y", ["likes The", "eats The"]),
        # joined by names
        ("?v -ARG1-> ?a, ?v -ARG2-> ?p", ["likes cat fish", "eats cat fish"]),
        ("?v -ARG1-> ?a, ?v[lemma=eat]", ["eats cat"]),
        ("?v -ARG1-> ?a <-ARG1- ?w, ?v -_and_c-> ?w", ["likes cat eats"]),
        # different names, different words; no name, any word
        ("?v -ARG1-> ?c <-ARG1- ?w", ["likes cat eats", "eats cat likes"]),
        ("?v -ARG1-> ?c <-ARG1- ?w, ?v << ?w", ["likes cat eats"]),
        ("?v -ARG1-> cat, ?w -ARG1-> cat", ["likes eats", "eats likes"]),
        ("?v --> ?x, ?v --> ?y, ?v --> ?z, not ?v --> fish", []),
        ("?v --> ?x, not ?v --> fish", ["The cat"]),
        ("eats -ARG1-> *, eats -ARG1-> ?x", ["cat"]),
        # order
        ("?x < likes", ["cat"]),
        ("?x << likes", ["The", "cat"]),
        ("?x < ?y < and", ["cat likes"]),
        # negated
        ("?v -ARG1-> *, not ?v -_and_c-> *", ["eats"]),
        ("?v -ARG1-> *, not ?v[top]", ["eats"]),
        ("?x[pos=NN], not ?x <-ARG1- ?v, not dogs", []),
        ("?x[pos=NN], not ?x <-ARG3- ?v, not dogs", ["cat"]),
        ("?c=cat <-ARG1- ?v, not ?c <-BV- *", []),
        ("?v -ARG2-> ?p, not ?w -ARG2-> ?p", []),
        ("?v -ARG2-> ?p, not ?w[top] -ARG2-> ?p", ["likes fish"]),
        ("not dogs", [""]),
        ("not fish", []),
        # optional
        ("?v[pos=VBZ], optional ?v -_and_c-> ?w", ["likes eats", "eats"]),
        ("?v[pos=VBZ], optional ?v -?r=_and_c-> ?w", ["likes eats _and_c", "eats"]),
        ("like, optional * -BV-> ?x, optional ?x -ARG3-> ?y", ["cat"]),
        ("like, optional * -BV|ARG9-> ?x <-ARG2- *, optional ?x --> ?y", [""]),
        ("optional dogs -ARG1-> ?x", [""]),
        # words of the language that are words of English
        ("not -neg-> ?x", []),
        ("?x, not not", ["The", "cat", "likes", "and", "eats", "fish"]),
    ],
)
def test_a_pattern_finds(pattern, expected):
    assert found(pattern) == expected


def test_a_word_that_is_called_not_can_be_found():
    graph = Graph([Token("not"), Token("optional"), Token(",")], [(1, 2, "neg"), (2, 3, "a,b")])
    assert found("not -neg-> ?x", graph) == ["optional"]
    assert found("?x <-neg- not", graph) == ["optional"]
    assert found('optional -"a,b"-> ?x', graph) == [","]
    assert found('?x -"a,b"-> ","', graph) == ["optional"]
    assert found("not", graph) == [""]


@pytest.mark.parametrize(
    "label", ["ACT-arg", "nsubj:pass", "obl:in_front_of", "CONJ.member", "a/b"]
)
def test_labels_of_all_formalisms_need_no_quotes(label):
    graph = Graph([Token("a"), Token("b")], [(1, 2, label), (2, 1, "other")])
    assert found(f"?x -{label}-> ?y", graph) == ["a b"]
    assert found(f"?y <-{label}- ?x", graph) == ["b a"]
    assert found(f"?x -{label}|x-> ?y, ?y -other-> ?x", graph) == ["a b"]


def test_a_loop_is_an_arc_from_a_name_to_itself():
    graph = Graph([Token("a"), Token("b")], [(1, 1, "x"), (1, 2, "x")])
    assert found("?a -x-> ?a", graph) == ["a"]
    assert found("?a -x-> ?b", graph) == ["a b"]
    assert found("?a -x-> *", graph) == ["a", "a"]
    assert found("?a[form=b], not ?a -x-> ?a", graph) == ["b"]


def test_what_is_not_annotated_is_no_lemma():
    graph = Graph([Token("Cats"), Token("_")], [(2, 1, "ARG1")])
    assert found("?x=_", graph) == ["_"]
    assert found("?x=/_/", graph) == ["_"]
    assert found("?x[lemma=_]", graph) == ["Cats", "_"]


def test_a_match_knows_its_words_labels_and_arcs():
    [match] = Pattern("?v=like -?r=ARG2-> *, optional * -BV-> ?n, optional ?x=dog").matches(CAT)
    assert isinstance(match, Match)
    assert match.graph is CAT
    assert dict(match) == {"v": CAT.word(3), "n": CAT.word(2), "r": "ARG2"}
    assert (match["v"].lemma, match["r"], match.get("x")) == ("like", "ARG2", None)
    assert match.positions == (1, 2, 3, 6)
    assert match.names == {3: "v", 2: "n"}
    assert match.arcs == (Arc(3, 6, "ARG2"), Arc(1, 2, "BV"))
    assert (len(match), "x" in match, repr(match)) == (3, False, "Match(v=likes, n=cat, r=ARG2)")
    with pytest.raises(KeyError, match="x"):
        match["x"]
    with pytest.raises(KeyError):
        match["1"]


def test_an_optional_arc_that_does_not_hold_is_none_of_the_match():
    [match] = Pattern("?a=like --> ?b=eat, optional ?a -?r=ARG1-> ?b").matches(CAT)
    assert match.arcs == (Arc(3, 5, "_and_c"),)
    assert "r" not in match


def test_find_goes_through_graphs_one_by_one():
    read = []

    def reading():
        for number in range(3):
            read.append(number)
            yield CAT.replace(id=str(number))

    matches = find("?v -ARG1-> *", reading())
    assert (next(matches)["v"].form, read) == ("likes", [0])
    assert [match.graph.id for match in matches] == ["0", "1", "1", "2", "2"]
    assert list(find(Pattern("dogs"), reading())) == []


def test_patterns_can_be_sent_to_other_processes():
    pattern = pickle.loads(pickle.dumps(Pattern("?v -ARG1-> ?a")))
    assert pattern.count(CAT) == 2
    [match, _] = pickle.loads(pickle.dumps(pattern.matches(CAT)))
    assert match["v"] == CAT.word(3)


# Few forms, labels and tags, so that patterns often match.
_texts = st.sampled_from(["a", "b", "A"])
_small = graphs(
    forms=_texts,
    lemmas=st.sampled_from(["a", "b", "_"]),
    pos=st.sampled_from(["N", "V"]),
    frames=st.just("_"),
    labels=st.sampled_from(["x", "y", "x-y"]),
)
_values = st.lists(
    st.sampled_from(["a", "b", '"A"', "/[ab]/", "/a/i", "/c?/", "N", "x"]), min_size=1, max_size=2
).map("|".join)
_signs = st.sampled_from(["=", "!="])
_conditions = st.one_of(
    st.sampled_from(["top", "!top", "predicate", "!predicate"]),
    st.builds("{}{}{}".format, st.sampled_from(["form", "lemma", "pos", "frame"]), _signs, _values),
)
_brackets = st.one_of(
    st.just(""), st.lists(_conditions, max_size=2).map(" ".join).map("[{}]".format)
)
_labels = st.one_of(
    st.just(""),
    st.builds(
        "{}{}".format,
        st.sampled_from(["", "!"]),
        st.lists(st.sampled_from(["x", "y", "x-y", "/x.*/"]), min_size=1).map("|".join),
    ),
)
_between = st.one_of(
    st.builds("-{}->".format, _labels),
    st.builds("<-{}-".format, _labels),
    st.sampled_from(["<", "<<"]),
)


@st.composite
def _chains(draw, kind, names):
    starts = st.one_of(
        st.sampled_from(names).map("?{}".format),
        st.builds("?{}{}{}".format, st.sampled_from(names), _signs, _values),
        st.just("*"),
        _values,
    )
    chain = [draw(starts) + draw(_brackets)]
    for _ in range(draw(st.integers(0, 2))):
        chain += [draw(_between), draw(starts) + draw(_brackets)]
    return f"{kind}{' '.join(chain)}"


@st.composite
def _patterns(draw):
    required = draw(st.lists(_chains("", ["p", "q", "r"]), max_size=2))
    given = [name for name in "pqr" if f"?{name}" in "".join(required)]
    negated = draw(st.lists(_chains("not ", [*given, "local"]), max_size=1))
    optional = draw(st.lists(_chains("optional ", [*given, "o", "u"]), max_size=2))
    clauses = draw(st.permutations([*required, *negated, *optional]))
    return ", ".join(clauses) or "*"


@settings(max_examples=200)
@given(_patterns(), _small)
def test_the_matches_are_those_of_all_assignments_that_hold(text, graph):
    clauses = parse(text)
    pattern = Pattern(text)
    matches = pattern.matches(graph)
    expected = naive_matches(clauses, graph)
    found = [match.positions for match in matches]
    assert sorted(found) == sorted(tuple(sorted({*match.values()})) for match in expected)
    named = [{name: word.position for name, word in match.items()} for match in matches]
    wanted = [{n: place for n, place in match.items() if is_name(n)} for match in expected]
    assert sorted(map(sorted, map(dict.items, named))) == sorted(
        map(sorted, map(dict.items, wanted))
    )
    assert pattern.count(graph) == len(matches)
    for match in matches:
        assert set(match.arcs) <= set(graph.arcs)
