"""Counts that add up: over sentences, over files, and over the processes of a training run."""

from collections.abc import Mapping
from operator import add
from typing import Any, NamedTuple, TypeVar

Key = TypeVar("Key")


class Matches(NamedTuple):
    """How the items of the system agree with those of gold.

    >>> matches = Matches(common=3, missed=1) + Matches(spurious=2)
    >>> matches.gold, matches.system
    (4, 5)
    """

    common: int = 0
    missed: int = 0
    spurious: int = 0

    @property
    def gold(self) -> int:
        return self.common + self.missed

    @property
    def system(self) -> int:
        return self.common + self.spurious

    def __add__(self, other: "Matches") -> "Matches":  # type: ignore[override]
        return Matches._make(map(add, self, other))


class Totals(NamedTuple):
    """What every score comes from, as a flat vector of integers.

    Arcs are labelled; pairs are what remains of them without labels. They are not equally many
    once direction is ignored: 1 -A-> 2 and 2 -B-> 1 are two undirected arcs but one pair.

    >>> Totals(graphs=1, tops_common=2) + Totals(graphs=1)
    Totals(graphs=2, arcs_common=0, ..., tops_common=2, ...)
    """

    graphs: int = 0
    arcs_common: int = 0
    arcs_missed: int = 0
    arcs_spurious: int = 0
    pairs_common: int = 0
    pairs_missed: int = 0
    pairs_spurious: int = 0
    tops_common: int = 0
    tops_missed: int = 0
    tops_spurious: int = 0
    same_arcs: int = 0
    same_arcs_and_tops: int = 0
    same_pairs: int = 0
    same_pairs_and_tops: int = 0
    predicates_gold: int = 0
    predicates_system: int = 0
    predications_common: int = 0
    frames_common: int = 0

    def __add__(self, other: "Totals") -> "Totals":  # type: ignore[override]
        return Totals._make(map(add, self, other))

    @property
    def arcs(self) -> Matches:
        return Matches(self.arcs_common, self.arcs_missed, self.arcs_spurious)

    @property
    def pairs(self) -> Matches:
        return Matches(self.pairs_common, self.pairs_missed, self.pairs_spurious)

    @property
    def tops(self) -> Matches:
        return Matches(self.tops_common, self.tops_missed, self.tops_spurious)


# Not a MappingProxyType, which cannot be sent to another process.
NOTHING: Mapping[Any, Matches] = {}


class Counts(NamedTuple):
    """Totals, and the breakdowns of arcs by label and length and of tops by position.

    Processes that each score a part of a corpus need to exchange nothing but the totals:

    >>> parts = [Counts(Totals(graphs=2)), Counts(Totals(graphs=3))]
    >>> sum(parts, Counts()).totals.graphs
    5
    >>> reduced = [sum(column) for column in zip(*(part.totals for part in parts))]
    >>> Counts(Totals._make(reduced)).totals.graphs
    5
    """

    totals: Totals = Totals()
    labels: Mapping[str, Matches] = NOTHING
    lengths: Mapping[int, Matches] = NOTHING
    top_positions: Mapping[int, Matches] = NOTHING

    def __add__(self, other: "Counts") -> "Counts":  # type: ignore[override]
        return Counts(
            self.totals + other.totals,
            _merge(self.labels, other.labels),
            _merge(self.lengths, other.lengths),
            _merge(self.top_positions, other.top_positions),
        )


def _merge(one: Mapping[Key, Matches], other: Mapping[Key, Matches]) -> Mapping[Key, Matches]:
    both = dict(one)
    for key, matches in other.items():
        both[key] = both[key] + matches if key in both else matches
    return both
