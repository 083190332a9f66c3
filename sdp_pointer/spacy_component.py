"""The parser in a spaCy pipeline: `nlp.add_pipe("sdp_pointer")`.

It sets `doc._.sdp`, a list of graphs: one for each sentence of the document that has a word in it,
in their order. A document without sentence boundaries is one sentence. Tokens and spans say what
the graphs say of them: `token._.sdp_heads`, `token._.sdp_args`, `span._.sdp`. See docs/spacy.md.

Importing this module registers these attributes, for documents that were parsed elsewhere.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, islice
from typing import Any, NamedTuple, Optional, Union

from spacy.language import Language
from spacy.tokens import Doc, Span, Token

from .graphs import Arc, Graph, dumps, find, loads
from .parser import Parser, load
from .parser.text import spacy_sentence

# Of `doc.user_data`: JSON lines, which spaCy can write to disk and send to other processes.
KEY = "sdp_pointer"


class SdpPointerComponent:
    """Parses the sentences of documents by their own tokens, tags and lemmas.

    # Parameters

    parser : `Parser`
    beam : `int`, optional
        By default the model's own.
    batch_size : `int`, optional (default = `32`)
        Of sentences that are parsed together, and of documents that `nlp.pipe` reads ahead.
    """

    def __init__(self, parser: Parser, beam: Optional[int] = None, batch_size: int = 32) -> None:
        self.parser = parser
        self.beam = beam
        self.batch_size = batch_size

    def __call__(self, doc: Doc) -> Doc:
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], **options: Any) -> Iterator[Doc]:
        """The documents with their graphs; sentences of several documents share a batch."""
        docs = iter(stream)
        while batch := list(islice(docs, self.batch_size)):
            of_docs = [sentences_of(doc) for doc in batch]
            sentences = chain.from_iterable(of_docs)
            parsed = self.parser.parse_batch(sentences, self.batch_size, self.beam)
            for doc, own in zip(batch, of_docs):
                doc.user_data[KEY] = dumps(islice(parsed, len(own)), "jsonl")
                yield doc


def sentences_of(doc: Doc) -> list[Graph]:
    """The sentences of a document, not parsed yet.

    `meta["token_indices"]` has the place of each word in the document, where there may be tokens
    that are but spaces.

    >>> import spacy
    >>> [graph] = sentences_of(spacy.blank("en")("Cats  purr."))
    >>> graph.forms, graph.meta["token_indices"]
    (('Cats', 'purr', '.'), [0, 2, 3])
    """
    spans = doc.sents if doc.has_annotation("SENT_START") else [doc[:]]
    graphs = []
    for span in spans:
        indices = [word.i for word in span if not word.is_space]
        if indices:
            graph = spacy_sentence(span.text, span, span.start_char)
            graphs.append(graph.replace(meta={**graph.meta, "token_indices": indices}))
    return graphs


class Parsed(NamedTuple):
    """The graphs of a document, and by the index of a token its graph and its position there."""

    graphs: tuple[Graph, ...]
    places: Mapping[int, tuple[Graph, int]]


@lru_cache(maxsize=32)
def _parsed(lines: str) -> Parsed:
    graphs = tuple(loads(lines, "jsonl"))
    return Parsed(
        graphs,
        {
            index: (graph, position)
            for graph in graphs
            for position, index in enumerate(graph.meta["token_indices"], start=1)
        },
    )


def parsed(doc: Doc) -> Optional[Parsed]:
    """What a document was parsed to, or nothing if it was not."""
    lines = doc.user_data.get(KEY)
    return None if lines is None else _parsed(lines)


def token_of(doc: Doc, graph: Graph, position: int) -> Token:
    return doc[graph.meta["token_indices"][position - 1]]


def graphs_of(doc: Doc) -> Optional[list[Graph]]:
    """What `doc._.sdp` is: the graphs, or nothing if the document was not parsed."""
    found = parsed(doc)
    return None if found is None else list(found.graphs)


def graph_of_span(span: Span) -> Optional[Graph]:
    """What `span._.sdp` is: the graph of its words; nothing if there are none, or if not parsed.

    A span that crosses sentences has no graph of its own.
    """
    found = parsed(span.doc)
    words = [found.places[token.i] for token in span if token.i in found.places] if found else []
    graphs = {id(graph): graph for graph, _ in words}
    if not graphs:
        return None
    if len(graphs) > 1:
        raise ValueError(
            f"the span {span.text[:50]!r} has words of {len(graphs)} sentences: doc._.sdp has the"
            " graphs of all"
        )
    [graph] = graphs.values()
    positions = [position for _, position in words]
    if len(positions) == len(graph):
        return graph
    part = graph.subgraph(positions)
    indices = [graph.meta["token_indices"][position - 1] for position in positions]
    return part.replace(meta={**part.meta, "token_indices": indices})


def heads_of(token: Token) -> Optional[list[tuple[str, Token]]]:
    """What `token._.sdp_heads` is: the arcs to a token, as labels and heads."""
    return _arcs_of(token, lambda arc: (arc.dependent, arc.head))


def arguments_of(token: Token) -> Optional[list[tuple[str, Token]]]:
    """What `token._.sdp_args` is: the arcs from a token, as labels and dependents."""
    return _arcs_of(token, lambda arc: (arc.head, arc.dependent))


def _arcs_of(
    token: Token, ends: Callable[[Arc], tuple[int, int]]
) -> Optional[list[tuple[str, Token]]]:
    found = parsed(token.doc)
    if found is None:
        return None
    if token.i not in found.places:  # it is but spaces
        return []
    graph, position = found.places[token.i]
    both = ((arc.label, *ends(arc)) for arc in graph.arcs)
    return [(label, token_of(token.doc, graph, end)) for label, own, end in both if own == position]


def find_in(doc: Doc, pattern: str) -> Iterator[dict[str, Union[Token, str]]]:
    """What `doc._.sdp_find(pattern)` yields: what its names stand for, tokens and labels of arcs.

    docs/asking.md describes the patterns.
    """
    for match in find(pattern, graphs_of(doc) or ()):
        yield {
            name: value if isinstance(value, str) else token_of(doc, match.graph, value.position)
            for name, value in match.items()
        }


Doc.set_extension("sdp", getter=graphs_of, force=True)
Doc.set_extension("sdp_find", method=find_in, force=True)
Span.set_extension("sdp", getter=graph_of_span, force=True)
Token.set_extension("sdp_heads", getter=heads_of, force=True)
Token.set_extension("sdp_args", getter=arguments_of, force=True)


@Language.factory(
    "sdp_pointer",
    assigns=["doc._.sdp", "span._.sdp", "token._.sdp_heads", "token._.sdp_args"],
    default_config={"model": None, "beam": None, "batch_size": 32, "precision": "auto"},
)
def make_component(
    nlp: Language,
    name: str,
    model: Optional[str],
    beam: Optional[int],
    batch_size: int,
    precision: str,
) -> SdpPointerComponent:
    """What `nlp.add_pipe("sdp_pointer", config={"model": "model.tar.gz"})` calls.

    Without a model it is the one that comes with the package.
    """
    return SdpPointerComponent(load(model, precision=precision), beam, batch_size)
