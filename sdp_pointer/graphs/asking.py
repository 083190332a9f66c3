"""What a graph says: its words, predications, paths and parts; `Graph` inherits all of it.

Every method takes a word by its position or as a `Word`.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

if TYPE_CHECKING:
    from .graph import Arc, Graph, Token


class Word(NamedTuple):
    """A token at its place: `start` and `end` are the characters in `graph.meta["text"]`, if known.

    As a string it is its form.

    >>> word = Word(2, "likes", "like")
    >>> print(word, word.position, word.lemma, word.pos)
    likes 2 like _
    """

    position: int
    form: str
    lemma: str = "_"
    pos: str = "_"
    frame: str = "_"
    start: Optional[int] = None
    end: Optional[int] = None

    def __str__(self) -> str:
        return self.form


Place = Union[int, Word]


def position_of(word: Place) -> int:
    return word.position if isinstance(word, Word) else word


class Argument(NamedTuple):
    """An argument of a predicate, and the label of the arc between them."""

    label: str
    word: Word


class Predication(Mapping[str, Word]):
    """A predicate with its arguments: a mapping from labels to words, in the order of the sentence.

    Two arguments may share a label: `p[label]` is the first of them, `p.all(label)` has them all.

    >>> p = Predication(Word(2, "likes"), (Argument("ARG1", Word(1, "Kim")),))
    >>> p
    Predication(likes: ARG1=Kim)
    >>> p["ARG1"].position, p.get("ARG2"), list(p)
    (1, None, ['ARG1'])
    """

    __slots__ = ("arguments", "word")

    word: Word
    arguments: tuple[Argument, ...]

    def __init__(self, word: Word, arguments: Iterable[Argument]) -> None:
        object.__setattr__(self, "word", word)
        object.__setattr__(self, "arguments", tuple(arguments))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Predication is immutable: {name} cannot be set")

    def __reduce__(self) -> tuple[Any, ...]:
        return Predication, (self.word, self.arguments)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Predication):
            return NotImplemented
        return (self.word, self.arguments) == (other.word, other.arguments)

    def __hash__(self) -> int:
        return hash((self.word, self.arguments))

    def __getitem__(self, label: str) -> Word:
        for name, word in self.arguments:
            if name == label:
                return word
        raise KeyError(label)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(label for label, _ in self.arguments))

    def __len__(self) -> int:
        return len({label for label, _ in self.arguments})

    def all(self, label: str) -> tuple[Word, ...]:
        """The arguments with a label, none if there are none."""
        return tuple(word for name, word in self.arguments if name == label)

    def __repr__(self) -> str:
        arguments = ", ".join(f"{label}={word.form}" for label, word in self.arguments)
        return f"Predication({self.word.form}: {arguments})"


class Asking:
    """The questions that a graph answers; see docs/asking.md."""

    __slots__ = ()

    tokens: "tuple[Token, ...]"
    arcs: "tuple[Arc, ...]"
    tops: tuple[int, ...]
    bare_predicates: tuple[int, ...]
    meta: Mapping[str, Any]

    if TYPE_CHECKING:

        def replace(self, **changes: Any) -> Graph: ...

    @property
    def predicates(self) -> frozenset[int]:
        """Words with an outgoing arc, and those merely marked as predicates."""
        return frozenset(arc.head for arc in self.arcs).union(self.bare_predicates)

    @property
    def singletons(self) -> frozenset[int]:
        """Words outside the graph: no arc in or out, and not a top.

        >>> from . import Graph, Token
        >>> sorted(Graph([Token("Go"), Token("!")], tops=[1]).singletons)
        [2]
        """
        inside = {word for arc in self.arcs for word in arc[:2]}.union(self.tops)
        return frozenset(range(1, len(self.tokens) + 1)).difference(inside)

    @property
    def words(self) -> tuple[Word, ...]:
        """All words in their order.

        >>> from . import Graph, Token
        >>> graph = Graph([Token("Go"), Token("!")], meta={"offsets": [(0, 2), (2, 3)]})
        >>> [(word.position, word.form, word.start, word.end) for word in graph.words]
        [(1, 'Go', 0, 2), (2, '!', 2, 3)]
        """
        return tuple(map(self.word, range(1, len(self.tokens) + 1)))

    def word(self, position: Place) -> Word:
        """The word at a position."""
        position = self._checked(position)
        offsets = self.meta.get("offsets")
        start, end = offsets[position - 1] if offsets else (None, None)
        return Word(position, *self.tokens[position - 1], start, end)

    def _checked(self, word: Place) -> int:
        position = position_of(word)
        if not 0 < position <= len(self.tokens):
            raise IndexError(f"no word {position} in a sentence of {len(self.tokens)} words")
        return position

    def arguments(self, word: Place) -> tuple[Argument, ...]:
        """The arguments of a word with their labels, in the order of the sentence.

        >>> from . import Graph, Token
        >>> graph = Graph([Token("Kim"), Token("sleeps")], [(2, 1, "ARG1")])
        >>> [(label, argument.form) for label, argument in graph.arguments(2)]
        [('ARG1', 'Kim')]
        """
        head = self._checked(word)
        return tuple(Argument(a.label, self.word(a.dependent)) for a in self.arcs if a.head == head)

    def predications(
        self,
        *labels: str,
        form: Optional[str] = None,
        lemma: Optional[str] = None,
        pos: Optional[str] = None,
    ) -> Iterator[Predication]:
        """The predicates with their arguments, in the order of the sentence.

        # Parameters

        labels : `str`
            The predicate must have an argument of each of these labels.
        form, lemma : `str`, optional
            What the predicate's must be.
        pos : `str`, optional
            What the predicate's tag must begin with: `"V"` are all verbs of the Penn Treebank.

        >>> from . import Graph, Token
        >>> tokens = [Token("Kim"), Token("hardly", pos="RB"), Token("sleeps", pos="VBZ")]
        >>> graph = Graph(tokens, [(3, 1, "ARG1"), (2, 3, "ARG1")])
        >>> list(graph.predications())
        [Predication(hardly: ARG1=sleeps), Predication(sleeps: ARG1=Kim)]
        >>> list(graph.predications("ARG1", pos="V"))
        [Predication(sleeps: ARG1=Kim)]

        A condition on a column that no word of the graph has causes a warning.
        """
        for condition, column in ((pos, "pos"), (lemma, "lemma")):
            if condition is not None:
                self._expect(column)
        arcs_of: dict[int, list[Arc]] = {head: [] for head in sorted(self.predicates)}
        for arc in self.arcs:
            arcs_of[arc.head].append(arc)
        for head, arcs in arcs_of.items():
            token = self.tokens[head - 1]
            if (
                (form is None or token.form == form)
                and (lemma is None or token.lemma == lemma)
                and (pos is None or token.pos.startswith(pos))
                and {arc.label for arc in arcs}.issuperset(labels)
            ):
                arguments = (Argument(arc.label, self.word(arc.dependent)) for arc in arcs)
                yield Predication(self.word(head), arguments)

    def _expect(self, column: str) -> None:
        """Warn if no word has a value in a column; nothing could be found by it."""
        if all(getattr(token, column) == "_" for token in self.tokens):
            import warnings

            warnings.warn(
                f"no word of this graph has a {column}, so nothing is found by {column}=...: choose"
                " by labels, or parse with a spaCy pipeline, load(pipeline=...)",
                stacklevel=3,
            )

    def path(self, start: Place, end: Place, directed: bool = False) -> "Optional[tuple[Arc, ...]]":
        """The arcs of a shortest path between two words, None if there is none.

        # Parameters

        start, end : `int` or `Word`
        directed : `bool`, optional (default = `False`)
            Whether every arc must lead from head to dependent; by default the path may go up, too.

        Of several shortest paths it is the one over the leftmost words.

        >>> from . import Graph, Token
        >>> graph = Graph([Token("Cats"), Token("like"), Token("fish")],
        ...               [(2, 1, "ARG1"), (2, 3, "ARG2")])
        >>> [arc.label for arc in graph.path(1, 3)], graph.path(1, 3, directed=True)
        (['ARG1', 'ARG2'], None)
        """
        first, last = self._checked(start), self._checked(end)
        steps: dict[int, list[tuple[int, Arc]]] = {}
        for arc in self.arcs:
            steps.setdefault(arc.head, []).append((arc.dependent, arc))
        if not directed:
            for arc in self.arcs:
                steps.setdefault(arc.dependent, []).append((arc.head, arc))
        # How each word was first reached; breadth first, so by a shortest path.
        reached: dict[int, tuple[Arc, ...]] = {first: ()}
        waiting = deque([first])
        while waiting and last not in reached:
            word = waiting.popleft()
            for neighbour, arc in sorted(steps.get(word, ()), key=lambda step: step[0]):
                if neighbour not in reached:
                    reached[neighbour] = (*reached[word], arc)
                    waiting.append(neighbour)
        return reached.get(last)

    def filter(self, *labels: str) -> "Graph":
        """The same words and tops, with the arcs of these labels alone.

        >>> from . import Graph, Token
        >>> tokens = [Token("a"), Token("cat"), Token("sleeps")]
        >>> graph = Graph(tokens, [(1, 2, "BV"), (3, 2, "ARG1")])
        >>> graph.filter("ARG1", "ARG2")
        Graph(a cat sleeps | sleeps -ARG1-> cat)
        """
        return self.replace(arcs=[arc for arc in self.arcs if arc.label in labels])

    def subgraph(self, words: Iterable[Place]) -> "Graph":
        """Some of the words, at least one, with the arcs between them.

        They keep their order and are numbered anew. What the graph's `meta` says word by word is
        kept of these: offsets, which still count from the beginning of the text, and probabilities;
        everything else but the text is left out.

        >>> from . import Graph, Token
        >>> tokens = [Token("a"), Token("cat"), Token("sleeps")]
        >>> graph = Graph(tokens, [(1, 2, "BV"), (3, 2, "ARG1")])
        >>> graph.subgraph([2, 3]).arcs
        (Arc(head=2, dependent=1, label='ARG1'),)
        """
        kept = sorted({self._checked(word) for word in words})
        place = {word: number for number, word in enumerate(kept, start=1)}
        meta = {key: self.meta[key] for key in ("text",) if key in self.meta}
        if "offsets" in self.meta:
            meta["offsets"] = tuple(self.meta["offsets"][word - 1] for word in kept)
        if "probabilities" in self.meta:
            with_root = place | {0: 0}
            meta["probabilities"] = {
                (with_root[head], with_root[dependent]): probability
                for (head, dependent), probability in self.meta["probabilities"].items()
                if head in with_root and dependent in place
            }
        return self.replace(
            tokens=[self.tokens[word - 1] for word in kept],
            arcs=[
                (place[head], place[dependent], label)
                for head, dependent, label in self.arcs
                if head in place and dependent in place
            ],
            tops=[place[top] for top in self.tops if top in place],
            bare_predicates=[place[word] for word in self.bare_predicates if word in place],
            meta=meta,
        )
