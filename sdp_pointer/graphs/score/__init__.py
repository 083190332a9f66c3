"""The official metrics of SemEval-2015 Task 18, to the last digit.

`pair` brings gold and system graphs together, a `Scorer` counts, `scores` turns counts into
figures, and `report` shows them.

>>> from sdp_pointer.graphs import Graph, Token
>>> words = [Token("Cats"), Token("like"), Token("fish")]
>>> gold = [Graph(words, [(2, 1, "ARG1"), (2, 3, "ARG2")], tops=[2])]
>>> system = [Graph(words, [(2, 1, "ARG1"), (2, 3, "ARG3")], tops=[2])]
>>> scorer = Scorer()
>>> for gold_graph, system_graph in pair(gold, system):
...     scorer.add(gold_graph, system_graph)
>>> result = scorer.scores()
>>> round(result.with_top.LF, 4), result.without_top.LF, result.with_top.UF
(0.6667, 0.5, 1.0)
"""

from .breakdown import MOODS, WORD_BINS, confusions, grouped, mood, unlabelled, word_bin
from .counts import Counts, Matches, Totals
from .pairing import MismatchError, align, pair
from .report import report, report_groups, report_sentences
from .scorer import Scorer
from .scores import PartScores, Scores, Section, f_score, ratio, scores

__all__ = [
    "MOODS",
    "WORD_BINS",
    "Counts",
    "Matches",
    "MismatchError",
    "PartScores",
    "Scorer",
    "Scores",
    "Section",
    "Totals",
    "align",
    "confusions",
    "f_score",
    "grouped",
    "mood",
    "pair",
    "ratio",
    "report",
    "report_groups",
    "report_sentences",
    "scores",
    "unlabelled",
    "word_bin",
]
