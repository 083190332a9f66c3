"""Our half of compare.py: trains a config within a time limit, or parses with the result.

    python benchmarks/compare_worker.py train FOLDER
    python benchmarks/compare_worker.py parse FOLDER

FOLDER/job.json says what is to be done; see compare.py. The result is FOLDER/train.json or
FOLDER/parse.json.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.training.callbacks import TrainerCallback
from measuring import Budget, OutOfTime, parameters, peak_memory, save

import sdp_pointer
import sdp_pointer.components
from sdp_pointer.graphs import read, write


def train(folder: Path, job: dict[str, Any]) -> dict[str, Any]:
    budget = Budget(job["minutes"])
    sizes: dict[str, int] = {}

    @TrainerCallback.register("budget")
    class Watch(TrainerCallback):
        def on_start(self, trainer: Any, *args: Any, **kwargs: Any) -> None:
            def watch(model: Any, _: Any, inputs: dict[str, Any]) -> None:
                budget(sum(map(len, inputs["metadata"])), model.training)

            sizes.update(parameters(trainer.model))
            trainer.model.register_forward_pre_hook(watch, with_kwargs=True)

    files = {"train_data_path": job["train"], "validation_data_path": job["dev"]}
    overrides = json.dumps({**job["overrides"], **files})
    params = Params.from_file(job["kind"], overrides)
    params["trainer"]["callbacks"] = [*params["trainer"].get("callbacks", []), "budget"]
    try:
        train_model(params, str(folder / "model"), force=True)
    except OutOfTime:
        print("the time is over")
    if not (folder / "model" / "model.tar.gz").exists():
        sys.exit(f"no epoch ended within {job['minutes']} minutes")
    epochs = len(list((folder / "model").glob("metrics_epoch_*.json")))
    metrics = json.loads((folder / "model" / f"metrics_epoch_{epochs - 1}.json").read_text())
    return {
        "epochs": epochs,
        "best_epoch": metrics["best_epoch"] + 1,
        "words_per_second": budget.words_per_second,
        **sizes,
        "peak_mb": peak_memory(),
    }


def parse(folder: Path, job: dict[str, Any]) -> list[dict[str, Any]]:
    parser = sdp_pointer.load(str(folder / "model" / "model.tar.gz"))
    rows = []
    for beam in job["beams"]:
        list(parser.parse_batch(read(job["parse"]["dev"]), 128, beam))  # warms up
        Path("/proc/self/clear_refs").write_text("5")  # starts a new peak
        words, seconds, files = 0, 0.0, {}
        for name, file in job["parse"].items():
            start = time.perf_counter()
            graphs = list(parser.parse_batch(read(file), 128, beam))
            seconds += time.perf_counter() - start
            words += sum(map(len, graphs))
            files[name] = f"{name}.beam{beam}.sdp"
            write(graphs, folder / files[name])
        rows.append(
            {
                "search": f"beam {beam}",
                "words_per_second": words / seconds,
                "peak_mb": peak_memory(),
                "files": files,
            }
        )
    return rows


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("what", choices=("train", "parse"))
    arguments.add_argument("folder", type=Path)
    given = arguments.parse_args()
    job = json.loads((given.folder / "job.json").read_text())
    torch.set_num_threads(job["threads"])
    result = {"train": train, "parse": parse}[given.what](given.folder, job)
    save(given.folder / f"{given.what}.json", result)


if __name__ == "__main__":
    main()
