"""What pydelphin reads from the cells of a profile: derivations and MRSs."""

import re
import warnings
from typing import NamedTuple

from delphin import derivation, eds
from delphin.codecs import simplemrs
from delphin.exceptions import PyDelphinException, PyDelphinWarning

# What a token of a derivation says of itself, in a feature structure.
FIELD = re.compile(r'\+(FROM|TO|TAG) \\*"((?:[^"\\]|\\.)*?)\\*"')
# pydelphin's errors have no common ancestor.
ERRORS = (PyDelphinException, StopIteration, KeyError, ValueError)


class UnreadableError(ValueError):
    """A derivation or an MRS breaks the rules of its notation."""


class InitialToken(NamedTuple):
    """Where a word below a derivation is in the sentence, and its tag from before parsing."""

    start: int
    end: int
    tag: str


def read_eds(mrs: str) -> eds.EDS:
    """The EDS of an MRS in the simple notation.

    >>> graph = read_eds('''[ LTOP: h0 INDEX: e2 RELS:
    ...     < [ _bark_v_1<5:10> LBL: h1 ARG0: e2 ARG1: x3 ]
    ...       [ pron<0:4> LBL: h4 ARG0: x3 ] > HCONS: < h0 qeq h1 > ]''')
    >>> graph.top, graph.edges
    ('e2', [('e2', 'ARG1', 'x3')])
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PyDelphinWarning)
            return eds.from_mrs(simplemrs.decode(mrs), predicate_modifiers=True)
    except ERRORS as error:
        raise UnreadableError(f"not an MRS: {mrs[:200]!r}") from error


def initial_tokens(text: str) -> list[InitialToken]:
    r"""The tokens below the leaves of a derivation.

    >>> initial_tokens('''(root (1 n_sg_ilr 0 0 1 (2 dog_n1 0 0 1 ("dogs" 3
    ...     "token [ +FORM \\"dogs\\" +FROM \\"0\\" +TO \\"4\\" +TNT [ +TAG \\"NNS\\" ] ]"))))''')
    [InitialToken(start=0, end=4, tag='NNS')]
    """
    try:
        leaves = derivation.from_string(text).terminals()
    except ERRORS as error:
        raise UnreadableError(f"not a derivation: {text[:200]!r}") from error
    found = []
    for token in (token for leaf in leaves for token in leaf.tokens):
        fields = dict(FIELD.findall(token.tfs))
        if "FROM" not in fields or "TO" not in fields:
            raise UnreadableError(f"a token without its place in the text: {token.tfs[:200]!r}")
        found.append(InitialToken(int(fields["FROM"]), int(fields["TO"]), fields.get("TAG", "")))
    return found
