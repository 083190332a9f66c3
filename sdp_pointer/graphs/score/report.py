"""Scores as text for people: the official figures, six decimals each, in fewer lines."""

from collections.abc import Iterable, Iterator, Mapping
from math import isnan
from typing import Optional

from ..problems import printable
from .counts import Counts
from .scores import PartScores, Scores, Section, scores


def report(result: Scores, by: Optional[str] = None) -> str:
    """Both sections; `by` adds a breakdown by `label` or `length`.

    >>> from sdp_pointer.graphs.score import Totals
    >>> counts = Counts(Totals(graphs=1, arcs_common=2, arcs_missed=1, pairs_common=3))
    >>> print(report(scores(counts)).split("\\n\\n")[0])
    # Including tops
    edges: 3 gold, 2 system, 2 common labelled, 3 common unlabelled
    LP: 1.000000  LR: 0.666667  LF: 0.800000  LM: 0.000000
    UP: 1.000000  UR: 1.000000  UF: 1.000000  UM: 0.000000
    complete predications: 0 gold, 0 system
    PP: NaN       PR: NaN       PF: NaN
    semantic frames: 0 gold, 0 system
    FP: NaN       FR: NaN       FF: NaN
    """
    if by not in (None, "label", "length"):
        raise ValueError(f"by {by!r} is neither 'label' nor 'length'")
    return "\n\n".join(
        f"# {title} tops\n{_section(section, by)}"
        for title, section in (("Including", result.with_top), ("Excluding", result.without_top))
    )


def report_sentences(sentences: Iterable[tuple[str, Counts]]) -> Iterator[str]:
    """One line a sentence, including tops, given its id and its counts.

    >>> from sdp_pointer.graphs.score import Totals
    >>> counts = Counts(Totals(graphs=1, arcs_common=2, arcs_missed=1, tops_common=1))
    >>> for line in report_sentences([("20001001", counts)]):
    ...     print(line)
    id                 gold  system  common        LP        LR        LF        UF  exact
    20001001              4       3       3  1.000000  0.750000  0.857143  1.000000      -
    """
    yield (
        f"{'id':<16}  {'gold':>5}  {'system':>6}  {'common':>6}  {'LP':>8}  {'LR':>8}  {'LF':>8}"
        f"  {'UF':>8}  exact"
    )
    for name, counts in sentences:
        section = scores(counts).with_top
        figures = (section.LP, section.LR, section.LF, section.UF)
        yield (
            f"{printable(name):<16}  {section.n_gold:>5}  {section.n_system:>6}"
            f"  {section.n_common_labeled:>6}  {'  '.join(f'{decimals(x):>8}' for x in figures)}"
            f"  {'+' if section.LM == 1 else '-':>5}"
        )


def report_groups(title: str, groups: Mapping[str, Counts]) -> Iterator[str]:
    """One line for each group of sentences, including tops.

    >>> from sdp_pointer.graphs.score import Totals
    >>> counts = Counts(Totals(graphs=1, arcs_common=2, pairs_common=2))
    >>> for line in report_groups("words", {"11-20": counts}):
    ...     print(line)
    words  sentences     gold   system        LF        LM        UF        UM
    11-20          1        2        2  1.000000  0.000000  1.000000  0.000000
    """
    names = ("LF", "LM", "UF", "UM")
    width = max(map(len, (title, *groups)))
    yield (
        f"{title:<{width}}  {'sentences':>9}  {'gold':>7}  {'system':>7}"
        f"  {'  '.join(f'{name:>8}' for name in names)}"
    )
    for group, counts in groups.items():
        section = scores(counts).with_top
        figures = "  ".join(f"{decimals(getattr(section, name)):>8}" for name in names)
        yield (
            f"{group:<{width}}  {counts.totals.graphs:>9}  {section.n_gold:>7}"
            f"  {section.n_system:>7}  {figures}"
        )


def decimals(value: float) -> str:
    """Six decimals as Java prints them: ties are rounded up, where Python rounds to even.

    >>> decimals(1 / 128), f"{1 / 128:.6f}", decimals(float("nan"))
    ('0.007813', '0.007812', 'NaN')
    """
    from decimal import ROUND_HALF_UP, Decimal

    if isnan(value):
        return "NaN"
    return str(Decimal(repr(value)).quantize(Decimal("0.000001"), ROUND_HALF_UP))


def _section(section: Section, by: Optional[str]) -> str:
    lines = [
        f"edges: {section.n_gold} gold, {section.n_system} system,"
        f" {section.n_common_labeled} common labelled,"
        f" {section.n_common_unlabeled} common unlabelled",
        _figures(section, "LP LR LF LM"),
        _figures(section, "UP UR UF UM"),
        f"complete predications: {section.n_predications_gold} gold,"
        f" {section.n_predications_system} system",
        _figures(section, "PP PR PF"),
        f"semantic frames: {section.n_frames_gold} gold, {section.n_frames_system} system",
        _figures(section, "FP FR FF"),
    ]
    if by is not None:
        parts = section.by_label if by == "label" else section.by_length
        lines += ["", *_parts(by, parts)]
    return "\n".join(lines)


def _figures(section: Section, names: str) -> str:
    cells = (f"{name}: {decimals(getattr(section, name)):<8}" for name in names.split())
    return "  ".join(cells).rstrip()


def _parts(title: str, parts: Mapping[str, PartScores]) -> Iterator[str]:
    names = [printable(name) for name in parts]
    width = max(map(len, (title, *names)))
    yield f"{title:<{width}}  {'gold':>7}  {'system':>7}  {'P':>8}  {'R':>8}"
    for name, part in zip(names, parts.values()):
        yield (
            f"{name:<{width}}  {part.n_gold:>7}  {part.n_system:>7}"
            f"  {decimals(part.P):>8}  {decimals(part.R):>8}"
        )
