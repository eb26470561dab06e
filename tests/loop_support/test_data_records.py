"""A record keeps only what its page says."""

from typing import Any

import pytest

from pilotfish.loop_support.data_records import keep_said

PAGE = """Shop › Kitchen › Steel kettle 1.7 l
# Steel kettle 1.7 l
Price: € 1.234,90
Rated 4,5 of 5 by 2.1k people, 40 % off
Ships in 2 days from our store in Hamburg"""


@pytest.mark.parametrize(
    ("value", "quote"),
    [
        ("Steel kettle 1.7 l", "Steel kettle 1.7 l"),
        ("2 days", "Ships in 2 days from our store in Hamburg"),
        (1234.9, "Price: € 1.234,90"),
        (4.5, "Rated 4,5 of 5 by 2.1k people, 40 % off"),
        (2100, "Rated 4,5 of 5 by 2.1k people, 40 % off"),
        (0.4, "Rated 4,5 of 5 by 2.1k people, 40 % off"),
    ],
)
def test_a_value_that_the_page_says_is_kept_with_its_line(value: object, quote: str) -> None:
    said: dict[str, str] = {}
    assert keep_said("field", value, {}, PAGE, said) == value
    assert said == {"field": quote}


@pytest.mark.parametrize("value", ["Acme Corporation", "support@acme.example", 99.0, 17])
def test_a_value_that_the_page_does_not_say_is_null(value: object) -> None:
    said: dict[str, str] = {}
    assert keep_said("field", value, {}, PAGE, said) is None
    assert said == {}


@pytest.mark.parametrize(
    ("value", "rule"),
    [(True, {}), (None, {}), ("kitchen", {"enum": ["kitchen", "garden"]}), (" ".join(["whatever"] * 13), {})],
)
def test_what_is_a_judgement_is_not_looked_for(value: object, rule: dict[str, Any]) -> None:
    assert keep_said("field", value, rule, PAGE, {}) == value


def test_a_number_is_kept_as_people_write_it() -> None:
    assert str(keep_said("price", 4.500000000000001, {}, PAGE, {})) == "4.5"


def test_inner_values_are_kept_one_by_one() -> None:
    value = {"seller": {"town": "Hamburg", "phone": "0800 999"}, "days": [2, 9]}
    said: dict[str, str] = {}
    kept = keep_said("offer", value, {}, PAGE, said)
    assert kept == {"seller": {"town": "Hamburg", "phone": None}, "days": [2]}
    assert set(said) == {"offer.seller.town", "offer.days.1"}
