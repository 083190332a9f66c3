"""What is wrong with a file, and where: collected, so that one run tells everything."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Optional

MOST_PROBLEMS = 20


class Problem(NamedTuple):
    """One thing that is wrong with an input, or (line 0) with a graph to be written.

    >>> print(Problem("dev.sdp", 12, "7 columns, expected 9"))
    dev.sdp:12: 7 columns, expected 9
    """

    file: str
    line: int
    message: str
    tolerable: bool = False

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return printable(f"{place}: {self.message}")


def printable(text: str) -> str:
    """The text with an escape for all that would end a line or move a terminal's cursor.

    >>> print(printable("Zoë"), printable("Zoë\\x9b2J\\u2028"))
    Zoë Zoë\\x9b2J\\u2028
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


class FormatError(ValueError):
    """An input that cannot be read, or graphs that a format cannot hold; `problems` lists why."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        super().__init__(problems)

    def __str__(self) -> str:
        lines = [str(problem) for problem in self.problems]
        if len(lines) >= MOST_PROBLEMS:
            lines.append(f"stopped after {len(lines)} problems")
        return "\n".join(lines)


class FormatWarning(UserWarning):
    """A problem that a lenient reader passed over, or which reading of an input was taken."""


class Report:
    """Where the reader of one input puts its problems, and where its last graph came from.

    A problem is *tolerable* if there is only one way to understand the input, the official tool's:
    a lenient report lets such a graph pass. Every other problem costs the graph.

    With `on_problem`, each problem is handed over as it is found and reading goes on with the next
    graph; without, the fatal ones are kept and `close` raises them together, and a tolerated one is
    a `FormatWarning`.

    `token_lines` are the numbers of the lines that the tokens of the last graph stand in.
    """

    def __init__(
        self,
        file: str,
        lenient: bool = False,
        on_problem: Optional[Callable[[Problem], None]] = None,
    ) -> None:
        self.file = file
        self.fatal = 0
        self.token_lines: Sequence[int] = ()
        self._lenient = lenient
        self._on_problem = on_problem
        self._kept: list[Problem] = []

    def error(self, line: int, message: str) -> None:
        self._add(Problem(self.file, line, message), fatal=True)

    def tolerable(self, line: int, message: str) -> None:
        self._add(Problem(self.file, line, message, tolerable=True), fatal=not self._lenient)

    def notice(self, line: int, message: str) -> None:
        """Tell how an input without a problem was understood: a `FormatWarning` in any case."""
        warn(Problem(self.file, line, message))

    def _add(self, problem: Problem, fatal: bool) -> None:
        self.fatal += fatal
        if self._on_problem is not None:
            self._on_problem(problem)
        elif fatal:
            self._kept.append(problem)
            if len(self._kept) == MOST_PROBLEMS:
                self.close()
        else:
            warn(problem)

    @property
    def failed(self) -> bool:
        """Whether no graph may be handed out any more, because `close` is going to raise."""
        return bool(self._kept)

    def close(self) -> None:
        if self._kept:
            raise FormatError(self._kept)


def warn(problem: Problem) -> None:
    """Tell a problem that changes nothing, as a `FormatWarning`."""
    import warnings

    warnings.warn(str(problem), FormatWarning, stacklevel=2)
