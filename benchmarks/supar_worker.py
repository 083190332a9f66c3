"""SuPar's half of supar_speed.py and compare.py; runs under a Python that has SuPar, not ours.

    python benchmarks/supar_worker.py speed TRAIN.conllu FILE.conllu
    python benchmarks/supar_worker.py train FOLDER
    python benchmarks/supar_worker.py parse FOLDER

`speed` builds SuPar's biaffine parser from TRAIN and says on one line of JSON what it is. Then it
answers every line `{"threads": 1, "tokens": 5000}` of its input with how fast it parsed FILE that
way. `train` and `parse` do what FOLDER/job.json says; see compare.py. All of it is SuPar's own
`build`, `train` and `predict`: its fields, buckets, models and decoding.
"""

import argparse
import functools
import json
import random
import sys
import tempfile
import time
from pathlib import Path

import supar
import torch
from measuring import Budget, OutOfTime, parameters, peak_memory, save

KINDS = {
    "biaffine-sdp": supar.BiaffineSemanticDependencyParser,
    "vi-sdp": supar.VISemanticDependencyParser,
}

# SuPar's own sizes are the defaults of its code, but its training has none: they are in configs to
# be downloaded. These are Dozat and Manning's (2018), which its parsers follow.
TRAINING = {
    "lr": 1e-3,
    "mu": 0.0,
    "nu": 0.95,
    "eps": 1e-12,
    "weight_decay": 3e-9,
    "decay": 0.75,
    "decay_steps": 5000,
}

# SuPar's files hold more than weights; the only ones that are loaded here were made by `train`.
torch.load = functools.partial(torch.load, weights_only=False)


def build(kind, path, train, vectors, **options):
    """A new parser; of SuPar's default sizes, but for the options."""
    unk = None
    if vectors:
        with open(vectors, encoding="utf-8") as lines:
            unk = "unk" if any(line.startswith("unk ") for line in lines) else None
    else:
        # Else it would wait for vectors of another size than its own.
        options = {"n_embed": 100, **options}
        options["n_pretrained"] = options["n_embed"]
    settings = {"encoder": "lstm", "feat": ["tag", "char", "lemma"], "checkpoint": False}
    return KINDS[kind].build(
        path=str(path),
        train=train,
        build=True,
        embed=vectors,
        unk=unk,
        **{**settings, **TRAINING, **options},
    )


def train(folder, job):
    torch.manual_seed(job["seed"])
    path = folder / "model"
    parser = build(job["kind"], path, job["train"], job["vectors"], **job["overrides"])
    budget = Budget(job["minutes"])

    def watch(model, inputs):
        words = inputs[0]
        # The first token of a sentence is ROOT.
        budget(int(words.ne(model.args.pad_index).sum()) - len(words), model.training)

    parser.model.register_forward_pre_hook(watch)
    # SuPar scores a test set after each epoch; a single sentence costs no time.
    sentence, _, _ = Path(job["dev"]).read_text(encoding="utf-8").partition("\n\n")
    test = folder / "test.conllu"
    test.write_text(sentence + "\n\n", encoding="utf-8")
    files = {"train": job["train"], "dev": job["dev"], "test": str(test)}
    parser.save(str(path))  # SuPar keeps no epoch in which not a single arc was right
    try:
        parser.train(**{**files, **job["overrides"]})
    except OutOfTime:
        print("the time is over")
    if parser.epoch == 1:
        sys.exit(f"no epoch ended within {job['minutes']} minutes")
    return {
        "version": supar.__version__,
        "epochs": parser.epoch - 1,
        "best_epoch": parser.best_e,
        "words_per_second": budget.words_per_second,
        **parameters(parser.model),
        "peak_mb": peak_memory(),
    }


def parse(folder, job):
    parser = KINDS[job["kind"]].load(str(folder / "model"))
    predict = functools.partial(parser.predict, batch_size=5000, verbose=False)
    predict(job["parse"]["dev"])  # warms up
    Path("/proc/self/clear_refs").write_text("5")  # starts a new peak
    words, seconds, files = 0, 0.0, {}
    for name, file in job["parse"].items():
        start = time.perf_counter()
        parsed = predict(file)
        seconds += time.perf_counter() - start
        words += sum(len(sentence.words) for sentence in parsed)
        files[name] = f"{name}.conllu"
        parser.transform.save(str(folder / files[name]), parsed.sentences)
    rate = words / seconds
    return [{"search": "", "words_per_second": rate, "peak_mb": peak_memory(), "files": files}]


def speed(train, file):
    torch.manual_seed(1)
    with tempfile.TemporaryDirectory() as folder:
        # Without pretrained vectors the default sizes do not fit each other. A file with one vector
        # is enough: every word is looked up in the table all the same.
        vectors = Path(folder, "vectors.txt")
        vectors.write_text(" ".join(["unk", *(str(random.gauss(0, 1)) for _ in range(100))]))
        parser = build("biaffine-sdp", Path(folder, "model"), train, str(vectors))
    described = {
        "version": supar.__version__,
        "torch": torch.__version__,
        **parameters(parser.model),
    }
    print(json.dumps(described), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        torch.set_num_threads(request["threads"])
        for _ in ("warms up", "counts"):
            start = time.perf_counter()
            parsed = parser.predict(file, batch_size=request["tokens"], verbose=False)
            seconds = time.perf_counter() - start
        words = sum(len(sentence.words) for sentence in parsed)
        print(json.dumps({"words": words, "words_per_second": words / seconds}), flush=True)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("what", choices=("speed", "train", "parse"))
    arguments.add_argument("paths", nargs="+", help="two files for speed, or a folder")
    given = arguments.parse_args()
    if given.what == "speed":
        speed(*given.paths)
        return
    folder = Path(given.paths[0])
    job = json.loads((folder / "job.json").read_text())
    torch.set_num_threads(job["threads"])
    save(folder / f"{given.what}.json", {"train": train, "parse": parse}[given.what](folder, job))


if __name__ == "__main__":
    main()
