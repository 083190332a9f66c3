"""Paths, `-`, open files, text or bytes, gzipped or not: lines in."""

import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import IO, Any, NamedTuple, Union

from ..problems import Report


class Unreadable(NamedTuple):
    """Why a line cannot be read."""

    reason: str


Line = Union[str, bytes, Unreadable]
Target = Union[str, os.PathLike[str], IO[Any]]
Source = Union[Target, Iterable[Line]]

# Bytes of a line. No more of it is held in memory: what is longer is skipped to its end.
LONGEST_LINE = 10_000_000

_GZIP_MAGIC = b"\x1f\x8b"
_UNREADABLE_LINE = "\udcff"


def name_of(source: Source) -> str:
    """What to call a source or target in a message."""
    if isinstance(source, (str, os.PathLike)):
        return "<stdin>" if os.fspath(source) == "-" else os.fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "<stream>"


@contextmanager
def open_source(source: Source) -> Iterator[Any]:
    """Lines of a source, which are bytes unless it has text; gunzipped where needed.

    A file that the caller opened is left open.
    """
    if isinstance(source, (str, os.PathLike)) and os.fspath(source) != "-":
        with open(source, "rb") as file:
            yield _gunzipped(file)
        return
    if isinstance(source, (str, os.PathLike)) and sys.stdin is None:
        raise OSError("the standard input is closed")
    stream: Any = sys.stdin.buffer if isinstance(source, (str, os.PathLike)) else source
    if is_text(stream) or not hasattr(stream, "read"):
        yield stream
    elif hasattr(stream, "peek"):
        yield _gunzipped(stream)
    else:
        buffered = io.BufferedReader(stream)
        try:
            yield _gunzipped(buffered)
        finally:
            if not stream.closed:  # by its owner, before the reader was done
                buffered.detach()


def is_text(stream: Any) -> bool:
    # Temporary files are wrappers and no `TextIOBase`, but have its attributes.
    return isinstance(stream, io.TextIOBase) or hasattr(stream, "encoding")


def _gunzipped(file: Any) -> Any:
    if file.peek(2)[:2] != _GZIP_MAGIC:
        return file
    import gzip

    return gzip.GzipFile(fileobj=file)


class Lines:
    """The lines of a stream, which can be looked at before they are read, once.

    >>> lines = Lines(["Dogs bark.", "Cats purr."])
    >>> next(lines.ahead()), list(lines)
    ('Dogs bark.', ['Dogs bark.', 'Cats purr.'])
    """

    def __init__(self, stream: Iterable[Line]) -> None:
        self.name = name_of(stream)
        self._rest = readable_lines(stream)
        self._seen: list[Line] = []

    def ahead(self) -> Iterator[Line]:
        """The first lines, which are still to be read."""
        yield from self._seen
        for line in self._rest:
            self._seen.append(line)
            yield line

    def __iter__(self) -> Iterator[Line]:
        return chain(self._seen, self._rest)


def readable_lines(stream: Iterable[Line]) -> Iterator[Line]:
    """Each line, or why it cannot be read; damaged data has no line after that."""
    longest = LONGEST_LINE
    too_long = Unreadable(f"a line of more than {longest:,} bytes is too long: split it")
    readline: Any = getattr(stream, "readline", None)
    try:
        if readline is None:
            for line in stream:
                yield line if len(line) <= longest else too_long
            return
        while line := readline(longest + 1):
            if len(line) <= longest:
                yield line
                continue
            while line and line[-1:] not in ("\n", b"\n"):
                line = readline(longest)
            yield too_long
    except Exception as error:
        if not is_corruption(error):
            raise
        yield Unreadable(f"the compressed data is damaged: {error}; what follows is lost")


def text_lines(lines: Iterable[Line], report: Report) -> Iterator[str]:
    """Lines without their ends. What is not UTF-8, and what cannot be read, go to the report.

    Only the line feed ends a line: forms may contain the other characters that Python's
    `splitlines` splits at. A line that went to the report has a lone surrogate: its graph
    must be dropped.
    """
    carriage_return_seen = False
    for number, raw in enumerate(lines, start=1):
        if isinstance(raw, bytes):
            try:
                line = raw.decode("utf-8")
            except UnicodeDecodeError as error:
                byte = raw[error.start]
                report.error(number, f"not UTF-8: byte 0x{byte:02x} at offset {error.start}")
                line = raw.decode("utf-8", "surrogateescape")
        elif isinstance(raw, str):
            line = raw
            if has_lone_surrogate(line):
                report.error(number, "not text: half of a surrogate pair")
        else:
            report.error(number, raw.reason)
            line = _UNREADABLE_LINE
        line = line.removesuffix("\n")
        if line.endswith("\r"):
            line = line[:-1]
            if not carriage_return_seen:
                carriage_return_seen = True
                report.tolerable(number, "line ends with CR LF; expected LF alone")
        if number == 1 and line.startswith("\ufeff"):
            line = line[1:]
            report.tolerable(number, "starts with a byte order mark")
        yield line


def has_lone_surrogate(line: str) -> bool:
    r"""Whether a string is no text: it has half of a character, as what is not UTF-8 becomes here.

    >>> has_lone_surrogate("na\u00efve"), has_lone_surrogate("na\udcefve")
    (False, True)
    """
    if line.isascii():
        return False
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def paragraphs(lines: Iterable[str], report: Report) -> Iterator[tuple[int, list[str]]]:
    """Runs of lines between empty lines, each with the number of its first line.

    Those with a damaged line are left out.
    """
    paragraph: list[str] = []
    number = 0
    for number, line in enumerate(lines, start=1):
        if line:
            paragraph.append(line)
        elif paragraph:
            if not has_lone_surrogate("".join(paragraph)):
                yield number - len(paragraph), paragraph
            paragraph = []
        else:
            report.tolerable(number, "an empty line too many")
    if paragraph and not has_lone_surrogate("".join(paragraph)):
        if not all(line.startswith("#") for line in paragraph):  # such as a header alone
            report.tolerable(
                number, "the file ends without an empty line after the last graph; is it cut off?"
            )
        yield number + 1 - len(paragraph), paragraph


def is_corruption(error: Exception) -> bool:
    """Whether reading ended with this error because compressed data is cut off or broken."""
    import gzip
    import lzma
    import zlib

    return isinstance(error, (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError)) or (
        # bz2 has no error of its own; those of the system have a number.
        type(error) is OSError and error.errno is None
    )
