"""How a module of AllenNLP is patched while it is imported.

There are two kinds of patches:

- `replaces_import`: what the module's own import statements find, and nobody else's;
- `after`: a change to the module when it has been executed.
"""

import builtins
import sys
from collections.abc import Callable
from importlib.abc import Loader
from importlib.util import find_spec
from pkgutil import resolve_name
from types import ModuleType
from typing import Any, Optional

# By the module of AllenNLP, and the replacements by what is imported.
replacements: dict[str, dict[str, Callable[[], Any]]] = {}
changes: dict[str, list[Callable[[ModuleType], None]]] = {}


def replaces_import(package: str, *modules: str) -> Callable[[Callable[[], Any]], Any]:
    """The decorated function returns what `import package` finds in AllenNLP's `modules`.

    It returns None where the package will do as it is.
    """

    def register(replacement: Callable[[], Any]) -> Callable[[], Any]:
        for module in modules:
            name = f"allennlp.{module}" if module else "allennlp"
            replacements.setdefault(name, {})[package] = replacement
        return replacement

    return register


def after(
    module: str,
) -> Callable[[Callable[[ModuleType], None]], Callable[[ModuleType], None]]:
    """The decorated function changes AllenNLP's `module` after it has been executed."""

    def register(change: Callable[[ModuleType], None]) -> Callable[[ModuleType], None]:
        changes.setdefault(f"allennlp.{module}", []).append(change)
        return change

    return register


class Placeholder:
    """Stands for something that cannot be imported, and says so when it is used.

    >>> Placeholder("torchvision").models.resnet()
    Traceback (most recent call last):
    ImportError: torchvision.models.resnet is not available: install torchvision to use it
    """

    def __init__(self, name: str, remedy: Optional[str] = None) -> None:
        self._name = name
        self._remedy = remedy or f"install {name.partition('.')[0]} to use it"

    def __getattr__(self, name: str) -> "Placeholder":
        if name.startswith("__"):
            raise AttributeError(name)
        return Placeholder(f"{self._name}.{name}", self._remedy)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise ImportError(f"{self._name} is not available: {self._remedy}")

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        # So that AllenNLP can define its subclasses; making an instance of one raises.
        return (type(self._name.rpartition(".")[2], (), {"__new__": self.__call__}),)


class ImportedOnUse(Placeholder):
    """Stands for something that is slow to import, which is done when it is used.

    >>> ImportedOnUse("math").gcd(12, 18)
    6
    """

    def __getattr__(self, name: str) -> "ImportedOnUse":
        super().__getattr__(name)  # has none that begin with two underscores
        return ImportedOnUse(f"{self._name}.{name}")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._imported()(*args, **kwargs)

    def __getitem__(self, key: Any) -> Any:
        return self._imported()[key]

    def __instancecheck__(self, instance: Any) -> bool:
        return isinstance(instance, self._imported())

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        # What AllenNLP defines as a subclass becomes one when an instance is made.
        def new(cls: type, *args: Any, **kwargs: Any) -> Any:
            return object.__new__(type(cls.__name__, (cls, self._imported()), {}))

        return (type(self._name.rpartition(".")[2], (), {"__new__": new}),)

    def _imported(self) -> Any:
        return resolve_name(self._name)


class Overlay:
    """A module with some attributes added or replaced, for one importer's eyes only."""

    def __init__(self, module: ModuleType, **attributes: Any) -> None:
        self.__dict__.update(attributes)
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


class Builtins(dict[str, Any]):
    """Python's builtins as they are when one is looked up, except for those given here."""

    def __missing__(self, name: str) -> Any:
        return vars(builtins)[name]


def execute(module: ModuleType, loader: Loader) -> None:
    """Execute a module of AllenNLP by its loader, with the patches for it."""
    name = module.__name__
    found = {package: replace() for package, replace in replacements.get(name, {}).items()}
    replace_imports(module, {key: value for key, value in found.items() if value is not None})
    loader.exec_module(module)
    for change in changes.get(name, ()):
        change(module)


def replace_imports(module: ModuleType, found: dict[str, Any]) -> None:
    """Say what the import statements of a module that is about to be executed find.

    Only those at its top: the functions that it defines have Python's own builtins.
    """

    def import_(  # the signature of builtins.__import__
        name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
    ) -> Any:
        # Code that runs keeps its builtins; the functions that it defines from here on take these.
        vars(module)["__builtins__"] = vars(builtins)
        top = name.partition(".")[0]
        if level == 0 and isinstance(found.get(top), Placeholder):
            missing = found[top]
            for part in name.split(".")[1:] if fromlist else ():
                missing = getattr(missing, part)
            return missing
        imported = builtins.__import__(name, globals, locals, fromlist, level)
        return found.get(name if fromlist else top, imported) if level == 0 else imported

    if found:
        vars(module)["__builtins__"] = Builtins(__import__=import_)


def is_installed(package: str) -> bool:
    return package in sys.modules or find_spec(package) is not None
