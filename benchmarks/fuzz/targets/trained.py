"""Small parsers, of characters and of a fine-tuned transformer, as trained and as packed."""

import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

from sdp_pointer.archives.packing import pack

from .edits import Member

ROOT = Path(__file__).parents[3]
MODELS = ROOT / "out" / "fuzz" / "models"
SMALL = {
    "model.backbone.encoder.hidden_size": 16,
    "model.backbone.encoder.num_layers": 1,
    "model.decoders.dm.state_size": 16,
    "model.decoders.dm.arc_size": 16,
    "model.decoders.dm.labeller.size": 8,
}
# Configs, and the data that they are trained on.
CONFIGS = {"tiny.jsonnet": "fixtures/data", "dm_finetuned.jsonnet": "fixtures/official"}


def models() -> list[list[Member]]:
    """The files of each; they are trained the first time."""
    found = []
    for config, data in CONFIGS.items():
        trained = MODELS / config.removesuffix(".jsonnet")
        if not (trained / "model.tar.gz").exists():
            _train(config, data, trained)
            pack(str(trained), f"{trained}_packed")
        with tarfile.open(trained / "model.tar.gz") as tar:
            files = [member for member in tar if member.isfile()]
            found.append([Member(file.name, tar.extractfile(file).read()) for file in files])
        packed = Path(f"{trained}_packed")
        paths = [path for path in sorted(packed.rglob("*")) if path.is_file()]
        found.append([Member(str(path.relative_to(packed)), path.read_bytes()) for path in paths])
    return found


def _train(config: str, data: str, folder: Path) -> None:
    bert = folder.parent / "bert"
    if not bert.exists():
        bert.mkdir(parents=True)
        _run(sys.executable, "fixtures/make_bert.py", str(bert))
    settings = {"SDP_DATA": data, "SDP_BERT": str(bert), "SDP_EPOCHS": "1"}
    train = ("train", f"training_config/{config}", "-s", str(folder), "--force")
    _run(sys.executable, "-m", "allennlp", *train, "-o", json.dumps(SMALL), **settings)


def _run(*command: str, **settings: str) -> None:
    subprocess.run(
        command, cwd=ROOT, env={**os.environ, **settings}, check=True, capture_output=True
    )
