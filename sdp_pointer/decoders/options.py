"""How a decoder makes graphs: options that every decoder has, and how a call changes them."""

from typing import Any, NamedTuple, Optional, Protocol

from ..errors import UserError

# What configs call the option that is `beam` elsewhere, if a decoder has it.
BEAM = "beam_size"


class Options(Protocol):
    """How graphs are made: each decoder has options of its own, as a `NamedTuple`."""

    @property
    def problem(self) -> str:
        """What is wrong with the options, or nothing."""

    @property
    def n_best(self) -> int:
        """How many graphs of each sentence are returned."""

    @property
    def _fields(self) -> tuple[str, ...]: ...

    def _replace(self, *args: Any, **changes: Any) -> Any: ...


class OneGraph(NamedTuple):
    """The options of a decoder that makes one graph of a sentence, and in one way.

    >>> OneGraph(n_best=2).problem
    'this model makes one graph of a sentence; n_best is 2'
    """

    n_best: int = 1

    @property
    def problem(self) -> str:
        one = "this model makes one graph of a sentence"
        return "" if self.n_best == 1 else f"{one}; n_best is {self.n_best}"


def changed(options: Options, **changes: Any) -> Options:
    """The options with some of them changed.

    >>> changed(OneGraph(), beam=2)
    Traceback (most recent call last):
    sdp_pointer.errors.UserError: this model has no option beam; it has n_best
    """
    names = {"beam" if name == BEAM else name: name for name in options._fields}
    unknown = ", ".join(sorted(set(changes).difference(names)))
    if unknown:
        raise UserError(f"this model has no option {unknown}; it has {', '.join(names)}")
    result: Options = options._replace(**{names[name]: value for name, value in changes.items()})
    if result.problem:
        raise UserError(result.problem)
    return result


def options_of_call(
    options: Options, n_best: Optional[int] = None, beam: Optional[int] = None
) -> Options:
    """The options of a call that asks for a number of graphs or a beam.

    More graphs than a model's own beam widen that; a given beam is kept, and bounds the graphs that
    nobody asked for.
    """
    if n_best is None:
        n_best = options.n_best if beam is None else min(options.n_best, beam)
    if beam is None and BEAM in options._fields:
        beam = max(getattr(options, BEAM), n_best)
    changes = {"n_best": n_best} if beam is None else {"n_best": n_best, "beam": beam}
    return changed(options, **changes)
