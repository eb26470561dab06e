"""What a watch compares, without a model."""

import pytest

from pilotfish.core.errors import PersonError
from pilotfish.core.schedules import WatchedPart
from pilotfish.loop_support.watched_part import describe_change, read_amount, take_part

PAGE = "# Kettle\n\nPrice: 45.00 euros\n\nIn stock: 3\n\nIt is 10:41."


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("1.299,00", "1299"),
        ("1,299.00", "1299"),
        ("1299", "1299"),
        ("39.90", "39.9"),
        ("39,9", "39.9"),
        ("1.299", "1299"),
        ("1,234,567", "1234567"),
        ("0,50", "0.5"),
        ("12.", "12"),
    ],
)
def test_a_number_is_the_same_however_it_is_written(text: str, amount: str) -> None:
    assert read_amount(text) == amount


def test_only_the_watched_lines_count() -> None:
    part = WatchedPart(kind="text", what="price")
    later = PAGE.replace("10:41", "10:42")
    assert take_part(part, PAGE).digest == take_part(part, later).digest
    assert take_part(WatchedPart(), PAGE).digest != take_part(WatchedPart(), later).digest


def test_only_the_numbers_of_a_value_count() -> None:
    part = WatchedPart(kind="value", what="price")
    assert take_part(part, PAGE).digest == take_part(part, "**Price:** only € 45,- now").digest
    assert take_part(part, PAGE).digest != take_part(part, "Price: 44.99 euros").digest


def test_a_part_that_is_gone_is_a_failure_that_says_so() -> None:
    with pytest.raises(PersonError, match="no longer says"):
        take_part(WatchedPart(kind="text", what="delivery"), PAGE)
    with pytest.raises(PersonError, match="no number"):
        take_part(WatchedPart(kind="value", what="kettle"), PAGE)


def test_a_change_is_told_as_the_lines_that_went_and_came() -> None:
    before = take_part(WatchedPart(), PAGE)
    now = take_part(WatchedPart(), PAGE.replace("45.00", "39.00"))
    assert describe_change(before.model_dump(), now).splitlines() == ["-Price: 45.00 euros", "+Price: 39.00 euros"]
    assert describe_change(before.model_dump(), before) == ""
    assert describe_change(None, now) == ""
