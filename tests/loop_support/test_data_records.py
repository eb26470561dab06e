"""A record keeps only what its page says."""

from typing import Any

import pytest

from pilotfish.loop_support.data_records import drop_shared, keep_said, take_labelled

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


def test_what_stands_beside_a_field_s_name_counts_more_than_what_a_model_read() -> None:
    text = "| Power | 1,200 W |\n| Weight | 1.1 kg |\n**Article number:** AK-12\nSize: small\nSize: large\n"
    rules = {"power": {"type": "string"}, "weight": {"type": "number"}, "article_number": {"type": "string"}}
    said: dict[str, str] = {}
    record = {"power": None, "weight": 7.0, "article_number": "A", "size": "large"}
    kept = take_labelled(record, {**rules, "size": {"type": "string"}}, text, said)
    assert kept == {"power": "1,200 W", "weight": 1.1, "article_number": "AK-12", "size": "large"}
    assert (said["power"], said["weight"]) == ("Power | 1,200 W", "Weight | 1.1 kg")


def test_a_line_about_one_field_is_not_the_text_of_another() -> None:
    line = "4.3 of 5 (212 reviews)"
    said = {"reviews": line, "energy_class": line, "name": "Kettle 3"}
    kept = drop_shared({"reviews": 212, "energy_class": line, "name": "Kettle 3"}, said)
    assert kept == {"reviews": 212, "energy_class": None, "name": "Kettle 3"}
    assert "energy_class" not in said
