"""What a transformer gains, by layer, pooling and fine-tuning: trains and scores parsers.

    SDP_DATA=FOLDER python benchmarks/bert_ablation.py TRANSFORMER OUT [--epochs 12] [--only NAME]

FOLDER has train.sdp, dev.sdp and ood.sdp. All parsers know words alone: words and characters, with
a frozen transformer or `without`, or with a tagger (`tagged`); or nothing but a transformer that is
`fine-tuned`. Each parser is trained in a folder of its own in OUT, and none twice, so that this can
be stopped and started at any time.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

CONFIGS = Path(__file__).parent.parent / "training_config"
EMBEDDER = "model.text_field_embedder.token_embedders.transformer"


def experiments() -> dict[str, tuple[str, dict[str, Any]]]:
    """Config and overrides, by a name such as mean-2 or first-mix."""
    bert = "open_words_char_bert"
    layers: list[Any] = [-1, -2, -3, -4, [-4, -3, -2, -1]]
    found: dict[str, tuple[str, dict[str, Any]]] = {
        "without": ("open_words_char", {}),
        "tagged": ("open_words", {}),
        "fine-tuned": (
            "english_dm",
            {
                "train_data_path": str(Path(os.environ.get("SDP_DATA", ""), "train.sdp")),
                "trainer.learning_rate_scheduler.warmup_steps": 200,  # as the others have
            },
        ),
    }
    for layer in layers:
        for pooling in ("mean", "first"):
            name = f"{pooling}{'-mix' if isinstance(layer, list) else layer}"
            found[name] = (bert, {f"{EMBEDDER}.layers": layer, f"{EMBEDDER}.pooling": pooling})
    return found


def train(folder: Path, config: str, overrides: dict[str, Any], sentences: int | None) -> None:
    if sentences:
        overrides = {**overrides, "dataset_reader.max_instances": sentences}
    arguments = ["train", CONFIGS / f"{config}.jsonnet", "-s", folder]
    # A training that was stopped goes on from where it was.
    resume = ["--recover"] if (folder / "config.json").exists() else []
    allennlp(*arguments, *resume, "--overrides", json.dumps(overrides))


def evaluate(folder: Path, data: str) -> dict[str, float]:
    output = folder / f"{data}.json"
    file = Path(os.environ["SDP_DATA"], f"{data}.sdp")
    # Not the subset that it may have been trained on.
    overrides = json.dumps({"dataset_reader.max_instances": None})
    allennlp(
        "evaluate", folder / "model.tar.gz", file, "--output-file", output, "--overrides", overrides
    )
    return json.loads(output.read_text())


def allennlp(*arguments: Any) -> None:
    command = [sys.executable, "-m", "allennlp", *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(result.stderr)


def curve(folder: Path) -> list[float]:
    """LF on the dev set after each epoch."""
    metrics = [json.loads(path.read_text()) for path in folder.glob("metrics_epoch_*.json")]
    return [m["validation_LF"] for m in sorted(metrics, key=lambda m: m["epoch"])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("transformer", help="folder of a transformer, or its name on the hub")
    parser.add_argument("out", type=Path, help="where the parsers are put")
    parser.add_argument("--epochs", type=int, default=12, metavar="N")
    parser.add_argument("--only", nargs="+", choices=experiments(), default=list(experiments()))
    parser.add_argument("--sentences", type=int, metavar="N", help="train on the first N only")
    arguments = parser.parse_args()
    os.environ |= {"SDP_BERT": arguments.transformer, "SDP_EPOCHS": str(arguments.epochs)}
    arguments.out.mkdir(parents=True, exist_ok=True)

    rows = []
    print("parser        dev LF  ood LF", flush=True)
    for name in arguments.only:
        folder = arguments.out / name
        if not (folder / "model.tar.gz").exists():
            train(folder, *experiments()[name], arguments.sentences)
        scores = {data: evaluate(folder, data)["LF"] for data in ("dev", "ood")}
        rows.append({"parser": name, **scores, "dev_curve": curve(folder)})
        print(f"{name:<12} {scores['dev']:>7.2%} {scores['ood']:>7.2%}", flush=True)
    print(json.dumps({"epochs": arguments.epochs, "rows": rows}))


if __name__ == "__main__":
    main()
