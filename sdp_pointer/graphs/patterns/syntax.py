"""The pattern language: from text to clauses; docs/asking.md has it on a page."""

import re
from collections.abc import Iterator
from typing import NamedTuple, NoReturn, Optional, Union

from ...errors import UserError
from ..problems import printable

FIELDS = ("form", "lemma", "pos", "frame")
FLAGS = ("top", "predicate")
FORM_OR_LEMMA = "form or lemma"

# More could not be searched for in a lifetime, or overflow Python's stack.
MOST_WORDS = 100

REQUIRED, NOT, OPTIONAL = "", "not", "optional"


class PatternError(UserError, ValueError):
    """A mistake in a pattern; the message says in which column, and what was expected there."""


class Test(NamedTuple):
    """What a field of a word, or an arc's label, is, or is not: one of the values."""

    field: str
    values: tuple[Union[str, re.Pattern[str]], ...]
    negated: bool


class Flag(NamedTuple):
    """What a word is in the graph, or is not."""

    name: str
    negated: bool


class Edge(NamedTuple):
    """An arc between two variables; any label will do without a test."""

    head: str
    dependent: str
    label: Optional[Test]
    name: Optional[str]


class Order(NamedTuple):
    """That a variable's word stands before another's, or, if adjacent, directly before it."""

    first: str
    second: str
    adjacent: bool


class Clause(NamedTuple):
    """What stands between two commas. Variables are names, or a number for a word without one."""

    kind: str
    variables: list[str]
    tests: list[tuple[str, Union[Test, Flag]]]
    edges: list[Edge]
    orders: list[Order]


def is_name(variable: str) -> bool:
    return not variable.isdecimal()


def parse(text: str) -> list[Clause]:
    """The clauses of a pattern.

    >>> [clause] = parse('like -ARG1|ARG2-> ?who')
    >>> clause.edges[0].label.values, clause.variables
    (('ARG1', 'ARG2'), ['1', 'who'])
    >>> parse("like -ARG1-> ")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    sdp_pointer.graphs.patterns.syntax.PatternError: pattern, column 14: expected a word: ...
    """
    return _Parser(text).clauses()


_WORD = 'a word: a form or lemma, "quoted", /regex/, ?name, [conditions] or *'
_ARC = "an arc between blanks: -ARG1->, <-ARG1-, or --> and <-- with any label"
_VALUE = 'a value: plain, "quoted" or /regex/'
_CONDITION = f"a condition: {'=, '.join(FIELDS)}=, {' or '.join(FLAGS)}"

_BLANK = re.compile(r"\s*")
_COMMA = re.compile(",")
_BAR = re.compile(r"\|")
_BANG = re.compile("!")
_KIND = re.compile(r"(not|optional)\s+(?![-<,]|$)")
_NAME = re.compile(r"\?([^\W\d]\w*)")
_KEY = re.compile(r"(!?)([^\W\d]\w*)")
_EQUALS = re.compile(r"\s*(!?=)\s*")
_ORDER = re.compile(r"<<?(?=\s)")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)+)"')
_REGEX = re.compile(r"/((?:[^/\\]|\\.)+)/(i?)")
_START = re.compile(r"-(?!\s)|<-")
# What needs no quotes. A label may have hyphens, as ACT-arg, up to what ends the arc: -> or, the
# other way, a hyphen before a blank.
_PLAIN = re.compile(r"""[^\s,="|[\](){}<>?*/!-][^\s,="|[\](){}<>]*""")
_ENDS = {"-": "->", "<-": r"-(?=\s|$)"}
_LABELS = {
    start: re.compile(rf"""(?![?*/!])(?:(?!{end})[^\s,="|[\](){{}}<>])+""")
    for start, end in _ENDS.items()
}


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.number = 0
        # Where each name was first read.
        self.words: dict[str, int] = {}
        self.arcs: dict[str, int] = {}

    def clauses(self) -> list[Clause]:
        clauses = [self.clause()]
        while self.take(_COMMA):
            clauses.append(self.clause())
        if self.position < len(self.text):
            self.expected(f"{_ARC}, a comma or the end")
        self.check_names(clauses)
        return clauses

    def clause(self) -> Clause:
        self.take(_BLANK)
        kind = self.take(_KIND)
        clause = Clause(kind[1] if kind else REQUIRED, [], [], [], [])
        word = self.word(clause)
        while True:
            if order := self.take(_ORDER):
                following = self.word(clause)
                clause.orders.append(Order(word, following, order[0] == "<"))
            elif start := self.take(_START):
                label, name = self.arc(start, clause.kind)
                following = self.word(clause)
                ends = (word, following) if start[0] == "-" else (following, word)
                clause.edges.append(Edge(*ends, label, name))
            else:
                return clause
            word = following

    def word(self, clause: Clause) -> str:
        """The variable of a word, after its tests went to the clause."""
        self.take(_BLANK)
        self.number += 1
        if self.number > MOST_WORDS:
            self.expected(f"at most {MOST_WORDS} words")
        tests: list[Union[Test, Flag]] = []
        if name := self.take(_NAME):
            variable = name[1]
            self.words.setdefault(variable, name.start())
            if equals := self.take(_EQUALS):
                tests.append(self.values(FORM_OR_LEMMA, equals[1] == "!="))
        else:
            variable = str(self.number)
            if self.ahead("*"):
                self.position += 1
            elif not self.ahead("["):
                tests.append(self.values(FORM_OR_LEMMA, False, expected=_WORD))
        if self.ahead("["):
            self.position += 1
            tests += self.conditions()
        if variable not in clause.variables:
            clause.variables.append(variable)
        clause.tests.extend((variable, test) for test in tests)
        self.take(_BLANK)
        return variable

    def conditions(self) -> Iterator[Union[Test, Flag]]:
        while self.take(_BLANK) and not self.ahead("]"):
            begin = self.position
            key = self.take(_KEY)
            if key and key[2] in FLAGS:
                yield Flag(key[2], negated=bool(key[1]))
            elif key and key[2] in FIELDS and not key[1]:
                equals = self.take(_EQUALS) or self.expected("= or !=")
                yield self.values(key[2], equals[1] == "!=")
            else:
                self.position = begin
                self.expected(f"{_CONDITION}, or ]")
        self.position += 1

    def arc(self, start: re.Match[str], kind: str) -> tuple[Optional[Test], Optional[str]]:
        """What follows the start of an arc, up to its end: the test of its label, and its name."""
        end = re.compile(_ENDS[start[0]])
        name = self.take(_NAME)
        if name and kind == NOT:
            self.fail(name.start(), f"?{name[1]} names an arc that is not there")
        if name and self.arcs.setdefault(name[1], name.start()) != name.start():
            self.fail(name.start(), f"?{name[1]} names an arc already; expected another name")
        label = None
        sign = self.take(_EQUALS if name else _BANG)
        if sign or not (name or end.match(self.text, self.position)):
            label = self.values("label", bool(sign and "!" in sign[0]), _LABELS[start[0]], _ARC)
        if not self.take(end):
            self.position = start.start()
            self.expected(_ARC)
        return label, name[1] if name else None

    def values(
        self,
        field: str,
        negated: bool,
        plain: re.Pattern[str] = _PLAIN,
        expected: str = _VALUE,
    ) -> Test:
        values = [self.value(plain, expected)]
        while self.take(_BAR):
            values.append(self.value(plain, _VALUE))
        return Test(field, tuple(values), negated)

    def value(self, plain: re.Pattern[str], expected: str) -> Union[str, re.Pattern[str]]:
        if quoted := self.take(_QUOTED):
            return re.sub(r"\\(.)", r"\1", quoted[1], flags=re.DOTALL)
        if regex := self.take(_REGEX):
            try:
                return re.compile(regex[1], re.IGNORECASE if regex[2] else 0)
            except re.error as error:
                self.fail(regex.start(1) + (error.pos or 0), f"a regular expression: {error.msg}")
            except (OverflowError, RecursionError) as error:
                self.fail(regex.start(1), f"a regular expression: {error}")
        for sign in '"/':
            if self.ahead(sign):
                self.expected(f"something between this {sign} and a second one")
        value = self.take(plain) or self.expected(expected)
        return value[0]

    def check_names(self, clauses: list[Clause]) -> None:
        for name in self.words.keys() & self.arcs.keys():
            self.fail(max(self.words[name], self.arcs[name]), f"?{name} names a word and an arc")
        required = {name for c in clauses if c.kind == REQUIRED for name in c.variables}
        for clause in clauses:
            if clause.kind != NOT:
                continue
            others = {name for c in clauses if c is not clause for name in c.variables}
            for name in others.intersection(clause.variables).difference(required):
                self.fail(
                    self.words[name],
                    f"?{name} is in a 'not' and elsewhere; expected it in a clause without 'not'"
                    " and 'optional', too",
                )

    def take(self, regex: re.Pattern[str]) -> Optional[re.Match[str]]:
        match = regex.match(self.text, self.position)
        if match:
            self.position = match.end()
        return match

    def ahead(self, sign: str) -> bool:
        return self.text.startswith(sign, self.position)

    def expected(self, what: str) -> NoReturn:
        rest = self.text[self.position :]
        found = repr(rest if len(rest) <= 20 else f"{rest[:17]}...") if rest else "the end"
        self.fail(self.position, f"expected {what}; found {found}")

    def fail(self, position: int, message: str) -> NoReturn:
        raise PatternError(printable(f"pattern, column {position + 1}: {message}"))
