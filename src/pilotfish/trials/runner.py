"""Running trials one after the other and measuring each."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Sequence

from pilotfish.app import Pilotfish
from pilotfish.core.events import Delta, RunFinished
from pilotfish.trials.case import Case, Outcome, Start


async def run(
    fish: Pilotfish, cases: Sequence[Case], *, model: str = "", seeds: Sequence[int] = (0,), patience: float = 600
) -> AsyncIterator[Outcome]:
    """Each case with each seed, as it is done."""
    name = await fish.minds.name("main", model)
    for case in cases:
        for seed in seeds:
            yield await one(fish, case, name, seed, patience)


async def one(fish: Pilotfish, case: Case, model: str, seed: int, patience: float) -> Outcome:
    world = f"{case.name}-{seed}"
    start = await case.prepare(world)
    conversation = secrets.token_hex(8)
    await fish.browsers.of(conversation).tab(start.url)
    goal = await asyncio.wait_for(start.goal(), 30)
    began = time.perf_counter()
    record = await fish.start(
        goal,
        loop=case.loop,
        conversation=conversation,
        model=model,
        max_steps=start.limit,
        input_timeout=1,
        policy="trusted_sites",
        trusted=[start.url],
    )
    end = await _ended(fish, record.id, start, patience)
    answer = end.text if end else ""
    await fish.browsers.close(conversation)
    return Outcome(
        name=case.name,
        loop=case.loop,
        model=model,
        seed=seed,
        success=await case.passed(world, answer),
        claimed=bool(end and end.outcome == "completed"),
        steps=end.steps if end else 0,
        seconds=time.perf_counter() - began,
        tokens=end.usage.tokens if end else 0,
        cents=end.usage.cost * 100 if end and end.usage.priced else None,
        answer=answer,
        error=end.error if end else "gave up waiting",
        run=record.id,
    )


async def _ended(fish: Pilotfish, run: str, start: Start, patience: float) -> RunFinished | None:
    """Follow to the end; stop the run when the world says that it is over, or when patience is."""
    try:
        async with asyncio.timeout(patience):
            async for event in fish.follow(run):
                if isinstance(event, RunFinished):
                    return event
                if not isinstance(event, Delta) and start.over():
                    await fish.command(run, "stop")
    except TimeoutError:
        await fish.command(run, "stop")
    return None
