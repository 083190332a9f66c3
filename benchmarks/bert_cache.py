"""What a frozen transformer costs in training when its word vectors are cached.

    python benchmarks/bert_cache.py TRANSFORMER FILE.sdp [--sentences 640] [--rounds 5]

TRANSFORMER is a folder. Epochs of `dm_char_lemma` and `dm_bert`, the paper's sizes, on the first
sentences of a file, take turns in one process on one core; the cache is filled before, which is
timed too. Seconds of CPU, and medians of the rounds: other programs disturb them less.
"""

import argparse
import json
import os
import tempfile
import time
from pathlib import Path
from statistics import median

import torch
from train_speed import Training

CONFIGS = Path(__file__).parent.parent / "training_config"


def training(config: str, file: str, sentences: int) -> Training:
    overrides = {
        "train_data_path": file,
        "dataset_reader.sections": None,
        "dataset_reader.max_instances": sentences,
    }
    return Training(str(CONFIGS / f"{config}.jsonnet"), json.dumps(overrides))


def seconds_of_filling(training: Training) -> float:
    start = time.process_time()
    with torch.no_grad():
        for batch in training.loader:
            training.model.backbone.text_field_embedder(batch["tokens"])
    return time.process_time() - start


def seconds_of_an_epoch(training: Training) -> float:
    start = time.process_time()
    training.run(len(training.loader) - 1)
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("transformer", help="folder of a transformer")
    parser.add_argument("file", help="graphs, for the batches")
    parser.add_argument("--sentences", type=int, default=640, metavar="N")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    arguments = parser.parse_args()
    torch.set_num_threads(1)

    with tempfile.TemporaryDirectory() as cache:
        os.environ |= {"SDP_BERT": arguments.transformer, "SDP_CACHE": cache}
        plain = training("dm_char_lemma", arguments.file, arguments.sentences)
        bert = training("dm_bert", arguments.file, arguments.sentences)
        filling = seconds_of_filling(bert)
        rounds = [
            (seconds_of_an_epoch(plain), seconds_of_an_epoch(bert)) for _ in range(arguments.rounds)
        ]
        size = sum(file.stat().st_size for file in Path(cache).iterdir()) / 2**20
    without, warm = (median(column) for column in zip(*rounds))
    ratio = median(after / before for before, after in rounds)
    print("without BERT  warm cache  ratio  to fill the cache")
    print(f"{without:>10.1f} s {warm:>9.1f} s {ratio:>6.2f} {filling:>10.1f} s, {size:.0f} MB")
    result = {"without": without, "warm": warm, "ratio": ratio, "rounds": rounds}
    print(json.dumps({**result, "filling": filling, "sentences": arguments.sentences}))


if __name__ == "__main__":
    main()
