"""How fast the parser trains: sentences per second, and what part of the time is not tensor work.

    SDP_DATA=FOLDER python benchmarks/train_speed.py CONFIG.jsonnet [--threads 1 2] [--batches 30]

Runs the config's own model, optimizer and batches, but no trainer: batching, forward, backward and
the optimizer's step, with clipping, are timed apart. Reading the file, once, is not timed.
"""

import argparse
import json
import time
from collections import defaultdict
from itertools import chain, repeat

import torch
from allennlp.common import Params
from allennlp.common.util import prepare_environment
from allennlp.data import DataLoader, DatasetReader, Vocabulary
from allennlp.models import Model
from allennlp.training.optimizers import Optimizer

import sdp_pointer.components  # noqa: F401


class Training:
    """A model with its data, and one step of training in timed parts."""

    def __init__(self, config: str, overrides: str) -> None:
        params = Params.from_file(config, overrides)
        prepare_environment(params)
        reader = DatasetReader.from_params(params.pop("dataset_reader"))
        self.loader = DataLoader.from_params(
            params.pop("data_loader"), reader=reader, data_path=params.pop("train_data_path")
        )
        vocab = Vocabulary.from_params(
            params.pop("vocabulary"), instances=self.loader.iter_instances()
        )
        self.loader.index_with(vocab)
        self.model = Model.from_params(params.pop("model"), vocab=vocab).train()
        self.clip = params["trainer"]["grad_norm"]
        self.use_amp = params["trainer"].get("use_amp", False)
        self.optimizer = Optimizer.from_params(
            params["trainer"]["optimizer"], model_parameters=list(self.model.named_parameters())
        )

    def run(self, batches: int) -> dict[str, float]:
        """Seconds of each part, and how many sentences and words there were."""
        totals: dict[str, float] = defaultdict(float)
        iterator = chain.from_iterable(repeat(self.loader))  # as many epochs as it takes
        next(iterator)
        for _ in range(batches):
            clock = Clock(totals)
            batch = next(iterator)
            clock("batching")
            self.optimizer.zero_grad()
            with torch.autocast("cpu", torch.bfloat16, enabled=self.use_amp):
                loss = self.model(**batch)["loss"]
            clock("forward")
            loss.backward()
            clock("backward")
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
            self.optimizer.step()
            clock("optimizer")
            totals["sentences"] += len(batch["metadata"])
            totals["words"] += sum(map(len, batch["metadata"]))
        return totals


class Clock:
    """Adds the time since the last call to a total."""

    def __init__(self, totals: dict[str, float]) -> None:
        self.totals = totals
        self.last = time.perf_counter()

    def __call__(self, name: str) -> None:
        now = time.perf_counter()
        self.totals[name] += now - self.last
        self.last = now


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("config", help="training config, such as training_config/open_dm.jsonnet")
    parser.add_argument("--overrides", default="", help="as for allennlp train")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], metavar="N")
    parser.add_argument("--batches", type=int, default=30, metavar="N")
    arguments = parser.parse_args()

    training = Training(arguments.config, arguments.overrides)
    parameters = sum(parameter.numel() for parameter in training.model.parameters())
    rows = []
    print("threads  sent/s  words/s  batching  forward  backward  optimizer")
    for threads in arguments.threads:
        torch.set_num_threads(threads)
        totals = training.run(arguments.batches)
        parts = {part: totals[part] for part in ("batching", "forward", "backward", "optimizer")}
        seconds = sum(parts.values())
        row = {
            "threads": threads,
            "sentences_per_second": round(totals["sentences"] / seconds, 1),
            "words_per_second": round(totals["words"] / seconds),
            **{part: round(value / seconds, 3) for part, value in parts.items()},
        }
        rows.append(row)
        print(
            f"{threads:>7} {row['sentences_per_second']:>7} {row['words_per_second']:>8}"
            f" {row['batching']:>9.1%} {row['forward']:>8.1%} {row['backward']:>9.1%}"
            f" {row['optimizer']:>10.1%}"
        )
    print(json.dumps({"config": arguments.config, "parameters": parameters, "rows": rows}))


if __name__ == "__main__":
    main()
