"""SuPar's half of supar_speed.py; runs under a Python that has SuPar and knows nothing of ours.

    python benchmarks/supar_worker.py TRAIN.conllu FILE.conllu

Builds SuPar's biaffine parser from TRAIN and says on one line of JSON what it is. Then it answers
every line `{"threads": 1, "tokens": 5000}` of its input with how fast it parsed FILE that way. All
of it is SuPar's own `build` and `predict`: its fields, buckets, model and decoding.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path

import supar
import torch
from supar import BiaffineSemanticDependencyParser


def build(train: str) -> BiaffineSemanticDependencyParser:
    """A parser of SuPar's default sizes, as its own command builds it, with untrained weights."""
    with tempfile.TemporaryDirectory() as folder:
        # Without pretrained vectors the default sizes do not fit each other. A file with one vector
        # is enough: every word is looked up in the table all the same.
        vectors = Path(folder, "vectors.txt")
        vectors.write_text(" ".join(["unk", *(str(random.gauss(0, 1)) for _ in range(100))]))
        return BiaffineSemanticDependencyParser.build(
            path=str(Path(folder, "model")),  # where training would save; nothing is written
            train=train,
            build=True,
            encoder="lstm",
            feat=["tag", "char", "lemma"],
            embed=str(vectors),
            unk="unk",
        )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("train", help="gives the vocabularies")
    arguments.add_argument("file", help="is parsed")
    files = arguments.parse_args()

    torch.manual_seed(1)
    parser = build(files.train)
    described = {
        "version": supar.__version__,
        "torch": torch.__version__,
        "parameters": sum(parameter.numel() for parameter in parser.model.parameters()),
    }
    print(json.dumps(described), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        torch.set_num_threads(request["threads"])
        for _ in ("warms up", "counts"):
            start = time.perf_counter()
            parsed = parser.predict(files.file, batch_size=request["tokens"], verbose=False)
            seconds = time.perf_counter() - start
        words = sum(len(sentence.words) for sentence in parsed)
        print(json.dumps({"words": words, "words_per_second": words / seconds}), flush=True)


if __name__ == "__main__":
    main()
