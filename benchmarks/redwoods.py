"""What a conversion of treebanks costs, and how its graphs differ from those of another edition.

    python benchmarks/redwoods.py ERG EDITION [--made DATA]

Converts ERG (`sdp-pointer redwoods ERG -o DATA`) and compares each file with the one of that name
in the folder EDITION: byte for byte; and where they differ, by sentence. If DATA is there already,
it is compared without a conversion.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any

from sdp_pointer.graphs import Graph, read

Row = dict[str, Any]


def convert(erg: Path, data: Path) -> dict[str, float]:
    """Seconds by the clock and of all processes together."""
    start, before = time.perf_counter(), getrusage(RUSAGE_CHILDREN)
    command = ["redwoods", str(erg), "-o", str(data)]
    subprocess.run([sys.executable, "-m", "sdp_pointer", *command], check=True, stdout=sys.stderr)
    after = getrusage(RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall_seconds": round(time.perf_counter() - start, 1), "cpu_seconds": round(cpu, 1)}


def paired(ours: Iterable[Graph], theirs: Iterable[Graph]) -> Iterator[tuple[Graph, Graph]]:
    """Graphs of the same words; those of repeated sentences in their order.

    >>> from sdp_pointer.graphs import Token
    >>> a, b, c = (Graph([Token(form)]) for form in "abc")
    >>> list(paired([a, b, b], [b, c])) == [(b, b)]
    True
    """
    waiting: dict[Sequence[str], list[Graph]] = {}
    for graph in theirs:
        waiting.setdefault(graph.forms, []).append(graph)
    for graph in ours:
        same = waiting.get(graph.forms)
        if same:
            yield graph, same.pop(0)


def compare(ours: Path, theirs: Path) -> tuple[Row, Counter[str]]:
    """How two files differ; and labels of the arcs that differ, with + or - if only one has them.

    An arc that has another label counts once, as `label -> label`.
    """
    our_graphs, their_graphs = list(read(ours)), list(read(theirs))
    pairs = list(paired(our_graphs, their_graphs))
    labels: Counter[str] = Counter()
    tops = frames = changed = 0
    for our, their in pairs:
        differing = list(differences(our, their))
        labels.update(differing)
        changed += bool(differing) or our.tops != their.tops
        tops += our.tops != their.tops
        frames += sum(a.frame != b.frame for a, b in zip(our.tokens, their.tokens))
    row = {
        "file": ours.name,
        "sentences": len(our_graphs),
        "arcs": sum(len(graph.arcs) for graph in our_graphs),
        "same_bytes": ours.read_bytes() == theirs.read_bytes(),
        "only_here": len(our_graphs) - len(pairs),
        "only_there": len(their_graphs) - len(pairs),
        "changed_sentences": changed,
        "changed_arcs": labels.total(),
        "changed_tops": tops,
        "changed_frames": frames,
    }
    return row, labels


def differences(our: Graph, their: Graph) -> Iterator[str]:
    """What has become of each arc that is not in both.

    >>> from sdp_pointer.graphs import Token
    >>> words = [Token("a"), Token("b"), Token("c")]
    >>> our = Graph(words, [(1, 2, "x"), (2, 3, "y")])
    >>> list(differences(our, Graph(words, [(1, 2, "z"), (3, 1, "y")])))
    ['z -> x', '+ y', '- y']
    """
    here = {arc[:2]: arc.label for arc in our.arcs}
    there = {arc[:2]: arc.label for arc in their.arcs}
    for arc, label in here.items():
        if arc not in there:
            yield f"+ {label}"
        elif label != there[arc]:
            yield f"{there[arc]} -> {label}"
    yield from (f"- {label}" for arc, label in there.items() if arc not in here)


def table(rows: list[Row]) -> str:
    """The rows in Markdown.

    >>> print(table([{"file": "dev.sdp", "arcs": 1200}]))
    | file | arcs |
    |---|---|
    | dev.sdp | 1,200 |
    """
    lines = [[name.replace("_", " ") for name in rows[0]], ["---"] * len(rows[0])]
    for row in rows:
        lines.append([f"{v:,}" if type(v) is int else str(v) for v in row.values()])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines).replace(" --- ", "---")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("erg", type=Path, help="what sdp-pointer redwoods takes")
    parser.add_argument("edition", type=Path, help="folder to compare with")
    parser.add_argument("--made", type=Path, metavar="DATA", help="by default a folder for a while")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        data = arguments.made or Path(folder, "data")
        seconds = {} if data.exists() else convert(arguments.erg, data)
        there = sorted(path.name for path in arguments.edition.glob("*.sdp"))
        found = [compare(data / name, arguments.edition / name) for name in there]
    labels = sum((labels for _, labels in found), Counter())
    rows = [row for row, _ in found]
    print(table(rows))
    if labels:
        print()
        print(table([{"label": name, "arcs": count} for name, count in labels.most_common()]))
    print(json.dumps({**seconds, "rows": rows, "labels": labels}))


if __name__ == "__main__":
    main()
