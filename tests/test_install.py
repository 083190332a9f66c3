"""Installation in fresh virtual environments, as a wheel and editable, and removal."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LIBRARIES = sysconfig.get_paths()["purelib"]  # setuptools, torch and AllenNLP need no second copy


def run(*command, **kwargs):
    result = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, **kwargs
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.fixture
def source(tmp_path):
    """A copy of what `pip install` reads, so that building leaves nothing in the repository."""
    folder = tmp_path / "source"
    shutil.copytree(ROOT / "sdp_pointer", folder / "sdp_pointer")
    for name in ("setup.py", "pyproject.toml", "sdp_pointer.pth", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    return folder


def site_packages(environment):
    [folder] = environment.glob("lib/python*/site-packages")
    return folder


def content(folder):
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder) for path in files if "__pycache__" not in path.parts}


@pytest.mark.parametrize("options", [[], ["--editable"]], ids=["wheel", "editable"])
def test_allennlp_works_after_installation_and_nothing_is_left_by_removal(
    source, tmp_path, options
):
    environment = tmp_path / "environment"
    venv.create(environment)
    python = environment / "bin" / "python"
    before = content(environment)
    with_libraries = {**os.environ, "PYTHONPATH": LIBRARIES}
    pip = [sys.executable, "-m", "pip", "--python", python]
    install = ["install", "--no-deps", "--no-build-isolation", "--no-index", *options, source]
    run(*pip, *install, env=with_libraries)

    assert (site_packages(environment) / "sdp_pointer.pth").exists()
    if not options:
        server = site_packages(environment) / "sdp_pointer" / "server"
        assert {"page.html", "page.js", "page.css", "icon.svg"} <= set(os.listdir(server))
        model = Path("sdp_pointer", "english_dm")
        assert content(site_packages(environment) / model) == content(source / model)
    program = (
        "import allennlp.modules.vision.grid_embedder as m; print(type(m.torchvision).__name__)"
    )
    here = {"cwd": tmp_path, "env": with_libraries}
    assert run(python, "-c", program, **here) == "Missing\n"
    assert run(python, "-m", "allennlp", "--version", **here) == "allennlp 2.10.1\n"
    assert run(environment / "bin" / "sdp-pointer", "--version", cwd=tmp_path).startswith(
        "sdp-pointer "
    )

    run(*pip, "uninstall", "--yes", "sdp-pointer")
    assert content(environment) == before


def test_python_starts_in_silence_when_the_source_of_an_editable_installation_is_gone(
    source, tmp_path
):
    environment = tmp_path / "environment"
    venv.create(environment)
    shutil.copy(source / "sdp_pointer.pth", site_packages(environment))
    result = subprocess.run(
        [environment / "bin" / "python", "-c", "print('fine')"], capture_output=True, text=True
    )
    assert (result.stdout, result.stderr) == ("fine\n", "")


def test_starting_python_imports_nothing_heavy():
    program = "import sys; print(*sorted(sys.modules))"
    modules = run(sys.executable, "-c", program).split()
    assert "sdp_pointer._startup" in modules
    assert not {"torch", "numpy", "allennlp", "sdp_pointer.allennlp_compat"} & set(modules)


def test_an_old_python_is_told_in_one_sentence():
    program = (
        "import sys; sys.modules.pop('sdp_pointer', None); sys.version_info = (3, 9, 0);"
        "sys.version = '3.9.0 (main)'; import sdp_pointer"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    last = result.stderr.splitlines()[-1]
    assert "needs Python 3.11 or later, and this is Python 3.9.0" in last
