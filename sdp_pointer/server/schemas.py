"""Requests and answers as Pydantic models: what `/openapi.json` and docs/graph.schema.json say.

Options of a request are validated by its model, sentences by `parser.sentences`, as everywhere.
Answers are described here, and written by `answers`.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Optional, Union, get_args

from pydantic import BaseModel, ConfigDict, FailFast, Field, SkipValidation, StrictBool
from pydantic.json_schema import GenerateJsonSchema

from .limits import Limits

Position = Annotated[int, Field(ge=1)]
Probability = Annotated[float, Field(ge=0, le=1)]
Column = Annotated[str, Field(min_length=1)]


def _absent(description: Optional[str] = None, **constraints: Any) -> Any:
    """A key that is left out when there is nothing to say, and never null."""
    return Field(default_factory=lambda: None, description=description, **constraints)


# What can be asked for beside the graph; `answers` makes it.
Extra = Literal["svg", "sdp"]
EXTRAS = get_args(Extra)
# In pixels, of a drawing.
BROADEST = 10_000


class WithoutTitles(GenerateJsonSchema):
    """A schema whose keys have no titles, which would only repeat them."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


class Token(BaseModel):
    """A word. A lemma, pos or frame that is not known is left out, or is "_"."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"dependentRequired": {"start": ["end"], "end": ["start"]}},
    )
    form: Column
    lemma: Column = _absent()
    pos: Column = _absent()
    frame: Column = _absent()
    start: int = _absent("Where its characters begin in the text.", ge=0)
    end: int = _absent("Where they end.", ge=0)


class Arc(BaseModel):
    """From the head, a predicate, to the dependent, its argument."""

    model_config = ConfigDict(extra="forbid")
    head: Position
    dependent: Position
    label: Column
    probability: Probability = _absent()


class Alternative(BaseModel):
    """One of the n best graphs of a sentence."""

    score: float
    tops: list[Position]
    top_probabilities: list[Optional[Probability]] = _absent()
    arcs: list[Arc]


_EXAMPLE: dict[str, Any] = {
    "id": "20001001",
    "formalism": "dm",
    "text": "Cats purr",
    "tokens": [
        {"form": "Cats", "lemma": "cat", "pos": "NNS", "frame": "n:x", "start": 0, "end": 4},
        {"form": "purr", "lemma": "purr", "pos": "VBP", "frame": "v:e-i", "start": 5, "end": 9},
    ],
    "tops": [2],
    "top_probabilities": [0.97],
    "arcs": [{"head": 2, "dependent": 1, "label": "ARG1", "probability": 0.98}],
}


class Graph(BaseModel):
    """One line of a .jsonl file of sdp_pointer.

    Positions of words are 1-based. Keys that are not listed are kept and written back; "offsets",
    "probabilities" and "conllu" are reserved.
    """

    model_config = ConfigDict(
        extra="allow",
        title="A semantic dependency graph",
        json_schema_extra={
            "examples": [_EXAMPLE, {"tokens": [{"form": "Go"}], "tops": [1], "arcs": []}]
        },
    )
    id: str = _absent("Absent if the graph has none.")
    formalism: str = _absent(
        "What the arcs are annotated in, such as dm, pas, psd or eud (sdp-pointer formalisms lists"
        " them), or a name of your own. Absent if it is not known.",
        pattern="^[a-z_][a-z0-9_]*$",
    )
    text: str = _absent('The raw sentence, into which "start" and "end" of the tokens point.')
    tokens: list[Token] = Field(
        description='The words; either all or none have "start" and "end", which never go back in'
        " the text.",
        min_length=1,
    )
    tops: list[Position] = Field(
        description="The words that depend on ROOT; written in ascending order.",
        json_schema_extra={"uniqueItems": True},
    )
    top_probabilities: list[Optional[Probability]] = _absent(
        "One for each of the tops, in their order; null where it is not known."
    )
    arcs: list[Arc] = Field(
        description="At most one from one word to another; written sorted by dependent, then head."
    )
    bare_predicates: list[Position] = _absent(
        "Words marked as predicates though no arc leaves them; absent if there are none.",
        json_schema_extra={"uniqueItems": True},
    )
    syntax: list[Annotated[list[str], Field(min_length=2, max_length=2)]] = _absent(
        "A companion tree: head and relation of each token, as in its file."
    )
    mrp: dict[str, Any] = _absent(
        "What an MRP file said of the graph: version, time, source and so on."
    )
    score: float = _absent("Of a parser: the log-probability of its choices; see docs/parsing.md.")
    n_best: Sequence[Alternative] = _absent(
        "Of a parser that was asked for several graphs: all of them over the same tokens, best"
        " first."
    )


class Extras(BaseModel):
    """What a request may include in the answer."""

    svg: str = _absent("A drawing.")
    sdp: Optional[str] = _absent("An .sdp file; null if a word has no place in one.")


class AlternativeWithExtras(Alternative, Extras):
    """One of the n best graphs of a sentence, and what was asked for beside it."""


class GraphWithExtras(Graph, Extras):
    """The best graph of a sentence, and what was asked for beside it."""

    hint: str = _absent("What to do if the raw text is clearly several sentences.")
    n_best: Sequence[AlternativeWithExtras] = _absent("If several were asked for, best first.")


class Graphs(BaseModel):
    """The answer to several sentences, in their order."""

    graphs: list[GraphWithExtras]


class Error(BaseModel):
    """Why there is no graph."""

    error: str


class Health(BaseModel):
    """The state of the server."""

    status: str = Field(description="ok, or what is wrong.")
    version: str
    model: str = Field(description="Its folder or archive, without where that is.")
    formalisms: list[str] = Field(description="Of the model's graphs, such as dm, if known.")
    beam: int = Field(description="The model's own.")
    precision: str = Field(description="float32, bfloat16 or int8.")
    needs: list[str] = Field(description="What the model needs beside words: lemma, pos.")
    pipeline: Optional[str] = Field(description="The spaCy pipeline that makes them.")
    waiting: int = Field(description="Requests that are not answered yet.")


def graph_schema() -> dict[str, Any]:
    """What docs/graph.schema.json holds.

    >>> graph_schema()["required"]
    ['tokens', 'tops', 'arcs']
    """
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return dialect | Graph.model_json_schema(schema_generator=WithoutTitles)


def request_models(limits: Limits) -> tuple[type[BaseModel], type[BaseModel]]:
    """The models of a request with one sentence, and of one with several, within these limits.

    >>> one, several = request_models(Limits(beam=4))
    >>> one.model_validate({"sentence": "Cats purr.", "beam": 4}).beam
    4
    """

    class Sentence(BaseModel):
        """Raw text, or words with what the model was trained with; other keys come back."""

        model_config = ConfigDict(extra="allow")
        id: SkipValidation[Union[str, int]] = _absent("Comes back as a string.")
        sentence: SkipValidation[str] = _absent("Raw text.", max_length=limits.characters)
        tokens: SkipValidation[list[Union[str, Token]]] = _absent(
            "Its words, instead.", min_length=1, max_length=limits.sentence_words
        )
        lemmas: SkipValidation[list[str]] = _absent("One for each token.")
        pos: SkipValidation[list[str]] = _absent("Penn Treebank tags, one for each token.")

    class Options(BaseModel):
        """How to parse, and what to send back."""

        beam: Optional[int] = Field(
            None,
            strict=True,
            ge=1,
            le=limits.beam,
            description="Hypotheses; by default the model's own.",
        )
        n_best: Optional[int] = Field(
            1, strict=True, ge=1, le=limits.beam, description="Graphs; no more than the beam."
        )
        include: Annotated[set[Extra], FailFast()] = Field(
            set(), description="A drawing, the graph as an .sdp file; also of each of the n best."
        )
        width: Optional[int] = Field(
            None,
            strict=True,
            ge=1,
            le=BROADEST,
            description="Pixels of a row of the drawing; by default one row.",
        )
        split: StrictBool = Field(
            False,
            description="Whether a raw text may be several sentences; then graphs come back.",
        )

    class OneRequest(Sentence, Options):
        """A sentence, and how to parse it."""

        model_config = ConfigDict(
            json_schema_extra={"examples": [{"sentence": "Cats purr.", "n_best": 2}]}
        )

    class SeveralRequest(Options):
        """Several sentences, and how to parse them."""

        sentences: list[SkipValidation[Union[str, Sentence]]] = Field(
            min_length=1,
            max_length=limits.sentences,
            description="Each raw text, or an object with a sentence or tokens.",
        )

    return OneRequest, SeveralRequest
