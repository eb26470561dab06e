"""Parts of a page that take several steps: the oracle's steps name what each kind shows, and the site reads it."""

from collections.abc import Iterator

import pytest

from gym.markup import Ui
from gym.oracle import Step
from gym.parts import (
    open_part,
    read_day,
    set_amount,
    set_day,
    set_view,
    write_amount,
    write_day,
    write_parts,
    write_view,
)
from gym.site import Site
from gym.style import FURTHER
from gym.words import Draw


def make_site(**kinds: str) -> Site:
    site = Site(Draw(5, "town", "en"), {"/": "home"})
    site.style.use(controls="plain", **kinds)
    return site


def list_named(steps: Iterator[Step]) -> list[str]:
    """What the steps name on the page: labels, and options that are chosen."""
    return [words for step in steps for words in (step.name, step.value if step.verb == "choose" else "") if words]


@pytest.mark.parametrize("kind", sorted(set(FURTHER["day"])))
def test_the_steps_for_a_day_name_what_the_page_has(kind: str) -> None:
    site = make_site(day=kind)
    html = write_day(Ui(site, "/", {}), "day", "When")
    assert all(words in html for words in list_named(set_day(site, "When", "2027-05-07")))


def test_a_day_of_three_choices_is_read_as_one() -> None:
    site = make_site(day="selects")
    assert read_day(site, {"day_d": "7", "day_m": "May", "day_y": "2027"}, "day") == "2027-05-07"
    assert read_day(site, {"day_d": "–", "day_m": "May", "day_y": "2027"}, "day") == ""
    assert read_day(site, {"day": " 2027-05-07 "}, "day") == "2027-05-07"


@pytest.mark.parametrize(("kind", "count"), [("field", 1), ("select", 1), ("stepper", 3)])
def test_the_steps_for_an_amount_name_what_the_page_has(kind: str, count: int) -> None:
    site = make_site(amount=kind)
    html, steps = write_amount(Ui(site, "/", {}), "n", "Guests", 1), list(set_amount(site, "Guests", 1, 4))
    assert len(steps) == count
    assert all(words in html for words in list_named(iter(steps)))


@pytest.mark.parametrize("kind", sorted(set(FURTHER["view"])))
def test_the_steps_for_a_view_name_what_the_page_has(kind: str) -> None:
    site = make_site(view=kind)
    html = write_view(Ui(site, "/", {}), "/", "sort", "Order", ["Name", "Price"])
    assert all(words in html for words in list_named(set_view(site, "Order", "Price")))


@pytest.mark.parametrize(("kind", "opened"), [("tabs", 1), ("pages", 1), ("folds", 1), ("open", 0)])
def test_a_part_is_opened_where_it_is_not_shown(kind: str, opened: int) -> None:
    site = make_site(parts=kind)
    html = write_parts(Ui(site, "/", {}), {"One": "<p>first</p>", "Two": "<p>second</p>"}, "/")
    assert len(list(open_part(site, "Two"))) == opened
    assert "Two" in html
