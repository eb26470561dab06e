"""Prepares JSON schemas for a model: as text where it has no schema mode, simplified for llama.cpp's grammars."""

import json
from collections.abc import Mapping
from typing import Any, cast

from pilotfish.core.messages import Message, ModelRequest

_UNUSED_KEYS = {"$defs", "definitions", "$schema", "$id", "title", "default", "examples", "discriminator", "deprecated"}
_KNOWN_FORMATS = {"date", "time", "date-time", "uuid"}
_LENGTH_KEYS = {"maxLength", "minLength", "maxItems", "minItems"}
_LONGEST_LENGTH = 500  # llama.cpp unrolls lengths into rules and refuses large ones
_MOST_DEPTH = 12

_INSTRUCTION = (
    "Answer with one JSON object and nothing else, no prose and no code fence. It must match this JSON schema:\n"
)

Schema = Mapping[str, Any]


def describe_schema(request: ModelRequest) -> ModelRequest:
    """The request with its schema at the end of the prompt, where it keeps the cached prefix intact."""
    if request.shape is None:
        return request
    instruction = _INSTRUCTION + json.dumps(simplify_schema(request.shape), ensure_ascii=False, separators=(",", ":"))
    messages = (*request.messages,)
    if messages and messages[-1].role == "user":
        last = messages[-1]
        messages = (*messages[:-1], last.model_copy(update={"text": f"{last.text}\n\n{instruction}".strip()}))
    else:
        messages = (*messages, Message(role="user", text=instruction))
    return request.model_copy(update={"messages": messages, "shape": None})


def simplify_schema(schema: Schema) -> dict[str, Any]:
    """An equal or slightly wider schema without references, for llama.cpp's grammars."""
    definitions: dict[str, Any] = {**schema.get("definitions", {}), **schema.get("$defs", {})}
    return _simplify_node(schema, definitions, 0)


def _simplify_node(schema: Schema, definitions: Schema, depth: int) -> dict[str, Any]:
    if depth > _MOST_DEPTH:
        return {}
    if "$ref" in schema:
        target = definitions.get(str(schema["$ref"]).rpartition("/")[2], {})
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return _simplify_node({**target, **rest}, definitions, depth + 1)
    if len(schema.get("allOf", ())) == 1:
        rest = {key: value for key, value in schema.items() if key != "allOf"}
        return _simplify_node({**schema["allOf"][0], **rest}, definitions, depth)
    out = {
        key: _simplify_value(key, value, definitions, depth) for key, value in schema.items() if _is_kept(key, value)
    }
    if "anyOf" in out:
        out.pop("type", None)
    return out


def _is_kept(key: str, value: Any) -> bool:
    if key in _LENGTH_KEYS:
        return value <= _LONGEST_LENGTH
    if key == "format":
        return value in _KNOWN_FORMATS
    if key == "pattern":
        return str(value).startswith("^") and str(value).endswith("$")
    return key not in _UNUSED_KEYS


def _simplify_value(key: str, value: Any, definitions: Schema, depth: int) -> Any:
    match key:
        case "properties":
            named = cast("dict[str, Schema]", value)
            return {name: _simplify_node(inner, definitions, depth + 1) for name, inner in named.items()}
        case "items" | "additionalProperties" if isinstance(value, dict):
            return _simplify_node(cast("Schema", value), definitions, depth + 1)
        case "anyOf" | "oneOf" | "allOf" | "prefixItems":
            return [_simplify_node(inner, definitions, depth + 1) for inner in cast("list[Schema]", value)]
        case _:
            return value
