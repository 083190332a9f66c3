"""docs/graph.schema.json, and whether a value fits it."""

import json
import re
from pathlib import Path

SCHEMA = json.loads((Path(__file__).parents[3] / "docs" / "graph.schema.json").read_text())


def conforms(value, schema):
    """Whether a value fits a schema, for the keywords of JSON Schema that ours uses."""
    if "$ref" in schema:
        return conforms(value, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")])
    if "anyOf" in schema:
        return any(conforms(value, each) for each in schema["anyOf"])
    known = {"$schema", "$id", "$defs", "title", "description", "examples", "type", "required"}
    known |= {"properties", "additionalProperties", "items", "minItems", "maxItems", "minLength"}
    known |= {"minimum", "maximum", "uniqueItems", "dependentRequired", "pattern"}
    assert schema.keys() <= known
    kinds = {dict: "object", list: "array", str: "string", int: "integer", float: "number"}
    kind = kinds.get(type(value), "null" if value is None else "boolean")
    types = schema.get("type", kind)
    types = [types] if isinstance(types, str) else types
    if kind not in types and not (kind == "integer" and "number" in types):
        return False
    if kind == "object":
        properties = schema.get("properties", {})
        if (
            schema.get("additionalProperties", True) is False
            and not value.keys() <= properties.keys()
        ):
            return False
        needed = [*schema.get("required", [])]
        for key, others in schema.get("dependentRequired", {}).items():
            needed += others if key in value else []
        return set(needed) <= value.keys() and all(
            conforms(item, properties[key]) for key, item in value.items() if key in properties
        )
    if kind == "array":
        most = schema.get("maxItems", len(value))
        return schema.get("minItems", 0) <= len(value) <= most and all(
            conforms(item, schema.get("items", {})) for item in value
        )
    if kind == "string":
        fits = re.search(schema.get("pattern", ""), value)
        return bool(fits) and len(value) >= schema.get("minLength", 0)
    if kind in ("integer", "number"):
        return schema.get("minimum", value) <= value <= schema.get("maximum", value)
    return True
