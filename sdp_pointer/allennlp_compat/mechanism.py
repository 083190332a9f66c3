"""How a module of AllenNLP is mended while it is imported, seen by that module alone.

There are two kinds of patches:

- `gives`: what one of the module's own import statements finds;
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

_gives: dict[str, dict[str, Callable[[], Any]]] = {}
_after: dict[str, list[Callable[[ModuleType], None]]] = {}


def gives(package: str, *modules: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """The decorated function says what `import package` finds in AllenNLP's `modules`.

    It returns None if nothing is missing.
    """

    def register(patch: Callable[[], Any]) -> Callable[[], Any]:
        for module in modules:
            _gives.setdefault(f"allennlp.{module}", {})[package] = patch
        return patch

    return register


def after(
    module: str,
) -> Callable[[Callable[[ModuleType], None]], Callable[[ModuleType], None]]:
    """The decorated function changes the executed module."""

    def register(patch: Callable[[ModuleType], None]) -> Callable[[ModuleType], None]:
        _after.setdefault(f"allennlp.{module}", []).append(patch)
        return patch

    return register


class Missing:
    """Stands for something of a package that is not installed, and says so when it is used.

    >>> Missing("torchvision").models.resnet()
    Traceback (most recent call last):
    ImportError: torchvision.models.resnet is not available: install torchvision to use it
    """

    def __init__(self, name: str, remedy: Optional[str] = None) -> None:
        self._name = name
        self._remedy = remedy or f"install {name.partition('.')[0]} to use it"

    def __getattr__(self, name: str) -> "Missing":
        if name.startswith("__"):
            raise AttributeError(name)
        return Missing(f"{self._name}.{name}", self._remedy)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise ImportError(f"{self._name} is not available: {self._remedy}")

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        # So that AllenNLP can define its subclasses; making an instance of one raises.
        return (type(self._name.rpartition(".")[2], (), {"__new__": self.__call__}),)


class Later(Missing):
    """Stands for something of a package that is slow to import, which happens when it is used.

    >>> Later("math").gcd(12, 18)
    6
    """

    def __getattr__(self, name: str) -> "Later":
        super().__getattr__(name)  # has none that begin with two underscores
        return Later(f"{self._name}.{name}")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._imported()(*args, **kwargs)

    def __getitem__(self, key: Any) -> Any:
        return self._imported()[key]

    def __instancecheck__(self, instance: Any) -> bool:
        return isinstance(instance, self._imported())

    def _imported(self) -> Any:
        return resolve_name(self._name)


class Overlay:
    """A module with some attributes added or replaced, for one importer's eyes only."""

    def __init__(self, module: ModuleType, **attributes: Any) -> None:
        self.__dict__.update(attributes)
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


def execute(module: ModuleType, loader: Loader) -> None:
    """Execute a module of AllenNLP by its loader, with the patches for it."""
    name = module.__name__
    gifts = {package: patch() for package, patch in _gives.get(name, {}).items()}
    give(module, {package: gift for package, gift in gifts.items() if gift is not None})
    loader.exec_module(module)
    for patch in _after.get(name, ()):
        patch(module)


class Builtins(dict[str, Any]):
    """Python's builtins as they are when somebody looks, but for what is given here."""

    def __missing__(self, name: str) -> Any:
        return vars(builtins)[name]


def give(module: ModuleType, gifts: dict[str, Any]) -> None:
    """Let the import statements of a module about to be executed find the gifts.

    Only those at its top: the functions that it defines have Python's own builtins, as ever.
    """

    def import_(  # the signature of builtins.__import__
        name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
    ) -> Any:
        # The code that runs keeps its builtins; what it defines from here on takes these.
        vars(module)["__builtins__"] = vars(builtins)
        top = name.partition(".")[0]
        if level == 0 and isinstance(gifts.get(top), Missing):
            missing = gifts[top]
            for part in name.split(".")[1:] if fromlist else ():
                missing = getattr(missing, part)
            return missing
        found = builtins.__import__(name, globals, locals, fromlist, level)
        return gifts.get(name if fromlist else top, found) if level == 0 else found

    if gifts:
        vars(module)["__builtins__"] = Builtins(__import__=import_)


def is_installed(package: str) -> bool:
    return package in sys.modules or find_spec(package) is not None
