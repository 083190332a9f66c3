"""The paper's Figure 3: how the number of transitions grows with the length of the sentence.

    python benchmarks/figure_3.py PARSED.sdp [MORE.sdp ...] -o figure_3.svg

One panel a file: a dot for every sentence, and the fitted line. PARSED may be what a parser made
(predicted transitions, as in the paper) or gold. Needs matplotlib
(`pip install .[plots]`).
"""

import argparse
import json

from sdp_pointer.graphs import read
from sdp_pointer.transitions import oracle


def fitted(xs: list[int], ys: list[int]) -> tuple[float, float]:
    """Slope and intercept of the least-squares line."""
    from statistics import linear_regression

    return linear_regression(xs, ys)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", metavar="FILE", nargs="+")
    parser.add_argument("-o", "--output", default="figure_3.svg", help="an .svg, .png or .pdf file")
    arguments = parser.parse_args()

    import matplotlib.pyplot as plt

    panels = len(arguments.files)
    figure, axes = plt.subplots(1, panels, figsize=(4.5 * panels, 3.6), squeeze=False)
    rows = []
    print(f"{'file':<40} {'sentences':>9} {'slope':>7} {'intercept':>9}")
    for axis, file in zip(axes[0], arguments.files):
        graphs = list(read(file))
        lengths = [len(graph) for graph in graphs]
        transitions = [len(oracle(graph)) for graph in graphs]
        slope, intercept = fitted(lengths, transitions)
        axis.scatter(lengths, transitions, s=6, alpha=0.4, linewidths=0)
        ends = [min(lengths), max(lengths)]
        axis.plot(ends, [slope * x + intercept for x in ends], color="black", linewidth=1)
        axis.set_title(f"{file.rpartition('/')[2]}: {slope:.2f} n {intercept:+.2f}", fontsize=10)
        axis.set_xlabel("words")
        axis.set_ylabel("transitions")
        rows.append(
            {"file": file, "sentences": len(graphs), "slope": slope, "intercept": intercept}
        )
        print(f"{file:<40} {len(graphs):>9} {slope:>7.3f} {intercept:>9.3f}")
    figure.tight_layout()
    figure.savefig(arguments.output)
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
