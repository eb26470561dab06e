"""Tasks that a learner plays until it would end them, and the oracle's corrections from there on.

What a model does wrong leads it to pages, histories and claims that no oracle meets. There the oracle takes over and
plays the task from its beginning; where the site finds it done then, its decisions are worth learning.
"""

import json
from collections.abc import Sequence
from random import Random

from gym.player import ENDS, Decision, OraclePlayer
from gym.site import Site
from pilotfish.core.messages import Message, ModelFacts, ModelReply, ModelRequest
from pilotfish.llm.base import Model, TextListener
from pilotfish.llm.model_facts import EMBEDDED_MODEL

TO_THE_END = 0.6
"""How often the learner plays until it says an end."""
MOST_TURNS, FEW_TURNS = 14, 6
"""Turns of the learner at most, and at most where it does not play to the end."""


class CorrectedPlayer:
    """A learner until it says an end or its turns are over, then the oracle."""

    def __init__(self, site: Site, name: str, learner: Model, seed: int) -> None:
        self.site = site
        self.name = name
        self.facts: ModelFacts = EMBEDDED_MODEL
        random = Random(f"corrections {seed}")
        self.turns = MOST_TURNS if random.random() < TO_THE_END else random.randint(1, FEW_TURNS)
        self._learner = learner
        self._seed = seed
        self._oracle: OraclePlayer | None = None

    @property
    def decisions(self) -> Sequence[Decision]:
        """Those of the oracle."""
        return self._oracle.decisions if self._oracle else ()

    @property
    def fault(self) -> str:
        return self._oracle.fault if self._oracle else ""

    async def reply(self, request: ModelRequest, on_text: TextListener | None = None) -> ModelReply:
        if self._oracle is None and self.turns:
            self.turns -= 1
            reply = await self._learner.reply(request)
            if not says_end(reply.text):
                return reply
        self._oracle = self._oracle or self._take_over()
        return await self._oracle.reply(request, on_text)

    def _take_over(self) -> OraclePlayer:
        """The oracle from the beginning of the task, or at its end where the data are as they should be."""
        if self.site.want and self.site.data == self.site.wanted:
            last = list(self.site.steps())[-1]
            self.site.steps = lambda: iter((last,))
        return OraclePlayer(self.site, self.name, seed=self._seed)

    async def warm(self, messages: Sequence[Message]) -> None:
        """There is no cache."""

    async def close(self) -> None:
        """There is nothing to close."""


def says_end(text: str) -> bool:
    """Whether a reply ends the task or asks the person; one that cannot be read does not."""
    try:
        reply = json.loads(text)
    except json.JSONDecodeError:
        return False
    return isinstance(reply, dict) and any(end in reply for end in ENDS)
