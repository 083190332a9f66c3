"""The formalisms that graphs are annotated in: adding one is adding an entry to `FORMALISMS`.

A graph may have a formalism that is not listed: any name will do, and all its arcs are core.
"""

import os
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import NamedTuple, Optional


class Formalism(NamedTuple):
    """What the scores, the formats and `sdp-pointer formalisms` know of one.

    `core` are patterns of the labels that make up complete predications and semantic frames;
    `framework` is what an MRP file calls it.

    >>> psd = FORMALISMS["psd"]
    >>> psd.framework, psd.is_core("ACT-arg"), psd.is_core("RSTR")
    ('psd', True, False)
    """

    name: str
    description: str
    data: str
    framework: str
    core: tuple[str, ...] = ("*",)

    @property
    def all_core(self) -> bool:
        return self.core == ("*",)

    def is_core(self, label: str) -> bool:
        return _fits(label, self.core)


@lru_cache(maxsize=4096)
def _fits(label: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(label, pattern) for pattern in patterns)


FORMALISMS = {
    formalism.name: formalism
    for formalism in (
        Formalism(
            name="dm",
            description="DELPH-IN MRS bi-lexical dependencies, from analyses by the English"
            " Resource Grammar",
            data="en.dm.sdp, en.id.dm.sdp, en.ood.dm.sdp (LDC2016T10)",
            framework="dm",
        ),
        Formalism(
            name="pas",
            description="Predicate-argument structures of the HPSG parser Enju",
            data="en.pas.sdp, en.id.pas.sdp, en.ood.pas.sdp (LDC2016T10)",
            framework="pas",
            core=(
                *("adj_ARG[12]", "adj_MOD", "coord_ARG[12]", "prep_ARG[123]", "prep_MOD"),
                *("verb_ARG[1234]", "verb_MOD"),
            ),
        ),
        Formalism(
            name="psd",
            description="Prague semantic dependencies, from tectogrammatical trees of the Prague"
            " treebanks",
            data="en.psd.sdp, en.id.psd.sdp, en.ood.psd.sdp (LDC2016T10)",
            framework="psd",
            core=("*-arg",),
        ),
        Formalism(
            name="ccd",
            description="Word-to-word dependencies of Combinatory Categorial Grammar, from CCGbank",
            data="the folder ccd of LDC2016T10",
            framework="ccd",
        ),
        Formalism(
            name="eud",
            description="Enhanced Universal Dependencies: syntactic trees with the arcs that"
            " meaning needs",
            data="*-ud-train.conllu, *-ud-dev.conllu, *-ud-test.conllu (universaldependencies.org)",
            framework="eud",
            core=("nsubj*", "csubj*", "obj*", "iobj*", "ccomp*", "xcomp*"),
        ),
    )
}


def is_name(text: object) -> bool:
    """Whether a formalism may be called so: letters a to z, digits and `_`, no digit first.

    >>> is_name("dm"), is_name("my_scheme2"), is_name("DM"), is_name("my scheme")
    (True, True, False, False)
    """
    if not isinstance(text, str):
        return False
    return text.isascii() and text.isidentifier() and text == text.lower()


def not_a_name(text: object) -> str:
    """The message for a formalism that is called otherwise."""
    return f"the formalism {text!r} is not a name of letters a to z, digits and _, such as dm"


def formalism_of_file(file: str) -> Optional[str]:
    """The formalism that is one of the parts between dots of a file's name, if just one is.

    >>> formalism_of_file("data/en.psd.sdp"), formalism_of_file("DM.dev.sdp.gz")
    ('psd', 'dm')
    >>> [formalism_of_file(name) for name in ("psd/dev.sdp", "psd_dev.sdp", "dm.psd.sdp")]
    [None, None, None]
    >>> formalism_of_file("my_scheme.dev.sdp") is None
    True
    """
    names = FORMALISMS.keys() & set(os.path.basename(file).lower().split("."))
    return names.pop() if len(names) == 1 else None


def framework_of(formalism: str) -> str:
    """What an MRP file calls a formalism; its own name if it is not listed.

    >>> framework_of("psd"), framework_of("my_scheme")
    ('psd', 'my_scheme')
    """
    return FORMALISMS[formalism].framework if formalism in FORMALISMS else formalism


def formalism_of_framework(framework: str) -> str:
    """The formalism that an MRP file calls so.

    >>> formalism_of_framework("psd"), formalism_of_framework("my_scheme")
    ('psd', 'my_scheme')
    """
    listed = (
        formalism.name for formalism in FORMALISMS.values() if formalism.framework == framework
    )
    return next(listed, framework)
