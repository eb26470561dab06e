"""Corrections: the oracle takes over where a learner goes wrong or would end too soon."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from gym.families import make_site
from gym.play import open_app, play_corrected
from gym.player import OraclePlayer
from gym.server import SiteServer
from pilotfish.core.messages import ModelReply, ModelRequest
from pilotfish.llm.base import TextListener
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


class HastyPlayer(OraclePlayer):
    """An oracle that says after its first reply that all is done."""

    async def reply(self, request: ModelRequest, on_text: TextListener | None = None) -> ModelReply:
        if not self.decisions:
            return await super().reply(request, on_text)
        return await ScriptedModel([json.dumps(DONE)]).reply(request, on_text)


async def test_the_way_that_the_learner_went_is_not_gone_again(tmp_path: Path) -> None:
    learner = HastyPlayer(make_site("crm", 14), "learner")
    async with SiteServer() as server, open_app(tmp_path) as fish:
        task = await play_corrected(fish, server, "crm", 14, learner)
    assert task.fault == ""
    gone, *_ = [json.loads(decision.reply)["why"] for decision in learner.decisions]
    assert gone not in [json.loads(decision.reply)["why"] for decision in task.decisions]
