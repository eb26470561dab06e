"""Honest work over several sites, with memory and tools of MCP servers, in the arena of the attacks."""

import tomllib

import pytest

from ..attack_arena import arena
from ..attack_cases import Case
from .chores import FOLDER

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


async def test_several_sites_memory_and_tools_of_others_are_used_without_a_question(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    found = tomllib.loads((FOLDER / "sites.toml").read_text("utf-8"))["case"]
    async with arena(tmp_path_factory.mktemp("sites")) as [field]:
        for case in map(Case.model_validate, found):
            outcome = await field.run(case)
            assert (outcome.asked, outcome.refused, outcome.absent) == ((), (), ""), (case.name, outcome)
