"""Reads the columns of a list as numbers, booleans and strings; None if a row says nothing."""

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from pilotfish.browser.perception.list_columns import ColumnSpot, align_rows, join_boxes
from pilotfish.browser.perception.page_lists import ListRow
from pilotfish.core.output_fields import OutputField
from pilotfish.loop_support.text_parts import TextPart, find_parts
from pilotfish.loop_support.value_kinds import KINDS, have_numbers, kinds_of_name, kinds_of_values, words_of

NUMBER = re.compile(r"(?:[-−](?=[€$£¥])[€$£¥]|[-−–])?(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d)[\d.,'’]*")
NUMBER_SUFFIX = re.compile(r" \d+$")
SAID_WORD = re.compile(r"\w+")
LETTERS = re.compile(r"[^\W\d_]")
NOT_DIGIT = re.compile(r"\D")
TRUE_WORDS = frozenset({"yes", "true", "on", "checked", "selected", "pressed", "ja", "oui", "sí", "✓", "✔", "☑", "1"})
FALSE_WORDS = frozenset({"no", "false", "off", "unchecked", "nein", "non", "✗", "✘", "☐", "0"})
STATE_WORDS = frozenset({"checked", "unchecked", "selected", "pressed"})
NO_VALUE = re.compile(r"[-–—−/.\s]*")
"""What stands where there is nothing to say."""
UNMISTAKABLE_KINDS = frozenset({"email", "link"})
JOINED_KINDS = frozenset({"date", "time", "money"})
CHECK_ROLES = frozenset({"checkbox", "radio", "switch"})
HEADING_PATH = re.compile(r"(?:^|/)h[1-6][.~/]|(?:^|/)h[1-6]$")
MOST_SAMPLES = 12
STRUCK_PATH = re.compile(r"(?:^|/)(?:s|del|strike)(?:[.~][^/]*)?$")


ColumnMark = Literal["whole", "heads_row", "repeated"]
"""It is also offered in parts; it is the first linked text of a row; another column before it has the same name."""


@dataclass(frozen=True)
class SourceColumn:
    """A column of a list that a field may be taken from, with what its first rows say.

    `called`: its name without the number that tells it from others; empty: its name. `filled`: so many rows say
    something here.
    """

    name: str
    spot: ColumnSpot
    what: Literal["text", "link", "state"] = "text"
    part: TextPart | None = None
    samples: tuple[str, ...] = ()
    marks: frozenset[ColumnMark] = frozenset()
    called: str = ""
    filled: int = 0

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds that most values are of; none if the text is several things."""
        return frozenset() if "whole" in self.marks else kinds_of_values(self.samples)

    @property
    def has_numbers(self) -> bool:
        return have_numbers(self.samples)

    @property
    def struck(self) -> bool:
        """Whether it is struck out on the page, as an old price."""
        return any(map(STRUCK_PATH.search, self.spot.steps))

    def read(self, row: ListRow) -> str:
        """What a row says here; empty if nothing."""
        cell = self.spot.part_of(row)
        if cell is None:
            return ""
        if self.what == "link":
            return cell.href
        if self.what == "state":
            return " ".join(state for state in cell.states if state in STATE_WORDS)
        text = self.part.cut(cell.text) if self.part else cell.text
        return "" if NO_VALUE.fullmatch(text) else text


def list_sources(rows: Sequence[ListRow], heads: Sequence[str]) -> list[SourceColumn]:
    """The columns of rows: their texts and parts of these, where links lead, and states of boxes and switches."""
    found: list[SourceColumn] = []
    table = align_rows(rows, heads)
    for column in table.columns:
        texts = [cell.text for cell in column.filled_cells if cell.text and not NO_VALUE.fullmatch(cell.text)]
        parts = find_parts(texts)
        ticked = any(cell.role in CHECK_ROLES for cell in column.filled_cells)
        if not ticked:
            plain = NUMBER_SUFFIX.sub("", column.name)
            same_name = [each for each in found if each.name == plain and each.what == "text"]
            marks: set[ColumnMark] = {"whole"} if parts else set()
            if any(not each.struck for each in same_name):
                marks.add("repeated")
            called = plain if same_name else column.name
            found.append(SourceColumn(column.name, column.spot, marks=frozenset(marks), called=called))
            found += [SourceColumn(part.label or column.name, column.spot, part=part) for part in parts]
        found.append(SourceColumn(f"{column.name}: state", column.spot, "state"))
        found.append(SourceColumn(f"{column.name}: address of the link", column.spot, "link"))
    sampled = [_sample(each, rows) for each in found]
    sampled += _join_parts(sampled, join_boxes(table.columns), rows)
    kept = [each for each in sampled if each.samples and (each.what != "text" or each.samples != (each.name,))]
    return _mark_heading(kept, rows)


def _join_parts(
    columns: Sequence[SourceColumn], spots: Sequence[ColumnSpot], rows: Sequence[ListRow]
) -> list[SourceColumn]:
    """Parts of one box together, where only together they are of a kind that tells what they are."""
    joined = [_sample(SourceColumn("text", spot), rows) for spot in spots]
    known = [each.kinds for each in columns if each.what == "text"]
    return [
        each
        for each in joined
        if (each.kinds & JOINED_KINDS) and not any(each.kinds & JOINED_KINDS & kinds for kinds in known)
    ]


def _sample(column: SourceColumn, rows: Sequence[ListRow]) -> SourceColumn:
    texts = [text for row in rows if (text := column.read(row))]
    return replace(column, samples=tuple(dict.fromkeys(texts))[:MOST_SAMPLES], filled=len(texts))


def _mark_heading(columns: Sequence[SourceColumn], rows: Sequence[ListRow]) -> list[SourceColumn]:
    """Mark the text that heads a row: the first heading, else link, else any that differs from row to row.

    Of a text with parts its first part with letters is marked too.
    """
    linked = {each.spot for each in columns if each.what == "link"}
    possible = [each for each in columns if _can_head(each, len(rows))]
    headings = [each for each in possible if any(map(HEADING_PATH.search, each.spot.steps))]
    titles = [each for each in possible if kinds_of_name(each.name) == frozenset({"title"})]
    links = [each for each in possible if each.spot in linked]
    first = next(iter((*headings, *titles, *links, *possible)), None)
    part = next((each for each in possible if first and each.part and each.spot == first.spot), None)
    return [
        replace(each, marks=each.marks | {"heads_row"}) if each is first or each is part else each for each in columns
    ]


def _can_head(column: SourceColumn, rows: int) -> bool:
    """Whether it is a text with letters in most rows, that differs from row to row."""
    return (
        column.what == "text"
        and column.kinds <= {"long"}
        and column.spot.by != "group"
        and 2 * column.filled > rows
        and all(map(LETTERS.search, column.samples))
        and 2 * len(column.samples) > min(MOST_SAMPLES, rows)
    )


def read_values(field: OutputField, texts: Sequence[str], sign: str = "") -> list[Any]:
    """The texts as values of the field's type. `sign` is the decimal sign that other columns of the list prove."""
    match field.type:
        case "string":
            return [text or None for text in cut_name(field.name, texts)]
        case "boolean":
            return [_read_boolean(text) for text in texts]
        case "number":
            return read_numbers(texts, sign)
        case "integer":
            values = read_numbers(texts, sign)
            return [int(value) if value is not None and value == int(value) else None for value in values]


def move_misplaced(fields: Sequence[OutputField], texts: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The texts of each field without addresses of mail or web where its name says another kind of writing.

    A row that leaves out one thing has the next in its place. It goes to the field of its kind, if that has nothing.
    """
    named = {field.name: kinds_of_name(field.name) for field in fields}
    strict = [name for name, kinds in named.items() if kinds and kinds <= KINDS.keys()]
    placed = {name: list(said) for name, said in texts.items()}
    for name in strict:
        for row, text in enumerate(placed[name]):
            kinds = kinds_of_values([text] if text else []) & UNMISTAKABLE_KINDS
            if kinds and not kinds & named[name]:
                placed[name][row] = ""
                free = [each for each in placed if kinds & named[each] and not placed[each][row]]
                for other in free[:1]:
                    placed[other][row] = text
    return placed


def cut_name(name: str, texts: Sequence[str]) -> Sequence[str]:
    """Texts without the field's own name of several words, where all begin with it, as in "last post yesterday"."""
    own = words_of(name)
    filled = [text for text in texts if text]
    begins = [_end_of_words(text, len(own)) for text in filled]
    named = [end and words_of(text[:end]) == own for text, end in zip(filled, begins, strict=True)]
    if len(filled) < 2 or len(own) < 2 or not all(named):
        return texts
    return [text[_end_of_words(text, len(own)) :].lstrip(" :\u00a0-–") or text if text else text for text in texts]


def _end_of_words(text: str, count: int) -> int:
    """Where the first so many words of a text end; 0 if nothing follows them."""
    ends = [found.end() for found in itertools.islice(SAID_WORD.finditer(text), count + 1)]
    return ends[count - 1] if count and len(ends) > count else 0


def _read_boolean(text: str) -> bool | None:
    word = text.casefold().strip(" .!")
    return True if word in TRUE_WORDS else False if word in FALSE_WORDS else None


def read_numbers(texts: Sequence[str], sign: str = "") -> list[float | None]:
    """The first number of each text. The decimal sign is the one that these texts prove, else `sign`, else a guess."""
    found = list(map(_first_number, texts))
    decimal = proven_sign(texts) or sign or _guess_sign(found, texts)
    return [_read_number(text, decimal) if text else None for text in found]


def _first_number(text: str) -> str:
    return match[0].rstrip(".,'’") if (match := NUMBER.search(text)) else ""


def proven_sign(texts: Iterable[str]) -> str:
    """The decimal sign: the later of two in a number, or one that occurs once and not before three digits; else ""."""
    for number in map(_first_number, texts):
        signs = [sign for sign in number if sign in ".,"]
        if len(set(signs)) == 2:
            return signs[-1]
        if len(signs) > 1:
            return "," if signs[0] == "." else "."
        if signs and (len(number.rpartition(signs[0])[2]) != 3 or number.startswith("0")):
            return signs[0]
    return ""


def _guess_sign(numbers: Sequence[str], texts: Sequence[str]) -> str:
    """A dot before three digits groups thousands, as in “9.450”, if there are several or it is money; else a dot."""
    grouped = sum("." in number for number in numbers)
    return "," if grouped > 1 or (grouped and "money" in kinds_of_values([text for text in texts if text])) else "."


def _read_number(text: str, decimal: str) -> float:
    sign = "-" if text[0] in "-−–" else ""
    whole, _, part = text.partition(decimal)
    return float(f"{sign}{re.sub(NOT_DIGIT, '', whole)}.{re.sub(NOT_DIGIT, '', part) or '0'}")
