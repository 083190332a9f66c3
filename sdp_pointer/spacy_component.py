"""The parser in a spaCy pipeline: `nlp.add_pipe("sdp_pointer")`.

It sets `doc._.sdp`, a list of graphs: one for each sentence of the document that has a word in it,
in their order. A document without sentence boundaries is one sentence. See docs/spacy.md.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, Optional

from spacy.language import Language
from spacy.tokens import Doc

from .graphs import Graph, dumps, loads
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
        if not Doc.has_extension("sdp"):
            Doc.set_extension("sdp", getter=graphs_of)

    def __call__(self, doc: Any) -> Any:
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Any], **options: Any) -> Iterator[Any]:
        """The documents with their graphs; sentences of several documents share a batch."""
        docs = iter(stream)
        while batch := list(islice(docs, self.batch_size)):
            of_docs = [sentences_of(doc) for doc in batch]
            sentences = chain.from_iterable(of_docs)
            parsed = self.parser.parse_batch(sentences, self.batch_size, self.beam)
            for doc, own in zip(batch, of_docs):
                doc.user_data[KEY] = dumps(islice(parsed, len(own)), "jsonl")
                yield doc


def sentences_of(doc: Any) -> list[Graph]:
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


def graphs_of(doc: Any) -> Optional[list[Graph]]:
    """What `doc._.sdp` is: the graphs, or nothing if the document was not parsed."""
    lines = doc.user_data.get(KEY)
    return None if lines is None else loads(lines, "jsonl")


@Language.factory(
    "sdp_pointer",
    assigns=["doc._.sdp"],
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
