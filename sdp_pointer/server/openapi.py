"""`/openapi.json`: what of it is not in the models of `schemas`."""

from typing import Any, Union

from fastapi import FastAPI
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from .limits import Limits
from .schemas import Error, Graphs, GraphWithExtras, Health

WRONG_HOST = "The header Host has a name that this server is not reached by."


def body_of(*models: type[BaseModel]) -> dict[str, Any]:
    """A body of one of these models, which `add_requests` adds to the description."""
    schemas = [{"$ref": f"#/components/schemas/{model.__name__}"} for model in models]
    schema = {"oneOf": schemas} if len(schemas) > 1 else schemas[0]
    body = {"required": True, "content": {"application/json": {"schema": schema}}}
    return {"requestBody": body}


def of_parse(limits: Limits, requests: tuple[type[BaseModel], ...]) -> dict[str, Any]:
    """Of `POST /parse`: the arguments for FastAPI."""
    reasons = {
        400: "Not JSON.",
        403: WRONG_HOST,
        413: f"More than {limits.body:,} bytes.",
        422: f"No sentence, no words, more than {limits.sentence_words:,} words or"
        f" {limits.characters:,} characters in a sentence, {limits.word_characters:,} characters"
        f" in a word, {limits.sentences:,} sentences or {limits.words:,} words in a request; or an"
        " option out of range.",
        500: "The server failed; its log says why.",
        503: "Too many requests are waiting, or the thread that parses has ended.",
        504: f"No answer within {limits.seconds:g} seconds.",
    }
    return {
        "summary": "Parse a sentence, or several",
        "response_model": Union[GraphWithExtras, Graphs],
        "openapi_extra": body_of(*requests),
        "responses": {code: {"model": Error, "description": why} for code, why in reasons.items()},
    }


HEALTH: dict[str, Any] = {
    "summary": "The state of the server, and what its model needs",
    "response_model": Health,
    "responses": {
        403: {"model": Error, "description": WRONG_HOST},
        503: {"model": Health, "description": "The thread that parses has ended."},
    },
}


def add_requests(app: FastAPI, requests: tuple[type[BaseModel], ...]) -> None:
    """Add to the description of an application the models that FastAPI does not read itself."""
    _, schemas = models_json_schema(
        [(model, "validation") for model in requests], ref_template="#/components/schemas/{model}"
    )
    app.openapi()["components"]["schemas"].update(schemas["$defs"])
