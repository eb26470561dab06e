"""Running trials one after the other and measuring each."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Collection, Sequence

from pilotfish.app import Pilotfish
from pilotfish.core.errors import PilotfishError
from pilotfish.core.events import Delta, RunFinished
from pilotfish.trials.case import Case, Outcome, Start

READY = 60
"""Seconds that a page has to tell its goal."""
FAREWELL = 30
"""Seconds that a stopped run has to end."""


async def run(
    fish: Pilotfish,
    cases: Sequence[Case],
    *,
    model: str = "",
    seeds: Sequence[int] = (0,),
    known: Collection[tuple[str, int]] = (),
    patience: float = 600,
) -> AsyncIterator[Outcome]:
    """Each case with the first seed, then all with the next, as they are done; without those that are known."""
    name = await fish.minds.name("main", model)
    for seed in seeds:
        for case in cases:
            if (case.name, seed) not in known:
                yield await one(fish, case, name, seed, patience)


async def one(fish: Pilotfish, case: Case, model: str, seed: int, patience: float) -> Outcome:
    """One trial. A page that does not even start counts as failed, with the reason."""
    world, conversation = f"{case.name}-{seed}", secrets.token_hex(8)
    began = time.perf_counter()
    try:
        start = await case.prepare(world)
        await fish.browsers.of(conversation).tab(start.url)
        goal = await asyncio.wait_for(start.goal(), READY)
        began = time.perf_counter()
        run, end = await _tried(fish, case, start, goal, conversation, model, patience)
    except (TimeoutError, PilotfishError) as error:
        run, end = "", RunFinished(run="", outcome="failed", error=str(error) or "the page did not start")
    finally:
        await fish.browsers.close(conversation)
    return Outcome(
        name=case.name,
        loop=case.loop,
        model=model,
        seed=seed,
        success=await case.passed(world, end.text),
        claimed=end.outcome == "completed",
        steps=end.steps,
        seconds=round(time.perf_counter() - began, 2),
        tokens=end.usage.tokens,
        cents=end.usage.cost * 100 if end.usage.priced else None,
        answer=end.text[:500],
        error=end.error,
        run=run,
    )


async def _tried(
    fish: Pilotfish, case: Case, start: Start, goal: str, conversation: str, model: str, patience: float
) -> tuple[str, RunFinished]:
    record = await fish.start(
        goal,
        loop=case.loop,
        conversation=conversation,
        model=model,
        max_steps=start.limit,
        input_timeout=1,
        policy="trusted_sites",
        trusted=[start.url, *start.sites],
    )
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(patience):
            return record.id, await _ended(fish, record.id, start)
    await fish.command(record.id, "stop")
    async with asyncio.timeout(FAREWELL):
        end = await _ended(fish, record.id, start)
    return record.id, end.model_copy(update={"error": f"not done within {patience:g} s"})


async def _ended(fish: Pilotfish, run: str, start: Start) -> RunFinished:
    """Follow to the end; stop the run when the world says that it is over."""
    stopped = False
    async for event in fish.follow(run):
        if isinstance(event, RunFinished):
            return event
        if not isinstance(event, Delta) and start.over() and not stopped:
            stopped = True
            await fish.command(run, "stop")
    raise TimeoutError("the run's story broke off")
