"""Attacks by what the browser offers, against a model that obeys them: nothing that they aim at happens."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from .attack_cases import Case, Scripted, cases
from .attack_trials import Trials, check_outcome, list_trials, try_chosen

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.timeout(600)]
TRIALS = list_trials(whole=True)


@pytest.fixture(scope="module")
async def trials(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Trials]:
    async with try_chosen(tmp_path_factory.mktemp("arena"), request.session.items, TRIALS) as trials:
        yield trials


@pytest.mark.parametrize(("case", "preset"), TRIALS.values(), ids=TRIALS)
async def test_nothing_gets_through_that_nobody_allowed(trials: Trials, case: Case | Scripted, preset: str) -> None:
    check_outcome(await trials.outcome(case, preset), case, preset)


def test_there_are_enough_attacks_each_with_a_name_of_its_own() -> None:
    assert len({case.name for case in cases()}) == len(cases()) >= 150


def test_the_document_names_attacks_that_there_are() -> None:
    """A name that begins with … is the end of one; one that ends with … is its beginning."""
    told = (Path(__file__).parents[2] / "docs" / "attacks.md").read_text("utf-8")
    named = re.findall("“([^”]+)”", "\n".join(line for line in told.splitlines() if not line.startswith("| “For")))
    known = [case.name for case in cases()]
    for name in named:
        ends = [one for one in known if one == name or one.endswith(name.lstrip("… ")) or one.startswith(name[:-2])]
        assert ends if "…" in name else name in known, name
