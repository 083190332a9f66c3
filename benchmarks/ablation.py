"""What a part of the parser is worth: trains it with and without, on a part of the data.

    SDP_DATA=FOLDER [SDP_VECTORS=FILE] [SDP_BERT=TRANSFORMER] python benchmarks/ablation.py SET OUT

FOLDER has train.sdp, dev.sdp and ood.sdp, and extra.sdp if there is any. SET is

    shift        the score of its own for Shift; scored on the few sentences that it is trained on
    start        what else makes it learn faster
    transformer  words alone: without and with a frozen transformer, by layer and pooling, with a
                 tagger, and with a transformer that is fine-tuned
    sizes        the model of the package: width, dropout, weight of the labels' loss, rates
    extra        the same with and without extra.sdp, by the same number of steps
    bfloat16     training in bfloat16 and in float32, with three seeds each

Each parser is trained in a folder of its own in OUT, and none twice, so that this can be stopped
and started at any time. The table has LF after each epoch, and of the best epoch out of domain.
The time is that of one thread (--threads), or since the last start of a training that was stopped.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Optional

from measuring import agree

from sdp_pointer.graphs import read, write

CONFIGS = Path(__file__).parent.parent / "training_config"
EMBEDDER = "model.backbone.text_field_embedder"
ENCODER = "model.backbone.encoder"
DECODER = "model.decoders.dm"
TRANSFORMER = f"{EMBEDDER}.token_embedders.transformer"
# The config's own is for more steps.
WARMUP = {"trainer.learning_rate_scheduler.warmup_steps": 200}


class Experiment(NamedTuple):
    """A config, and what is changed in it."""

    config: str
    overrides: dict[str, Any]


class Set(NamedTuple):
    """Experiments that are compared with each other."""

    sentences: int
    epochs: int
    experiments: dict[str, Experiment]
    on_training_data: bool = False


def shift() -> Set:
    small = {
        f"{ENCODER}.hidden_size": 128,
        f"{ENCODER}.dropout": 0.0,
        f"{DECODER}.state_size": 256,
        f"{DECODER}.arc_size": 256,
        f"{DECODER}.dropout": 0.0,
        f"{DECODER}.skip_connection": False,
        f"{EMBEDDER}.dropout": 0.0,
        f"{EMBEDDER}.unk_replacement": 0.0,
        f"{EMBEDDER}.normalize": False,
        "trainer.learning_rate_scheduler": None,
    }
    rows = {
        "as in the paper, lr .001": (False, 0.001),
        "shift_score, lr .001": (True, 0.001),
        "shift_score, lr .002": (True, 0.002),
    }
    experiments = {
        name: Experiment(
            "open_dm", {**small, f"{DECODER}.shift_score": score, "trainer.optimizer.lr": rate}
        )
        for name, (score, rate) in rows.items()
    }
    return Set(96, 40, experiments, on_training_data=True)


def start() -> Set:
    changes = {
        "batch 32, lr .002": {},
        "and skip_connection": {f"{DECODER}.skip_connection": True},
        "and normalize": {f"{EMBEDDER}.normalize": True},
        "and batch 16": {"data_loader.batch_sampler.batch_size": 16},
        "and lr .003 (open_dm)": {"trainer.optimizer.lr": 0.003},
    }
    overrides: dict[str, Any] = {
        f"{DECODER}.skip_connection": False,
        f"{EMBEDDER}.normalize": False,
        "data_loader.batch_sampler.batch_size": 32,
        "trainer.optimizer.lr": 0.002,
    }
    experiments = {}
    for name, change in changes.items():
        overrides = {**overrides, **change}
        experiments[name] = Experiment("open_dm", overrides)
    return Set(2000, 4, experiments)


def transformer() -> Set:
    layers: list[Any] = [-1, -2, -3, -4, [-4, -3, -2, -1]]
    experiments = {
        "without": Experiment("open_words_char", {}),
        "tagged": Experiment("open_words", {}),
        "fine-tuned": Experiment("english_dm", {**_only("train.sdp"), **WARMUP}),
    }
    for layer in layers:
        for pooling in ("mean", "first"):
            name = f"{pooling}{'-mix' if isinstance(layer, list) else layer}"
            overrides = {f"{TRANSFORMER}.layers": layer, f"{TRANSFORMER}.pooling": pooling}
            experiments[name] = Experiment("open_words_char_bert", overrides)
    return Set(3000, 4, experiments)


def sizes() -> Set:
    width = (f"{ENCODER}.hidden_size", f"{DECODER}.state_size", f"{DECODER}.arc_size")
    changes: dict[str, dict[str, Any]] = {
        "english_dm": {},
        "256 wide": dict.fromkeys(width, 256),
        "dropout .33": {f"{ENCODER}.dropout": 0.33, f"{DECODER}.dropout": 0.33},
        "labels' loss counts half": {f"{DECODER}.label_loss_weight": 0.5},
        "transformer's lr .0001": {"trainer.optimizer.parameter_groups": _rate(1e-4)},
    }
    base = {**_only("train.sdp"), **WARMUP}
    experiments = {
        name: Experiment("english_dm", {**base, **change}) for name, change in changes.items()
    }
    return Set(1500, 4, experiments)


def extra() -> Set:
    longer = {"trainer.num_epochs": 6}  # extra.sdp has half as many sentences as train.sdp
    experiments = {
        "train.sdp": Experiment("english_dm", {**_only("train.sdp"), **WARMUP, **longer}),
        "train.sdp and extra.sdp": Experiment("english_dm", WARMUP),
    }
    return Set(1519, 4, experiments)  # a sixth of the open data


def bfloat16() -> Set:
    seeds = ("random_seed", "numpy_seed", "pytorch_seed")
    warmup = {"trainer.learning_rate_scheduler.warmup_steps": 50}
    experiments = {}
    # Without a transformer to begin with it takes longer to learn anything.
    changes = {"english_dm": _only("train.sdp"), "open_words": {"trainer.num_epochs": 12}}
    for config, change in changes.items():
        for seed in (1, 2, 3):
            for use_amp in (False, True):
                name = f"{config}, seed {seed}, {'bfloat16' if use_amp else 'float32'}"
                overrides = {**change, **warmup, **dict.fromkeys(seeds, seed)}
                experiments[name] = Experiment(config, {**overrides, "trainer.use_amp": use_amp})
    return Set(800, 4, experiments)


SETS = {make.__name__: make for make in (shift, start, transformer, sizes, extra, bfloat16)}


def _rate(rate: float) -> list[Any]:
    return [[["token_embedder_transformer\\.encoder"], {"lr": rate}]]


def _only(name: str) -> dict[str, str]:
    return {"train_data_path": str(Path(os.environ.get("SDP_DATA", ""), name))}


def make_part(source: Path, target: Path, sentences: int, on_training_data: bool) -> None:
    """Copies the first sentences for training, of extra.sdp the same share, and all the others."""
    target.mkdir(parents=True, exist_ok=True)
    share = min(1.0, sentences / sum(1 for _ in read(source / "train.sdp")))
    names = ("train",) if on_training_data else ("train", "extra", "dev", "ood")
    for name in names:
        path = source / f"{name}.sdp"
        if path.exists():
            graphs: Iterable[Any] = list(read(path))
            if name in ("train", "extra"):
                graphs = islice(graphs, round(share * len(graphs)))
            write(graphs, target / f"{name}.sdp", "sdp")
    if on_training_data:
        shutil.copy(target / "train.sdp", target / "dev.sdp")


def folder_of(name: str) -> str:
    """Without commas, which AllenNLP takes for the end of a path.

    >>> folder_of("batch 32, lr .002")
    'batch_32_lr_002'
    """
    return re.sub(r"\W+", "_", name).strip("_")


def train(folder: Path, experiment: Experiment) -> None:
    config = CONFIGS / f"{experiment.config}.jsonnet"
    # A training that was stopped goes on from where it was.
    resume = "--recover" if (folder / "config.json").exists() else "--force"
    allennlp("train", config, "-s", folder, resume, "-o", json.dumps(experiment.overrides))


def evaluate(folder: Path, file: Path) -> Optional[float]:
    """LF on a file, if it is there."""
    output = folder / f"{file.stem}.json"
    if not file.exists():
        return None
    if not output.exists():
        allennlp("evaluate", folder / "model.tar.gz", file, "--output-file", output)
    return json.loads(output.read_text())["LF"]


def allennlp(*arguments: Any) -> None:
    command = [sys.executable, "-m", "allennlp", *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(result.stderr)


def row(name: str, folder: Path, ood: Path) -> dict[str, Any]:
    """What became of a training."""
    metrics = [json.loads(path.read_text()) for path in folder.glob("metrics_epoch_*.json")]
    metrics.sort(key=lambda epoch: epoch["epoch"])
    return {
        "parser": name,
        "LF": [epoch["validation_LF"] for epoch in metrics],
        "ood": evaluate(folder, ood),
        "training_loss": metrics[-1]["training_loss"],
        "training_duration": metrics[-1]["training_duration"],
    }


def table(rows: list[dict[str, Any]]) -> str:
    """As Markdown, to be published as it is; of many epochs ten."""
    most = max(len(row["LF"]) for row in rows)
    shown = [epoch for epoch in range(1, most + 1) if most <= 10 or epoch * 10 % most < 10]
    ood = ["ood"] if any(row["ood"] is not None for row in rows) else []
    scored = [*(f"LF {epoch}" for epoch in shown), *(f"{name} LF" for name in ood)]
    lines = [["parser", *scored, "training loss", "time"]]
    lines.append(["---"] * len(lines[0]))
    for row in rows:
        curve = dict(enumerate(row["LF"], start=1))
        figures = [*(curve.get(epoch) for epoch in shown), *(row[name] for name in ood)]
        scores = ("" if figure is None else f"{100 * figure:.1f}" for figure in figures)
        duration = row["training_duration"].partition(".")[0]
        lines.append([row["parser"], *scores, f"{row['training_loss']:.3f}", duration])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("set", choices=SETS, metavar="SET", help=", ".join(SETS))
    parser.add_argument("out", type=Path, help="where the parsers are put")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="some of the parsers")
    parser.add_argument("--sentences", type=int, metavar="N", help="train on the first N")
    parser.add_argument("--epochs", type=int, metavar="N", help="not for extra, bfloat16")
    parser.add_argument("--threads", type=int, default=1, metavar="N")
    arguments = parser.parse_args()
    if arguments.epochs and arguments.set in ("extra", "bfloat16"):
        parser.error(f"the set {arguments.set} has epochs of its own for each parser")
    source = Path(os.environ.get("SDP_DATA", ""))
    if not (source / "train.sdp").exists():
        parser.error("SDP_DATA must name the folder of train.sdp, dev.sdp and ood.sdp")
    data = arguments.out / "data"
    os.environ["SDP_DATA"] = str(data)
    chosen = SETS[arguments.set]()
    names = arguments.only or list(chosen.experiments)
    if unknown := set(names) - set(chosen.experiments):
        parser.error(f"no {', '.join(unknown)} here; there are {', '.join(chosen.experiments)}")
    sentences, epochs = arguments.sentences or chosen.sentences, arguments.epochs or chosen.epochs
    settings = {
        "set": arguments.set,
        "sentences": sentences,
        "epochs": epochs,
        "threads": arguments.threads,
        "data": str(source.resolve()),
        "vectors": os.environ.get("SDP_VECTORS"),
        "transformer": os.environ.get("SDP_BERT"),
    }
    agree(arguments.out / "job.json", settings)
    make_part(source, data, sentences, chosen.on_training_data)
    os.environ |= {"SDP_EPOCHS": str(epochs), "OMP_NUM_THREADS": str(arguments.threads)}

    rows = []
    for name in names:
        folder = arguments.out / folder_of(name)
        if not (folder / "model.tar.gz").exists():
            print(f"{name}: train, see {folder / 'out.log'}", file=sys.stderr, flush=True)
            train(folder, chosen.experiments[name])
        rows.append(row(name, folder, data / "ood.sdp"))
    print(table(rows))
    print(json.dumps({**settings, "rows": rows}))


if __name__ == "__main__":
    main()
