"""Honest chores through the real product: all done, none denied, and asked about only where a question is justified."""

from collections.abc import AsyncIterator

import pytest

from pilotfish import Pilotfish
from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.core.settings import Settings
from pilotfish.practice.server import Practice

from .apps import AppServer
from .chores import Chore, ChoreRunner, all_chores

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
CHORES = all_chores()


@pytest.fixture(scope="module")
def whole_browser() -> bool:
    """Chores come out alike in both; `test_sites.py` has some in the whole one."""
    return False


@pytest.fixture(scope="module")
async def runner(tmp_path_factory: pytest.TempPathFactory, pool: BrowserPool) -> AsyncIterator[ChoreRunner]:
    home = tmp_path_factory.mktemp("honest")
    async with Practice() as practice, AppServer() as apps, Pilotfish(Settings(home=home)) as fish:
        fish.browsers.pool.living_browser = pool.living_browser
        yield ChoreRunner(fish, practice, apps)


@pytest.mark.parametrize(("suite", "chore"), CHORES, ids=[f"{suite} · {chore.name}" for suite, chore in CHORES])
async def test_a_chore_is_done_with_no_question_but_a_justified_one(
    runner: ChoreRunner, suite: str, chore: Chore
) -> None:
    outcome = await runner.run(suite, chore)
    assert (outcome.denied, outcome.failed, outcome.missing) == ((), (), ()), outcome
    justified = [question for question in outcome.asked if question.startswith(chore.asks or ("-",))]
    assert (len(justified), len(outcome.asked)) == ((1, 1) if chore.asks else (0, 0)), outcome.asked


def test_there_are_a_hundred_chores_and_a_tenth_of_them_justify_a_question() -> None:
    assert len(CHORES) >= 100 and len({chore.name for _, chore in CHORES}) == len(CHORES)
    assert sum(bool(chore.asks) for _, chore in CHORES) <= len(CHORES) / 10
