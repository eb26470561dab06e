"""Matches wanted fields with columns of a list without a model: by names, units, kinds of values and types.

What is not clear is left open: a model is asked about that alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pilotfish.core.output_fields import OutputField
from pilotfish.loop_support.column_values import SourceColumn
from pilotfish.loop_support.value_kinds import EXACT, kinds_of_name, words_of

SURE, WEAK, MARGIN = 0.55, 0.65, 0.08
"""What fits less than WEAK is asked about too, where a model is asked anyway."""
TEXTUAL = frozenset({"title", "author", "place", "company", "category", "long"})
UNTEXTUAL = frozenset({"money", "percent", "rating", "area", "time", "year", "number", "rank", "phone", "email"})
SHORTENED = 4
COMPOUND = 4


@dataclass(frozen=True)
class FieldMatch:
    """For each field that is clear the place of its column, how well all fields fit, and which fields are open."""

    columns: Mapping[str, int]
    fit: float
    open: tuple[OutputField, ...]


def match_fields(fields: Sequence[OutputField], columns: Sequence[SourceColumn]) -> FieldMatch:
    """Give each field the column that fits it best, best pairs first; no column is given twice."""
    scores = {
        (field, column): score_pair(fields[field], columns, column)
        for field in range(len(fields))
        for column in range(len(columns))
    }
    given: dict[int, int] = {}
    fits: dict[int, float] = {}
    for (field, column), score in sorted(scores.items(), key=lambda pair: -pair[1]):
        if score < SURE:
            break
        if field in fits or column in given.values():
            continue
        fits[field] = score
        rivals = (
            scores[field, other] for other in range(len(columns)) if other != column and other not in given.values()
        )
        if max(rivals, default=0.0) <= score - MARGIN:
            given[field] = column
    if any(field not in given for field in range(len(fields))):
        given = {field: column for field, column in given.items() if fits[field] >= WEAK}
    fit = sum(fits.values()) / len(fields) if fields else 0.0
    return FieldMatch(
        {fields[field].name: column for field, column in given.items()},
        fit,
        tuple(field for at, field in enumerate(fields) if at not in given),
    )


def score_pair(field: OutputField, columns: Sequence[SourceColumn], at: int) -> float:
    """How well a column fits a field, from 0 to 1."""
    column, wanted = columns[at], kinds_of_name(field.name)
    if not can_hold(field, column) or (column.what == "link") != ("link" in wanted):
        return 0.0
    if column.what == "link":
        return 0.7 - 0.05 * sum(each.what == "link" for each in columns[:at])
    if column.what == "state":
        return WEAK - 0.05
    named = max(
        score_name(words_of(field.name), words_of(column.called or column.name)), _share_word(field, columns, at)
    )
    held = column.kinds
    if "heads_row" in column.marks:
        held -= {"long"}
    if named < 0.9 and ((wanted & TEXTUAL and held & UNTEXTUAL) or (wanted & EXACT and held & EXACT - wanted)):
        return 0.0
    score = max(named, _score_unit(field, column), _score_kinds(wanted, columns, at))
    return max(0.0, score - 0.2 * column.struck - 0.1 * ("repeated" in column.marks))


def _share_word(field: OutputField, columns: Sequence[SourceColumn], at: int) -> float:
    """The names share a word that the names of no other column have."""
    shared = set(words_of(field.name)) & set(words_of(columns[at].name))
    others = {word for other, each in enumerate(columns) if other != at for word in words_of(each.name)}
    return 0.66 if shared - others else 0.0


def can_hold(field: OutputField, column: SourceColumn) -> bool:
    """Whether the values of a column can be of the field's type."""
    if column.what == "state":
        return field.type == "boolean"
    return field.type not in ("number", "integer") or (column.what == "text" and column.has_numbers)


def score_name(field: Sequence[str], column: Sequence[str]) -> float:
    """How alike two names are: equal, one within the other, a compound, or an abbreviation."""
    if not field or not column:
        return 0.0
    if set(field) == set(column):
        return 1.0
    if set(field) <= set(column):
        return max(0.72, 0.92 - 0.04 * (len(column) - len(field)))
    if set(column) <= set(field):
        return 0.75
    if any(_is_compound(one, other) for one in field for other in column):
        return 0.7
    if len(column) == 1 and any(_is_short_for(column[0], f"{word}s") for word in field):
        return 0.55 + 0.06 * len(column[0])
    return 0.0


def _is_compound(one: str, other: str) -> bool:
    """Whether one word ends or begins with the other, as Kaltmiete with Miete."""
    short, long = sorted((one, other), key=len)
    return len(short) >= COMPOUND and (long.endswith(short) or (long.startswith(short) and len(short) > COMPOUND))


def _is_short_for(short: str, word: str) -> bool:
    """Whether a word is an abbreviation of another one, as Pts of points."""
    if not short or len(short) > SHORTENED or len(short) >= len(word) or short[0] != word[0]:
        return False
    rest = iter(word)
    return all(sign in rest for sign in short)


def _score_unit(field: OutputField, column: SourceColumn) -> float:
    """A column says the field's name with its values, as in “61 comments”."""
    words = set(words_of(field.name))
    said = [words <= set(words_of(text)) for text in column.samples]
    return 0.85 if words and column.has_numbers and len(said) > 1 and all(said) else 0.0


def _score_kinds(wanted: frozenset[str], columns: Sequence[SourceColumn], at: int) -> float:
    """A column is called by a word of the field's kind, or its values are of that kind and those of no other are."""
    column = columns[at]
    named = 0.78 if wanted & kinds_of_name(column.name) else 0.0
    alike = [each for each in columns if each.what == "text" and each.kinds & wanted and not each.struck]
    valued = (0.72 if len(alike) == 1 else 0.6) if wanted & column.kinds else 0.0
    if "title" in wanted and "heads_row" in column.marks:
        valued = max(valued, 0.62)
    return max(named, valued, 0.85 if named and valued else 0.0)
