"""What pydelphin reads from the cells of a profile: derivations and MRSs."""

import re
import warnings
from typing import NamedTuple, Optional

from delphin import derivation, eds, mrs, scope
from delphin.codecs import simplemrs
from delphin.exceptions import PyDelphinException, PyDelphinWarning

# The predicate above a fragment: it says that its argument is all that was said.
FRAGMENT = "unknown"

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


def read_eds(text: str) -> eds.EDS:
    """The EDS of an MRS in the simple notation.

    >>> graph = read_eds('''[ LTOP: h0 INDEX: e2 RELS:
    ...     < [ _bark_v_1<5:10> LBL: h1 ARG0: e2 ARG1: x3 ]
    ...       [ pron<0:4> LBL: h4 ARG0: x3 ] > HCONS: < h0 qeq h1 > ]''')
    >>> graph.top, graph.edges
    ('e2', [('e2', 'ARG1', 'x3')])

    A fragment has its head for an argument.

    >>> read_eds('''[ LTOP: h0 INDEX: e2 RELS: < [ unknown<0:9> LBL: h1 ARG0: e2 ARG: i3 ]
    ...     [ _very_x_deg<0:4> LBL: h1 ARG0: e4 ARG1: e5 ]
    ...     [ _good_a_1<5:9> LBL: h1 ARG0: e5 ARG1: i3 ] > HCONS: < h0 qeq h1 > ]''').edges
    [('e2', 'ARG', 'e5'), ('e4', 'ARG1', 'e5')]
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PyDelphinWarning)
            read = simplemrs.decode(text)
            # Where two predications share their variable, which one keeps its name as an id would
            # depend on the order of a set.
            graph = eds.from_mrs(read, predicate_modifiers=True, unique_ids=False)
            for fragment in read.rels:
                if fragment.predicate == FRAGMENT and "ARG" not in graph[fragment.id].edges:
                    head = _head(fragment, read)
                    graph[fragment.id].edges.update({} if head is None else {"ARG": head.id})
    except ERRORS as error:
        raise UnreadableError(f"not an MRS: {text[:200]!r}") from error
    return graph


def _head(fragment: mrs.EP, read: mrs.MRS) -> Optional[mrs.EP]:
    """What a fragment says, if it has no argument.

    The head of "very good" has a variable in common with the fragment, that of "not now" only the
    scope, below `neg`.
    """
    others = [predication for predication in read.rels if predication is not fragment]
    scopes = scope.representatives(mrs.MRS(read.top, read.index, others, read.hcons))
    below = {condition.hi: condition.lo for condition in read.hcons}
    variable = fragment.args.get("ARG", fragment.iv)
    label: Optional[str] = fragment.label
    for _ in scopes:
        found = [p for p in others if p.label == label and p.args.get("ARG1") == variable]
        head = next(iter(found or scopes.get(label, ())), None)
        label = below.get(head.args.get("ARG1", "")) if head is not None else None
        if label is None:
            return head
    return None


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
