"""Matches wanted fields with columns of a list without a model: by names, units, kinds of values and types.

What is not clear is left open: a model is asked about that alone.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pilotfish.core.output_fields import OutputField
from pilotfish.loop_support.column_values import SourceColumn
from pilotfish.loop_support.field_assignment import Scores, assign_fields, sum_best
from pilotfish.loop_support.value_kinds import EXACT, NUMBER, USUAL_SHARE, kinds_of_name, words_of

SURE_FIT, WEAK_FIT, LEAST_MARGIN = 0.5, 0.65, 0.1
"""What fits less than WEAK is asked about too, where a model is asked anyway."""
SMALL_VOTE, LARGE_VOTE = 0.35, 1.0
"""How much counts what a model says of a field, beside what its column is called and holds."""
POSSIBLE_FIT, LEADING_FIT, FORMER_FIT = 0.1, 0.5, 0.35
"""Nothing but the type speaks for it; it is the field named first, and the text that a row begins with."""
TEXT_KINDS = frozenset({"title", "author", "place", "company", "category", "long"})
SHORT_KINDS = frozenset({"money", "percent", "rating", "area", "time", "year", "number", "rank", "phone", "email"})
LONGEST_ABBREVIATION = 4
SHORTEST_PART = 4

Votes = Mapping[str, int]
"""For each field that a model was asked about the place of the column that it named; -1 for none."""


@dataclass(frozen=True)
class FieldMatch:
    """For each field the place of its column that fits best, how well all fields fit, and which are not clear."""

    columns: Mapping[str, int]
    fit: float
    open: tuple[OutputField, ...] = ()


def rate_pairs(fields: Sequence[OutputField], columns: Sequence[SourceColumn]) -> dict[tuple[int, int], float]:
    """How well each column fits each field."""
    leading = next((at for at, field in enumerate(fields) if field.type == "string"), -1)
    former = _find_former(fields)
    reduced = {at for at, field in enumerate(fields) if "reduced" in kinds_of_name(field.name)}
    return {
        (field, column): max(score_pair(fields[field], columns, column), possible)
        + FORMER_FIT * (columns[column].struck and field in former)
        for field in range(len(fields))
        for column in range(len(columns))
        if not (columns[column].struck and field in reduced)
        and (possible := _score_possible(fields[field], columns[column], field == leading)) > 0.0
    }


def _find_former(fields: Sequence[OutputField]) -> set[int]:
    """The fields whose texts are struck out: called as another one and more, as an old price beside a price, or as what
    was before; else what is of the same kind as a field called as what is reduced."""
    words = [set(words_of(field.name)) for field in fields]
    kinds = [kinds_of_name(field.name) for field in fields]
    reduced = {at for at, own in enumerate(kinds) if "reduced" in own}
    longer = {at for at, own in enumerate(words) if any(other and other < own for other in words)} - reduced
    former = {at for at, own in enumerate(kinds) if "former" in own}
    types = {fields[at].type for at in reduced}
    beside = {at for at, own in enumerate(kinds) if "money" in own and fields[at].type in types} - reduced
    return former | longer or beside


def match_fields(fields: Sequence[OutputField], columns: Sequence[SourceColumn]) -> FieldMatch:
    """Give fields the columns that fit best together. What is not clear is named too."""
    scores = rate_pairs(fields, columns)
    found = assign_fields(scores, find_wholes(columns))
    sure = {
        field: column
        for field, column in found.columns.items()
        if scores[field, column] >= SURE_FIT and found.margin[field] >= LEAST_MARGIN
    }
    if len(sure) < len(fields):
        sure = {field: column for field, column in sure.items() if scores[field, column] >= WEAK_FIT}
    return FieldMatch(
        {fields[field].name: column for field, column in sure.items()},
        sum_fit(scores, found.columns, len(fields)),
        tuple(field for at, field in enumerate(fields) if at not in sure),
    )


def rate_fit(fields: Sequence[OutputField], columns: Sequence[SourceColumn]) -> float:
    """How well the columns fit all fields together."""
    scores = rate_pairs(fields, columns)
    return sum_fit(scores, sum_best(scores, find_wholes(columns)), len(fields))


def sum_fit(scores: Scores, columns: Mapping[int, int], count: int) -> float:
    """The mean of what fits well enough to be taken."""
    fits = [scores[pair] for pair in columns.items() if scores[pair] >= SURE_FIT]
    return sum(fits) / count if count else 0.0


def settle_fields(
    fields: Sequence[OutputField], columns: Sequence[SourceColumn], votes: Votes, weight: float
) -> dict[str, int]:
    """The columns that fit best together with what a model said, which counts so much where a column can be it.

    -1: nothing speaks for one.
    """
    scores = rate_pairs(fields, columns)
    for at, field in enumerate(fields):
        chosen = votes.get(field.name, -1)
        if weight < LARGE_VOTE and chosen >= 0 and _says_other_unit(field, columns[chosen]):
            # “14 in stock” says what it counts. A small model names it for whatever a row does not say.
            continue
        if (at, chosen) in scores:
            scores[at, chosen] += weight
        elif chosen < 0 and field.name in votes:
            scores |= {pair: score - weight / 2 for pair, score in scores.items() if pair[0] == at}
    found = sum_best(scores, find_wholes(columns))
    held = {fields[at].name: column for at, column in found.items() if scores[at, column] > 2 * POSSIBLE_FIT}
    return {field.name: held.get(field.name, -1) for field in fields}


def find_wholes(columns: Sequence[SourceColumn]) -> dict[int, int]:
    """For each column that is a part of another one's text the place of that."""
    whole = {each.spot: at for at, each in enumerate(columns) if "whole" in each.marks}
    return {at: whole[each.spot] for at, each in enumerate(columns) if each.part and each.spot in whole}


def _score_possible(field: OutputField, column: SourceColumn, leading: bool) -> float:
    """What speaks for a column before names and kinds are looked at: its type, and whether it begins the row."""
    if not can_hold(field, column):
        return 0.0
    if column.what != "text":
        return 0.01
    if field.type == "string":
        if leading and "heads_row" in column.marks:
            return LEADING_FIT
        return POSSIBLE_FIT / 3 if column.kinds & SHORT_KINDS or "whole" in column.marks else POSSIBLE_FIT
    return POSSIBLE_FIT / 2 if column.kinds & (EXACT | {"date"}) - kinds_of_name(field.name) else POSSIBLE_FIT


def score_pair(field: OutputField, columns: Sequence[SourceColumn], at: int) -> float:
    """How well a column fits a field, from 0 to 1."""
    column, wanted = columns[at], kinds_of_name(field.name)
    if not can_hold(field, column) or (column.what == "link") != ("link" in wanted):
        return 0.0
    if column.what == "link":
        return 0.7 - 0.05 * sum(each.what == "link" for each in columns[:at])
    if column.what == "state":
        return WEAK_FIT - 0.05
    named = max(
        score_name(words_of(field.name), words_of(column.called or column.name)), _share_word(field, columns, at)
    )
    held = column.kinds
    if "heads_row" in column.marks:
        held -= {"long"}
    if named < 0.9 and ((wanted & TEXT_KINDS and held & SHORT_KINDS) or (wanted & EXACT and held & EXACT - wanted)):
        return 0.0
    score = max(named, _score_unit(field, column), _score_kinds(wanted, columns, at))
    other = 0.12 if field.type != "string" and _says_other_unit(field, column) else 0.0
    return max(0.0, score - 0.2 * column.struck - 0.1 * ("repeated" in column.marks) - other)


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
    return len(short) >= SHORTEST_PART and (
        long.endswith(short) or (long.startswith(short) and len(short) > SHORTEST_PART)
    )


def _is_short_for(short: str, word: str) -> bool:
    """Whether a word is an abbreviation of another one, as Pts of points."""
    if not short or len(short) > LONGEST_ABBREVIATION or len(short) >= len(word) or short[0] != word[0]:
        return False
    rest = iter(word)
    return all(sign in rest for sign in short)


def _score_unit(field: OutputField, column: SourceColumn) -> float:
    """A column says the field's name with its values, as in “61 comments”."""
    words = set(words_of(field.name))
    said = [words <= set(words_of(text)) for text in column.samples]
    return 0.85 if words and column.has_numbers and len(said) > 1 and all(said) else 0.0


def _says_other_unit(field: OutputField, column: SourceColumn) -> bool:
    """Whether most values of a column say what they count, as “387 reviews”, and the field is not called so."""
    if len(column.samples) < 2 or column.kinds & kinds_of_name(field.name):
        return False
    every = Counter(word for text in column.samples if NUMBER.search(text) for word in set(words_of(text)))
    said = {word for word, count in every.items() if count >= max(2, USUAL_SHARE * len(column.samples))}
    counted = {word for word in said if len(word) > 3 and word.isalpha()}
    if kinds_of_name(field.name) & kinds_of_name(" ".join(counted)):
        return False
    return bool(counted) and not any(score_name(words_of(field.name), (word,)) for word in counted)


def _score_kinds(wanted: frozenset[str], columns: Sequence[SourceColumn], at: int) -> float:
    """A column is called by a word of the field's kind, or its values are of that kind and those of no other are."""
    column = columns[at]
    named = 0.78 if wanted & kinds_of_name(column.name) else 0.0
    if "date" in wanted and "number" in column.kinds:
        named = min(named, SURE_FIT)
    alike = [each for each in columns if each.what == "text" and each.kinds & wanted and not each.struck]
    valued = (0.72 if len(alike) == 1 else 0.6) if wanted & column.kinds else 0.0
    if "title" in wanted and "heads_row" in column.marks:
        valued = max(valued, 0.6 if column.part else 0.62)
    return max(named, valued, 0.85 if named and valued else 0.0)
