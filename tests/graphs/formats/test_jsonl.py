import io
import json

import pytest

from sdp_pointer.graphs import FormatError, Graph, Token, dumps, loads, read
from sdp_pointer.graphs.formats.jsonl import ARC_KEYS, TOKEN_KEYS
from sdp_pointer.graphs.formats.strict_json import MOST_NESTED

CATS = {
    "id": "20001001",
    "text": "Cats purr",
    "tokens": [
        {"form": "Cats", "lemma": "cat", "pos": "NNS", "frame": "n:x", "start": 0, "end": 4},
        {"form": "purr", "start": 5, "end": 9},
    ],
    "tops": [2],
    "top_probabilities": [0.97],
    "arcs": [{"head": 2, "dependent": 1, "label": "ARG1", "probability": 0.98}],
    "model": "dm-base",
    "score": [-0.5, None],
}


def line(**changes):
    """The line of CATS with some keys changed, or left out if they are changed to `...`."""
    value = {key: item for key, item in (CATS | changes).items() if item is not ...}
    return json.dumps(value, separators=(",", ":"))


def token(**changes):
    return [CATS["tokens"][0] | changes, CATS["tokens"][1]]


def arc(**changes):
    return [CATS["arcs"][0] | changes]


def problems(text, lenient=False):
    found = []
    kept = list(read(io.StringIO(text), "jsonl", lenient=lenient, on_problem=found.append))
    return kept, [tuple(problem[1:]) for problem in found]


def test_a_line_comes_back_byte_by_byte():
    assert dumps(loads(line(), "jsonl"), "jsonl") == line() + "\n"


def test_the_keys_are_read_as_what_they_mean():
    [graph] = loads(line(bare_predicates=[1]), "jsonl")
    assert graph == Graph(
        [Token("Cats", "cat", "NNS", "n:x"), Token("purr")],
        arcs=[(2, 1, "ARG1")],
        tops=[2],
        id="20001001",
        bare_predicates=[1],
    )
    assert graph.meta == {
        "model": "dm-base",
        "score": [-0.5, None],
        "text": "Cats purr",
        "offsets": ((0, 4), (5, 9)),
        "probabilities": {(0, 2): 0.97, (2, 1): 0.98},
    }


def test_only_tokens_tops_and_arcs_are_needed():
    text = '{"tokens":[{"form":"Go"}],"tops":[],"arcs":[]}\n'
    assert loads(text, "jsonl") == [Graph([Token("Go")])]
    assert dumps([Graph([Token("Go")])], "jsonl") == text


def test_an_unknown_top_probability_is_null():
    text = line(tops=[1, 2], top_probabilities=[None, 0.5])
    [graph] = loads(text, "jsonl")
    assert graph.meta["probabilities"] == {(0, 2): 0.5, (2, 1): 0.98}
    assert dumps([graph], "jsonl") == text + "\n"


def test_probabilities_of_arcs_that_are_gone_are_not_written():
    [graph] = loads(line(), "jsonl")
    assert dumps([graph.replace(arcs=[], tops=[])], "jsonl") == (
        line(tops=[], top_probabilities=..., arcs=[]) + "\n"
    )


def test_what_another_format_kept_for_itself_is_not_written():
    text = "1\tGo\tgo\tVERB\tVB\t_\t_\t_\t_\t_\n\n"
    assert json.loads(dumps(loads(text, "conllu"), "jsonl")).keys() == {"tokens", "tops", "arcs"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (line() + "\n\n" + line(), (2, "an empty line; expected a JSON object in every line")),
        (
            line(tokens=token(ner="O")),
            (1, f"token 1 has the unknown key 'ner'; expected only {', '.join(TOKEN_KEYS)}"),
        ),
        (
            line(arcs=arc(weight=1)),
            (1, f"arc 1 has the unknown key 'weight'; expected only {', '.join(ARC_KEYS)}"),
        ),
    ],
)
def test_what_has_only_one_meaning_is_tolerable(text, expected):
    with pytest.raises(FormatError) as raised:
        loads(text, "jsonl")
    assert raised.value.problems == [("<stream>", *expected, True)]
    assert len(loads(text, "jsonl", lenient=True)) == text.count("Cats purr")


WRONG = [
    ("[]", "the line is a list; expected an object"),
    ("{}", 'there is no "tokens"; expected a list'),
    ("{", "not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
    (
        '{"error": "too long", "line": 12}',
        'not a graph but an error of the parser: {"error": "too long", "line": 12}',
    ),
    ('{"id": "1", "id": "1"}', "the key 'id' is given twice"),
    ('{"x": NaN}', "NaN is not JSON; expected a number"),
    ('{"x": -Infinity}', "-Infinity is not JSON; expected a number"),
    ('{"x": 1e999}', "the number 1e999 is too large"),
    ('{"x": ' + "9" * 5000 + "}", "not JSON: Exceeds the limit (4300"),
    ("[" * 100000, "JSON nested too deeply"),
    ('{"x": ' * 100000, "JSON nested too deeply"),
    ('{"x": "\\ud800"}', "an escape such as \\ud800 stands for half of a character"),
    (line(tops=...), 'there is no "tops"; expected a list'),
    (line(arcs=...), 'there is no "arcs"; expected a list'),
    (line(tokens=[]), "a graph needs at least one token"),
    (line(tokens=["Cats"]), 'item 1 of "tokens" is "Cats"; expected an object'),
    (line(tokens=[{"lemma": "cat"}]), 'token 1 has no "form"'),
    (line(tokens=token(form="")), "token 1 "),
    (line(tokens=token(lemma=None)), 'the "lemma" of token 1 is null; expected a string'),
    (line(tokens=token(start=0.0)), 'the "start" of token 1 is 0.0; expected an integer'),
    (line(tokens=token(end=10)), "token 1 reaches from 0 to 10, outside of the text"),
    (line(tokens=token(start=5)), "token 1 reaches from 5 to 4, outside of the text"),
    (
        line(tokens=CATS["tokens"][::-1]),
        "token 2 reaches from 0 to 4, before token 1; expected tokens in the order of the text",
    ),
    (
        line(tokens=[{"form": "Cats"}, CATS["tokens"][1]]),
        'token 1 has no "start" or no "end"; expected both in all tokens',
    ),
    (line(tops=[True]), 'item 1 of "tops" is true; expected an integer'),
    (line(tops=[3]), "top 3 is outside the sentence of 2 words"),
    (line(tops=[10**1000]), "top 1000"),
    (line(top_probabilities=[]), "0 top_probabilities for 1 tops"),
    (line(top_probabilities=[True]), "the probability of top 2 is not a number between 0 and 1"),
    (line(arcs=arc(head="2")), 'the "head" of arc 1 is "2"; expected an integer'),
    (line(arcs=arc(head=0)), "arc (0, 1, 'ARG1') leaves the sentence of 2 words"),
    (line(arcs=arc() * 2), "2 arcs 2 -> 1; at most one is allowed"),
    (line(arcs=arc(label="")), "arc (2, 1, '') has no label"),
    (line(arcs=[{"head": 2, "dependent": 1}]), 'arc 1 has no "label"'),
    (line(arcs=arc(probability=1.5)), "the probability of arc 1 is not a number between 0 and 1"),
    (line(bare_predicates=[2]), "word 2 is given as a bare predicate but has outgoing arcs"),
    (line(id=7), '"id" is 7; expected a string'),
    (line(text=None), '"text" is null; expected a string'),
    (line(offsets=[]), 'the key "offsets" is reserved; see docs/formats.md'),
    (line(syntax=[["0", "root"]]), '"syntax" is not a [head, relation] for each of the 2 tokens'),
    (line(syntax=[["0", 1], ["0", "_"]]), 'a cell of "syntax" is 1; expected a string'),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_what_is_no_graph_costs_the_line_and_no_other(text, message):
    kept, [(number, found, tolerable)] = problems(
        line() + "\n" + text + "\n" + line(), lenient=True
    )
    assert number == 2
    assert found.startswith(message)
    assert not tolerable
    assert len(kept) == 2


@pytest.mark.parametrize("given", ["\u2028", "\x85", "\x9b2J", "\u202e", "é\x7f"])
def test_messages_stay_in_their_line_and_do_not_move_the_cursor(given):
    lines = [line(id=7, text=given, tops=given), json.dumps({"error": given}, ensure_ascii=False)]
    _, found = problems("\n".join(lines))
    assert len(found) == 2
    for _, message, _ in found:
        assert message.isprintable()
        assert repr(given)[1:-1] in message


@pytest.mark.parametrize(
    ("meta", "message"),
    [
        ({"model": {1, 2}}, "Object of type set is not JSON serializable"),
        ({"model": float("nan")}, "Out of range float values are not JSON compliant"),
        ({7: "x"}, "7 in the graph's meta is not a string"),
        ({"text": 7}, '"text" is 7; expected a string'),
        ({"offsets": ()}, "0 offsets for 1 tokens"),
        ({"offsets": ((3, 2),)}, "token 1 reaches from 3 to 2, outside of the text"),
        ({"probabilities": {(0, 1): 1.5}}, "the probability of top 1 is not a number between"),
    ],
)
def test_what_json_cannot_hold_is_refused(meta, message):
    with pytest.raises(FormatError) as raised:
        dumps([Graph([Token("Go")], tops=[1], meta=meta)], "jsonl")
    assert message in str(raised.value)


@pytest.mark.parametrize("start", ['{"error": ', line()[:-1] + ',"x": '])
def test_no_depth_of_nesting_crashes_the_reader_or_the_writer(start):
    for depth in range(1, 1100):
        kept, found = problems(start + "[" * depth + "]" * depth + "}")
        assert len(kept) + len(found) == 1
        assert dumps(kept, "jsonl") or found
        too_deep = any(message.startswith("JSON nested too deeply") for _, message, _ in found)
        assert too_deep == (depth >= MOST_NESTED)  # the object itself is one more


def test_brackets_in_strings_are_not_nested():
    brackets = '["\\' * 1000
    [graph] = loads(line(text=brackets, tokens=[{"form": brackets}] * 2), "jsonl")
    assert graph.forms == (brackets, brackets)
    assert loads(dumps([graph], "jsonl"), "jsonl") == [graph]


@pytest.mark.parametrize("depth", [MOST_NESTED, 3000, 100_000])
def test_a_writer_does_not_nest_deeper_than_a_reader(depth):
    nested = []
    for _ in range(depth - 1):
        nested = [nested]
    with pytest.raises(FormatError, match=r"not for \.jsonl: JSON nested too deeply"):
        dumps([Graph([Token("Go")], meta={"x": nested})], "jsonl")
    [graph] = loads(dumps([Graph([Token("Go")], meta={"x": [[]]})], "jsonl"))
    assert graph.meta["x"] == [[]]
