"""Corrects values that nearly fit a schema: one validation error at a time, without inventing anything."""

import re
from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from pilotfish.llm.json_decoding import decode_values

Shape = TypeVar("Shape", bound=BaseModel)
_ROUNDS = 6
_NO_ITEM = object()


def coerce_value(value: Any, shape: type[Shape]) -> Shape:
    """`value` as a `shape`, or a ValueError (mostly a ValidationError) of the value as it came."""
    try:
        return _validate(value, shape)
    except ValueError as error:
        first = error
    for candidate in _unwrap(value):
        corrected = _correct(candidate, shape)
        if corrected is not None:
            return corrected
    raise first


def _validate(value: Any, shape: type[Shape]) -> Shape:
    """Validate; the value must set a known field, or defaults would make any object valid."""
    names = {_simplify(name) for name in shape.model_fields}
    found = shape.model_validate(value)
    if names and isinstance(value, dict) and not names & {_simplify(str(key)) for key in value}:
        raise ValueError(f"none of {', '.join(shape.model_fields)} is in the answer")
    return found


def _unwrap(value: Any) -> list[Any]:
    """The value, and what is inside when it is alone in a list or under one name."""
    candidates = [value]
    while isinstance(value, dict | list) and len(value) == 1:
        value = value[0] if isinstance(value, list) else next(iter(value.values()))
        candidates.append(value)
    return [candidate for candidate in candidates if isinstance(candidate, dict | list)]


def _correct(value: Any, shape: type[Shape]) -> Shape | None:
    for _ in range(_ROUNDS):
        try:
            return _validate(value, shape)
        except ValidationError as error:
            corrected = value
            for detail in error.errors(include_url=False):
                corrected = _correct_at(corrected, detail["loc"], detail)
        except ValueError:
            return None
        if corrected == value:
            return None
        value = corrected
    return None


def _correct_at(value: Any, place: Sequence[int | str], detail: ErrorDetails) -> Any:
    """A copy of `value` with the item at `place` corrected as `detail` asks; names that are no keys are skipped."""
    kind = detail["type"]
    if kind == "missing" and len(place) == 1:
        return _rename_key(value, str(place[0]))
    if not place:
        corrected = _correct_item(value, detail)
        return value if corrected is _NO_ITEM else corrected
    head, rest = place[0], place[1:]
    in_list = isinstance(value, list) and isinstance(head, int) and head < len(value)
    if not in_list and not (isinstance(value, dict) and head in value):
        return _correct_at(value, rest, detail)
    copied: Any = value.copy()
    copied[head] = _correct_at(copied[head], rest, detail) if rest else _correct_item(copied[head], detail)
    if copied[head] is _NO_ITEM:
        del copied[head]
    return copied


def _correct_item(thing: Any, detail: ErrorDetails) -> Any:
    match detail["type"]:
        case "extra_forbidden":
            return _NO_ITEM
        case _ if thing is None:
            return _NO_ITEM
        case "list_type" | "tuple_type" | "set_type" | "frozen_set_type":
            return _parse_text(thing, list) or ([] if thing == "" else [thing])
        case "string_type" if isinstance(thing, bool | int | float):
            return str(thing).lower() if isinstance(thing, bool) else str(thing)
        case "string_type" if isinstance(thing, list) and all(isinstance(item, str) for item in thing):
            return "\n".join(thing)
        case "dict_type" | "model_type" | "model_attributes_type":
            return _parse_text(thing, dict) or (thing[0] if isinstance(thing, list) and len(thing) == 1 else thing)
        case "int_from_float" if isinstance(thing, float):
            return round(thing)
        case "int_parsing" | "float_parsing":
            number = re.fullmatch(r"\D*?(-?\d[\d,]*\.?\d*)\D*", str(thing))
            return number[1].replace(",", "") if number else thing
        case "literal_error" | "enum":
            return _match_allowed_word(thing, str(detail.get("ctx", {}).get("expected", "")))
        case _:
            return thing


def _parse_text(thing: Any, kind: type) -> Any:
    """The value of a JSON text inside a string."""
    values = decode_values(thing) if isinstance(thing, str) else iter(())
    return next((value for value in values if isinstance(value, kind)), None)


def _match_allowed_word(thing: Any, expected: str) -> Any:
    """The allowed word that differs only in case, spaces, hyphens and the like."""
    allowed = re.findall(r"'([^']*)'", expected)
    return next((word for word in allowed if _simplify(word) == _simplify(str(thing))), thing)


def _rename_key(value: Any, wanted: str) -> Any:
    """The same object with `wanted` for a key that is spelled nearly so (`nextStep` for `next_step`)."""
    if not isinstance(value, dict):
        return value
    near = next((key for key in value if _simplify(str(key)) == _simplify(wanted)), None)
    return value if near is None else {wanted if key == near else key: item for key, item in value.items()}


def _simplify(word: str) -> str:
    return re.sub(r"[\W_]+", "", word).lower()
