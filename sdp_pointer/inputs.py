"""What people give to be parsed: JSON objects or plain text, one sentence a line."""

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from .errors import UserError
from .graphs import Graph, Token
from .text import Text

if TYPE_CHECKING:
    from .parser import Parser

# Of a parsed graph: when its JSON is given to be parsed again, these are not kept.
_PARSED = ("tops", "top_probabilities", "arcs", "bare_predicates", "score", "n_best")
_KNOWN = ("id", "sentence", "text", "tokens", "lemmas", "pos")
_RESERVED = ("offsets", "probabilities", "conllu", "syntax", "mrp")


class Refused(NamedTuple):
    """A line that cannot be parsed, and why."""

    line: int
    error: str
    id: str = ""

    def to_json(self) -> dict[str, Any]:
        """
        >>> Refused(3, "not JSON").to_json()
        {'error': 'not JSON', 'line': 3}
        """
        return {**({"id": self.id} if self.id else {}), "error": self.error, "line": self.line}


def read_json(lines: Iterable[str], parser: "Parser") -> Iterator[Union[Graph, Refused]]:
    """Sentences of JSON lines, ready to be parsed, or why not; empty lines are passed over."""
    for number, line in _numbered(lines):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield Refused(number, f"not JSON: {error}")
            continue
        try:
            yield parser.prepare(sentence(value, parser.text))
        except UserError as error:
            given = value.get("id", "") if isinstance(value, dict) else ""
            yield Refused(number, str(error), str(given))


def read_text(
    lines: Iterable[str], parser: "Parser", tokens: bool = False, split: bool = False
) -> Iterator[Union[Graph, Refused]]:
    """Sentences of plain text, one a line; or `tokens` separated by spaces; or `split` by spaCy."""
    for number, line in _numbered(lines):
        try:
            if tokens:
                yield parser.prepare(line.split())
            elif split:
                yield from map(parser.prepare, parser.text.sentences(line))
            else:
                yield parser.prepare(line)
        except UserError as error:
            yield Refused(number, str(error))


def _numbered(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, start=1):
        line = line.rstrip("\r\n")
        if line and not line.isspace():
            yield number, line


def sentence(value: Any, text: Text) -> Graph:
    """The sentence that a JSON object stands for, as a graph without arcs.

    >>> sentence({"sentence": "Cats purr.", "id": 7, "page": 3}, Text())
    Graph('7': Cats purr .)
    >>> sentence({"tokens": ["Cats", "purr"], "pos": ["NNS", "VBP"]}, Text()).tokens[1]
    Token(form='purr', lemma='_', pos='VBP', frame='_')
    """
    if not isinstance(value, dict):
        raise UserError('not a JSON object such as {"sentence": "Cats purr."}')
    for key in _RESERVED:
        if key in value:
            raise UserError(f'the key "{key}" is reserved: name it otherwise')
    if "tokens" in value:
        graph = Graph(_tokens(value))
    elif isinstance(value.get("sentence"), str):
        graph = text.sentence(value["sentence"])
    else:
        raise UserError(
            'neither "sentence" nor "tokens" (a string, or a list of words) in'
            f" {json.dumps(value)[:200]}"
        )
    kept = {key: item for key, item in value.items() if key not in (*_KNOWN, *_PARSED)}
    identifier = value.get("id", "")
    if not isinstance(identifier, (str, int)):
        raise UserError(f'the "id" must be a string or a whole number, not {identifier!r}')
    return graph.replace(id=str(identifier), meta={**kept, **graph.meta})


def _tokens(value: dict[str, Any]) -> list[Token]:
    given = value["tokens"]
    if not isinstance(given, list) or not given:
        raise UserError('"tokens" must be a list of at least one word')
    tokens = [_token(word, number) for number, word in enumerate(given, start=1)]
    for key, column in (("lemmas", "lemma"), ("pos", "pos")):
        if key in value:
            cells = value[key]
            if not isinstance(cells, list) or len(cells) != len(tokens):
                number = len(cells) if isinstance(cells, list) else "no list of"
                raise UserError(f"{number} {key} for {len(tokens)} tokens")
            if not all(isinstance(cell, str) and cell for cell in cells):
                raise UserError(f'"{key}" must be a list of strings that are not empty')
            tokens = [token._replace(**{column: cell}) for token, cell in zip(tokens, cells)]
    return tokens


def _token(word: Any, number: int) -> Token:
    """A word alone, or with its columns as in docs/graph.schema.json."""
    if isinstance(word, dict):
        columns = {name: word[name] for name in Token._fields if name in word}
    else:
        columns = {"form": word}
    if "form" not in columns or not all(isinstance(c, str) and c for c in columns.values()):
        raise UserError(f"token {number} is no word: {json.dumps(word)[:100]}")
    return Token(**columns)
