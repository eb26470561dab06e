"""Converts the texts of a list's columns to numbers, booleans and strings; None if a row says nothing."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pilotfish.core.output_fields import OutputField

NUMBER = re.compile(r"[-−–]?(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d)[\d.,'’]*")
NOT_DIGIT = re.compile(r"\D")
TRUE = frozenset({"yes", "true", "on", "checked", "selected", "pressed", "ja", "oui", "sí", "✓", "✔", "☑", "1"})
FALSE = frozenset({"no", "false", "off", "unchecked", "nein", "non", "✗", "✘", "☐", "0"})
STATES = frozenset({"checked", "unchecked", "selected", "pressed"})


@dataclass(frozen=True)
class SourceColumn:
    """A column of a list that a field may be taken from: its name and the text of each row, "" if there is none."""

    name: str
    texts: tuple[str, ...]

    @property
    def samples(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(filter(None, self.texts)))[:3]


def list_sources(data: Mapping[str, Any]) -> list[SourceColumn]:
    """The columns of collected rows: their texts, where links lead, and states of boxes and switches."""
    rows: Sequence[Mapping[str, Any]] = [row["cells"] for row in data["rows"]]
    found: list[SourceColumn] = []
    for name in data["columns"]:
        cells = [row.get(name, {}) for row in rows]
        texts = tuple(str(cell.get("text", "")) for cell in cells)
        states = tuple(" ".join(each for each in cell.get("states", ()) if each in STATES) for cell in cells)
        links = tuple(str(cell.get("href", "")) for cell in cells)
        variants = ((name, texts), (f"{name}: address of the link", links), (f"{name}: state", states))
        found += [SourceColumn(*variant) for variant in variants if any(text and text != name for text in variant[1])]
    return found


def match_names(fields: Sequence[OutputField], columns: Sequence[SourceColumn]) -> dict[str, int] | None:
    """The columns whose names equal the fields' names; None unless every field has one."""
    places = {_normalize(column.name): at for at, column in enumerate(columns)}
    found = {field.name: places.get(_normalize(field.name), -1) for field in fields}
    return found if fields and -1 not in found.values() else None


def _normalize(name: str) -> str:
    return re.sub(r"[\W_]+", " ", name.casefold()).strip()


def read_values(field: OutputField, texts: Sequence[str]) -> list[Any]:
    """The texts as values of the field's type."""
    match field.type:
        case "string":
            return [text or None for text in texts]
        case "boolean":
            return [_read_boolean(text) for text in texts]
        case "number":
            return read_numbers(texts)
        case "integer":
            return [int(value) if value is not None and value == int(value) else None for value in read_numbers(texts)]


def _read_boolean(text: str) -> bool | None:
    word = text.casefold().strip(" .!")
    return True if word in TRUE else False if word in FALSE else None


def read_numbers(texts: Sequence[str]) -> list[float | None]:
    """The first number of each text. The decimal sign is detected from all texts together."""
    found = [match[0].rstrip(".,'’") if (match := NUMBER.search(text)) else "" for text in texts]
    decimal = find_decimal_sign(found)
    return [_read_number(text, decimal) if text else None for text in found]


def find_decimal_sign(numbers: Sequence[str]) -> str:
    """The later of two separators in a number, or one that occurs once and not before three digits; else a dot."""
    for number in numbers:
        signs = [sign for sign in number if sign in ".,"]
        if len(set(signs)) == 2:
            return signs[-1]
        if len(signs) > 1:
            return "," if signs[0] == "." else "."
        if signs and len(number.rpartition(signs[0])[2]) != 3:
            return signs[0]
    return "."


def _read_number(text: str, decimal: str) -> float:
    sign = "-" if text[0] in "-−–" else ""
    whole, _, part = text.partition(decimal)
    return float(f"{sign}{re.sub(NOT_DIGIT, '', whole)}.{re.sub(NOT_DIGIT, '', part) or '0'}")
