"""What files of graphs have that a config depends on."""

from collections.abc import Iterable
from typing import NamedTuple, Optional

from ..errors import UserError
from ..graphs import Graph


class Survey(NamedTuple):
    """`tags` and `lemmas` say whether the words have them, `formalism` is None if unknown."""

    sentences: int
    words: int
    arcs: int
    labels: int
    cyclic: int
    tags: bool
    lemmas: bool
    formalism: Optional[str]

    def __str__(self) -> str:
        columns = [name for name in ("tags", "lemmas") if getattr(self, name)]
        cyclic = (
            f"; {self.cyclic:,} graphs have a cycle, and lose an arc of it" if self.cyclic else ""
        )
        return (
            f"{self.sentences:,} sentences, {self.words:,} words, {self.arcs:,} arcs with"
            f" {self.labels:,} labels; {' and '.join(columns) or 'no tags or lemmas'};"
            f" formalism {self.formalism or 'not known (--formalism names it)'}{cyclic}"
        )


def survey(graphs: Iterable[Graph], file: str) -> Survey:
    """Count what is in a file; `file` is its name in messages.

    >>> from ..graphs import Token
    >>> graph = Graph([Token("Kim", "Kim", "NNP"), Token("sleeps")], [(2, 1, "ARG1")])
    >>> print(survey([graph], "dev.sdp"))
    1 sentences, 2 words, 1 arcs with 1 labels; tags and lemmas; formalism not known \
(--formalism names it)
    """
    sentences = words = arcs = cyclic = tagged = lemmatized = 0
    labels: set[str] = set()
    formalisms: set[Optional[str]] = set()
    for graph in graphs:
        sentences += 1
        words += len(graph)
        arcs += len(graph.arcs)
        cyclic += not graph.is_dag
        labels.update(arc.label for arc in graph.arcs)
        tagged += any(token.pos != "_" for token in graph.tokens)
        lemmatized += any(token.lemma != "_" for token in graph.tokens)
        formalisms.add(graph.formalism)
    if not arcs:
        raise UserError(
            f"{file} has no arcs, so there is nothing to learn: sdp-pointer check {file}"
            " says whether its columns are those of its format"
        )
    # A sentence of nothing but punctuation may have none.
    most = sentences / 2
    formalism = next(iter(formalisms)) if len(formalisms) == 1 else None
    return Survey(
        sentences, words, arcs, len(labels), cyclic, tagged > most, lemmatized > most, formalism
    )
