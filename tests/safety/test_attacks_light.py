"""Attacks that the judge of inputs, words and addresses stops, against a model that obeys them.

They come out alike in the light browser; `bench/safety.py` tries them in the whole one.
"""

from collections.abc import AsyncIterator

import pytest

from .attack_cases import Case, Scripted
from .attack_trials import Trials, check_outcome, list_trials, try_chosen

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.timeout(600)]
TRIALS = list_trials(whole=False)


@pytest.fixture(scope="module")
def whole_browser() -> bool:
    return False


@pytest.fixture(scope="module")
async def trials(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Trials]:
    async with try_chosen(tmp_path_factory.mktemp("arena"), request.session.items, TRIALS) as trials:
        yield trials


@pytest.mark.parametrize(("case", "preset"), TRIALS.values(), ids=TRIALS)
async def test_nothing_gets_through_that_nobody_allowed(trials: Trials, case: Case | Scripted, preset: str) -> None:
    check_outcome(await trials.outcome(case, preset), case, preset)
