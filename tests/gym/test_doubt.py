"""What teaches doubt: changes that a site refuses, near names, and mistakes that are undone."""

from random import Random

import pytest

from gym.choosing import Act
from gym.families import make_site
from gym.oracle import Step, choose, star
from gym.shown import ShownPage
from gym.site import Site
from gym.words import Draw
from gym.wrong_turns import OtherChoice, WrongTurns
from pilotfish.core.messages import Message, ModelRequest


def make_plain_site() -> Site:
    return Site(Draw(1, "shop", "en"), {"/": "home", "/a": "Attic", "/b": "Barn", "/c": "Cellar"})


def read_page(body: str) -> ShownPage:
    text = f'Goal: x\n<data-00000000 from="page">\nDone:\nnothing\nPage:\nA — http://x/\n{body}\n</data-00000000>'
    return ShownPage(ModelRequest(messages=(Message(role="user", text=text),)))


def take_other(site: Site, step: Step, body: str, act: Act) -> OtherChoice:
    """The first mistake that many players make at a step."""
    for seed in range(200):
        turns = WrongTurns(site, Random(seed), 0.2)
        if other := turns.take_other(step, read_page(body), [act]):
            return other
    raise AssertionError("nobody makes a mistake")


def test_where_changes_are_refused_the_right_end_is_to_say_so() -> None:
    sites = [make_site("shop", seed, twist="refused") for seed in range(12)]
    refused = [site for site in sites if site.twist == "refused"]
    assert refused and all(site.refusal and site.ending == "give_up" and site.wanted == site.data for site in refused)


def test_some_lists_have_two_things_with_near_names_and_all_else_stays() -> None:
    lists = [Draw(seed, "lockers", "en").some("tasks", 6) for seed in range(60)]
    assert all(len(set(each)) == len(each) for each in lists)
    near = [each for each in lists if any(other.startswith(f"{one} ") for one in each for other in each)]
    assert 5 <= len(near) <= 30


def test_the_mark_of_another_row_is_set_by_mistake_and_taken_away_before_the_right_one() -> None:
    site = make_plain_site()
    site.rows = dict.fromkeys(("Fern", "Oak"))
    step = star("keep", "Oak")
    other = take_other(site, step, '- Fern | [1] button "☆"\n- Oak | [2] button "☆"', ["click", 2])
    assert other.act == ["click", 1]
    assert [back.row for back in other.back] == ["Fern", "Oak"] and "undo" in other.back[0].why


def test_another_option_is_chosen_by_mistake_and_then_the_right_one() -> None:
    site, step = make_plain_site(), choose("Size", "Large")
    page = '[1] combobox "Size" = "Small" options: Small, Large, Huge'
    other = take_other(site, step, page, ["select", 1, "Large"])
    assert other.act == ["select", 1, "Small"]
    assert [(back.verb, back.value) for back in other.back] == [("choose", "Large")]


@pytest.mark.parametrize("opened", [1, 2])
def test_after_two_wrong_sections_the_player_may_give_up(opened: int) -> None:
    site = make_plain_site()
    ended = 0
    for seed in range(40):
        turns = WrongTurns(site, Random(seed), 0.2)
        for name in ("Attic", "Barn")[:opened]:
            turns.count_section(Step("click", (name,)))
        ended += turns.gives_up_looking(Step("click", ("Cellar",)))
    assert (5 < ended < 35) if opened == 2 else not ended
