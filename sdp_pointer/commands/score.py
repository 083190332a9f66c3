"""Score system graphs against gold graphs with the official metrics of SemEval-2015 Task 18."""

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Optional

from ..graphs import FORMALISMS, Graph, read
from ..graphs.score import (
    MOODS,
    WORD_BINS,
    Counts,
    Scorer,
    grouped,
    mood,
    pair,
    report,
    report_groups,
    report_sentences,
    scores,
    word_bin,
)
from .options import add_format, add_json, add_lenient, add_positional, positive, print_json

# What sentences are grouped by: names of the groups, and that of a sentence's.
GROUPS: dict[str, tuple[Sequence[str], Callable[[Graph], str]]] = {
    "mood": (MOODS, mood),
    "words": (WORD_BINS, lambda graph: word_bin(len(graph))),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("gold", metavar="GOLD", help="file with the true graphs")
    parser.add_argument("system", metavar="SYSTEM", help="file with the graphs to be scored")
    parser.add_argument(
        "--representation",
        type=str.lower,
        choices=list(FORMALISMS),
        help="count the core arguments of this formalism alone in complete predications and"
        " semantic frames; by default all arcs are core, as in the official tool",
    )
    parser.add_argument(
        "--exclude-punctuation",
        action="store_true",
        help="leave out arcs and tops at words tagged . , : ( or )",
    )
    parser.add_argument(
        "--undirected", action="store_true", help="do not tell heads from dependents"
    )
    parser.add_argument(
        "--max", type=positive, metavar="N", help="score the first N sentences only"
    )
    parser.add_argument(
        "--by",
        choices=["label", "length", "mood", "sentence", "words"],
        help="break the scores down by label, by length of the arcs, by sentence, by the number of"
        " words in the sentences, or by mood: questions, imperatives (by tags of the Penn Treebank)"
        " and other sentences",
    )
    add_positional(parser)
    add_format(parser, "--from", "GOLD and SYSTEM")
    add_lenient(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    scorer = Scorer(arguments.representation, arguments.exclude_punctuation, arguments.undirected)
    sentences: list[tuple[Graph, Counts]] = []
    formalisms: set[Optional[str]] = set()
    gold = read(arguments.gold, arguments.from_format, lenient=arguments.lenient)
    system = read(arguments.system, arguments.from_format, lenient=arguments.lenient)
    for gold_graph, system_graph in pair(gold, system, arguments.positional, arguments.max):
        scorer.add(gold_graph, system_graph)
        formalisms.add(gold_graph.formalism)
        if arguments.by == "sentence" or arguments.by in GROUPS:
            sentences.append((gold_graph, scorer.alone(gold_graph, system_graph)))
    result = scorer.scores()
    if arguments.representation is None:
        _note_core_arguments(formalisms)
    groups = {}
    if arguments.by in GROUPS:
        names, name_of = GROUPS[arguments.by]
        groups = grouped(((name_of(graph), counts) for graph, counts in sentences), names)
    if arguments.json:
        document = result.as_json()
        if arguments.by == "sentence":
            document["sentences"] = [
                {"id": graph.id, **scores(counts).as_json()} for graph, counts in sentences
            ]
        if groups:
            document[arguments.by] = {
                name: scores(counts).as_json() for name, counts in groups.items()
            }
        print_json(document)
        return 0
    if arguments.by == "sentence":
        print(*report_sentences((graph.id, counts) for graph, counts in sentences), "", sep="\n")
    if groups:
        print(*report_groups(arguments.by, groups), "", sep="\n")
    print(report(result, by=arguments.by if arguments.by in ("label", "length") else None))
    return 0


def _note_core_arguments(formalisms: set[Optional[str]]) -> None:
    """The official tool's defaults are ours, but may not be what these graphs are scored by."""
    for name, formalism in FORMALISMS.items():
        if name in formalisms and not formalism.all_core:
            print(
                f"note: {name} graphs: PP to FF count all arcs; --representation {name} counts"
                " core arguments alone",
                file=sys.stderr,
            )
