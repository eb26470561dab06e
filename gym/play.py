"""Plays tasks through the product: the real app, the real browser, and an oracle in place of the model."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from gym.corrections import CorrectedPlayer
from gym.families import make_site
from gym.player import Decision, OraclePlayer
from gym.server import SiteServer
from gym.site import Ending, Site, TaskEnd
from pilotfish import Pilotfish
from pilotfish.core import events
from pilotfish.core.policy import PolicyRule
from pilotfish.core.settings import AgentSettings, BudgetSettings, MemorySettings, PolicySettings, Settings
from pilotfish.llm.base import Model

LOOP = "pilot"
STEPS = 40


@dataclass(frozen=True)
class PlayedTask:
    """A task that was played: how it ended, what the site found wrong, and the oracle's decisions."""

    family: str
    seed: int
    site: Site
    end: TaskEnd
    fault: str
    decisions: tuple[Decision, ...] = ()


@asynccontextmanager
async def open_app(home: Path) -> AsyncGenerator[Pilotfish]:
    """The app as the gym uses it: short form, no questions about effects, no memory."""
    settings = Settings(
        home=home,
        agent=AgentSettings(screenshots=False, steps=STEPS),
        budget=BudgetSettings(run_cents=None),
        memory=MemorySettings(enabled=False),
        policy=PolicySettings(rules=(PolicyRule(then="allow"),)),
    )
    async with Pilotfish(settings) as fish:
        yield fish


async def play_oracle(
    fish: Pilotfish, server: SiteServer, family: str, seed: int, *, twist: str | None = None, detours: float = 0.0
) -> PlayedTask:
    """Play a task with its oracle. `twist` is that of `make_site`."""
    site = make_site(family, seed, twist=twist)
    player = OraclePlayer(site, f"oracle-{family}-{seed}", detours, seed)
    end, fault = await play_site(fish, server, site, player)
    return PlayedTask(family, seed, site, end, player.fault or fault, tuple(player.decisions))


async def play_corrected(fish: Pilotfish, server: SiteServer, family: str, seed: int, learner: Model) -> PlayedTask:
    """Let a learner play a task until it would end it, then the oracle. The decisions are those of the oracle."""
    site = make_site(family, seed)
    player = CorrectedPlayer(site, f"corrected-{family}-{seed}", learner, seed)
    end, fault = await play_site(fish, server, site, player)
    return PlayedTask(family, seed, site, end, player.fault or fault, tuple(player.decisions))


async def play_site(fish: Pilotfish, server: SiteServer, site: Site, model: Model) -> tuple[TaskEnd, str]:
    """Let a model do the site's task. How it ended, and what the site found wrong."""
    url = server.mount(site)
    fish.models.set_default(model.name, model)
    asked: list[str] = []
    ending: Ending = "give_up"
    text = ""
    record = await fish.start(site.goal, loop=LOOP, tabs=[url], model=model.name)
    async for event in fish.follow(record.id):
        if isinstance(event, events.InputRequested):
            asked.append(event.question)
            await fish.command(record.id, "answer", request=event.request, text=site.answer_person(event.question))
        elif isinstance(event, events.RunFinished):
            ending = "done" if event.outcome == "completed" else "give_up"
            text = event.text if ending == "done" else f"{event.error} {event.text}".strip()
    await fish.delete_conversation(record.conversation)
    server.remove(site)
    end = TaskEnd(ending, text, tuple(asked))
    return end, site.check(end)
