"""From converted profiles to the files of an edition, without repeats and without dev in train."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple
from zlib import crc32

from ..errors import UserError
from ..graphs import Graph
from .splits import File, Split

# A sentence of so few words is kept once, whatever its graphs.
SHORT = 5
# A tenth of the files with the one beginning goes to files with the other.
LARGER, HELD_OUT = "more-", "dev-"

# Why a sentence is not in a training file.
REPEATED = "repeated"
EVALUATED = "in a file for evaluation"


class Part(NamedTuple):
    """The graphs of a file, and how many were dropped, by reason."""

    graphs: list[Graph]
    dropped: Counter[str]


def assemble(
    split: Split, converted: Mapping[str, Iterable[Graph]], hold_out: bool = False
) -> dict[str, Part]:
    """The files of a split by name, from the graphs of its profiles.

    # Parameters

    split : `Split`
        Resolved.
    converted : `Mapping[str, Iterable[Graph]]`
        Graphs by the names of profiles.
    hold_out : `bool`, optional (default = `False`)
        Move a tenth of each file `more-NAME` to `dev-NAME`: the sentences whose `letters` have a
        CRC-32 divisible by ten, but for those that another training file has. Whatever becomes of
        the rest, they are the same in every edition.
    """
    files = {file: [g for name in file.profiles for g in converted[name]] for file in split.files}
    evaluated = {letters(g) for file in files if file.is_for_evaluation for g in files[file]}
    parts = {}
    for file, graphs in files.items():
        dropped: Counter[str] = Counter()
        if split.cleaned and not file.is_for_evaluation:
            graphs = _cleaned(graphs, evaluated, dropped)
        parts[file.name] = Part(_numbered(graphs, file), dropped)
    return _held_out(parts) if hold_out else parts


def letters(graph: Graph) -> str:
    """What two sentences have in common that differ in case, spaces and punctuation alone.

    >>> from sdp_pointer.graphs import Token
    >>> letters(Graph([Token("O.K."), Token("Go"), Token("!")])), letters(Graph([Token("?!")]))
    ('okgo', '?!')
    """
    found = "".join(character for character in "".join(graph.forms).lower() if character.isalnum())
    return found or " ".join(graph.forms)


def _cleaned(graphs: list[Graph], evaluated: set[str], dropped: Counter[str]) -> list[Graph]:
    kept = []
    seen: set[object] = set()
    for graph in graphs:
        same = graph.forms, graph.arcs, graph.tops
        alike = letters(graph)
        if same in seen or (len(graph) <= SHORT and alike in seen):
            dropped[REPEATED] += 1
            continue
        seen.update((same, alike))
        if alike in evaluated:
            dropped[EVALUATED] += 1
        else:
            kept.append(graph)
    return kept


def _numbered(graphs: list[Graph], file: File) -> list[Graph]:
    if file.last_id is None:
        return graphs
    return [graph.replace(id=str(n)) for n, graph in enumerate(graphs, start=file.last_id + 1)]


def _held_out(parts: Mapping[str, Part]) -> dict[str, Part]:
    others = {
        letters(graph)
        for name, part in parts.items()
        if not name.startswith(LARGER)
        for graph in part.graphs
    }
    divided = dict(parts)
    for name, part in parts.items():
        if name.startswith(LARGER):
            other = HELD_OUT + name.removeprefix(LARGER)
            if other in divided:
                raise UserError(
                    f"{other}.sdp is there already, and cannot hold a tenth of {name}.sdp"
                )
            aside = [graph for graph in part.graphs if _is_aside(letters(graph), others)]
            apart = {graph.id for graph in aside}
            rest = [graph for graph in part.graphs if graph.id not in apart]
            divided[name] = part._replace(graphs=rest)
            divided[other] = Part(aside, Counter())
    if len(divided) == len(parts):
        raise UserError(f"there is no file {LARGER}NAME of which a tenth could be held out")
    return divided


def _is_aside(alike: str, others: set[str]) -> bool:
    return crc32(alike.encode()) % 10 == 0 and alike not in others
