"""Values that nearly fit their shape, bent until they do: one validation error at a time, nothing invented."""

import re
from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from pilotfish.llm.decode import decoded

Shape = TypeVar("Shape", bound=BaseModel)
_ROUNDS = 6
_GONE = object()


def fit(value: Any, shape: type[Shape]) -> Shape:
    """`value` as a `shape`, or a ValueError (mostly a ValidationError) of the value as it came."""
    try:
        return _checked(value, shape)
    except ValueError as error:
        first = error
    for candidate in _unwrapped(value):
        bent = _bent(candidate, shape)
        if bent is not None:
            return bent
    raise first


def _checked(value: Any, shape: type[Shape]) -> Shape:
    """Validated; and it must speak of something the shape knows, or defaults would make an answer out of anything."""
    names = {_plain(name) for name in shape.model_fields}
    found = shape.model_validate(value)
    if names and isinstance(value, dict) and not names & {_plain(str(key)) for key in value}:
        raise ValueError(f"none of {', '.join(shape.model_fields)} is in the answer")
    return found


def _unwrapped(value: Any) -> list[Any]:
    """The value, and what is inside when it is alone in a list or under one name."""
    candidates = [value]
    while isinstance(value, dict | list) and len(value) == 1:
        value = value[0] if isinstance(value, list) else next(iter(value.values()))
        candidates.append(value)
    return [candidate for candidate in candidates if isinstance(candidate, dict | list)]


def _bent(value: Any, shape: type[Shape]) -> Shape | None:
    for _ in range(_ROUNDS):
        try:
            return _checked(value, shape)
        except ValidationError as error:
            mended = value
            for detail in error.errors(include_url=False):
                mended = _mend(mended, detail["loc"], detail)
        except ValueError:
            return None
        if mended == value:
            return None
        value = mended
    return None


def _mend(value: Any, place: Sequence[int | str], detail: ErrorDetails) -> Any:
    """A copy of `value` with the thing at `place` bent as `detail` asks; names that are no keys are passed over."""
    kind = detail["type"]
    if kind == "missing" and len(place) == 1:
        return _renamed(value, str(place[0]))
    if not place:
        bent = _bend(value, detail)
        return value if bent is _GONE else bent
    head, rest = place[0], place[1:]
    if isinstance(value, dict) and head in value:
        inner = _bend(value[head], detail) if not rest else _mend(value[head], rest, detail)
        return {k: inner if k == head else v for k, v in value.items() if k != head or inner is not _GONE}
    if isinstance(value, list) and isinstance(head, int) and head < len(value):
        inner = _bend(value[head], detail) if not rest else _mend(value[head], rest, detail)
        return [inner if at == head else item for at, item in enumerate(value) if at != head or inner is not _GONE]
    return _mend(value, rest, detail)


def _bend(thing: Any, detail: ErrorDetails) -> Any:
    match detail["type"]:
        case "extra_forbidden":
            return _GONE
        case _ if thing is None:
            return _GONE
        case "list_type" | "tuple_type" | "set_type" | "frozen_set_type":
            return _parsed(thing, list) or ([] if thing == "" else [thing])
        case "string_type" if isinstance(thing, bool | int | float):
            return str(thing).lower() if isinstance(thing, bool) else str(thing)
        case "string_type" if isinstance(thing, list) and all(isinstance(item, str) for item in thing):
            return "\n".join(thing)
        case "dict_type" | "model_type" | "model_attributes_type":
            return _parsed(thing, dict) or (thing[0] if isinstance(thing, list) and len(thing) == 1 else thing)
        case "int_from_float" if isinstance(thing, float):
            return round(thing)
        case "int_parsing" | "float_parsing":
            number = re.fullmatch(r"\D*?(-?\d[\d,]*\.?\d*)\D*", str(thing))
            return number[1].replace(",", "") if number else thing
        case "literal_error" | "enum":
            return _same(thing, str(detail.get("ctx", {}).get("expected", "")))
        case _:
            return thing


def _parsed(thing: Any, kind: type) -> Any:
    """What a JSON text inside a string says."""
    values = decoded(thing) if isinstance(thing, str) else iter(())
    return next((value for value in values if isinstance(value, kind)), None)


def _same(thing: Any, expected: str) -> Any:
    """The allowed word that differs only in case, spaces, hyphens and the like."""
    allowed = re.findall(r"'([^']*)'", expected)
    return next((word for word in allowed if _plain(word) == _plain(str(thing))), thing)


def _renamed(value: Any, wanted: str) -> Any:
    """The same object with `wanted` for a key that is spelled nearly so (`nextStep` for `next_step`)."""
    if not isinstance(value, dict):
        return value
    near = next((key for key in value if _plain(str(key)) == _plain(wanted)), None)
    return value if near is None else {wanted if key == near else key: item for key, item in value.items()}


def _plain(word: str) -> str:
    return re.sub(r"[\W_]+", "", word).lower()
