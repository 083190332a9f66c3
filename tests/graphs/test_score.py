import json
import pickle
from itertools import count, repeat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_score import PAS_CORE, naive_scores
from score_strategies import corpora

from sdp_pointer.graphs import Graph, Token, read
from sdp_pointer.graphs.score import (
    Counts,
    MismatchError,
    Scorer,
    Totals,
    pair,
    report,
    report_sentences,
    scores,
)
from sdp_pointer.graphs.score.report import decimals

ORACLE = Path(__file__).parents[2] / "fixtures" / "oracle"
EXPECTED = json.loads((ORACLE / "expected.json").read_text())["pairs"]

OPTIONS = {
    "default": {},
    "max2": {},
    "DM": {"representation": "DM"},
    "PAS": {"representation": "pas"},
    "PSD": {"representation": "psd"},
    "excludePunctuation": {"exclude_punctuation": True},
    "treatEdgesAsUndirected": {"undirected": True},
}
options = st.fixed_dictionaries(
    {
        "representation": st.sampled_from([None, "dm", "pas", "psd"]),
        "exclude_punctuation": st.booleans(),
        "undirected": st.booleans(),
    }
)


def oracle_graphs(name, side):
    return read(ORACLE / "pairs" / f"{name}.{side}.sdp")


def score(pairs, **options):
    scorer = Scorer(**options)
    for gold, system in pairs:
        scorer.add(gold, system)
    return scorer


def as_printed(value):
    if isinstance(value, dict):
        return {key: as_printed(part) for key, part in value.items()}
    return float(decimals(value)) if isinstance(value, float) else value


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("name", EXPECTED)
def test_every_figure_of_the_official_scorer_is_reproduced(name, option):
    gold, system = oracle_graphs(name, "gold"), oracle_graphs(name, "sys")
    pairs = pair(gold, system, max_graphs=2 if option == "max2" else None)
    result = score(pairs, **OPTIONS[option]).scores()
    assert as_printed(result.as_json()) == EXPECTED[name][option]
    json.dumps(result.as_json(), allow_nan=False)


@settings(deadline=None)
@given(corpora, options)
def test_scores_agree_with_explicit_sets_over_the_whole_corpus(pairs, options):
    result = score(pairs, **options).scores().as_json()
    assert result["with_top"] == naive_scores(pairs, True, **options)
    assert result["without_top"] == naive_scores(pairs, False, **options)


@settings(deadline=None, max_examples=50)
@given(corpora, corpora, options)
def test_adding_counts_equals_scoring_together(first, second, options):
    apart = score(first, **options).counts + score(second, **options).counts
    assert apart == score(first + second, **options).counts


@settings(deadline=None)
@given(corpora, options)
def test_counts_of_single_sentences_add_up_and_leave_the_scorer_alone(pairs, options):
    scorer = Scorer(**options)
    total = sum((scorer.alone(gold, system) for gold, system in pairs), Counts())
    assert scorer.counts == Counts()
    assert total == score(pairs, **options).counts


@settings(deadline=None, max_examples=30)
@given(corpora)
def test_the_flat_totals_suffice_for_the_metric(pairs):
    counts = score(pairs).counts
    reduced = Counts(Totals._make([2 * number for number in counts.totals]))
    assert scores(reduced).with_top.as_metric() == scores(counts).with_top.as_metric()
    assert all(type(number) is int for number in counts.totals)


def test_a_predicate_without_arcs_counts_where_it_is_marked():
    gold = Graph([Token("Go", pos="VB")], tops=[1])
    section = score([(gold, gold.replace(bare_predicates=[1]))]).scores().with_top
    assert (section.n_predications_gold, section.n_predications_system, section.PP) == (0, 1, 0.0)


def test_counts_travel_between_processes():
    counts = score(
        pair(oracle_graphs("p09_noisy_psd", "gold"), oracle_graphs("p09_noisy_psd", "sys"))
    ).counts
    assert pickle.loads(pickle.dumps(counts)) == counts


def test_a_reset_scorer_has_counted_nothing():
    scorer = score([(Graph([Token("Go")], tops=[1]),) * 2])
    scorer.reset()
    assert scorer.counts == Counts()


def test_the_metric_has_zero_where_the_official_scorer_prints_nan():
    metric = Scorer().scores().with_top.as_metric()
    assert len(metric) == 14
    assert set(metric.values()) == {0.0}


def test_an_unknown_representation_is_refused():
    with pytest.raises(ValueError, match="'ccg'"):
        Scorer(representation="ccg")


def sentence(text, id="1"):
    return Graph([Token(form) for form in text.split()], id=id)


@pytest.mark.parametrize(
    ("gold", "system", "message"),
    [
        (
            "a b",
            "a c",
            r"sentence 2 \(gold '7', system '7'\): token 2 is 'b' in gold but 'c' in system",
        ),
        ("a b", "a b c", r"sentence 2 \(gold '7', system '7'\): 2 tokens in gold but 3 in system"),
    ],
)
def test_other_forms_or_another_number_of_tokens_are_refused(gold, system, message):
    same = sentence("x")
    with pytest.raises(MismatchError, match=message):
        list(pair([same, sentence(gold, "7")], [same, sentence(system, "7")]))


def test_other_ids_are_refused_by_name():
    with pytest.raises(MismatchError, match=r"\(gold '7', system '8'\): the ids differ"):
        list(pair([sentence("a", "7")], [sentence("a", "8")]))
    unnamed = sentence("a", "")
    assert list(pair([sentence("a", "7")], [unnamed])) == [(sentence("a", "7"), unnamed)]


@pytest.mark.parametrize("positional", [False, True])
def test_files_of_different_length_are_refused(positional):
    one, two = [sentence("a", "1")], [sentence("a", "1"), sentence("b", "2")]
    with pytest.raises(MismatchError, match="gold ends after 1 graphs, system goes on with '2'"):
        list(pair(one, two, positional))
    with pytest.raises(MismatchError, match="baseline ends after 1 graphs, gold goes on with '2'"):
        list(pair(two, one, positional, name="baseline"))


def test_positional_pairing_looks_at_the_number_of_sentences_alone():
    gold, system = sentence("a b", "7"), sentence("c d e", "8")
    assert list(pair([gold], [system], positional=True)) == [(gold, system)]
    with pytest.raises(MismatchError, match="system ends after 1 graphs"):
        list(pair([gold, gold], [system], positional=True))


def test_pairing_is_lazy_and_stops_after_the_wanted_number():
    endless = (sentence("a", str(number)) for number in count())
    assert (
        len(list(pair(endless, map(sentence, repeat("a"), map(str, count())), max_graphs=3))) == 3
    )
    assert next(endless).id == "3"


def test_a_report_shows_breakdowns_on_request():
    gold = Graph([Token("Go"), Token("home")], [(1, 2, "loc")], tops=[1])
    result = score([(gold, gold.replace(arcs=[(1, 2, "dir")]))]).scores()
    by_label = report(result, by="label").split("\n\n")
    assert by_label[1].splitlines() == [
        "label         gold   system         P         R",
        "-VIRTUAL-        1        1  1.000000  1.000000",
        "dir              0        1  0.000000       NaN",
        "loc              1        0       NaN  0.000000",
    ]
    assert by_label[2].startswith(
        "# Excluding tops\nedges: 1 gold, 1 system, 0 common labelled, 1 "
    )
    assert "\n5-9           0        0       NaN       NaN\n" in report(result, by="length")
    with pytest.raises(ValueError, match="'colour'"):
        report(result, by="colour")


def test_a_report_by_sentence_tells_which_ones_are_exact():
    gold = Graph([Token("Go"), Token("home")], [(1, 2, "loc")], tops=[1], id="1")
    counts = [Scorer().alone(gold, system) for system in (gold, gold.replace(tops=[]))]
    lines = list(report_sentences(zip(["1", "2"], counts)))
    assert [line.split()[-1] for line in lines] == ["exact", "+", "-"]
    assert len(set(map(len, lines))) == 1


@pytest.mark.parametrize("label", [*sorted(PAS_CORE), "noun_ARG1", "det_ARG1", "coord_ARG3"])
def test_a_predication_of_pas_needs_all_its_core_arguments_and_no_other(label):
    tokens = [Token("gave", pos="VBD"), Token("Kim"), Token("up")]
    complete = Graph(tokens, [(1, 2, "verb_ARG1"), (1, 3, label)])
    scorer = Scorer("pas")
    scorer.add(complete, complete.replace(arcs=[(1, 2, "verb_ARG1")]))
    recall = scorer.scores().with_top.PR
    assert recall == (0.0 if label in PAS_CORE else 1.0)
