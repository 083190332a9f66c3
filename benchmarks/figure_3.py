"""The paper's Figure 3: how the number of transitions grows with the length of the sentence.

    python benchmarks/figure_3.py PARSED.sdp [MORE.sdp ...] -o figure_3.svg

One panel a file: a dot for every sentence, and the fitted line. PARSED may be what a parser made
(predicted transitions, as in the paper) or gold.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from statistics import linear_regression
from typing import Any, Union

from sdp_pointer.graphs import read
from sdp_pointer.transitions import oracle

WIDTH, HEIGHT, MARGIN = 340, 260, 46

Points = list[tuple[int, int]]


def figure(files: Sequence[Union[str, Path]]) -> tuple[str, list[dict[str, Any]]]:
    """The drawing as SVG, and the figures of its panels."""
    panels, rows = [], []
    for number, file in enumerate(files):
        points = [(len(graph), len(oracle(graph))) for graph in read(file)]
        slope, intercept = linear_regression(*zip(*points))
        row = {"file": str(file), "sentences": len(points), "slope": slope, "intercept": intercept}
        rows.append(row)
        title = f"{'/'.join(Path(file).parts[-2:])}: {slope:.2f} n {intercept:+.2f}"
        inside = "\n".join(panel(points, slope, intercept, title))
        panels.append(f'<g transform="translate({number * WIDTH})">\n{inside}\n</g>')
    size = f'width="{WIDTH * len(files)}" height="{HEIGHT}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="11">'
    )
    return "\n".join([head, *panels, "</svg>", ""]), rows


def panel(points: Points, slope: float, intercept: float, title: str) -> Iterator[str]:
    longest, most = (max(column) for column in zip(*points))

    def x(words: float) -> float:
        return round(MARGIN + words / longest * (WIDTH - 2 * MARGIN), 1)

    def y(transitions: float) -> float:
        return round(HEIGHT - MARGIN - transitions / most * (HEIGHT - 2 * MARGIN), 1)

    left, right, bottom, top = x(0), x(longest), y(0), y(most)
    middle = WIDTH / 2
    yield f'<text x="{middle}" y="20" text-anchor="middle">{escape(title)}</text>'
    yield f'<path d="M{left} {top}V{bottom}H{right}" fill="none" stroke="gray"/>'
    for value in ticks(longest):
        yield f'<text x="{x(value)}" y="{bottom + 14}" text-anchor="middle">{value}</text>'
    for value in ticks(most):
        yield f'<text x="{left - 5}" y="{y(value) + 4}" text-anchor="end">{value}</text>'
    yield f'<text x="{middle}" y="{bottom + 30}" text-anchor="middle">words</text>'
    yield f'<text transform="translate(12 {HEIGHT / 2})rotate(-90)">transitions</text>'
    for words, transitions in points:
        yield f'<circle cx="{x(words)}" cy="{y(transitions)}" r="1.5" fill="#36c" opacity=".4"/>'
    first = min(words for words, _ in points)
    ends = ((n, slope * n + intercept) for n in (first, longest))
    line = "L".join(f"{x(words)} {y(transitions)}" for words, transitions in ends)
    yield f'<path d="M{line}" stroke="black"/>'


def ticks(most: int) -> range:
    """Round numbers from 0 to the greatest.

    >>> list(ticks(83)), list(ticks(7))
    ([0, 20, 40, 60, 80], [0, 1, 2, 3, 4, 5, 6, 7])
    """
    step = next(step for step in (1, 5, 10, 20, 50, 100, 500) if most / step < 8)
    return range(0, most + 1, step)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", metavar="FILE", nargs="+")
    parser.add_argument("-o", "--output", default="figure_3.svg", help="an .svg file")
    arguments = parser.parse_args()

    drawing, rows = figure(arguments.files)
    Path(arguments.output).write_text(drawing, encoding="utf-8")
    print(f"{'file':<40} {'sentences':>9} {'slope':>7} {'intercept':>9}")
    for row in rows:
        print(
            f"{row['file']:<40} {row['sentences']:>9} {row['slope']:>7.3f} {row['intercept']:>9.3f}"
        )
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
