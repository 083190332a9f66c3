"""What the labels of DM, PAS and PSD mean: a sentence and an example each.

Some rare labels of PAS have no row.

>>> label = label_of("dm", "BV")
>>> print(label.meaning)
The head quantifies the dependent; BV is short for bound variable.
>>> print(label.shown)
The cat sleeps: The -BV-> cat
"""

import re
from functools import lru_cache
from typing import Optional

from .dm import DM
from .label import Label
from .pas import PAS
from .psd import PSD

__all__ = ["LABELS", "Label", "label_of"]

# By the names of formalisms.
LABELS: dict[str, tuple[Label, ...]] = {"dm": DM, "pas": PAS, "psd": PSD}

# Labels that stand for many: coordinations of DM, by their conjunctions, and in PSD free modifiers
# in the place of an argument.
_KINDS = {
    "dm": (re.compile(r"_.+_c"), "_and_c"),
    "psd": (re.compile(r"(.+)-arg"), r"\1"),
}


@lru_cache(maxsize=4096)
def label_of(formalism: Optional[str], name: str) -> Optional[Label]:
    """The row of a label, if there is one.

    >>> label_of("dm", "_but_c").name, label_of("psd", "LOC-arg").name, label_of("dm", "nonsense")
    ('_and_c', 'LOC', None)
    """
    rows = {label.name: label for label in LABELS.get(formalism or "", ())}
    if name not in rows and formalism in _KINDS:
        pattern, representative = _KINDS[formalism]
        if match := pattern.fullmatch(name):
            name = match.expand(representative)
    return rows.get(name)
