"""Where a parser errs: by sentence length, arc length and label; what cycles and the beam cost.

    python benchmarks/analysis.py MODEL.tar.gz GOLD.sdp [--beams 1 5] [--labels 15]

Parses the file with each beam, and greedily once more with cycles allowed. The first beam is
looked at closely, the second is put beside it, sentence by sentence. Scores include tops, but not
those by label or length of the arcs, which tops have none of.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import sdp_pointer
from sdp_pointer.graphs import Graph, read
from sdp_pointer.graphs.score import (
    WORD_BINS,
    Counts,
    Scorer,
    confusions,
    f_score,
    grouped,
    scores,
    unlabelled,
    word_bin,
)

FEW = 10  # A label that is rarer in gold is not among the worst.

Pairs = Sequence[tuple[Graph, Graph]]
Rows = list[dict[str, Any]]


def total(pairs: Pairs) -> Counts:
    scorer = Scorer()
    for gold, system in pairs:
        scorer.add(gold, system)
    return scorer.counts


def figures(counts: Counts) -> dict[str, float]:
    section = scores(counts).with_top
    return {name: getattr(section, name) for name in ("LP", "LR", "LF", "LM", "UF", "UM")}


def overall(parsed: dict[str, Pairs]) -> Rows:
    return [
        {"search": name, "sentences": len(pairs), **figures(total(pairs))}
        for name, pairs in parsed.items()
    ]


def sentence_lengths(pairs: Pairs) -> Rows:
    alone = ((word_bin(len(gold)), Scorer().alone(gold, system)) for gold, system in pairs)
    return [
        {"words": words, "sentences": counts.totals.graphs, **figures(counts)}
        for words, counts in grouped(alone, WORD_BINS).items()
    ]


def arc_lengths(pairs: Pairs) -> Rows:
    bare = [(unlabelled(gold), unlabelled(system)) for gold, system in pairs]
    sections = [scores(total(some)).without_top.by_length for some in (pairs, bare)]
    rows = []
    for length, labelled in sections[0].items():
        place = sections[1][length]
        rows.append(
            {
                "length": length,
                "gold": labelled.n_gold,
                "LP": labelled.P,
                "LR": labelled.R,
                "LF": f_score(labelled.P, labelled.R),
                "UP": place.P,
                "UR": place.R,
                "UF": f_score(place.P, place.R),
            }
        )
    return rows


def labels(pairs: Pairs) -> Rows:
    """All labels of gold, the most frequent first, and what each is taken for most often."""
    confused = sum((confusions(gold, system) for gold, system in pairs), Counter())
    rows = []
    by_label = scores(total(pairs)).without_top.by_label
    for label, part in sorted(by_label.items(), key=lambda item: -item[1].n_gold):
        others = {other: n for (right, other), n in confused.items() if right == label}
        mistaken = Counter(others).most_common(3)
        rows.append(
            {
                "label": label,
                "gold": part.n_gold,
                "system": part.n_system,
                "P": part.P,
                "R": part.R,
                "F": f_score(part.P, part.R),
                "taken for": ", ".join(f"{other} {n}" for other, n in mistaken),
            }
        )
    return [row for row in rows if row["gold"]]


def worst(rows: Rows, n: int) -> Rows:
    frequent = (row for row in rows if row["gold"] >= FEW)
    # F is NaN if not a single arc is right.
    return sorted(frequent, key=lambda row: row["F"] if row["F"] == row["F"] else 0.0)[:n]


def cycles(acyclic: Pairs, free: Pairs) -> Rows:
    """What became of the sentences that would have had a cycle, and of all."""
    cyclic = [number for number, (_, system) in enumerate(free) if not system.is_dag]
    rows = []
    for name, numbers in (("that would have a cycle", cyclic), ("all", range(len(free)))):
        for search, pairs in (("acyclic", acyclic), ("cycles allowed", free)):
            scored = figures(total([pairs[number] for number in numbers]))
            rows.append({"sentences": name, "number": len(numbers), "search": search, **scored})
    return rows


def beams(narrow: Pairs, wide: Pairs) -> Rows:
    """How many sentences the wider beam parses better and worse, by their length."""
    table: dict[str, Counter[str]] = {words: Counter() for words in (*WORD_BINS, "all")}
    for (gold, one), (_, other) in zip(narrow, wide):
        gain = quality(gold, other) - quality(gold, one)
        found = ["sentences", "better" if gain > 0 else "worse" if gain < 0 else "as good"]
        if (one.arcs, one.tops) == (other.arcs, other.tops):
            found.append("same graph")
        for words in (word_bin(len(gold)), "all"):
            table[words].update(found)
    columns = ("sentences", "better", "worse", "as good", "same graph")
    return [
        {"words": words, **{column: counter[column] for column in columns}}
        for words, counter in table.items()
        if counter
    ]


def quality(gold: Graph, system: Graph) -> float:
    """LF of a sentence; 1 if there is nothing to find and nothing found."""
    totals = Scorer().alone(gold, system).totals
    edges = totals.arcs + totals.tops
    return 2 * edges.common / (edges.gold + edges.system) if any(edges) else 1.0


def show(title: str, rows: Rows) -> None:
    """A table: shares in per cent, text to the left."""
    columns = []
    for name in rows[0] if rows else ():
        values = [row[name] for row in rows]
        cells = [f"{100 * v:.2f}" if isinstance(v, float) else str(v) for v in values]
        width = max(map(len, (name, *cells)))
        align = "<" if isinstance(values[0], str) else ">"
        columns.append([f"{cell:{align}{width}}" for cell in (name, *cells)])
    lines = ("  ".join(line).rstrip() for line in zip(*columns))
    print("", f"# {title}", *lines, sep="\n")


def without_nan(row: dict[str, Any]) -> dict[str, Any]:
    """JSON has no NaN."""
    return {name: None if value != value else value for name, value in row.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model", help="archive of a trained parser")
    parser.add_argument("file", help="gold graphs in any format")
    parser.add_argument("--beams", type=int, nargs=2, default=[1, 5], metavar="K")
    parser.add_argument("--labels", type=int, default=15, metavar="N", help="rows for labels")
    arguments = parser.parse_args()

    gold = list(read(arguments.file))
    model = sdp_pointer.load(arguments.model)

    def parse(beam: int, acyclic: bool = True) -> Pairs:
        model.model.options = model.model.options._replace(acyclic=acyclic)
        return list(zip(gold, model.parse_batch(gold, beam=beam)))

    narrow, wide = (parse(beam) for beam in arguments.beams)
    greedy = narrow if arguments.beams[0] == 1 else parse(1)
    one, other = (f"beam {beam}" for beam in arguments.beams)
    by_label = labels(narrow)
    tables = {
        "overall": overall({one: narrow, other: wide}),
        f"{one}, by words in the sentence": sentence_lengths(narrow),
        f"{other}, by words in the sentence": sentence_lengths(wide),
        f"{one}, by length of the arcs": arc_lengths(narrow),
        f"{one}, the most frequent labels": by_label[: arguments.labels],
        f"{one}, the worst labels (at least {FEW} in gold)": worst(by_label, arguments.labels),
        "beam 1, cycles prevented": cycles(greedy, parse(1, acyclic=False)),
        f"{other} beside {one}, by words in the sentence": beams(narrow, wide),
    }
    for title, rows in tables.items():
        show(title, rows)
    print(json.dumps({title: list(map(without_nan, rows)) for title, rows in tables.items()}))


if __name__ == "__main__":
    main()
