"""Tasks that a learner plays until it would end them, and the oracle's corrections from there on.

What a model does wrong leads it to pages, histories and claims that no oracle meets. There the oracle takes over and
plays the task from its beginning, but for the way to the page where the learner stands; where the site finds the task
done then, its decisions are worth learning.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random

from gym.oracle import ENDS, Step
from gym.player import Decision, OraclePlayer
from gym.shown import ShownPage
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
        self._oracle = self._oracle or self._take_over(ShownPage(request))
        return await self._oracle.reply(request, on_text)

    def _take_over(self, page: ShownPage) -> OraclePlayer:
        """The oracle from where the learner stands, or at its end where the data are as they should be."""
        done = self.site.want and self.site.data == self.site.wanted
        steps = iter([*self.site.steps()][-1:]) if done else leave_out_way(self.site, page)
        self.site.steps = lambda: steps
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


def leave_out_way(site: Site, page: ShownPage) -> Iterator[Step]:
    """The steps of the task without the first links, where the page that they lead to is open."""
    steps = site.steps()
    way: list[Step] = []
    for step in steps:
        way.append(step)
        if step.verb != "click" or step.name not in site.links:
            break
    begin = next((at for at in range(len(way) - 1, 0, -1) if leads_here(site, way[at - 1], way[at], page)), 0)
    return chain(way[begin:], steps)


def leads_here(site: Site, link: Step, after: Step, page: ShownPage) -> bool:
    """Whether the page is the one that a link leads to, and shows what the step after it needs."""
    path = next((path for path, name in site.sections.items() if name == link.name), "")
    listed = any(page.address.endswith(other) for other in site.sections if other != "/")
    there = page.address.endswith(path) if path else page.has_line(link.name) and not listed
    verbs = ("click", "type", "select")
    return there and (after.verb in ENDS or any(page.find(after.names, verb, after.row) for verb in verbs))
