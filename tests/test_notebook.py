"""The notebook of the documentation runs from its first cell to its last, without a network."""

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parent.parent / "docs" / "tour.ipynb"


def test_the_notebook_runs(tmp_path, offline, monkeypatch):
    for name, value in offline.items():
        monkeypatch.setenv(name, value)
    # `!sdp-pointer` is that of this environment.
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(
        notebook,
        startup_timeout=600,  # cores may be busy
        iopub_timeout=600,
        resources={"metadata": {"path": tmp_path}},
    ).execute()
    shown = "".join(
        output.get("text", "") + "".join(output.get("data", {}))
        for cell in notebook.cells
        for output in cell.get("outputs", ())
    )
    assert "text/html" in shown or "image/svg+xml" in shown  # the drawing
    for line in ("Kim likes house", "Tom likes cats"):
        assert line in shown
    assert (tmp_path / "ten-model" / "model.tar.gz").exists()


def test_the_notebook_is_kept_without_outputs():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(code) >= 6
    assert not any(cell.outputs or cell.execution_count for cell in code)
