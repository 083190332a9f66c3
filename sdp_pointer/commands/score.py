"""Score system graphs against gold graphs with the official metrics of SemEval-2015 Task 18."""

import argparse
import sys
from typing import Optional

from ..graphs import FORMALISMS, read
from ..graphs.score import (
    Counts,
    Scorer,
    by_words,
    pair,
    report,
    report_sentences,
    report_words,
    scores,
)
from .options import add_format, add_json, add_lenient, add_positional, positive, print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("gold", metavar="GOLD", help="file with the gold graphs")
    parser.add_argument("system", metavar="SYSTEM", help="file with the graphs to score")
    parser.add_argument(
        "--representation",
        type=str.lower,
        choices=list(FORMALISMS),
        help="use the core arguments of this formalism for complete predications and semantic"
        " frames; by default all arcs are core, as in the official tool",
    )
    parser.add_argument(
        "--exclude-punctuation",
        action="store_true",
        help="leave out arcs and tops at words tagged . , : ( or )",
    )
    parser.add_argument("--undirected", action="store_true", help="ignore the direction of arcs")
    parser.add_argument(
        "--max", type=positive, metavar="N", help="score only the first N sentences"
    )
    parser.add_argument(
        "--by",
        choices=["label", "length", "sentence", "words"],
        help="break the scores down by label, by length of the arcs, by sentence, or by the number"
        " of words in the sentences",
    )
    add_positional(parser)
    add_format(parser, "--from", "GOLD and SYSTEM")
    add_lenient(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    scorer = Scorer(arguments.representation, arguments.exclude_punctuation, arguments.undirected)
    sentences: list[tuple[str, int, Counts]] = []
    formalisms: set[Optional[str]] = set()
    gold = read(arguments.gold, arguments.from_format, lenient=arguments.lenient)
    system = read(arguments.system, arguments.from_format, lenient=arguments.lenient)
    for gold_graph, system_graph in pair(gold, system, arguments.positional, arguments.max):
        scorer.add(gold_graph, system_graph)
        formalisms.add(gold_graph.formalism)
        if arguments.by in ("sentence", "words"):
            counts = scorer.alone(gold_graph, system_graph)
            sentences.append((gold_graph.id, len(gold_graph), counts))
    result = scorer.scores()
    if arguments.representation is None:
        _note_core_arguments(formalisms)
    bins = by_words((words, counts) for _, words, counts in sentences)
    if arguments.json:
        document = result.as_json()
        if arguments.by == "sentence":
            document["sentences"] = [
                {"id": name, **scores(counts).as_json()} for name, _, counts in sentences
            ]
        if arguments.by == "words":
            document["words"] = {words: scores(counts).as_json() for words, counts in bins.items()}
        print_json(document)
        return 0
    if arguments.by == "sentence":
        print(*report_sentences((name, counts) for name, _, counts in sentences), "", sep="\n")
    if arguments.by == "words":
        print(*report_words(bins), "", sep="\n")
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
