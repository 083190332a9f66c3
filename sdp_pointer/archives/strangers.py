"""What happens while a stranger's model is built: components that are known, and nothing else.

A config says which components to make, and with which arguments. Two rules hold for the thread
that makes them; SECURITY.md says what they promise.

Names: AllenNLP imports what has a dot in its name. Under `registered_names` it takes what is
registered, and classes of modules that were imported already.

Effects: components download, install and write caches when they are made. No list of them would be
complete, and what AllenNLP and transformers do changes; so `confined` listens to Python's audit
events instead, which every library raises when it opens a file, a connection or a program. They are
no prison for hostile code. But a model brings no code: only arguments for code that is installed.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from functools import cache
from types import FrameType
from typing import Any, NamedTuple, Optional

from .errors import ArchiveError, ForbiddenError

# Whether only registered names are resolved.
_names: ContextVar[bool] = ContextVar("registered_names", default=False)


class _Block(NamedTuple):
    """Where the thread is confined, and what was refused there."""

    frame: FrameType
    refused: list[str]


# None where everything is allowed.
_block: ContextVar[Optional[_Block]] = ContextVar("block", default=None)

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

# Events of Python's audit table, and what they do.
_OF_A_SOCKET = ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg")
_EVENTS = {
    **dict.fromkeys(("os.mkdir", "os.symlink", "os.link", "os.rename"), "write"),
    **dict.fromkeys(("os.remove", "os.rmdir", "os.truncate"), "delete"),
    **dict.fromkeys(("os.chmod", "os.chown", "os.utime", "os.setxattr"), "change"),
    **dict.fromkeys(_OF_A_SOCKET, "connect to"),
    **dict.fromkeys(("socket.getaddrinfo", "socket.gethostbyname"), "connect to"),
    "socket.gethostbyaddr": "connect to",
    **dict.fromkeys(("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"), "start"),
    "builtins.input": "ask",  # as transformers does before it runs code
    **dict.fromkeys(("os.spawn", "os.fork", "os.forkpty", "pty.spawn", "os.startfile"), "start"),
}


# The models that are being loaded, one for the other.
_models: ContextVar[tuple[str, ...]] = ContextVar("models", default=())


@contextmanager
def another_model(name: str) -> Iterator[None]:
    """A model is loaded in the block: the user's choice, or what another model names.

    A model may name others that are on this computer, but not itself, again and again.
    """
    models, path = _models.get(), os.path.realpath(name)
    if models:
        check_address(name)
    if path in models:
        raise ArchiveError(f"it is made of itself: its config.json names {name}")
    token = _models.set((*models, path))
    try:
        with unconfined():
            yield
    finally:
        _models.reset(token)


def places(name: str) -> Iterator[str]:
    """Where a folder may be that the config of the model being loaded names.

    A relative path holds where the model was trained: in the current folder, in the model's own, or
    in one of the two above it.
    """
    yield name
    folder = (*_models.get(), "")[0]
    for _ in range(3 if folder and not os.path.isabs(name) else 0):
        yield os.path.join(folder, name)
        folder = os.path.dirname(folder)


@contextmanager
def registered_names() -> Iterator[None]:
    """Components are taken by registered names only."""
    token = _names.set(True)
    try:
        yield
    finally:
        _names.reset(token)


def only_registered_names() -> bool:
    return _names.get()


def check_name(name: str) -> None:
    """Refuse the name of a class in a module that would have to be imported.

    >>> check_name("basic_classifier")
    >>> check_name("unittest.__main__.X")
    Traceback (most recent call last):
    sdp_pointer.archives.errors.ArchiveError: its config.json wants to import unittest.__main__: \
if you trust it, import unittest first (--include-package unittest)
    """
    module = name.rpartition(".")[0]
    if module and module not in sys.modules:
        package = module.partition(".")[0]
        raise ArchiveError(
            f"its config.json wants to import {module}: if you trust it, import {package} first"
            f" (--include-package {package})"
        )


class confined:  # noqa: N801  (a context manager)
    """In the block, the thread writes no file, opens no connection and starts no program.

    What a module does when it is imported is not the model's doing.

    >>> with confined():
    ...     _ = os.system("true")
    Traceback (most recent call last):
    sdp_pointer.archives.errors.ForbiddenError: loading it would start 'true', which a model may \
not do: if you trust it, install or download first what it needs
    """

    def __enter__(self) -> None:
        _listen()
        self._left = ExitStack()
        self._left.enter_context(registered_names())
        self._refused: list[str] = []
        token = _block.set(_Block(sys._getframe(1), self._refused))
        self._left.callback(_block.reset, token)

    def __exit__(self, kind: Any, error: Optional[BaseException], traceback: Any) -> None:
        self._left.close()
        # Libraries catch what was refused, and say something else.
        is_ours = isinstance(error, ArchiveError)
        if self._refused and isinstance(error, (SystemExit, OSError, ImportError)) and not is_ours:
            raise ForbiddenError(_message(self._refused[-1])) from error


def is_confined() -> bool:
    return _block.get() is not None


def check_address(name: str) -> None:
    """Refuse what would have to be downloaded."""
    if "://" in name:
        raise ForbiddenError(_message(f"download {name}"))


@contextmanager
def unconfined() -> Iterator[None]:
    """What the package does itself, or the user asked for, within `confined`."""
    token = _block.set(None)
    try:
        yield
    finally:
        _block.reset(token)


@cache
def _listen() -> None:
    sys.addaudithook(_hook)


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    block = _block.get()
    if block is None:
        return
    if event == "open":
        target, _, flags = arguments
        if isinstance(target, int) or not flags & _WRITING or target == os.devnull:
            return
        what = "write"
    elif event in _EVENTS:
        what = _EVENTS[event]
        # Events of a socket have the socket, and where to.
        target = arguments[event in _OF_A_SOCKET]
    else:
        return
    if isinstance(target, (bytes, os.PathLike)):
        target = os.fsdecode(target)
    if not _is_importing(block.frame):
        block.refused.append(f"{what} {target!r}")
        raise ForbiddenError(_message(block.refused[-1]))


def _is_importing(outer: FrameType) -> bool:
    """Whether a module is being imported since a frame."""
    frame: Optional[FrameType] = sys._getframe()
    while frame is not None and frame is not outer:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _message(what: str) -> str:
    return (
        f"loading it would {what}, which a model may not do: if you trust it, install or download"
        " first what it needs"
    )


def went_through_others(error: BaseException) -> bool:
    """Whether an error comes out of a component that neither AllenNLP nor this package brought.

    Whoever wrote it wants to see the error as it is.
    """
    from traceback import walk_tb

    from allennlp.common import Registrable

    registered = (entry for entries in Registrable._registry.values() for entry in entries.values())
    packages = {component.__module__.partition(".")[0] for component, _ in registered}
    others = packages - {"allennlp", "sdp_pointer", "torch"}
    return any(
        frame.f_globals.get("__name__", "").partition(".")[0] in others
        for frame, _ in walk_tb(error.__traceback__)
    )
