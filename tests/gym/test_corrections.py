"""Corrections: the oracle takes over where a learner goes wrong or would end too soon."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from gym.play import open_app, play_corrected
from gym.server import SiteServer
from pilotfish.llm.scripted import ScriptedModel

pytestmark = pytest.mark.slow
DONE = {"why": "it is done", "done": "Done."}


@pytest.mark.parametrize(
    ("learnt", "first"),
    [
        pytest.param([DONE], "acts", id="an end before anything was done"),
        pytest.param([{"why": "nothing fits", "give_up": "It is not there."}], "acts", id="giving up at once"),
        pytest.param([{"why": "look", "acts": [["scroll", "down"]]}, DONE], "acts", id="an end after a look"),
    ],
)
async def test_the_oracle_goes_on_where_a_learner_would_end_too_soon(
    tmp_path: Path, learnt: Sequence[object], first: str
) -> None:
    learner = ScriptedModel([json.dumps(line) for line in learnt], name="learner")
    async with SiteServer() as server, open_app(tmp_path) as fish:
        task = await play_corrected(fish, server, "shop", 5, learner)
    assert task.fault == ""
    assert first in json.loads(task.decisions[0].reply)
    assert "done" in json.loads(task.decisions[-1].reply)
