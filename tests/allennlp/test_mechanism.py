"""How AllenNLP is patched, and that nobody but AllenNLP sees it."""

import builtins
import importlib.util
import re
import subprocess
import sys
import types
from functools import partial
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest

import sdp_pointer.components  # noqa: F401
from sdp_pointer.allennlp_compat import mechanism


def importer(code, found):
    """Execute a module whose import statements find what is `found`."""
    module = types.ModuleType("importer")
    mechanism.replace_imports(module, found)
    exec(compile(code, "importer", "exec"), module.__dict__)
    return module


def test_nobody_else_believes_that_the_missing_packages_are_installed():
    import allennlp.data.image_loader  # noqa: F401
    from transformers.utils import is_torchvision_available

    assert not is_torchvision_available()
    for package in ("torchvision", "fairscale"):
        assert package not in sys.modules
        assert importlib.util.find_spec(package) is None
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module(package)


def test_every_form_of_import_statement_finds_the_replacement():
    code = "import gone, json.decoder\nimport gone.a.b as c\nfrom gone.a import b\n"
    module = importer(code, {"gone": mechanism.Placeholder("gone")})
    for value, name in (
        (module.gone.a.b, "gone.a.b"),
        (module.c, "gone.a.b"),
        (module.b, "gone.a.b"),
    ):
        with pytest.raises(ImportError, match=name):
            value()
    assert module.json.decoder is importlib.import_module("json.decoder")


def test_what_is_slow_and_seldom_used_is_imported_when_it_is_used():
    program = (
        "import sys, sdp_pointer.components, torch\n"
        "slow = {'nltk', 'sklearn', 'scipy', 'transformers'}\n"
        "print(*slow & set(sys.modules))\n"
        "from allennlp.training.metrics import Auc, SpearmanCorrelation\n"
        "metric = SpearmanCorrelation(); metric(torch.arange(3.0), torch.arange(3.0))\n"
        "print(metric.get_metric())\n"
        "metric = Auc(); metric(torch.tensor([0.1, 0.9]), torch.tensor([0, 1]))\n"
        "print(metric.get_metric())\n"
        "from allennlp.modules.transformer.activation_layer import ActivationLayer\n"
        "print(ActivationLayer(2, 2, 'relu').act_fn)\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stdout.split("\n")[:3] == ["", "1.0", "1.0"], result.stderr
    assert "ReLU" in result.stdout


def test_what_is_imported_on_use_can_be_asked_for_instances():
    lazy = mechanism.ImportedOnUse("pathlib").PurePath
    assert isinstance(lazy("a"), lazy)
    assert not isinstance("a", lazy)


def test_an_overlay_is_seen_by_one_module_alone():
    import json

    overlay = mechanism.Overlay(json, dumps="mine")
    module = importer("import json\nfrom json import dumps, loads\n", {"json": overlay})
    assert module.json.dumps == module.dumps == "mine"
    assert module.loads is json.loads
    assert json.dumps([1]) == "[1]"


def test_builtins_that_are_added_or_changed_later_are_found(monkeypatch):
    code = "from types import change\nchange()\nnow = answer\ndef later(): return answer\n"
    monkeypatch.setattr(builtins, "answer", 1, raising=False)
    change = partial(setattr, builtins, "answer", 2)
    module = importer(code, {"types": mechanism.Overlay(types, change=change)})
    assert module.now == 2
    builtins.answer = 3
    assert module.later() == 3
    del builtins.answer
    with pytest.raises(NameError):
        module.later()
    builtins.answer = 4
    assert module.later() == 4


def test_what_a_patched_module_defines_has_pythons_own_builtins():
    module = importer("import gone\ndef f(): ...\n", {"gone": mechanism.Placeholder("gone")})
    assert module.f.__builtins__ is vars(builtins)


def test_patches_survive_that_transformers_replaces_its_module_object():
    program = (
        "import transformers.processing_utils, sdp_pointer.components\n"
        "from allennlp.training.optimizers import HuggingfaceAdamWOptimizer\n"
        "import transformers\n"
        "print(hasattr(transformers, 'AdamW'))\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stdout == "False\n", result.stderr


def listed(section):
    """What the first two columns of the table in a section of docs/allennlp.md name."""
    document = (Path(__file__).parents[2] / "docs" / "allennlp.md").read_text()
    rows = document.partition(f"\n### {section}\n")[2].partition("\n#")[0].splitlines()
    for row in rows:
        if row.startswith("| `"):
            first, second = (re.findall("`(.*?)`", cell) for cell in row.split("|")[1:3])
            yield from ((one, other) for one in first for other in second)


def test_the_documentation_lists_every_patch_and_no_other():
    replaced = [
        (package, module.removeprefix("allennlp."))
        for module, packages in mechanism.replacements.items()
        for package in packages
    ]
    changed = [
        (module.removeprefix("allennlp."), change.__name__)
        for module, changes in mechanism.changes.items()
        for change in changes
    ]
    assert sorted(listed("Imports that find something else")) == sorted(replaced)
    assert sorted(listed("Modules that are changed")) == sorted(changed)


def test_finders_of_an_old_kind_are_passed_over(monkeypatch):
    class Finder:
        def find_module(self, name, path=None):
            return None

    monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
    monkeypatch.delitem(sys.modules, "allennlp.version", raising=False)
    assert importlib.import_module("allennlp.version").VERSION == "2.10.1"


def test_an_imported_module_has_its_own_loader():
    from allennlp.training import checkpointer, optimizers

    for module in (checkpointer, optimizers):
        assert module.__loader__ is module.__spec__.loader
        assert type(module.__loader__) is SourceFileLoader
        assert "exec_module" not in vars(module.__loader__)


WITHOUT_ALLENNLP = (
    "import sys; sys.path[:] = [p for p in sys.path if 'site-packages' not in p];"
    "sys.path_importer_cache.clear();"
)


def run_without_allennlp(program, tmp_path):
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_ALLENNLP + program],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )


def test_without_allennlp_one_sentence_says_how_to_install_it(tmp_path):
    program = "sys.argv[0] = '-m'; import runpy; runpy._run_module_as_main('allennlp')"
    for_command = run_without_allennlp(program, tmp_path)
    [line] = for_command.stderr.strip().splitlines()
    assert "pip install --no-deps allennlp==2.10.1" in line
    in_python = run_without_allennlp("import sdp_pointer.components", tmp_path)
    last = in_python.stderr.splitlines()[-1]
    assert "AllenNLP is not installed; to complete the installation, run: " in last
    assert last.endswith("--no-deps allennlp==2.10.1")


def test_whoever_asks_whether_allennlp_is_there_is_told_the_truth(tmp_path):
    program = "import importlib.util; print(importlib.util.find_spec('allennlp'))"
    assert run_without_allennlp(program, tmp_path).stdout == "None\n"
