"""One immutable value for a semantic dependency graph; every other module takes and returns it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from operator import itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple, Optional

from .asking import Asking, Place
from .formalisms import is_name, not_a_name

ROOT = 0


class Token(NamedTuple):
    """A word with its lemma, part of speech and frame; `_` marks an empty column, as in the files.

    >>> Token("results", "result", "NNS")
    Token(form='results', lemma='result', pos='NNS', frame='_')
    """

    form: str
    lemma: str = "_"
    pos: str = "_"
    frame: str = "_"


class Arc(NamedTuple):
    """A labelled arc from a head (predicate) to a dependent (argument), by 1-based positions."""

    head: int
    dependent: int
    label: str


# Like `Token._make` and `Arc._make`, but without a call in Python for each.
make_token = partial(tuple.__new__, Token)
_make_arc = partial(tuple.__new__, Arc)
_attach_order = itemgetter(1, 0)


class GraphError(ValueError):
    """What was given is not a semantic dependency graph; the message lists every reason."""


class Graph(Asking):
    """A labelled directed graph over the words of one sentence.

    Positions start at 1; 0 is ROOT. Tops are the dependents of ROOT. They have no label, so they
    are separate from the arcs. Between two words there is at most one arc in each direction. Cycles
    and self-loops are allowed, because real files have them; `is_dag` checks for them.

    # Parameters

    tokens : `Iterable[Token]`
        At least one.
    arcs : `Iterable[Tuple[int, int, str]]`, optional (default = `()`)
        (head, dependent, label) in any order. They are sorted by dependent, then head: the order
        in which the transition system attaches them.
    tops : `Iterable[int]`, optional (default = `()`)
    id : `str`, optional (default = `""`)
    bare_predicates : `Iterable[int]`, optional (default = `()`)
        Words marked as predicates without outgoing arcs. Valid files have none. They are kept
        because the official scorer counts them.
    meta : `Mapping[str, Any]`, optional (default = `{}`)
        Everything else from a file or a parser: text, offsets, probabilities, unknown JSON keys.
        Equality ignores it.
    formalism : `str`, optional (default = `None`)
        The formalism of the arcs, such as `dm`: one of `graphs.FORMALISMS`, or any other name of
        letters a to z, digits and `_`. None if it is unknown.

    >>> graph = Graph([Token("Cats"), Token("like"), Token("fish")],
    ...               arcs=[(2, 1, "ARG1"), (2, 3, "ARG2")], tops=[2], id="1")
    >>> graph
    Graph('1': Cats like fish | top like | like -ARG1-> Cats | like -ARG2-> fish)
    >>> graph.heads(3), graph.is_dag, sorted(graph.predicates)
    ((2,), True, [2])
    >>> graph.replace(formalism="dm")
    Graph(dm '1': Cats like fish | top like | like -ARG1-> Cats | like -ARG2-> fish)
    """

    __slots__ = (
        *("_cycle", "_heads"),
        *("arcs", "bare_predicates", "formalism", "id", "meta", "tokens", "tops"),
    )

    id: str
    tokens: tuple[Token, ...]
    arcs: tuple[Arc, ...]
    tops: tuple[int, ...]
    bare_predicates: tuple[int, ...]
    meta: Mapping[str, Any]
    formalism: Optional[str]
    # Found when they are first asked for.
    _heads: Optional[tuple[tuple[int, ...], ...]]
    _cycle: Optional[tuple[int, ...]]

    def __init__(
        self,
        tokens: Iterable[Token],
        arcs: Iterable[tuple[int, int, str]] = (),
        tops: Iterable[int] = (),
        id: str = "",
        bare_predicates: Iterable[int] = (),
        meta: Optional[Mapping[str, Any]] = None,
        formalism: Optional[str] = None,
    ) -> None:
        tokens = tuple(tokens)
        try:
            arcs = tuple(map(_make_arc, arcs))
        except TypeError as error:
            raise GraphError(f"arcs must be (head, dependent, label): {error}") from None
        tops = tuple(tops)
        bare_predicates = tuple(bare_predicates)
        problems = list(_problems(id, tokens, arcs, tops, bare_predicates, formalism))
        if problems:
            raise GraphError("; ".join(problems))
        put = object.__setattr__
        put(self, "id", id)
        put(self, "tokens", tokens)
        put(self, "arcs", tuple(sorted(arcs, key=_attach_order)))
        put(self, "tops", tuple(sorted(tops)))
        put(self, "bare_predicates", tuple(sorted(bare_predicates)))
        put(self, "meta", MappingProxyType({} if meta is None else dict(meta)))
        put(self, "formalism", formalism)
        put(self, "_heads", None)
        put(self, "_cycle", None)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(
            f"a Graph is immutable: build a new one with graph.replace({name}=...)"
        )

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def replace(self, **changes: Any) -> "Graph":
        """A copy with the given constructor arguments changed.

        >>> Graph([Token("Go")]).replace(tops=[1]).tops
        (1,)
        """
        return Graph(**(self._arguments() | changes))

    def _arguments(self) -> dict[str, Any]:
        names = ("tokens", "arcs", "tops", "id", "bare_predicates", "meta", "formalism")
        return {name: getattr(self, name) for name in names} | {"meta": dict(self.meta)}

    def __reduce__(self) -> tuple[Any, ...]:
        return Graph, tuple(self._arguments().values())

    def _key(self) -> tuple[Any, ...]:
        parts = (self.tokens, self.arcs, self.tops, self.bare_predicates)
        return self.id, self.formalism, *parts

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Graph) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __len__(self) -> int:
        """The number of words."""
        return len(self.tokens)

    def __repr__(self) -> str:
        # Forms come from files: control characters must not reach the terminal.
        words = [form if form.isprintable() else repr(form)[1:-1] for form in self.forms]
        name = " ".join(filter(None, (self.formalism, self.id and repr(self.id))))
        parts = [f"{name}: {' '.join(words)}" if name else " ".join(words)]
        parts += [f"top {words[top - 1]}" for top in self.tops]
        parts += [f"{words[h - 1]} -{label}-> {words[d - 1]}" for h, d, label in self.arcs]
        return f"Graph({' | '.join(parts)})"

    def _repr_svg_(self) -> str:
        from .draw import svg

        return svg(self)

    @property
    def forms(self) -> tuple[str, ...]:
        return tuple(token.form for token in self.tokens)

    def heads(self, dependent: Place) -> tuple[int, ...]:
        """Heads of a word in ascending order, ROOT (0) first if the word is a top.

        >>> Graph([Token("a"), Token("b")], [(1, 2, "x")], tops=[2]).heads(2)
        (0, 1)
        """
        position = self._checked(dependent)
        if self._heads is None:
            heads: list[list[int]] = [[] for _ in range(len(self.tokens) + 1)]
            for top in self.tops:
                heads[top].append(ROOT)
            for arc in self.arcs:
                heads[arc.dependent].append(arc.head)
            object.__setattr__(self, "_heads", tuple(map(tuple, heads)))
        assert self._heads is not None
        return self._heads[position]

    @property
    def is_dag(self) -> bool:
        return not self.find_cycle()

    def find_cycle(self) -> tuple[int, ...]:
        """The words of one cycle, each the head of the next and the last of the first, or `()`.

        >>> words = [Token("a"), Token("b"), Token("c")]
        >>> Graph(words, [(1, 2, "x"), (2, 3, "x"), (3, 2, "x")]).find_cycle()
        (2, 3)
        >>> Graph(words, [(1, 1, "x")]).find_cycle()
        (1,)
        """
        if self._cycle is None:
            object.__setattr__(self, "_cycle", _cycle(self.arcs))
        assert self._cycle is not None
        return self._cycle

    def to_json(self) -> dict[str, Any]:
        """The object that a line of JSON lines holds; docs/graph.schema.json is its schema.

        >>> Graph([Token("Go")], tops=[1]).to_json()
        {'tokens': [{'form': 'Go'}], 'tops': [1], 'arcs': []}
        """
        from .formats.jsonl import to_json

        return to_json(self)

    def to_pandas(self, rows: str = "arcs") -> Any:
        """A pandas `DataFrame` with a row for each arc, or for each of the `"words"`."""
        from .exports import to_pandas

        return to_pandas([self], rows)

    def to_networkx(self) -> Any:
        """A networkx `DiGraph` over the positions; all else are attributes."""
        from .exports import to_networkx

        return to_networkx(self)

    def to_displacy(self) -> dict[str, Any]:
        """What `spacy.displacy.render(..., style="dep", manual=True)` draws."""
        from .exports import to_displacy

        return to_displacy(self)


def _cycle(arcs: Iterable[Arc]) -> tuple[int, ...]:
    dependents: dict[int, list[int]] = {}
    for head, dependent, _ in arcs:
        dependents.setdefault(head, []).append(dependent)
    finished: set[int] = set()
    for start in sorted(dependents):
        if start in finished:
            continue
        # Depth-first without recursion: sentences may be longer than Python's stack.
        path = {start: iter(dependents[start])}
        while path:
            word = next(reversed(path))
            child = next(path[word], None)
            if child is None:
                path.popitem()
                finished.add(word)
            elif child in path:
                words = list(path)
                return tuple(words[words.index(child) :])
            elif child not in finished:
                path[child] = iter(dependents.get(child, ()))
    return ()


def _is_position(word: Any, last: int) -> bool:
    return type(word) is int and 0 < word <= last


def _are_tokens(tokens: tuple[Any, ...]) -> bool:
    # No loop in Python: this runs for every word of every file.
    if set(map(type, tokens)) != {Token} or not all(map(all, tokens)):
        return not tokens
    try:
        "".join(chain.from_iterable(tokens))
    except TypeError:
        return False
    return True


def _problems(
    id: Any, tokens: tuple[Any, ...], arcs: tuple[Any, ...], tops: Any, bare: Any, formalism: Any
) -> Iterator[str]:
    """Every reason why these are not the parts of a graph."""
    if not isinstance(id, str):
        yield f"the id {id!r} is not a string"
    if formalism is not None and not is_name(formalism):
        yield not_a_name(formalism)
    if not tokens:
        yield "a graph needs at least one token"
    if not _are_tokens(tokens):
        for position, token in enumerate(tokens, start=1):
            if not _are_tokens((token,)):
                yield f"token {position} is not a Token of non-empty texts: {token!r}"
    last = len(tokens)
    for arc in arcs:
        if len(arc) != 3:
            yield f"arc {tuple(arc)!r} is not (head, dependent, label)"
            continue
        head, dependent, label = arc
        if not (_is_position(head, last) and _is_position(dependent, last)):
            yield f"arc {tuple(arc)!r} leaves the sentence of {last} words"
        if not isinstance(label, str) or not label:
            yield f"arc {tuple(arc)!r} has no label"
    if len({arc[:2] for arc in arcs}) < len(arcs):
        for pair, count in Counter(tuple(arc[:2]) for arc in arcs).items():
            if count > 1:
                yield f"{count} arcs {pair[0]} -> {pair[-1]}; at most one is allowed"
    for what, words in (("top", tops), ("bare predicate", bare)):
        for word in words:
            if not _is_position(word, last):
                yield f"{what} {word!r} is outside the sentence of {last} words"
        if len(set(words)) < len(words):
            yield f"a {what} is given twice: {list(words)!r}"
    for word in sorted({arc[0] for arc in arcs}.intersection(bare)):
        yield f"word {word} is given as a bare predicate but has outgoing arcs"
