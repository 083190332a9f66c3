"""Which predicates stand for words, which for arcs: tables in the syntax of the ERG's `dm.cfg`."""

import re
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple, Optional

from ..errors import UserError
from .frames import Signatures, read_signatures

# In the grammar's folder `etc`: classes of predicates, and its semantic interface (SEM-I).
CONFIG, INTERFACE = "dm.cfg", "erg.smi"
# The columns that a line of each section may have; other sections are of no use here.
SECTIONS = {
    "transparent": (2,),
    "relational": (3, 4),
    "lexical": (1,),
    "borrowing": (2,),
    "framing": (1,),
}
# Where a node without a word passes arcs on to, if no rule says otherwise.
ARGUMENTS = ("ARG1", "ARG", "ARG2", "BV")


class Relation(NamedTuple):
    """A node that becomes an arc between the words of two of its arguments, by their roles.

    A node is its own `ARG0`.
    """

    head: str
    dependent: str
    label: str


class Rule(NamedTuple):
    """A line of a section: a predicate, or an expression between slashes, and what is said of it.

    >>> Rule("/_c$/", ("ARG1",)).fits("_and_c"), Rule("card", ()).fits("card")
    (True, True)
    """

    pattern: str
    columns: tuple[str, ...]

    def fits(self, predicate: str) -> bool:
        if self.pattern[0] == self.pattern[-1] == "/":
            return re.search(self.pattern[1:-1], predicate) is not None
        return self.pattern == predicate


class Rules:
    """The classes of predicates that a conversion to DM depends on.

    # Parameters

    sections : `Mapping[str, Iterable[Rule]]`
        By the names of `SECTIONS`. Where several rules fit a predicate, earlier ones count first.
    signatures : `Mapping[str, str]`, optional (default = `{}`)
        Types of the variables of predicates, for frames.

    >>> rules = Rules(sections('''
    ... [relational]
    ... compound_name ARG2 ARG1
    ... /_c$/ ARG1 ARG2''', "example"))
    >>> rules.relations("compound_name")
    (Relation(head='ARG2', dependent='ARG1', label='compound'),)
    >>> rules.relations("_and_c")
    (Relation(head='ARG1', dependent='ARG2', label='_and_c'),)
    >>> rules.passes("compound_name")
    ('ARG2', 'ARG1', 'ARG', 'ARG2', 'BV')
    """

    def __init__(
        self, sections: Mapping[str, Iterable[Rule]], signatures: Optional[Signatures] = None
    ) -> None:
        self.signatures = signatures or {}
        self._sections = {name: tuple(sections.get(name, ())) for name in SECTIONS}
        self._found: dict[tuple[str, str], tuple[tuple[str, ...], ...]] = {}

    def _columns(self, section: str, predicate: str) -> tuple[tuple[str, ...], ...]:
        """Columns of the rules that fit; looked up once for each predicate."""
        key = section, predicate
        if key not in self._found:
            rules = self._sections[section]
            self._found[key] = tuple(rule.columns for rule in rules if rule.fits(predicate))
        return self._found[key]

    def is_lexical(self, predicate: str) -> bool:
        """Whether the predicate stands for a word."""
        return bool(self._columns("lexical", predicate))

    def transparent(self, predicate: str) -> tuple[str, ...]:
        """Roles of arguments that the predicate is taken for the same as."""
        return tuple(role for (role,) in self._columns("transparent", predicate))

    def relations(self, predicate: str) -> tuple[Relation, ...]:
        # A row's own label comes first.
        rows = ((*row, label(predicate)) for row in self._columns("relational", predicate))
        return tuple(Relation(*row[:3]) for row in rows)

    def passes(self, predicate: str) -> tuple[str, ...]:
        """Roles of arguments whose word is taken, in this order, for one of the predicate's own."""
        heads = (relation.head for relation in self.relations(predicate))
        return (*self.transparent(predicate), *heads, *ARGUMENTS)

    def lenders(self, predicate: str) -> tuple[str, ...]:
        """Predicates that lend their word to this one, their first argument."""
        return tuple(lender for (lender,) in self._columns("borrowing", predicate))

    def lends_frame(self, predicate: str) -> bool:
        """Whether a word has the frame of this predicate, though it stands for another one."""
        return bool(self._columns("framing", predicate))


def label(predicate: str) -> str:
    """What the arc of a relational predicate is called.

    >>> label("loc_nonsp"), label("_and_c")
    ('loc', '_and_c')
    """
    return predicate if predicate.startswith("_") else predicate.partition("_")[0]


def sections(text: str, name: str) -> dict[str, list[Rule]]:
    """Rules of a file in the syntax of `dm.cfg`, by section.

    >>> sections("[lexical]\\n;;; a comment\\ncard\\n", "dm.cfg")
    {'lexical': [Rule(pattern='card', columns=())]}
    """
    found: dict[str, list[Rule]] = {}
    section = None
    for number, line in enumerate(text.splitlines(), start=1):
        cells = line.partition(";")[0].split()
        if not cells:
            continue
        if cells[0].startswith("["):
            section = cells[0].strip("[]")
        elif section in SECTIONS:
            if len(cells) not in SECTIONS[section]:
                expected = " or ".join(map(str, SECTIONS[section]))
                raise UserError(
                    f"{name}:{number}: {len(cells)} columns in [{section}]; expected {expected}"
                )
            found.setdefault(section, []).append(Rule(cells[0], tuple(cells[1:])))
    return found


def read_rules(etc: Path) -> Rules:
    """The rules of the grammar's `dm.cfg`, then those of `beyond_dm.cfg`; and its signatures."""
    config = etc / CONFIG
    beyond = files(__package__).joinpath("beyond_dm.cfg")
    both = (
        sections(config.read_text(encoding="utf-8"), str(config)),
        sections(beyond.read_text(encoding="utf-8"), beyond.name),
    )
    joined = {name: [rule for part in both for rule in part.get(name, ())] for name in SECTIONS}
    return Rules(joined, read_signatures(etc / INTERFACE))
