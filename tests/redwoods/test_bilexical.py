"""From predicates to words: one small EDS for each rule."""

import pytest
from delphin.codecs import eds

from sdp_pointer.redwoods.bilexical import dependencies
from sdp_pointer.redwoods.words import Word

from .conftest import MAKE


@pytest.fixture
def graph(rules):
    """The graph of words, by an EDS with numbers of words for places in the text."""

    def graph(words, notation):
        text, places = MAKE["laid_out"](words.split())
        tokens = [Word(text[start:end], start, end) for start, end in places]
        return dependencies(eds.decode(MAKE["placed"](notation, places)), tokens, rules)

    return graph


@pytest.fixture
def arcs(graph):
    """Its arcs as texts, and `top WORD`."""

    def arcs(words, notation):
        found = graph(words, notation)
        forms = found.forms
        tops = {f"top {forms[top - 1]}" for top in found.tops}
        return tops | {f"{forms[h - 1]} {label} {forms[d - 1]}" for h, d, label in found.arcs}

    return arcs


def test_each_argument_of_a_word_is_an_arc(arcs):
    notation = "{e2: e2:_eat_v_1<2>{e}[ARG1 x3, ARG2 x4] x3:pron<1>{x}[] x4:_pie_n_1<3>{x}[]}"
    assert arcs("I eat pie", notation) == {"top eat", "eat ARG1 I", "eat ARG2 pie"}


def test_quantifiers_that_are_no_words_leave_no_trace(arcs):
    notation = "{e2: e2:_bark_v_1<3>{e}[ARG1 x3] _1:udef_q<2>[BV x3] _2:_all_q<1>[BV x3]"
    notation += " x3:_dog_n_1<2>{x}[]}"
    assert arcs("all dogs bark", notation) == {"top bark", "bark ARG1 dogs", "all BV dogs"}


@pytest.mark.parametrize(
    ("predicate", "head", "dependent", "label"),
    [
        ("appos", "ARG2", "ARG1", "appos"),
        ("compound", "ARG2", "ARG1", "compound"),
        ("loc_nonsp", "ARG2", "ARG1", "loc"),
        ("measure", "ARG2", "ARG1", "measure"),
        ("of_p", "ARG2", "ARG1", "of"),
        ("poss", "ARG2", "ARG1", "poss"),
        ("subord", "ARG2", "ARG1", "subord"),
        ("comp", "ARG1", "ARG2", "than"),
        ("discourse", "ARG2", "ARG1", "discourse"),
        ("fw_seq", "ARG2", "ARG1", "fw_seq"),
        ("implicit_conj", "ARG1", "ARG2", "conj"),
        ("instrument", "ARG2", "ARG1", "instrument"),
        ("more_comp", "ARG1", "ARG2", "than"),
        ("num_seq", "ARG2", "ARG1", "mwe"),
        ("parenthetical", "ARG2", "ARG1", "parenthetical"),
        ("plus", "ARG2", "ARG3", "plus"),
        ("plus_c", "ARG1", "ARG2", "plus"),
        ("relative_mod", "ARG2", "ARG1", "subord"),
        ("temp_loc_x", "ARG2", "ARG1", "loc"),
        ("unspec_manner", "ARG2", "ARG1", "manner"),
        ("times", "ARG2", "ARG3", "times"),
        ("with_p", "ARG2", "ARG1", "instrument"),
        ("_and_c", "ARG1", "ARG2", "_and_c"),
        ("_and+then_c", "ARG1", "ARG2", "_and+then_c"),
    ],
)
def test_a_relation_is_one_arc(arcs, predicate, head, dependent, label):
    notation = (
        f"{{x3: e1:{predicate}<1-3>{{e}}[{head} x2, {dependent} x3]"
        " x2:_one_n_1<1>{x}[] x3:_other_n_1<3>{x}[]}"
    )
    assert arcs("one and other", notation) == {f"one {label} other", "top other"}


@pytest.mark.parametrize(
    ("predicate", "label"),
    [
        ("neg", "neg"),
        ("part_of", "part"),
        ("superl", "superl"),
        ("comp", "comp"),
        ("more_comp", "comp"),
    ],
)
def test_the_argument_of_some_words_has_a_label_of_its_own(arcs, predicate, label):
    notation = f"{{e2: e2:{predicate}<1>{{e}}[ARG1 e3] e3:_other_a_1<2>{{e}}[ARG1 e2]}}"
    assert arcs("one other", notation) == {"top one", f"one {label} other", "other ARG1 one"}


@pytest.mark.parametrize(
    ("notation", "expected"),
    [
        ("e1:_and_c<2>{e}[ARG1 x2, ARG2 x3]", "one"),
        ("e1:nominalization<1-3>{x}[ARG1 x3]", "other"),
        ("e1:unknown<1-3>{e}[ARG x3]", "other"),
        ("e1:loc_nonsp<1-3>{e}[ARG1 x2, ARG2 x3]", "other"),
        ("e1:subord<1-3>{e}[ARG1 x2, ARG2 x3]", "one"),
        ("e1:relative_mod<1-3>{e}[ARG1 x2, ARG2 x3]", "one"),
        ("e1:discourse<1-3>{e}[ARG1 x2, ARG2 x3]", "one"),
        ("e1:nominalization<1-3>{x}[ARG1 e8] e8:unknown<1-3>{e}[ARG e1, ARG2 x3]", "other"),
    ],
)
def test_a_node_without_a_word_passes_on_to_an_argument(arcs, notation, expected):
    rest = "x2:_one_n_1<1>{x}[] x3:_other_n_1<3>{x}[] e9:_go_v_1<4>{e}[ARG1 e1]"
    found = arcs("one and other go", f"{{e1: {notation} {rest}}}")
    assert {f"top {expected}", f"go ARG1 {expected}"} <= found


def test_what_modifies_a_quantifier_that_is_no_word_modifies_what_it_binds(arcs):
    notation = "{e1: e1:_only_x_deg<1>{e}[ARG1 _2] _2:udef_q<2>[BV x3] x3:_tea_n_1<2>{x}[]}"
    assert arcs("only tea", notation) == {"top only", "only ARG1 tea"}


def test_a_node_that_leads_to_no_word_leaves_no_arc_and_no_top(arcs):
    notation = "{e1: e1:unknown<1>{e}[ARG e1] e9:_go_v_1<1>{e}[ARG1 e1, ARG2 e8]}"
    assert arcs("go", notation) == set()


def test_a_conjunction_without_arguments_is_a_word(arcs):
    assert arcs("and", "{e1: e1:_and_c<1>{e}[]}") == {"top and"}


def test_words_of_one_expression_hang_on_its_last_word(arcs):
    notation = '{e1: e1:_of+course_a_1<1-3>{e}[ARG1 x2] x2:named<4-5>("New York"){x}[]}'
    expected = {"top course", "course mwe Of", "course ARG1 York", "York mwe New"}
    assert arcs("Of course ~, New York ~,", notation) == expected


def test_hyphens_are_no_words_of_an_expression(arcs):
    notation = "{x1: x1:_part-of-speech_n_1<1-5>{x}[]}"
    expected = {"top speech", "speech mwe part", "speech mwe of"}
    assert arcs("part ~- ~of ~- ~speech", notation) == expected


def test_other_words_in_the_place_of_one_are_left_alone(arcs):
    assert arcs("some other day", "{x1: x1:_day_n_of<1-3>{x}[]}") == {"top day"}


def test_punctuation_alone_can_be_a_word(arcs):
    assert arcs("1 % ~!", "{x1: x1:_percent_n_of<2-3>{x}[]}") == {"top !"}


def test_a_place_within_a_word_is_that_word(arcs):
    notation = "{x1: x1:_apple_n_1<0:5>{x}[] e1:compound<0:9>{e}[ARG1 x2, ARG2 x1]"
    notation += " x2:_pie_n_1<6:9>{x}[]}"
    assert arcs("apple-pie", notation) == {"top apple-pie"}


def test_the_subject_of_an_imperative_is_no_word(arcs):
    notation = "{e1: e1:_go_v_1<1>{e}[ARG1 x2] x2:pron<1-2>{x}[] _1:pronoun_q<1-2>[BV x2]}"
    assert arcs("Go home", notation) == {"top Go"}


def test_nor_is_that_of_a_negated_one(arcs):
    notation = "{e1: e1:neg<1>{e}[ARG1 e2] x3:pron<1>{x}[] e2:_go_v_1<2>{e}[ARG1 x3, ARG2 x4]"
    notation += " x4:pron<3>{x}[]}"
    assert arcs("Don't hurt me", notation) == {"top Don't", "Don't neg hurt", "hurt ARG2 me"}


def test_minutes_are_where_their_number_is(arcs):
    notation = '{x1: x1:numbered_hour<1>("9"){x}[ARG1 x2] e3:card<2>("30"){e}[ARG1 x2]'
    notation += " x2:minute_n<->{x}[]}"
    assert arcs("nine thirty", notation) == {"top nine", "nine ARG1 thirty"}


def test_an_interval_is_a_word_with_two_arguments(arcs):
    notation = "{e1: e1:loc_nonsp<2-4>{e}[ARG1 e2, ARG2 x3] e2:_run_v_1<1>{e}[]"
    notation += " x3:interval<3>{x}[] e4:interval_p_start<3>{e}[ARG1 x3, ARG2 x5]"
    notation += " e6:interval_p_end<3>{e}[ARG1 x3, ARG2 x7]"
    notation += ' x5:numbered_hour<2>("2"){x}[] x7:numbered_hour<4>("4"){x}[]}'
    assert arcs("run two to four", notation) == {
        "top to",
        "to loc run",
        "to ARG1 two",
        "to ARG2 four",
    }


def test_how_somebody_is_is_said_of_him(arcs):
    notation = "{e1: e1:prpstn_to_prop<1>{e}[ARG1 e2, ARG2 x3] x3:property<1>{x}[]"
    notation += " e2:unspec_a<1>{e}[ARG1 x4] x4:pron<3>{x}[]}"
    assert arcs("how are you", notation) == {"top how", "how ARG1 you"}


def test_an_auxiliary_whose_verb_is_left_out_stands_for_it(arcs):
    notation = "{e1: e1:neg<2>{e}[ARG1 e2] e2:ellipsis_ref<2>{e}[ARG1 x3] x3:pron<1>{x}[]}"
    assert arcs("she didn't", notation) == {"top didn't", "didn't ARG1 she"}


def test_between_two_words_the_first_arc_counts(arcs):
    notation = "{e1: e1:_eat_v_1<1>{e}[ARG1 x2, ARG2 x2] e3:compound<1-2>{e}[ARG2 e1, ARG1 x2]"
    notation += " x2:pron<2>{x}[]}"
    assert arcs("eat it", notation) == {"top eat", "eat ARG1 it"}


def test_the_two_directions_between_words_are_two_pairs(arcs):
    notation = "{e1: e1:_eat_v_1<1>{e}[ARG1 x2] x2:_one_n_1<2>{x}[ARG1 e1]}"
    assert arcs("eat one", notation) == {"top eat", "eat ARG1 one", "one ARG1 eat"}


def test_lemmas_tags_and_the_id_are_kept(rules):
    words = [Word("Dogs", 0, 4, "NNS", "dog")]
    graph = dependencies(eds.decode("{x1: x1:_dog_n_1<0:4>{x}[]}"), words, rules, "17")
    assert (graph.id, graph.tokens[0][:3]) == ("17", ("Dogs", "dog", "NNS"))
