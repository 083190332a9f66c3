"""Random graphs for property tests, as wild as each format can hold them.

    from tests.graphs.strategies import HOLDABLE, graphs

`graphs()` makes any graph at all; its arguments are strategies for the strings in it.
`HOLDABLE["sdp"]` makes graphs that an `.sdp` file can hold, and so on for every format.
"""

from itertools import product

from hypothesis import strategies as st

from sdp_pointer.graphs import Graph, Token

TRICKY = [
    *("_", "+", "-", "#", "|", ":", "=", "\\", "\\p", "{", '"', "0", "1", "1-2", "1.1", "0:root"),
    *(" ", "a b", " a", "a ", "\u00a0", "\u2028", "\x85", "\x0b", "\x00", "\ufeff", "\ufffd"),
    *("\t", "\n", "\r", "\r\n", "é", "e\u0301", "日本", "😀", "``", "Frame=", "SDP 2015", "null"),
]


def strings(without: str = "", min_size: int = 1) -> st.SearchStrategy[str]:
    """Short texts that avoid some characters."""
    characters = st.characters(exclude_categories=["Cs"], exclude_characters=without)
    tricky = [text for text in TRICKY if not set(text) & set(without)]
    return st.one_of(
        st.sampled_from(["Cats", "like", "fish", "NNS", "ARG1", "v:e-i-p"]),
        st.sampled_from(tricky),
        st.text(characters, min_size=min_size, max_size=4),
    )


ANY = strings()
ANY_OR_NONE = strings(min_size=0)
FORMALISM = st.sampled_from(["dm", "psd", "eud", "my_scheme", "_1"])
NO_FORMALISM = st.none()


@st.composite
def graphs(
    draw: st.DrawFn,
    forms: st.SearchStrategy[str] = ANY,
    lemmas: st.SearchStrategy[str] = ANY,
    pos: st.SearchStrategy[str] = ANY,
    frames: st.SearchStrategy[str] = ANY,
    labels: st.SearchStrategy[str] = ANY,
    ids: st.SearchStrategy[str] = ANY_OR_NONE,
    formalisms: st.SearchStrategy[str | None] = NO_FORMALISM,
    bare: bool = True,
    max_words: int = 5,
) -> Graph:
    """A graph, maybe with cycles, self-loops, crossing arcs, several tops or none."""
    tokens = st.builds(Token, forms, lemmas, pos, frames)
    words = draw(st.lists(tokens, min_size=1, max_size=max_words))
    positions = range(1, len(words) + 1)
    pairs = draw(st.lists(st.sampled_from([*product(positions, positions)]), unique=True))
    subsets = st.sets(st.sampled_from(positions))
    heads = {head for head, _ in pairs}
    return Graph(
        words,
        arcs=[(head, dependent, draw(labels)) for head, dependent in pairs],
        tops=draw(subsets),
        id=draw(ids),
        bare_predicates=draw(subsets) - heads if bare else (),
        formalism=draw(formalisms),
    )


_cells = strings(without="\t\r\n")
_cells_without_blanks = strings(without="\t\r\n |")
_of_sdp = {
    "forms": _cells,
    "lemmas": _cells,
    "pos": _cells,
    "labels": _cells.filter(lambda label: label != "_"),
    # A graph without an id would be given one.
    "ids": strings(without="\r\n").filter(lambda graph_id: graph_id != "SDP 2015"),
}

HOLDABLE = {
    "sdp": graphs(frames=_cells, **_of_sdp),
    "sdp2014": graphs(frames=st.just("_"), **_of_sdp),
    "allennlp": graphs(frames=_cells, **_of_sdp),
    "conllu": graphs(
        forms=_cells,
        lemmas=_cells,
        pos=strings(without="\t\r\n "),
        labels=_cells_without_blanks,
        ids=strings(without="\r\n", min_size=0),
        formalisms=NO_FORMALISM | FORMALISM,
    ),
    "mrp": graphs(ids=ANY, formalisms=FORMALISM),  # here, too
    "jsonl": graphs(formalisms=NO_FORMALISM | FORMALISM),
}
