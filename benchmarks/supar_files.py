"""SuPar in a Python of its own: how to get it, and files as it reads and writes them."""

import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Optional

from sdp_pointer.graphs import read, write

VERSION = "1.1.4"
HOW_TO = (
    "give --python a Python that has SuPar, made by: python -m venv supar && "
    f"supar/bin/pip install torch=={version('torch').partition('+')[0]} dill nltk && "
    f"supar/bin/pip install --no-deps supar=={VERSION}"
)

WORKER = str(Path(__file__).with_name("supar_worker.py"))


def to_supar(source: str, target: Path, arcs: bool = True) -> str:
    """Writes graphs as SuPar reads them: CoNLL-U, in whose ninth column tops are `0:root`.

    What SuPar predicts is CoNLL-U again, comments included, and so `read` reads it. Without arcs a
    file can be given for prediction with no danger that what is gold comes back.
    """
    removed = {} if arcs else {"arcs": (), "tops": (), "bare_predicates": ()}
    write((graph.replace(meta=None, **removed) for graph in read(source)), str(target))
    return str(target)


def why_not(python: Optional[str]) -> str:
    """Why SuPar cannot run there; empty if it can."""
    if python is None:
        return "no --python"
    command = [python, "-c", "import supar; print(supar.__version__)"]
    try:
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    except OSError as error:
        return str(error)
    except subprocess.CalledProcessError as error:
        return f"{python}: {error.stderr.strip().rpartition(chr(10))[2]}"
    found = done.stdout.strip()
    return "" if found == VERSION else f"{python} has SuPar {found}, not {VERSION}"
