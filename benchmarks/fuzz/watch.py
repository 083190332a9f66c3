"""What code does beside returning: an audit hook that sees and stops what no input may lead to.

The hook cannot be taken away again, so it is switched on for each input.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Of Python's audit events, those that ask for the network or run a program.
NETWORK = ("socket.connect", "socket.sendto", "socket.getaddrinfo")
PROGRAMS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork")

# And those that change files, with the arguments that are paths, and where a folder may be given
# that they are relative to.
CHANGES = {
    "os.mkdir": ([0], 2),
    "os.remove": ([0], 1),
    "os.rmdir": ([0], 1),
    "os.rename": ([0, 1], 2),
    "os.link": ([1], 3),
    "os.symlink": ([1], 2),
    "os.chmod": ([0], 2),
    "os.chown": ([0], 3),
    "os.truncate": ([0], None),
    "os.utime": ([0], 3),
}


class TrespassError(BaseException):
    """Something that no input may lead to; no handler of errors takes it for one."""


class Watch:
    """Sees what happens outside of a folder while it is on.

    # Parameters

    folder : `str`
        Where files may be written.
    address : `tuple[str, int]`, optional
        The one that may be connected to.
    """

    def __init__(self, folder: str, address: Any = None) -> None:
        self.folder = os.path.realpath(folder) + os.sep
        self.address = address
        self.seen: list[str] = []
        self.is_on = False
        sys.addaudithook(self._hook)

    @contextmanager
    def on(self) -> Iterator[None]:
        """Raises at the end what was seen, even if the code that did it has gone on."""
        self.seen.clear()
        self.is_on = True
        try:
            yield
        finally:
            self.is_on = False
            if self.seen:
                raise TrespassError("; ".join(self.seen))

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.is_on:
            return
        self.is_on = False  # what is done here is not to be watched
        try:
            what = self.trespass(event, arguments)
        finally:
            self.is_on = True
        if what:
            self.seen.append(what)
            raise TrespassError(what)

    def trespass(self, event: str, arguments: tuple[Any, ...]) -> str:
        if event in NETWORK:
            asked = arguments[1] if event == "socket.connect" else arguments[:2]
            return "" if asked == self.address else f"{event} {asked!r:.200}"
        if event in PROGRAMS:
            return f"{event} {arguments!r:.200}"
        if event == "open":
            path, _, flags = arguments
            writes = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
            paths = [path] if writes else []
        elif event in CHANGES:
            places, folder = CHANGES[event]
            # What is relative to an open folder is inside of it: shutil.rmtree removes that way.
            relative = folder is not None and arguments[folder] not in (-1, None)
            paths = [] if relative else [arguments[place] for place in places]
        else:
            return ""
        outside = [path for path in paths if not self._is_inside(path)]
        return f"{event} {outside[0]!r:.200}" if outside else ""

    def _is_inside(self, path: Any) -> bool:
        if isinstance(path, int):
            return True
        return (os.path.realpath(os.fsdecode(path)) + os.sep).startswith((self.folder, "/dev/null"))
