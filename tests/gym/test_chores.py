"""Sites of chores: every kind of task has goals, and its oracle does it through the loop."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from gym.choices import Consent, Picker
from gym.chores import SHARED, Chore
from gym.entries import Log, Names, Several, Tags
from gym.opinions import Levels, Reactions, Stars
from gym.orders import Columns, Ranking
from gym.places import Seats, Slots
from gym.play import open_app, play_oracle
from gym.readings import Documents
from gym.server import SiteServer
from gym.words import LANGUAGES, load_goals
from pilotfish import Pilotfish
from pilotfish.browser.sessions.browser_pool import BrowserPool

CHORES: tuple[type[Chore], ...] = (
    Columns, Consent, Levels, Log, Names, Picker, Ranking, Reactions, Seats, Several, Documents, Slots, Stars, Tags,
)  # fmt: skip
FAMILIES = ("playlist", "photos", "theatre", "energy", "bugs")
SEEDS = (3, 4)


@pytest.fixture(scope="module")
async def app(tmp_path_factory: pytest.TempPathFactory, pool: BrowserPool) -> AsyncIterator[Pilotfish]:
    home: Path = tmp_path_factory.mktemp("chores")
    async with AsyncExitStack() as stack:
        fish = await stack.enter_async_context(open_app(home))
        fish.browsers.pool.living_browser = pool.living_browser
        yield fish


@pytest.mark.parametrize("chore", CHORES)
def test_every_kind_of_a_chore_has_goals_in_every_language(chore: type[Chore]) -> None:
    goals = load_goals(SHARED)
    for kind in chore.kinds:
        assert set(LANGUAGES) <= goals[kind].keys(), kind
        assert len(goals[kind]["en"]) >= 2, kind


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
async def test_the_oracle_does_several_tasks_of_a_family_of_chores(family: str, app: Pilotfish) -> None:
    async with SiteServer() as server:
        for seed in SEEDS:
            task = await play_oracle(app, server, family, seed, twist="")
            assert not task.fault, f"{family} {seed}: {task.site.goal}\n{task.fault}"
