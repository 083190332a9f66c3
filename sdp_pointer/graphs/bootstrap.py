"""The official paired bootstrap test: is a system better than a baseline, or was it luck?

Sentences are drawn with replacement, as many as there are, and the difference in LF (including
tops) is taken on each such sample. The share of samples whose difference exceeds twice the observed
one is p (Berg-Kirkpatrick et al. 2012). The random numbers are those of `java.util.Random`, which
the official tool uses, so that the same files give the same p there and here.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Optional, Union

from .graph import Graph
from .score import Matches, Scorer, align, f_score, ratio

if TYPE_CHECKING:
    import numpy

MULTIPLIER = 0x5DEECE66D
INCREMENT = 0xB
STATE_BITS = 48
DRAWS_AT_ONCE = 1 << 18  # bounds the memory: some 10 MB


class Bootstrap(NamedTuple):
    """The result of a test: `p` doubts the lead of the better one; without a lead it is `None`.

    >>> print(Bootstrap(baseline_lf=0.9, system_lf=0.92, p=0.0123, sentences=1410))
    baseline LF: 0.900000
    system LF:   0.920000  (+0.020000)
    p: 0.012300  (10000 samples of 1410 sentences, seed 42)
    The system is better than the baseline (p < 0.05).
    """

    baseline_lf: float
    system_lf: float
    p: Optional[float]
    sentences: int
    samples: int = 10_000
    seed: int = 42

    @property
    def delta(self) -> float:
        return self.system_lf - self.baseline_lf

    def as_json(self) -> dict[str, Union[str, float, None]]:
        figures = {"delta": self.delta, **self._asdict()}
        numbers = {name: None if value != value else value for name, value in figures.items()}
        return {"better": self.better, **numbers}

    @property
    def better(self) -> Optional[str]:
        """`system` or `baseline`, whichever has the higher LF; None if they are equal."""
        if self.p is None:
            return None
        return "system" if self.delta > 0 else "baseline"

    def __str__(self) -> str:
        from .score.report import decimals

        lines = [
            f"baseline LF: {decimals(self.baseline_lf)}",
            f"system LF:   {decimals(self.system_lf)}"
            f"  ({'+' * (self.delta >= 0)}{decimals(self.delta)})",
        ]
        if self.p is None:
            equal = "is as good as" if self.delta == 0 else "cannot be compared with"
            return "\n".join([*lines, f"The system {equal} the baseline: nothing to test."])
        lines.append(
            f"p: {decimals(self.p)}  ({self.samples} samples of {self.sentences} sentences,"
            f" seed {self.seed})"
        )
        worse = "baseline" if self.better == "system" else "system"
        lines.append(
            f"The {self.better} is better than the {worse} (p < 0.05)."
            if self.p < 0.05
            else f"The lead of the {self.better} may well be a matter of chance (p >= 0.05)."
        )
        return "\n".join(lines)


def paired_bootstrap(
    gold: Iterable[Graph],
    baseline: Iterable[Graph],
    system: Iterable[Graph],
    samples: int = 10_000,
    seed: int = 42,
    positional: bool = False,
) -> Bootstrap:
    """Test whether the better of two beats the other; the defaults are the official tool's.

    That tool tests only whether the system beats the baseline, and gives the same p then.

    >>> from sdp_pointer.graphs import Token
    >>> gold = [Graph([Token("Go")], tops=[1])] * 3
    >>> paired_bootstrap(gold, baseline=gold, system=gold).p is None
    True
    """
    if samples < 1:
        raise ValueError(f"{samples} samples; at least one is needed")
    rows = list(_rows(gold, baseline, system, positional))
    golds, baselines, systems, in_baseline, in_system = map(sum, zip(*rows)) if rows else [0] * 5
    baseline_lf = f_score(ratio(in_baseline, baselines), ratio(in_baseline, golds))
    system_lf = f_score(ratio(in_system, systems), ratio(in_system, golds))
    delta = system_lf - baseline_lf
    if delta < 0:
        rows = [(gold, two, one, in_two, in_one) for gold, one, two, in_one, in_two in rows]
    p = _exceeding(rows, 2 * abs(delta), samples, seed) / samples if abs(delta) > 0 else None
    return Bootstrap(baseline_lf, system_lf, p, len(rows), samples, seed)


def java_draws(bound: int, seed: int, block: int = DRAWS_AT_ONCE) -> "Iterator[numpy.ndarray]":
    """What `new java.util.Random(seed)` returns from `nextInt(bound)`, endlessly, in blocks.

    >>> next(java_draws(1700, seed=42))[:5].tolist()
    [230, 963, 748, 284, 570]
    """
    import numpy as np

    # The k-th next state is a^k state + c (1 + a + ... + a^(k-1)) modulo 2^48. Integers of 64 bits
    # overflow modulo 2^64, a multiple of it, so that masking at the end is enough.
    powers = np.multiply.accumulate(np.full(block, MULTIPLIER, dtype=np.uint64))
    sums = np.add.accumulate(np.concatenate([np.ones(1, np.uint64), powers[:-1]]))
    sums *= np.uint64(INCREMENT)
    mask = np.uint64((1 << STATE_BITS) - 1)
    state = np.uint64((seed ^ MULTIPLIER) & int(mask))
    while True:
        states = powers * state + sums & mask
        state = states[-1]
        bits = (states >> np.uint64(STATE_BITS - 31)).astype(np.int64)
        if bound & (bound - 1) == 0:
            yield bits * bound >> 31
        else:
            # Java draws again where the last, incomplete run of remainders would favour small ones.
            yield bits[bits < (1 << 31) // bound * bound] % bound


def _rows(
    gold: Iterable[Graph], baseline: Iterable[Graph], system: Iterable[Graph], positional: bool
) -> Iterator[tuple[int, int, int, int, int]]:
    """Edges of each sentence: in gold, baseline and system, and in common with the latter two."""
    names = ("gold", "baseline", "system")
    for true, one, two in align((gold, baseline, system), names, positional):
        in_baseline, in_system = _labelled_edges(true, one), _labelled_edges(true, two)
        yield (
            in_baseline.gold,
            in_baseline.system,
            in_system.system,
            in_baseline.common,
            in_system.common,
        )


def _labelled_edges(gold: Graph, system: Graph) -> Matches:
    totals = Scorer().alone(gold, system).totals
    return totals.arcs + totals.tops


def _exceeding(rows: Sequence[tuple[int, ...]], threshold: float, samples: int, seed: int) -> int:
    """How many of the samples have a difference in LF above the threshold."""
    import numpy as np

    counts = np.array(rows)
    exceeding = 0
    for drawn in _samples(len(rows), samples, seed):
        # How often each sentence is in each sample, and from that the counts of each sample.
        cells = drawn + np.arange(len(drawn))[:, None] * len(rows)
        times = np.bincount(cells.ravel(), minlength=cells.size).reshape(cells.shape)
        gold, baseline, system, in_baseline, in_system = (times @ counts).T
        with np.errstate(invalid="ignore"):  # 0/0 is NaN, which exceeds nothing
            delta = _f_scores(in_system, system, gold) - _f_scores(in_baseline, baseline, gold)
        exceeding += int((delta > threshold).sum())
    return exceeding


def _samples(
    n: int, samples: int, seed: int, block: int = DRAWS_AT_ONCE
) -> "Iterator[numpy.ndarray]":
    """The numbers of the drawn sentences, so many samples in all.

    # Shape of each: (samples_at_once, n)
    """
    import numpy as np

    rest = np.empty(0, dtype=np.int64)
    for draws in java_draws(n, seed, block):
        draws = np.concatenate([rest, draws])
        complete = min(len(draws) // n, samples)
        if complete:
            yield draws[: complete * n].reshape(complete, n)
        samples -= complete
        rest = draws[complete * n :]
        if not samples:
            return


def _f_scores(
    common: "numpy.ndarray", system: "numpy.ndarray", gold: "numpy.ndarray"
) -> "numpy.ndarray":
    precision, recall = common / system, common / gold
    return 2.0 * precision * recall / (precision + recall)
