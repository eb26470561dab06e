"""Two apps in one process."""

from pathlib import Path

import pytest

from pilotfish import Pilotfish
from pilotfish.core.errors import PersonError
from pilotfish.core.settings import Settings
from scripted_app import events_of, script

pytestmark = [pytest.mark.anyio]


async def test_a_second_app_in_one_process_is_refused_in_one_sentence_and_harms_nothing(tmp_path: Path) -> None:
    async with Pilotfish(Settings(home=tmp_path / "one")) as first:
        with pytest.raises(PersonError, match="a process can hold only one") as refused:
            async with Pilotfish(Settings(home=tmp_path / "two")):
                pass
        assert "process of its own" in refused.value.fix
        script(first, ['{"plan": "Fine.", "finish": true}'])
        assert (await events_of(first, "Hello", loop="strict"))[-1].type == "run_finished"
    async with Pilotfish(Settings(home=tmp_path / "two")) as second:
        script(second, ['{"plan": "Fine.", "finish": true}'])
        assert (await events_of(second, "Hello", loop="strict"))[-1].type == "run_finished"
