"""What people give to be parsed: JSON objects or plain text, one sentence a line."""

import json
from collections.abc import Iterable, Iterator, Sized
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from .errors import UserError
from .graphs import FormatError, Graph, GraphError, Token, dumps, read
from .graphs.formats import FORMATS, jsonl
from .graphs.formats.streams import Line, Source, Unreadable, damaged, readable
from .graphs.formats.strict_json import UnexpectedError, decode
from .graphs.problems import Problem
from .text import Text

if TYPE_CHECKING:
    from .parser import Parser

# What a parser said: when its JSON is given to be parsed again, these are not kept.
_PARSED = ("tops", "top_probabilities", "arcs", "bare_predicates", "formalism", "score", "n_best")
_WORDS = ("sentence", "tokens", "lemmas", "pos")
# Of a graph's tokens; raw text has none yet.
_OF_TOKENS = ("offsets", "probabilities", "conllu", "syntax", "mrp")
# Levels of lists and objects. What holds the value when it is written back adds to them.
DEEPEST = 32
# Words. The tables of the search grow with the square of a sentence; no author wrote so long a one.
LONGEST_SENTENCE = 5_000


class Refused(NamedTuple):
    """A sentence that cannot be parsed, and why; its line is 0 if nobody knows it."""

    line: int
    error: str
    id: str = ""

    def told(self, file: str) -> str:
        """
        >>> Refused(3, "not JSON").told("cats.jsonl"), Refused(0, "sentence 2: too long").told("-")
        ('cats.jsonl:3: not JSON', '-: sentence 2: too long')
        """
        return f"{file}:{self.line}: {self.error}" if self.line else f"{file}: {self.error}"

    def to_json(self) -> dict[str, Any]:
        """
        >>> Refused(3, "not JSON").to_json()
        {'error': 'not JSON', 'line': 3}
        """
        value = {"id": self.id, "error": self.error, "line": self.line}
        return {key: item for key, item in value.items() if item or key == "error"}


def read_json(
    lines: Iterable[Line], parser: "Parser", to: str = "jsonl"
) -> Iterator[Union[Graph, Refused]]:
    """Sentences of JSON lines, ready to be parsed, or why not; empty lines are passed over.

    Here and below, `to` is the format that the graphs will be written in: a sentence that has no
    place there is refused before it is parsed.
    """
    for number, line in _numbered(lines):
        value = None
        try:
            value = decode(_intact(line), DEEPEST)
            yield _ready(sentence(value, parser.text), parser, to)
        except (UserError, UnexpectedError) as error:
            given = value.get("id", "") if isinstance(value, dict) else ""
            yield Refused(number, str(error), str(given))


def read_text(
    lines: Iterable[Line],
    parser: "Parser",
    tokens: bool = False,
    split: bool = False,
    to: str = "jsonl",
) -> Iterator[Union[Graph, Refused]]:
    """Sentences of plain text, one a line; or `tokens` separated by spaces; or `split` by spaCy."""
    for number, line in _numbered(lines):
        try:
            text = _intact(line)
            if tokens:
                yield _ready(text.split(), parser, to)
            elif split:
                for graph in parser.text.sentences(text):
                    yield ready_or_refused(graph, parser, number, to=to)
            else:
                yield _ready(text, parser, to)
        except UserError as error:
            yield Refused(number, str(error))


def read_graphs(
    source: Source, format: str, parser: "Parser", to: str = "jsonl"
) -> Iterator[Union[Graph, Refused]]:
    """Sentences of graphs in any format, whose arcs are ignored."""
    problems: list[Problem] = []
    graphs = read(source, format, on_problem=problems.append)
    for graph in graphs:
        yield from _refused(problems)
        yield ready_or_refused(graph, parser, int(graphs.place().rpartition(":")[2]), to=to)
    yield from _refused(problems)


def ready_or_refused(
    graph: Graph, parser: "Parser", line: int = 0, where: str = "", to: str = "jsonl"
) -> Union[Graph, Refused]:
    """A sentence ready to be parsed, or why not, with where it is in front if it has no line."""
    try:
        return _ready(graph, parser, to)
    except UserError as error:
        return Refused(line, f"{where}{error}", graph.id)


def _ready(given: Any, parser: "Parser", to: str) -> Graph:
    """A prepared sentence whose graph can be written, whatever its arcs will be."""
    graph = parser.prepare(given)
    if to in FORMATS and to != "jsonl":
        words = [token._replace(frame="_") for token in graph.tokens]
        try:
            # Any formalism: that there is none, the writer is to say once, not of each sentence.
            dumps([Graph(words, id=graph.id, meta=graph.meta, formalism="any")], to)
        except FormatError as error:
            reason = error.problems[0].message
            raise UserError(f"the sentence cannot be written as {to}: {reason}") from None
    return graph


def _refused(problems: list[Problem]) -> Iterator[Refused]:
    while problems:
        problem = problems.pop(0)
        yield Refused(problem.line, problem.message)


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


def _numbered(
    lines: Iterable[Line],
) -> Iterator[tuple[int, Union[str, UserError]]]:
    """The lines that are not empty, with their numbers, without a byte order mark."""
    for number, line in enumerate(readable(lines), start=1):
        if isinstance(line, Unreadable):
            yield number, UserError(line.reason)
            continue
        text = line if isinstance(line, str) else line.decode("utf-8", "surrogateescape")
        text = text.removeprefix("\ufeff" if number == 1 else "").rstrip("\r\n")
        if text and not text.isspace():
            yield number, text


def _intact(line: Union[str, UserError]) -> str:
    if isinstance(line, UserError):
        raise line
    if damaged(line):
        raise UserError("not UTF-8: save the file in that encoding")
    if "\0" in line:
        raise UserError("a NUL byte, which no text has: is the file damaged, or not UTF-8?")
    return line


def sentence(value: Any, text: Text) -> Graph:
    """The sentence that a JSON object stands for, as a graph without arcs.

    >>> sentence({"sentence": "Cats purr.", "id": 7, "page": 3}, Text())
    Graph('7': Cats purr .)
    >>> sentence({"tokens": ["Cats", "purr"], "pos": ["NNS", "VBP"]}, Text()).tokens[1]
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
