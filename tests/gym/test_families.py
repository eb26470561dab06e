"""Every family: its oracle, as the model of the loop, does what the site's check wants; doing nothing does not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from gym.families import HELD_OUT, list_families, make_site
from gym.play import open_app, play_oracle
from gym.server import SiteServer
from gym.site import TaskEnd
from gym.twists import TWISTS, list_steps
from gym.words import LANGUAGES
from pilotfish import Pilotfish
from pilotfish.browser.sessions.browser_pool import BrowserPool

SEEDS = (1,)
TWISTED = (
    ("elsewhere", "shop", 0, '"give_up":'),
    ("fact", "stock", 5, '"done":'),
    ("more", "people", 12, '"done":'),
    ("unsaid", "board", 2, '"ask":'),
    ("open", "mail", 4, '"done":'),
    ("already", "settings", 7, '"done":'),
    ("refused", "shop", 6, '"give_up":'),
)


@pytest.fixture(scope="module")
async def server() -> AsyncIterator[SiteServer]:
    async with SiteServer() as server:
        yield server


@pytest.fixture(scope="module")
async def app(tmp_path_factory: pytest.TempPathFactory, pool: BrowserPool) -> AsyncIterator[Pilotfish]:
    """One app for all families, with the browser that all tests share."""
    home: Path = tmp_path_factory.mktemp("gym")
    async with AsyncExitStack() as stack:
        fish = await stack.enter_async_context(open_app(home))
        fish.browsers.pool.living_browser = pool.living_browser
        yield fish


@pytest.mark.slow
@pytest.mark.parametrize("family", list_families())
async def test_the_oracle_does_the_task_through_the_loop(family: str, app: Pilotfish, server: SiteServer) -> None:
    played = await asyncio.gather(*(play_oracle(app, server, family, seed, twist="") for seed in SEEDS))
    for task in played:
        assert not task.fault, f"{family} {task.seed}: {task.site.goal}\n{task.fault}"


@pytest.mark.slow
@pytest.mark.parametrize(("twist", "family", "seed", "last"), TWISTED)
async def test_a_twist_of_a_task_is_played_to_its_end(
    twist: str, family: str, seed: int, last: str, app: Pilotfish, server: SiteServer
) -> None:
    task = await play_oracle(app, server, family, seed, twist=twist)
    assert task.site.twist == twist
    assert not task.fault
    assert any(last in decision.reply for decision in task.decisions)


@pytest.mark.slow
async def test_a_form_that_the_site_refused_is_sent_again_with_another_value(
    app: Pilotfish, server: SiteServer
) -> None:
    task = await play_oracle(app, server, "settings", 37, twist="")
    assert task.site.draw.word("bad_phone") in task.decisions[-2].messages[-1].text
    assert not task.fault


@pytest.mark.slow
async def test_a_form_that_wants_a_box_ticked_is_sent_again_with_it(app: Pilotfish, server: SiteServer) -> None:
    task = await play_oracle(app, server, "notes", 40, twist="")
    assert task.site.draw.word("agree_first") in task.decisions[-2].messages[-1].text
    assert not task.fault


def test_few_tasks_end_with_a_question() -> None:
    sites = [make_site(family, seed) for family in list_families() for seed in range(1000, 1010)]
    asking = sum(bool(site.person) for site in sites)
    assert 0 < asking / len(sites) < 0.06


def test_a_goal_for_another_site_is_searched_for_once_at_most() -> None:
    for seed in range(20):
        steps = list_steps(make_site("shop", seed, twist="elsewhere"))
        assert sum(step.verb == "look_up" for step in steps) <= 1


def test_where_the_goal_leaves_a_title_open_any_title_will_do() -> None:
    site = make_site("notes", 2, twist="open")
    assert site.open_value not in site.goal
    site.data = deepcopy(site.wanted)
    assert not site.check(TaskEnd("done", ""))
    site.data = change_text(site.wanted, site.open_value, "Something else")
    assert not site.check(TaskEnd("done", ""))
    site.data = change_text(site.wanted, site.open_value, "")
    assert site.check(TaskEnd("done", ""))


def change_text(data: object, old: str, new: str) -> Any:
    if isinstance(data, dict):
        return {key: change_text(each, old, new) for key, each in data.items()}
    if isinstance(data, list):
        return [change_text(each, old, new) for each in data]
    return new if data == old else data


@pytest.mark.parametrize("name", TWISTS)
def test_a_twisted_task_is_not_done_by_doing_nothing(name: str) -> None:
    sites = [make_site(family, seed, twist=name) for family in list_families() for seed in range(4)]
    twisted = [site for site in sites if site.twist == name]
    assert twisted
    assert all(site.check(TaskEnd("done", "")) for site in twisted)


def test_a_twist_that_does_not_fit_leaves_the_site_as_it_was() -> None:
    plain, tried = make_site("recipes", 104, twist=""), make_site("recipes", 104, twist="already")
    assert not tried.twist
    assert tried.data == plain.data
    for key, record in plain.data["records"].items():
        assert record["group"] in (tried.get(f"/record/{key}?_bare=1") or "")


@pytest.mark.parametrize("family", list_families())
def test_the_check_fails_where_nothing_was_done(family: str) -> None:
    for seed in range(20):
        site = make_site(family, seed)
        assert site.check(TaskEnd("done", "")), f"{family} {seed}: {site.goal}"


@pytest.mark.parametrize("family", list_families())
def test_a_site_is_the_same_for_the_same_seed_and_has_goals_in_every_language(family: str) -> None:
    for language in LANGUAGES:
        one, two = (make_site(family, 3, language) for _ in range(2))
        assert one.goal == two.goal and one.data == two.data and one.get("/") == two.get("/")


def test_a_fifth_of_the_families_is_held_out() -> None:
    known = set(list_families())
    assert known >= HELD_OUT
    assert 0.15 <= len(HELD_OUT) / len(known) <= 0.3
