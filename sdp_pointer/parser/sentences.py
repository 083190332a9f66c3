"""From whatever stands for one sentence to a `Graph` without arcs."""

import json
from collections.abc import Iterable, Mapping, Sequence, Sized
from typing import Any, Union

from ..errors import UserError
from ..graphs import Graph, GraphError, Token
from ..graphs.formats import jsonl
from ..graphs.formats.strict_json import UnexpectedError
from .text import Text, check_characters

# Raw text, or words, or tokens with lemmas and tags, or a graph whose arcs are ignored, or what
# a line of JSON lines may hold (docs/parsing.md).
Sentence = Union[str, Sequence[str], Sequence[Token], Graph, Mapping[str, Any]]

# Words. The tables of the search grow with the square of a sentence; no author wrote so long a one.
LONGEST_SENTENCE = 5_000

# What a parser adds: when its JSON is parsed again, these are not kept.
_PARSED = ("tops", "top_probabilities", "arcs", "bare_predicates", "formalism", "score", "n_best")
_WORDS = ("sentence", "tokens", "lemmas", "pos")
# Of a graph's tokens; raw text has none yet.
_OF_TOKENS = ("offsets", "probabilities", "conllu", "syntax", "mrp")


def sentence_of(given: Sentence, text: Text) -> Graph:
    """The sentence that is given, split into words by `text` if it is raw.

    >>> sentence_of("Cats purr.", Text()) == sentence_of(["Cats", "purr", "."], Text())
    True
    """
    if isinstance(given, str):
        graph = text.sentence(given)
    elif isinstance(given, Mapping):
        graph = sentence_of_json(dict(given), text)
    else:
        graph = given if isinstance(given, Graph) else _sentence_of_words(given)
    check_length(graph)
    if not isinstance(given, str):
        check_characters(" ".join(graph.forms))
    return graph


def _sentence_of_words(given: Any) -> Graph:
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        kind = type(given).__name__
        raise UserError(f"a sentence is text, a list of words, or a Graph, not {kind}")
    words: list[Any] = list(given)
    if not words:
        raise UserError("there are no words in an empty list")
    check_length(words)
    try:
        return Graph([Token(word) if isinstance(word, str) else word for word in words])
    except GraphError as error:
        raise UserError(str(error)) from None


def sentence_of_json(value: Any, text: Text) -> Graph:
    """The sentence that a JSON object stands for.

    >>> sentence_of_json({"sentence": "Cats purr.", "id": 7, "page": 3}, Text())
    Graph('7': Cats purr .)
    >>> sentence_of_json({"tokens": ["Cats", "purr"], "pos": ["NNS", "VBP"]}, Text()).tokens[1]
    Token(form='purr', lemma='_', pos='VBP', frame='_')
    """
    if not isinstance(value, dict):
        raise UserError('not a JSON object such as {"sentence": "Cats purr."}')
    kept = {key: item for key, item in value.items() if key not in (*_WORDS, *_PARSED)}
    kept["id"] = _identifier(value)
    for key, kind, name in (("text", str, "a string"), ("mrp", dict, "an object")):
        if kept.get(key) is None:
            kept.pop(key, None)
        elif not isinstance(kept[key], kind):
            raise UserError(f'"{key}" must be {name}, not {json.dumps(kept[key])[:100]}')
    if "tokens" in value:
        return _graph({**kept, "tokens": _tokens(value), "tops": [], "arcs": []})
    if not isinstance(value.get("sentence"), str):
        raise UserError(
            'neither "sentence" nor "tokens" (a string, or a list of words) in'
            f" {json.dumps(value)[:200]}"
        )
    for key in _OF_TOKENS:
        if key in kept:
            raise UserError(f'the key "{key}" is reserved: name it otherwise')
    graph = text.sentence(value["sentence"])
    return graph.replace(id=kept.pop("id"), meta={**kept, **graph.meta})


def check_length(words: Sized) -> None:
    """Refuse a sentence that is too long to be parsed.

    >>> check_length(["Go"] * 7000)
    Traceback (most recent call last):
    ...
    sdp_pointer.errors.UserError: a sentence of 7,000 words is too long: at most 5,000; split it \
(parse --split does so with raw text)
    """
    if len(words) > LONGEST_SENTENCE:
        raise UserError(
            f"a sentence of {len(words):,} words is too long: at most {LONGEST_SENTENCE:,};"
            " split it (parse --split does so with raw text)"
        )


def _identifier(value: dict[str, Any]) -> str:
    identifier = "" if value.get("id") is None else value["id"]
    if type(identifier) not in (str, int):
        raise UserError(f'the "id" must be a string or a whole number, not {identifier!r:.100}')
    return str(identifier)


def _graph(value: dict[str, Any]) -> Graph:
    try:
        return jsonl.from_json(value, lambda message: None)
    except (UnexpectedError, GraphError) as error:
        raise UserError(str(error)) from None


def _tokens(value: dict[str, Any]) -> list[dict[str, Any]]:
    """The tokens as in docs/graph.schema.json."""
    given = value["tokens"]
    if not isinstance(given, list) or not given:
        raise UserError('"tokens" must be a list of at least one word')
    check_length(given)
    tokens = [_token(word, number) for number, word in enumerate(given, start=1)]
    for key, column in (("lemmas", "lemma"), ("pos", "pos")):
        if key in value:
            cells = value[key]
            if not isinstance(cells, list) or len(cells) != len(tokens):
                number = len(cells) if isinstance(cells, list) else "no list of"
                raise UserError(f"{number} {key} for {len(tokens)} tokens")
            if not all(isinstance(cell, str) and cell for cell in cells):
                raise UserError(f'"{key}" must be a list of strings that are not empty')
            tokens = [token | {column: cell} for token, cell in zip(tokens, cells)]
    if not all({"start", "end"} <= token.keys() for token in tokens):
        for token in tokens:  # the places of some words are of no use
            token.pop("start", None)
            token.pop("end", None)
    return tokens


def _token(word: Any, number: int) -> dict[str, Any]:
    """A word alone, or with its columns and its place in the text."""
    if not isinstance(word, dict):
        word = {"form": word}
    columns = {name: word[name] for name in Token._fields if name in word}
    if "form" not in columns or not all(isinstance(c, str) and c for c in columns.values()):
        raise UserError(f"token {number} is no word: {json.dumps(word)[:100]}")
    return columns | {name: word[name] for name in ("start", "end") if name in word}
