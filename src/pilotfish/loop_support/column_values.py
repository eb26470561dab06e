"""Reads the columns of a list as numbers, booleans and strings; None if a row says nothing."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pilotfish.browser.perception.list_columns import ColumnSpot, align_rows
from pilotfish.browser.perception.page_lists import ListRow
from pilotfish.core.output_fields import OutputField

NUMBER = re.compile(r"[-−–]?(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d)[\d.,'’]*")
NOT_DIGIT = re.compile(r"\D")
TRUE = frozenset({"yes", "true", "on", "checked", "selected", "pressed", "ja", "oui", "sí", "✓", "✔", "☑", "1"})
FALSE = frozenset({"no", "false", "off", "unchecked", "nein", "non", "✗", "✘", "☐", "0"})
STATES = frozenset({"checked", "unchecked", "selected", "pressed"})
SEPARATORS = (" · ", " | ", " • ", " – ", " — ")
"""What stands between the parts of one text, such as “Full-time · Leith · £26,000”."""
MOST_PARTS = 6


@dataclass(frozen=True)
class TextPart:
    """One of several parts of a text, by what stands between them."""

    separator: str
    at: int
    count: int

    def cut(self, text: str) -> str:
        """The part; empty if the text has another number of parts."""
        parts = text.split(self.separator)
        return parts[self.at].strip() if len(parts) == self.count else ""


@dataclass(frozen=True)
class SourceColumn:
    """A column of a list that a field may be taken from, with what its first rows say."""

    name: str
    spot: ColumnSpot
    what: Literal["text", "link", "state"] = "text"
    part: TextPart | None = None
    samples: tuple[str, ...] = ()

    @property
    def has_numbers(self) -> bool:
        return any(map(NUMBER.search, self.samples))

    def read(self, row: ListRow) -> str:
        """What a row says here; empty if nothing."""
        cell = self.spot.part_of(row)
        if cell is None:
            return ""
        if self.what == "link":
            return cell.href
        if self.what == "state":
            return " ".join(state for state in cell.states if state in STATES)
        return self.part.cut(cell.text) if self.part else cell.text


def list_sources(rows: Sequence[ListRow], heads: Sequence[str]) -> list[SourceColumn]:
    """The columns of rows: their texts and parts of these, where links lead, and states of boxes and switches."""
    found: list[SourceColumn] = []
    for column in align_rows(rows, heads).columns:
        texts = [cell.text for cell in column.given if cell.text]
        found.append(SourceColumn(column.name, column.spot))
        found += [SourceColumn(column.name, column.spot, part=part) for part in find_parts(texts)]
        found.append(SourceColumn(f"{column.name}: state", column.spot, "state"))
        found.append(SourceColumn(f"{column.name}: address of the link", column.spot, "link"))
    sampled = [
        SourceColumn(each.name, each.spot, each.what, each.part, samples_of(map(each.read, rows))) for each in found
    ]
    return [each for each in sampled if each.samples and (each.what != "text" or each.samples != (each.name,))]


def samples_of(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, texts)))[:3]


def find_parts(texts: Sequence[str]) -> list[TextPart]:
    """The parts that every text has, if all are built alike."""
    for separator in SEPARATORS:
        counts = {len(text.split(separator)) for text in texts}
        if len(counts) == 1 and 1 < (count := counts.pop()) <= MOST_PARTS:
            return [TextPart(separator, at, count) for at in range(count)]
    return []


def match_names(fields: Sequence[OutputField], columns: Sequence[SourceColumn]) -> dict[str, int] | None:
    """The columns whose names equal the fields' names; None unless every field has one."""
    places = {normalize_name(column.name): at for at, column in reversed(list(enumerate(columns)))}
    found = {field.name: places.get(normalize_name(field.name), -1) for field in fields}
    return found if fields and -1 not in found.values() else None


def normalize_name(name: str) -> str:
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
    """The later of two separators in a number, or one that occurs once and not before three digits; else a dot.

    A dot before three digits in every number that has one groups thousands, as in “9.450”, unless one begins with 0.
    """
    for number in numbers:
        signs = [sign for sign in number if sign in ".,"]
        if len(set(signs)) == 2:
            return signs[-1]
        if len(signs) > 1:
            return "," if signs[0] == "." else "."
        if signs and (len(number.rpartition(signs[0])[2]) != 3 or number.startswith("0")):
            return signs[0]
    return "," if sum("." in number for number in numbers) > 1 else "."


def _read_number(text: str, decimal: str) -> float:
    sign = "-" if text[0] in "-−–" else ""
    whole, _, part = text.partition(decimal)
    return float(f"{sign}{re.sub(NOT_DIGIT, '', whole)}.{re.sub(NOT_DIGIT, '', part) or '0'}")
