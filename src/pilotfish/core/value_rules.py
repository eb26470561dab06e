"""The rules of a JSON schema for one value: what a value of a page becomes under them, or None where it breaks them."""

import re
from collections.abc import Mapping
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from pydantic import Field, ValidationError
from pydantic_core import SchemaError, SchemaValidator, core_schema

from pilotfish.core.errors import PersonError
from pilotfish.core.values import Value
from pilotfish.core.when_words import find_month

AFTER_CHOICE = re.compile(r" ?[,;:.(!–—]")
ISO_DATE = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
DAY_FIRST = re.compile(r"\b(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\b")
NAMED_MONTH = re.compile(r"[^\W\d_]+")
YEAR = re.compile(r"\b\d{4}\b")
LONGEST_DATE = 200
"""Characters of a text that is read for a date: what pages say is untrusted, and each of its words is looked up."""
DAY = re.compile(r"(?<![\d:.])\d{1,2}(?![\d:])")
FORMS = {
    "email": re.compile(r"\A[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+\Z"),
    "uri": re.compile(r"\A[a-z][a-z0-9+.-]*:\S+\Z", re.IGNORECASE),
}
NAMES = {
    "minimum": "least",
    "maximum": "most",
    "exclusiveMinimum": "above",
    "exclusiveMaximum": "below",
    "minLength": "shortest",
    "maxLength": "longest",
    "pattern": "pattern",
    "format": "form",
}
"""What the rules are called in a JSON schema, and here."""


class ValueRules(Value):
    """What a schema says of a value beside its type. `choices`: the only values; `form`: such as date or email."""

    choices: tuple[str | float | bool, ...] = ()
    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None
    shortest: int = 0
    longest: int | None = None
    pattern: str = Field(default="", max_length=300)
    form: str = ""


def read_rules(name: str, rule: Mapping[str, Any]) -> ValueRules:
    """The rules that a schema has for a value."""
    choices = [rule["const"]] if "const" in rule else rule.get("enum", ())
    given = {ours: rule[theirs] for theirs, ours in NAMES.items() if theirs in rule}
    try:
        make_pattern(str(rule.get("pattern", "")))
        return ValueRules(choices=tuple(each for each in choices if each is not None), **given)
    except (SchemaError, TypeError, ValidationError) as error:
        raise PersonError(f"The rules of {name!r} cannot be read.", " ".join(str(error).split())[:200]) from None


def fit_value(value: Any, rules: ValueRules) -> Any:
    """A value as the rules want it: a choice as the schema writes it, a date as 2026-12-24; None if it breaks them."""
    if value is None or rules == ValueRules():
        return value
    if rules.choices:
        return _choose(value, rules)
    if isinstance(value, str):
        return _fit_text(value, rules)
    bounds = (
        rules.least is None or value >= rules.least,
        rules.most is None or value <= rules.most,
        rules.above is None or value > rules.above,
        rules.below is None or value < rules.below,
    )
    return value if all(bounds) else None


def _choose(value: Any, rules: ValueRules) -> Any:
    """The choice that a value is, or that it begins with, as in "In stock (3)"; "not in stock" is another thing."""
    if not isinstance(value, str):
        return value if value in rules.choices else None
    texts = [choice for choice in rules.choices if isinstance(choice, str)]
    said = _fold(value)
    return next(
        (choice for choice in sorted(texts, key=len, reverse=True) if _says(said, _fold(choice))),
        None,
    )


def _fold(text: str) -> str:
    return " ".join(text.replace("_", " ").casefold().split())


def _says(text: str, choice: str) -> bool:
    return text == choice or bool(choice and text.startswith(choice) and AFTER_CHOICE.match(text[len(choice) :]))


def _fit_text(value: str, rules: ValueRules) -> str | None:
    text = read_date(value) if rules.form == "date" else value
    if text is None or len(text) < rules.shortest or (rules.longest is not None and len(text) > rules.longest):
        return None
    if rules.form in FORMS and not FORMS[rules.form].match(text):
        return None
    if rules.form == "date-time" and not _is_moment(text):
        return None
    return text if not rules.pattern or make_pattern(rules.pattern).isinstance_python(text) else None


@lru_cache(maxsize=100)
def make_pattern(pattern: str) -> SchemaValidator:
    """A check for texts in which a pattern is found, in time in proportion to the text whatever the pattern is."""
    return SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))


def _is_moment(text: str) -> bool:
    try:
        return bool(datetime.fromisoformat(text))
    except ValueError:
        return False


def read_date(text: str) -> str | None:
    """The date that a text says, as 2026-12-24; None if it says none or could be read in two ways."""
    if len(text) > LONGEST_DATE:
        return None
    if found := ISO_DATE.search(text):
        return _write_date(found[1], found[2], found[3])
    if found := DAY_FIRST.search(text):
        return _write_date(found[3], found[2], found[1])
    named = [month for word in NAMED_MONTH.findall(text) if (month := find_month(word))]
    years, days = YEAR.findall(text), DAY.findall(YEAR.sub(" ", text))
    return _write_date(years[0], named[0], days[0]) if len(named) == len(years) == len(days) == 1 else None


def _write_date(*parts: str | int) -> str | None:
    try:
        return date(*map(int, parts)).isoformat()
    except ValueError:
        return None
