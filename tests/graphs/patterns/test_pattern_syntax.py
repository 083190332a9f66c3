"""What the pattern language refuses, in which words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdp_pointer.errors import UserError
from sdp_pointer.graphs import Pattern, PatternError

WORD = 'expected a word: a form or lemma, "quoted", /regex/, ?name, [conditions] or *'
ARC = "expected an arc between blanks: -ARG1->, <-ARG1-, or --> and <-- with any label"
CONDITION = "expected a condition: form=, lemma=, pos=, frame=, top or predicate, or ]"


@pytest.mark.parametrize(
    ("pattern", "column", "message"),
    [
        ("", 1, f"{WORD}; found the end"),
        ("like -ARG1->", 13, f"{WORD}; found the end"),
        ("like,", 6, f"{WORD}; found the end"),
        ("-lrb-", 1, f"{WORD}; found '-lrb-'"),
        ("like -ARG1-> (fish)", 14, f"{WORD}; found '(fish)'"),
        ("not", None, None),
        ("not , like", None, None),
        ("not not", None, None),
        ("like ARG1 fish", 6, f"{ARC}, a comma or the end; found 'ARG1 fish'"),
        ("like - fish", 6, f"{ARC}, a comma or the end; found '- fish'"),
        ("like-ARG1-> fish", 11, f"{ARC}, a comma or the end; found '> fish'"),
        ("like -ARG1 fish", 6, f"{ARC}; found '-ARG1 fish'"),
        ("like -ARG1- fish", 6, f"{ARC}; found '-ARG1- fish'"),
        ("like <-ARG1-> fish", 6, f"{ARC}; found '<-ARG1-> fish'"),
        ("like <-ARG1-fish", 6, f"{ARC}; found '<-ARG1-fish'"),
        ("like -> fish", 7, f"{ARC}; found '> fish'"),
        (
            "like -ARG1|-> fish",
            12,
            "expected a value: plain, \"quoted\" or /regex/; found '-> fish'",
        ),
        ("?v= -ARG1-> x", 5, "expected a value: plain, \"quoted\" or /regex/; found '-ARG1-> x'"),
        ("?v[upos=VERB]", 4, f"{CONDITION}; found 'upos=VERB]'"),
        ("?v[lemma like]", 9, "expected = or !=; found ' like]'"),
        ("?v[lemma=like", 14, f"{CONDITION}; found the end"),
        ("?v[!lemma=like]", 4, f"{CONDITION}; found '!lemma=like]'"),
        ('"like', 1, "expected something between this \" and a second one; found '\"like'"),
        ("//", 1, "expected something between this / and a second one; found '//'"),
        ("?v[pos=/V(/]", 10, "a regular expression: missing ), unterminated subpattern"),
        ("?v -?v-> ?x", 5, "?v names a word and an arc"),
        ("?a -?r-> *, * <-?r- ?a", 17, "?r names an arc already; expected another name"),
        ("?a, not ?a -?r-> *", 13, "?r names an arc that is not there"),
        (
            *("?a, not ?a --> ?x, not ?x --> ?a", 16),
            "?x is in a 'not' and elsewhere; expected it in a clause without 'not' and 'optional',"
            " too",
        ),
        ("like\x1b[31m -> ", 7, "expected a condition"),
    ],
)
def test_a_mistake_is_told_in_one_line_with_its_column(pattern, column, message):
    if message is None:
        Pattern(pattern)
        return
    with pytest.raises(PatternError) as refused:
        Pattern(pattern)
    assert str(refused.value).startswith(f"pattern, column {column}: {message}")
    assert str(refused.value).isprintable()
    assert isinstance(refused.value, UserError)


def test_a_regular_expression_that_python_cannot_compile_is_a_mistake():
    for regex in ("a{99999999999}", "(" * 5000 + ")" * 5000):
        with pytest.raises(PatternError, match="pattern, column 2: a regular expression: "):
            Pattern(f"/{regex}/")


def test_a_pattern_of_more_than_100_words_is_refused():
    Pattern(", ".join(["*"] * 100))
    with pytest.raises(PatternError, match="column 301: expected at most 100 words"):
        Pattern(", ".join(["*"] * 101))


pieces = st.sampled_from(
    [*'?*"/[]|,-<>!=\\ () \n', "->", "<-", "-->", "?v", "like", "not ", "optional ", "top", "pos="]
)


@given(st.lists(pieces | st.characters(), max_size=12).map("".join))
def test_any_text_is_a_pattern_or_a_mistake_in_one_line(text):
    try:
        Pattern(text)
        message = ""
    except PatternError as error:
        message = str(error)
    assert not message or message.startswith("pattern, column ")
    assert message.isprintable()
