"""Train a parser on files of graphs in any format, or continue the training of a model.

The config is written for what the files have, shown, and kept as OUT/train.jsonnet; `allennlp
train` does the rest. Of words alone, unless --columns: so the parser takes raw text.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Optional

from ..errors import UserError
from ..graphs import read
from ..installation import require_allennlp
from .options import add_format, add_lenient, add_packages, formalism, positive


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("train", metavar="TRAIN", nargs="?", help="file of graphs to learn from")
    parser.add_argument("dev", metavar="DEV", nargs="?", help="file that chooses the best epoch")
    parser.add_argument("-o", "--output", metavar="OUT", required=True, help="folder to make")
    begin = parser.add_mutually_exclusive_group()
    begin.add_argument(
        "--continue-from",
        metavar="MODEL",
        help="fine-tune this model instead: a folder, such as sdp-pointer pack makes; english_dm is"
        " the model of the package. New labels are added",
    )
    begin.add_argument(
        "--transformer",
        metavar="NAME",
        help="fine-tune a transformer for the words: its folder or its name on the hub; english_dm"
        " is that of the model of the package",
    )
    parser.add_argument(
        "--vectors", metavar="FILE", help="pretrained word vectors in GloVe's text format"
    )
    parser.add_argument(
        "--columns",
        action="store_true",
        help="learn from the files' tags and lemmas, which every sentence to be parsed then needs",
    )
    parser.add_argument(
        "--formalism", type=formalism, metavar="NAME", help="of the graphs, if the files do not say"
    )
    parser.add_argument(
        "--size", type=positive, metavar="N", help="of the layers; default: by TRAIN"
    )
    parser.add_argument(
        "--epochs", type=positive, metavar="N", help="default: by the size of TRAIN"
    )
    parser.add_argument("--device", help="cpu, cuda or cuda:1; default: a GPU if there is one")
    add_format(parser, "--from", "TRAIN and DEV")
    add_lenient(parser)
    add_packages(parser)
    parser.add_argument(
        "--show", action="store_true", help="print the config without training by it"
    )
    again = parser.add_mutually_exclusive_group()
    again.add_argument("--recover", action="store_true", help="go on with the training in OUT")
    again.add_argument("--force", action="store_true", help="replace OUT")


def run(arguments: argparse.Namespace) -> int:
    out = arguments.output
    written = Path(out, "train.jsonnet")
    if arguments.recover != (arguments.dev is None):
        raise UserError(
            "--recover goes on with the files that the training began with: name no others"
            if arguments.recover
            else "name two files of graphs: sdp-pointer train TRAIN DEV -o OUT"
        )
    if not arguments.show:
        require_allennlp()
    if arguments.recover:
        if not written.exists():
            raise UserError(f"cannot recover {out}: sdp-pointer train began no training there")
        _train(arguments, written.read_text(encoding="utf-8"), Path(out, "config.json"))
    else:
        if os.path.isdir(out) and os.listdir(out) and not (arguments.force or arguments.show):
            raise UserError(
                f"{out} is not empty: name another folder, go on with the training in it"
                " (--recover) or replace it (--force)"
            )
        config = _config(arguments)
        print(config, flush=True)
        if arguments.show:
            return 0
        with TemporaryDirectory() as folder:
            path = Path(folder, written.name)
            path.write_text(config, encoding="utf-8")
            _train(arguments, config, path)
    print(_report(out))
    return 0


def _config(arguments: argparse.Namespace) -> str:
    from ..configs.survey import survey
    from ..configs.written import Choice, continued_config, new_config

    files = []
    for file in (arguments.train, arguments.dev):
        graphs = read(
            file,
            arguments.from_format,
            lenient=arguments.lenient,
            formalism=arguments.formalism,
        )
        files.append(survey(graphs, file))
        print(f"{file}: {files[-1]}", file=sys.stderr)
    choice = Choice(
        format=arguments.from_format,
        lenient=arguments.lenient,
        columns=arguments.columns,
        transformer=arguments.transformer,
        vectors=arguments.vectors,
        size=arguments.size,
        epochs=arguments.epochs,
        device=_device(arguments.device),
    )
    if arguments.continue_from is None:
        return new_config(arguments.train, arguments.dev, files[0], choice)
    for option in ("columns", "vectors", "size"):
        if getattr(arguments, option):
            raise UserError(f"--{option} is for a new model; --continue-from has that of its own")
    return continued_config(
        arguments.continue_from, arguments.train, arguments.dev, files[0], choice
    )


def _device(name: Optional[str]) -> int:
    from ..parser.loading import device_number

    if name is None:
        import torch

        name = "cuda" if torch.cuda.is_available() else "cpu"
    return device_number(name)


def _train(arguments: argparse.Namespace, config: str, path: Path) -> None:
    """Run `allennlp train`, and leave the config in the folder if that has begun."""
    out = Path(arguments.output)
    command = [sys.executable, "-m", "allennlp", "train", str(path), "-s", str(out)]
    command += [
        option for package in arguments.packages for option in ("--include-package", package)
    ]
    command += ["--recover"] * arguments.recover + ["--force"] * arguments.force
    # The callback `progress` shows what matters.
    quiet = {"ALLENNLP_LOG_LEVEL": "WARNING", "TQDM_DISABLE": "1"}
    # Only this process hears of Ctrl-C, and ends the other.
    process = subprocess.Popen(
        command,
        env={**quiet, **os.environ},
        stdout=subprocess.DEVNULL,  # it is in OUT/out.log
        start_new_session=True,
    )
    try:
        process.wait()
    except KeyboardInterrupt as error:
        process.terminate()
        process.wait()
        error.add_note(f"interrupted; go on with sdp-pointer train -o {out} --recover")
        raise
    finally:
        if (out / "config.json").exists():
            (out / "train.jsonnet").write_text(config, encoding="utf-8")
    if process.returncode:
        raise UserError(f"the training failed, with exit code {process.returncode}; see above")


def _report(out: str) -> str:
    """The scores of the best epoch as a table."""
    metrics = json.loads(Path(out, "metrics.json").read_text(encoding="utf-8"))
    rows = [f"{'DEV':12}{'precision':>10}{'recall':>10}{'F1':>10}{'exact':>10}"]
    for letter, name in (("L", "labelled"), ("U", "unlabelled")):
        cells = [100 * metrics[f"best_validation_{letter}{kind}"] for kind in "PRFM"]
        rows.append(f"{name:12}" + "".join(f"{cell:10.2f}" for cell in cells))
    return "\n".join(
        [
            "",
            *rows,
            "",
            f"epoch {metrics['best_epoch'] + 1} of {metrics['epoch'] + 1} was the best;"
            f" {metrics['training_duration'].partition('.')[0]} in all",
            f"sdp-pointer parse --model {out} FILE",
        ]
    )
