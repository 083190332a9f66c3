"""Frames as in the official files: class and sense of a predicate, and types of its arguments."""

import re
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from delphin import hierarchy, semi
from delphin.exceptions import PyDelphinException, PyDelphinWarning

from ..errors import UserError

if TYPE_CHECKING:
    from delphin.eds import Node

# Types of variables by predicate, as in `e-x-x`.
Signatures = Mapping[str, str]

# A predicate's class and sense, with the tag of a word that the grammar does not know.
SURFACE = re.compile(r"_.*?(?:/([^_]+))?_(.)(?:_(.+))?")
CLASSES = {"nn": "n", "vb": "v", "jj": "a", "rb": "a", "fw": "n"}


def frame(node: "Node", nodes: "Mapping[str, Node]", signatures: Signatures) -> str:
    """The frame of a predicate: `n_of:x-x`, `named:x-c`, `q:x-h-h`.

    Types are those of the grammar's interface, whichever arguments the sentence has: e(vent),
    x (instance), i (either), h(andle), p (x or h) or u (any), and c for a constant. Where it does
    not know the predicate, they are the types of the arguments that are there.

    >>> from delphin.codecs.eds import decode
    >>> eds = decode('''{e2: e2:_show_v_1<0:5>{e}[ARG1 x3] x3:named<6:9>("Kim"){x}[]
    ...     x4:_blorks/nns_u_unknown<10:16>{x}[] _1:udef_q<10:16>[BV x4]}''')
    >>> nodes = {node.id: node for node in eds.nodes}
    >>> for node in eds.nodes:
    ...     print(frame(node, nodes, {"_show_v_1": "e-x-h", "udef_q": "x-h-h"}))
    v:e-x-h
    named:x-c
    n:x
    q:x-h-h
    """
    types = signatures.get(node.predicate)
    if types is None:
        arguments = (nodes[target] for _, target in sorted(node.edges.items()) if target in nodes)
        types = "-".join(each.type or "u" for each in (node, *arguments))
    return f"{_name(node.predicate)}:{types}" + ("-c" if node.carg is not None else "")


def _name(predicate: str) -> str:
    """Without its lemma, and without a sense that is a mere number.

    >>> [_name(p) for p in ("_look_v_up", "_be_v_1", "_a+few_a_1", "_the_q", "card", "which_q")]
    ['v_up', 'v', 'a', 'q', 'card', 'q']
    """
    if not predicate.startswith("_"):
        return "q" if predicate.endswith("_q") else predicate
    found = SURFACE.fullmatch(predicate)
    if found is None:
        return predicate
    tag, kind, sense = found.groups()
    if tag and tag[:2] in CLASSES:
        return CLASSES[tag[:2]]
    return kind if sense is None or sense.isdigit() else f"{kind}_{sense}"


def read_signatures(interface: Path) -> dict[str, str]:
    """Types of each predicate in a SEM-I, generalised over all of its entries.

    So a role that one entry lacks, or has as optional, counts as well.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PyDelphinWarning)
            found = semi.load(interface)
    except PyDelphinException as error:
        reason = " ".join(str(error).split())
        raise UserError(f"{interface} cannot be read as a SEM-I: {reason}") from error
    order = list(found.roles)
    signatures = {}
    for predicate, synopses in found.predicates.items():
        types: dict[str, list[str]] = {}
        for role in (role for synopsis in synopses for role in synopsis):
            types.setdefault(role.name, []).append(role.value)
        if types:
            general = (
                _general(types[role], found.variables) for role in sorted(types, key=order.index)
            )
            signatures[predicate] = "-".join(general)
    return signatures


def _general(types: Iterable[str], variables: hierarchy.MultiHierarchy) -> str:
    """The most special type that all of some types are."""
    common = set.intersection(*({each, *variables.ancestors(each)} for each in set(types)))
    return max(common, key=lambda each: len(variables.ancestors(each)))
