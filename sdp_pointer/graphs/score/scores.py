"""From counts to the figures that the official scorer prints, under its names."""

from collections.abc import Mapping
from math import isnan, nan
from typing import Any, NamedTuple

from .counts import Counts, Matches

VIRTUAL = "-VIRTUAL-"
LENGTH_BINS = ("1", "2", "3", "4", "5-9", "10-")


class PartScores(NamedTuple):
    """Precision and recall over the edges of one label, or of one range of lengths."""

    P: float
    R: float
    n_gold: int
    n_system: int


class Section(NamedTuple):
    """All figures, either including or excluding the virtual edges from ROOT to the tops.

    L is labelled, U unlabelled, P complete predications, F semantic frames; P, R, F and M after it
    are precision, recall, F1 and the share of graphs without any error. 0/0 is NaN.
    """

    LP: float
    LR: float
    LF: float
    LM: float
    UP: float
    UR: float
    UF: float
    UM: float
    PP: float
    PR: float
    PF: float
    FP: float
    FR: float
    FF: float
    n_gold: int
    n_system: int
    n_common_labeled: int
    n_common_unlabeled: int
    n_predications_gold: int
    n_predications_system: int
    n_frames_gold: int
    n_frames_system: int
    by_label: Mapping[str, PartScores]
    by_length: Mapping[str, PartScores]

    def as_metric(self) -> dict[str, float]:
        """The 14 figures with 0.0 for NaN, since a trainer has to compare them.

        >>> scores(Counts()).with_top.as_metric()["LF"]
        0.0
        """
        return {name: zero_if_nan(getattr(self, name)) for name in FIGURES}

    def as_json(self) -> dict[str, Any]:
        """Everything, with None for NaN, which JSON lacks; no `by_label` if there are no edges."""
        section = {name: _json(value) for name, value in self._asdict().items()}
        if not self.by_label:
            del section["by_label"]
        return section


FIGURES = Section._fields[:14]


class Scores(NamedTuple):
    """The two sections of the official output; the paper's LF1 is `with_top.LF`."""

    with_top: Section
    without_top: Section

    def as_json(self) -> dict[str, Any]:
        return {name: section.as_json() for name, section in self._asdict().items()}


def scores(counts: Counts) -> Scores:
    """The figures of counted graphs.

    >>> from sdp_pointer.graphs.score import Totals
    >>> result = scores(Counts(Totals(graphs=2, arcs_common=3, arcs_missed=1, tops_common=2)))
    >>> result.with_top.LR, result.without_top.LR
    (0.8333333333333334, 0.75)
    """
    return Scores(_section(counts, with_top=True), _section(counts, with_top=False))


def ratio(part: float, whole: float) -> float:
    """A division in which 0/0 is NaN.

    >>> ratio(1, 4), ratio(0, 0)
    (0.25, nan)
    """
    return part / whole if whole else nan


def f_score(precision: float, recall: float) -> float:
    """The harmonic mean in the official order of operations; NaN if both are 0.

    >>> f_score(1.0, 0.5), f_score(0.0, 0.0)
    (0.6666666666666666, nan)
    """
    both = precision + recall
    return 2.0 * precision * recall / both if both else nan


def length_bin(length: int) -> str:
    """
    >>> [length_bin(length) for length in (1, 4, 5, 9, 10)]
    ['1', '4', '5-9', '5-9', '10-']
    """
    return str(length) if length < 5 else "5-9" if length < 10 else "10-"


def zero_if_nan(value: float) -> float:
    return 0.0 if isnan(value) else value


def _section(counts: Counts, with_top: bool) -> Section:
    totals = counts.totals
    tops = totals.tops if with_top else Matches()
    labelled, unlabelled = totals.arcs + tops, totals.pairs + tops
    predicates = totals.predicates_gold, totals.predicates_system
    return Section(
        *_precision_recall_f(labelled.common, labelled.gold, labelled.system),
        ratio(totals.same_arcs_and_tops if with_top else totals.same_arcs, totals.graphs),
        *_precision_recall_f(unlabelled.common, unlabelled.gold, unlabelled.system),
        ratio(totals.same_pairs_and_tops if with_top else totals.same_pairs, totals.graphs),
        *_precision_recall_f(totals.predications_common, *predicates),
        *_precision_recall_f(totals.frames_common, *predicates),
        labelled.gold,
        labelled.system,
        labelled.common,
        unlabelled.common,
        *predicates,
        *predicates,  # every scorable predicate is one predication and one frame
        _by_label(counts, with_top),
        _by_length(counts, with_top),
    )


def _precision_recall_f(common: int, gold: int, system: int) -> tuple[float, float, float]:
    precision, recall = ratio(common, system), ratio(common, gold)
    return precision, recall, f_score(precision, recall)


def _by_label(counts: Counts, with_top: bool) -> Mapping[str, PartScores]:
    labels = dict(counts.labels)
    tops = counts.totals.tops
    if with_top and any(tops):
        labels[VIRTUAL] = labels.get(VIRTUAL, Matches()) + tops
    return _parts({label: labels[label] for label in sorted(labels)})


def _by_length(counts: Counts, with_top: bool) -> Mapping[str, PartScores]:
    bins = dict.fromkeys(LENGTH_BINS, Matches())
    # The distance of a top from ROOT is its position. Self-loops, of length 0, are in no bin.
    for lengths in (counts.lengths, counts.top_positions if with_top else {}):
        for length, matches in lengths.items():
            if length:
                bins[length_bin(length)] += matches
    return _parts(bins)


def _parts(table: Mapping[str, Matches]) -> Mapping[str, PartScores]:
    return {
        key: PartScores(
            ratio(matches.common, matches.system),
            ratio(matches.common, matches.gold),
            matches.gold,
            matches.system,
        )
        for key, matches in table.items()
    }


def _json(value: Any) -> Any:
    if isinstance(value, PartScores):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {key: _json(part) for key, part in value.items()}
    return None if isinstance(value, float) and isnan(value) else value
