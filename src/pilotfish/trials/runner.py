"""Runs trials one after the other and measures each."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Collection, Sequence

from pilotfish.app import Pilotfish
from pilotfish.core.errors import PilotfishError
from pilotfish.core.events import RunFinished, TextDelta
from pilotfish.trials.case import TrialCase, TrialOutcome, TrialStart

READY_TIMEOUT = 60
"""Seconds that a page has to tell its goal."""
STOP_TIMEOUT = 30
"""Seconds that a stopped run has to end."""


async def run_trials(
    fish: Pilotfish,
    cases: Sequence[TrialCase],
    *,
    model: str = "",
    seeds: Sequence[int] = (0,),
    known: Collection[tuple[str, int]] = (),
    time_limit: float = 600,
) -> AsyncIterator[TrialOutcome]:
    """Run all cases with the first seed, then with the next. Known outcomes are skipped; each new one is yielded."""
    name = await fish.models.name("main", model)
    for seed in seeds:
        for case in cases:
            if (case.name, seed) not in known:
                yield await run_trial(fish, case, name, seed, time_limit)


async def run_trial(fish: Pilotfish, case: TrialCase, model: str, seed: int, time_limit: float) -> TrialOutcome:
    """Run one trial. A page that does not start counts as failed, with the reason."""
    world, conversation = f"{case.name}-{seed}", secrets.token_hex(8)
    began = time.perf_counter()
    try:
        start = await case.prepare(world)
        await fish.browsers.of(conversation).tab(start.url)
        goal = await asyncio.wait_for(start.goal(), READY_TIMEOUT)
        began = time.perf_counter()
        run, end = await _run_trial(fish, case, start, goal, conversation, model, time_limit)
    except (TimeoutError, PilotfishError) as error:
        run, end = "", RunFinished(run="", outcome="failed", error=str(error) or "the page did not start")
    finally:
        await fish.browsers.close(conversation)
    return TrialOutcome(
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


async def _run_trial(
    fish: Pilotfish, case: TrialCase, start: TrialStart, goal: str, conversation: str, model: str, time_limit: float
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
        async with asyncio.timeout(time_limit):
            return record.id, await _await_end(fish, record.id, start)
    await fish.command(record.id, "stop")
    async with asyncio.timeout(STOP_TIMEOUT):
        end = await _await_end(fish, record.id, start)
    return record.id, end.model_copy(update={"error": f"not done within {time_limit:g} s"})


async def _await_end(fish: Pilotfish, run: str, start: TrialStart) -> RunFinished:
    """Follow the run to its end; stop it when the site says that the episode is over."""
    stopped = False
    async for event in fish.follow(run):
        if isinstance(event, RunFinished):
            return event
        if not isinstance(event, TextDelta) and start.over() and not stopped:
            stopped = True
            await fish.command(run, "stop")
    raise TimeoutError("the run's story broke off")
