"""What a value of a page becomes under the rules of a JSON schema."""

import time
from typing import Any

import pytest

from pilotfish.core.errors import PersonError
from pilotfish.core.output_fields import describe_misfits, read_schema
from pilotfish.core.value_rules import fit_value, read_date, read_rules


@pytest.mark.parametrize(
    ("rule", "value", "fitted"),
    [
        ({"enum": ["in_stock", "sold_out"]}, "In stock (3)", "in_stock"),
        ({"enum": ["in stock", "sold out"]}, "Not in stock", None),
        ({"enum": ["in stock", "sold out"]}, "In stock again in May", None),
        ({"enum": ["M", "M+"]}, "m+", "M+"),
        ({"enum": [1, 2, None]}, 3, None),
        ({"const": True}, True, True),
        ({"minimum": 0, "exclusiveMaximum": 10}, 10, None),
        ({"minimum": 0, "exclusiveMaximum": 10}, 0, 0),
        ({"format": "date"}, "12. März 2026", "2026-03-12"),
        ({"format": "date"}, "03/04/2026", None),
        ({"format": "email"}, "on request", None),
        ({"format": "uri"}, "https://shop.example/kettle", "https://shop.example/kettle"),
        ({"pattern": "^[A-Z]{2}-\\d+$"}, "AK-12", "AK-12"),
        ({"pattern": "^[A-Z]{2}-\\d+$"}, "none", None),
        ({"maxLength": 3}, "long", None),
    ],
)
def test_a_value_that_breaks_the_rules_of_a_schema_is_none(rule: dict[str, Any], value: Any, fitted: Any) -> None:
    assert fit_value(value, read_rules("x", rule)) == fitted


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Mon 3 Nov 2026 at 14:00", "2026-11-03"),
        ("March 5, 2026", "2026-03-05"),
        ("le 3 février 2025", "2025-02-03"),
        ("24.12.2026", "2026-12-24"),
        ("31.2.2026", None),
        ("5 May", None),
        ("2 hours ago", None),
    ],
)
def test_a_date_is_read_where_it_can_be_read_in_one_way(text: str, day: str | None) -> None:
    assert read_date(text) == day


def test_a_long_text_of_a_page_is_no_date() -> None:
    assert read_date("the fair is on 3 July 2026") == "2026-07-03"
    assert read_date("the fair is on 3 July 2026 " + "in the long meadow " * 20) is None


def test_a_pattern_that_somebody_gives_cannot_make_reading_slow() -> None:
    began = time.monotonic()
    assert fit_value("a" * 100_000 + "!", read_rules("code", {"pattern": "^(a+)+$"})) is None
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("rule", [{"pattern": "("}, {"minimum": "much"}, {"enum": [{}]}, {"enum": 5}])
def test_rules_that_cannot_be_read_are_refused_before_a_page_is(rule: dict[str, Any]) -> None:
    with pytest.raises(PersonError, match="rules of 'x'"):
        read_schema({"type": "array", "items": {"type": "object", "properties": {"x": {"type": "string", **rule}}}})


def test_what_rows_say_against_the_rules_is_told() -> None:
    items = {"type": "object", "properties": {"state": {"enum": ["in stock", "sold out"]}, "name": {"type": "string"}}}
    wanted = read_schema({"type": "array", "items": items})
    said = [({"state": None}, {"state": "On order"}), ({"state": "sold out"}, {"state": "Sold out"}), ({}, {})]
    assert describe_misfits(wanted, said) == ["what 1 row says of state is not what the schema allows"]
