"""The columns of words that taggers can guess: what there is to learn, and what a guess changes.

The reader counts the classes of a column for the vocabulary; taggers learn and guess them.
"""

from collections.abc import Iterable
from typing import Optional

from .graphs import Graph
from .namespaces import TAGS


class Column:
    """A column of the words, each of whose values is a class by itself.

    A subclass may have other classes, such as rules that make a lemma of a form.

    # Parameters

    name : `str`
        Of a field of `Token`.
    namespace : `str`
        Where the vocabulary has the classes.

    >>> from .graphs import Token
    >>> graph = Graph([Token("Cats", pos="NNS"), Token("purr")])
    >>> column = Column("pos", "guessed_tag")
    >>> column.classes(graph)
    ['NNS', None]
    >>> [token.pos for token in column.filled(graph, ["NN", "VBP"]).tokens]
    ['NNS', 'VBP']
    """

    def __init__(self, name: str, namespace: str) -> None:
        self.name = name
        self.namespace = namespace

    def classes(self, graph: Graph) -> list[Optional[str]]:
        """That of each word; none for a word from which nothing is learnt."""
        cells = (getattr(token, self.name) for token in graph.tokens)
        return [None if cell == "_" else cell for cell in cells]

    def filled(self, graph: Graph, guesses: Iterable[str]) -> Graph:
        """The graph with a guess for each word that has nothing in this column."""
        pairs = zip(graph.tokens, self.classes(graph), guesses)
        return graph.replace(
            tokens=[
                token._replace(**{self.name: guess}) if known is None else token
                for token, known, guess in pairs
            ]
        )


COLUMNS = {"pos": Column("pos", TAGS)}
