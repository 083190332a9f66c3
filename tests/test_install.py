"""Installation in fresh virtual environments, as a wheel and editable, and removal."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
from importlib.metadata import requires
from pathlib import Path
from zipfile import ZipFile

import pytest

import sdp_pointer
from sdp_pointer import __version__

ROOT = Path(__file__).parent.parent
DEV = ROOT / "fixtures" / "data" / "dm.dev.sdp"
STARTUP = ("sdp_pointer.pth", "_sdp_pointer_startup.py")
DISTRIBUTED = (
    *("setup.py", "pyproject.toml", "MANIFEST.in", "constraints.txt"),
    *("README.md", "CHANGELOG.md", "CITATION.cff", "SECURITY.md", "LICENSE"),
    *STARTUP,
)
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
    for name in DISTRIBUTED:
        shutil.copy(ROOT / name, folder)
    return folder


def site_packages(environment):
    [folder] = environment.glob("lib/python*/site-packages")
    return folder


def content(folder):
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder) for path in files if "__pycache__" not in path.parts}


def wheel(source):
    """What would be uploaded to a registry, as `make dist` makes it: of the source distribution."""
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", "dist", cwd=source)
    distributions = sorted((source / "dist").iterdir())
    run(sys.executable, "-m", "twine", "check", "--strict", *distributions)
    [archive] = (path for path in distributions if path.name.endswith(".tar.gz"))
    with tarfile.open(archive) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    assert set(DISTRIBUTED) <= names
    [built] = (path for path in distributions if path.suffix == ".whl")
    return built


@pytest.mark.parametrize("editable", [False, True], ids=["wheel", "editable"])
def test_allennlp_works_after_installation_and_nothing_is_left_by_removal(
    source, tmp_path, editable, refusing
):
    environment = tmp_path / "environment"
    venv.create(environment)
    python = environment / "bin" / "python"
    before = content(environment)
    with_libraries = {**os.environ, "PYTHONPATH": LIBRARIES}
    pip = [sys.executable, "-m", "pip", "--python", python]
    install = ["install", "--no-deps", "--no-build-isolation", "--no-index"]
    what = ["--editable", source] if editable else [wheel(source)]
    run(*pip, *install, *what, env=with_libraries)

    assert set(STARTUP) <= set(os.listdir(site_packages(environment)))
    if not editable:
        assert (site_packages(environment) / "sdp_pointer" / "py.typed").exists()
        static = Path("sdp_pointer", "server", "static")
        assert content(site_packages(environment) / static) == content(source / static)
        configs = site_packages(environment) / "sdp_pointer" / "configs" / "jsonnet"
        assert set(os.listdir(configs)) == set(os.listdir(ROOT / "training_config"))
        model = Path("sdp_pointer", "english_dm")
        assert content(site_packages(environment) / model) == content(source / model)
    program = (
        "import allennlp.modules.vision.grid_embedder as m; print(type(m.torchvision).__name__)"
    )
    here = {"cwd": tmp_path, "env": with_libraries}
    assert run(python, "-c", program, **here) == "Placeholder\n"
    assert run(python, "-m", "allennlp", "--version", **here) == "allennlp 2.10.1\n"
    command = environment / "bin" / "sdp-pointer"
    assert run(command, "--version", cwd=tmp_path) == f"sdp-pointer {__version__}\n"
    if not editable:
        here["env"] = {**os.environ, "PYTHONPATH": os.pathsep.join([str(refusing), LIBRARIES])}
        parsed = run(command, "parse", "--to", "sdp", "Kim likes cats.", **here)
        assert {line.split("\t")[1] for line in parsed.splitlines()[2:6]} == {
            *["Kim", "likes", "cats", "."]
        }

    run(*pip, "uninstall", "--yes", "sdp-pointer")
    assert content(environment) == before
    assert not list(environment.rglob("*sdp_pointer*"))  # nor among what Python has compiled


def metadata(name, version, requirements):
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    return "\n".join([*lines, *(f"Requires-Dist: {line}" for line in requirements), ""])


def empty_wheel(folder, name, version, requirements=()):
    """A wheel that says what it needs, and has nothing in it."""
    name = name.replace("-", "_")
    with ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as file:
        place = f"{name}-{version}.dist-info"
        file.writestr(f"{place}/METADATA", metadata(name, version, requirements))
        file.writestr(
            f"{place}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        file.writestr(f"{place}/RECORD", "")


def test_uv_resolves_a_project_with_the_lines_of_the_documentation(tmp_path):
    needed = [line for line in requires("sdp-pointer") if "extra ==" not in line]
    registry = tmp_path / "registry"
    registry.mkdir()
    empty_wheel(registry, "sdp-pointer", __version__, needed)
    empty_wheel(registry, "allennlp", "2.10.1", ["torch<1.13", "spacy<3.4"])
    for line in needed:
        empty_wheel(registry, *line.split(">="))
    project = '[project]\nname = "mine"\nversion = "0"\nrequires-python = ">=3.11"\n'
    project += 'dependencies = ["sdp-pointer", "allennlp==2.10.1"]\n'
    uv = [Path(sys.executable).with_name("uv"), "lock", "--offline", "--no-index", "--no-config"]
    uv = [*uv[:2], "--offline", "--no-index", "--find-links", registry, "--python", sys.executable]
    (tmp_path / "pyproject.toml").write_text(project)
    failed = subprocess.run(
        [str(part) for part in uv], cwd=tmp_path, capture_output=True, text=True
    )
    assert "unsatisfiable" in failed.stderr

    document = (ROOT / "docs" / "installing.md").read_text()
    [lines] = re.findall(r"```toml\n(.*?)```", document, re.DOTALL)
    (tmp_path / "pyproject.toml").write_text(project + lines)
    run(*uv, cwd=tmp_path)
    assert 'name = "allennlp"' in (tmp_path / "uv.lock").read_text()


@pytest.fixture
def alone(tmp_path):
    """Runs `sdp-pointer` in an environment that has the package alone, or pip as well."""
    environment = tmp_path / "environment"
    venv.create(environment)
    for path in (ROOT / "sdp_pointer", *(ROOT / name for name in STARTUP)):
        (site_packages(environment) / path.name).symlink_to(path)
    python = environment / "bin" / "python"

    def alone(*arguments, with_pip=False):
        if with_pip:
            (site_packages(environment) / "pip").symlink_to(Path(LIBRARIES, "pip"))
        command = [python, "-m", "sdp_pointer", *arguments]
        return subprocess.run(
            [str(part) for part in command], cwd=tmp_path, capture_output=True, text=True
        )

    return alone


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", DEV, DEV],
        ["check", DEV],
        ["stats", DEV],
        ["convert", DEV, "OUT.jsonl"],
        ["find", "sleep -ARG1-> ?who", DEV],
        ["draw", DEV],
        ["labels", "dm"],
        ["formalisms"],
        ["configs"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_the_tools_for_graphs_need_no_other_package(alone, arguments):
    result = alone(*arguments)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("with_pip", [True, False], ids=["pip", "uv"])
@pytest.mark.parametrize(
    "arguments",
    [["parse", "Kim likes cats."], ["train", DEV, DEV, "-o", "out"], ["pack", "MODEL", "OUT"]],
    ids=lambda arguments: arguments[0],
)
def test_without_allennlp_a_command_says_how_to_install_it(alone, arguments, with_pip, tmp_path):
    result = alone(*arguments, with_pip=with_pip)
    python = tmp_path / "environment" / "bin" / "python"
    pip = f"{python} -m pip install" if with_pip else f"uv pip install --python {python}"
    assert result.stderr == (
        "sdp-pointer: error: AllenNLP is not installed; to complete the installation, run:"
        f" {pip} --no-deps allennlp==2.10.1\n"
    )
    assert result.returncode == 2


def test_another_release_of_allennlp_is_refused(monkeypatch):
    monkeypatch.setattr("importlib.metadata.version", lambda name: "0.2.1")
    with pytest.raises(ImportError, match=r"AllenNLP 0\.2\.1 is installed, not 2\.10\.1; "):
        sdp_pointer.load()


@pytest.fixture
def started(tmp_path):
    """Runs a program where the start-up files are installed, and nothing else is."""
    environment = tmp_path / "environment"
    venv.create(environment)
    for name in STARTUP:
        shutil.copy(ROOT / name, site_packages(environment))

    def started(program, **variables):
        command = [environment / "bin" / "python", "-c", program]
        variables = {**os.environ, **variables}
        result = subprocess.run(
            command, cwd=tmp_path, env=variables, capture_output=True, text=True
        )
        assert result.stderr == ""
        return result.stdout

    return started


def test_starting_python_imports_one_module_of_ours_and_nothing_for_it(started):
    program = (
        "import sys; print(*{'_sdp_pointer_startup', 'sdp_pointer', 'typing'} & set(sys.modules));"
        "ours = vars(sys.modules['_sdp_pointer_startup']).values();"
        "print(*(value.__name__ for value in ours if isinstance(value, type(sys))))"
    )
    assert started(program).splitlines() == ["_sdp_pointer_startup", "sys"]


def test_starting_python_runs_nothing_else_that_is_called_sdp_pointer(started, tmp_path):
    (tmp_path / "sdp_pointer").mkdir()
    (tmp_path / "sdp_pointer" / "__init__.py").write_text("print('it was run')")
    for path in ("", ".", str(tmp_path)):
        assert started("print('fine')", PYTHONPATH=path) == "fine\n"
    assert started("import sdp_pointer", PYTHONPATH=str(tmp_path)) == "it was run\n"


def test_python_starts_in_silence_when_the_source_of_an_editable_installation_is_gone(
    started, tmp_path
):
    assert started("print('fine')") == "fine\n"
    (tmp_path / "allennlp").mkdir()
    (tmp_path / "allennlp" / "__init__.py").write_text("")
    missing = (
        "try: import allennlp\nexcept ModuleNotFoundError as error: print(error.name, 'is missing')"
    )
    assert started(missing) == "sdp_pointer is missing\n"


def test_without_the_start_up_file_importing_our_components_does_the_same(tmp_path):
    venv.create(tmp_path / "environment")
    program = (
        "import sys; print('_sdp_pointer_startup' in sys.modules); import sdp_pointer.components;"
        "import allennlp.modules.vision.grid_embedder as m; print(type(m.torchvision).__name__)"
    )
    path = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), LIBRARIES])}
    python = tmp_path / "environment" / "bin" / "python"
    assert run(python, "-c", program, cwd=tmp_path, env=path) == "False\nPlaceholder\n"


def test_asking_whether_allennlp_is_there_imports_nothing_of_ours():
    program = (
        "import sys, importlib.util; print(importlib.util.find_spec('allennlp').name);"
        "print('sdp_pointer' in sys.modules)"
    )
    assert run(sys.executable, "-c", program) == "allennlp\nFalse\n"


def test_pytest_is_for_our_tests_and_those_of_allennlps_users_alone():
    needed = [line for line in requires("sdp-pointer") if "extra ==" not in line]
    assert any(line.startswith("torch") for line in needed)
    assert not any(line.startswith("pytest") for line in needed)

    program = (
        "import importlib, pkgutil, sys; sys.modules['pytest'] = None; import sdp_pointer\n"
        "for module in pkgutil.walk_packages(sdp_pointer.__path__, 'sdp_pointer.'):\n"
        "    importlib.import_module(module.name)\n"
        "import allennlp.commands; from allennlp.common import testing\n"
        "try: testing.multi_device(print)\n"
        "except ImportError as error: print(error.name)\n"
        "sys.argv = ['allennlp', '--version']; allennlp.commands.main('allennlp')\n"
    )
    assert run(sys.executable, "-c", program) == "pytest\nallennlp 2.10.1\n"


def test_an_old_python_is_told_in_one_sentence():
    program = (
        "import sys; sys.modules.pop('sdp_pointer', None); sys.version_info = (3, 9, 0);"
        "sys.version = '3.9.0 (main)'; import sdp_pointer"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    last = result.stderr.splitlines()[-1]
    assert "needs Python 3.11 or later, and this is Python 3.9.0" in last
