"""How `/openapi.json` describes the requests and answers, which are read and written elsewhere."""

from typing import Any, Literal, Optional, Union

from pydantic import BaseModel, ConfigDict, Field

from .questions import Limits

_LIMITS = Limits()


class Sentence(BaseModel):
    """Raw text, or words with what the model was trained with; other keys come back unchanged."""

    model_config = ConfigDict(
        extra="allow", json_schema_extra={"examples": [{"sentence": "Cats purr.", "n_best": 2}]}
    )
    id: Union[str, int] = ""
    sentence: Optional[str] = Field(None, max_length=_LIMITS.characters)
    tokens: Optional[list[str]] = Field(None, min_length=1, max_length=_LIMITS.sentence_words)
    lemmas: Optional[list[str]] = Field(None, description="One for each token.")
    pos: Optional[list[str]] = Field(None, description="Penn Treebank tags, one for each token.")


class Choice(BaseModel):
    """How to parse, and what to send back."""

    beam: Optional[int] = Field(
        None, ge=1, le=_LIMITS.beam, description="Hypotheses; by default the model's own."
    )
    n_best: int = Field(1, ge=1, le=_LIMITS.beam, description="Graphs; no more than the beam.")
    include: list[Literal["svg", "sdp"]] = Field(
        [], description="A drawing, the graph as an .sdp file; also of each of the n best."
    )


class OneQuestion(Sentence, Choice):
    """A sentence, and how to parse it."""


class Questions(Choice):
    """Several sentences, and how to parse them."""

    sentences: list[Union[str, dict[str, Any]]] = Field(
        min_length=1,
        max_length=_LIMITS.sentences,
        description="Each raw text, or an object with a sentence or tokens.",
    )


class Token(BaseModel):
    """A word; what is not known is left out."""

    form: str
    lemma: Optional[str] = None
    pos: Optional[str] = None
    start: Optional[int] = Field(None, description="Of its characters in the text.")
    end: Optional[int] = None


class Arc(BaseModel):
    """From a predicate to its argument, by their positions, the first word's being 1."""

    head: int = Field(ge=1)
    dependent: int = Field(ge=1)
    label: str
    probability: Optional[float] = Field(None, ge=0, le=1)


class Alternative(BaseModel):
    """Arcs and tops of a graph."""

    tops: list[int]
    top_probabilities: Optional[list[Optional[float]]] = None
    arcs: list[Arc]
    score: Optional[float] = Field(None, description="Of its steps: log-probabilities, added.")
    svg: Optional[str] = None
    sdp: Optional[str] = Field(None, description="null if a word has no place in an .sdp file.")


class Graph(Alternative):
    """The best graph of a sentence: docs/graph.schema.json, and what was asked for beside it."""

    model_config = ConfigDict(extra="allow")
    id: Optional[str] = None
    formalism: Optional[str] = Field(None, description="Such as dm, if the model says so.")
    text: Optional[str] = None
    tokens: list[Token]
    n_best: Optional[list[Alternative]] = None


class Graphs(BaseModel):
    """The answer to several sentences, in their order."""

    graphs: list[Graph]


class Error(BaseModel):
    """Why there is no graph."""

    error: str


class Health(BaseModel):
    """The state of the server."""

    status: str = Field(description="ok, or what is wrong.")
    version: str
    model: str = Field(description="Its folder or archive, without where that is.")
    beam: int = Field(description="The model's own.")
    precision: str = Field(description="float32, bfloat16 or int8.")
    needs: list[str] = Field(description="What the model wants beside words: lemma, pos.")
    pipeline: Optional[str] = Field(description="The spaCy pipeline that makes them.")
    waiting: int = Field(description="Requests in the queue.")


def _body(*models: type[BaseModel]) -> dict[str, Any]:
    """The models as one schema that stands by itself."""
    schemas = [model.model_json_schema() for model in models]
    return {"content": {"application/json": {"schema": {"oneOf": schemas}}}}


_REASONS = {
    400: "Not JSON.",
    413: f"More than {_LIMITS.body:,} bytes.",
    422: "No sentence, no words, too many words, or an option out of range.",
    500: "The server failed; its log says why.",
    503: "Too many requests are waiting, or the thread that parses has ended.",
    504: "It took too long.",
}

PARSE: dict[str, Any] = {
    "summary": "Parse a sentence, or several",
    "response_model": Union[Graph, Graphs],
    "openapi_extra": {"requestBody": {"required": True, **_body(OneQuestion, Questions)}},
    "responses": {code: {"model": Error, "description": why} for code, why in _REASONS.items()},
}
HEALTH: dict[str, Any] = {
    "summary": "Is it well, and what does it need",
    "response_model": Health,
    "responses": {503: {"model": Health, "description": "The thread that parses has ended."}},
}
