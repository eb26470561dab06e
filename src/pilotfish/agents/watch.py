"""Watches a page: compares what it says with the last time, and asks a model only where something changed."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, Field

from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Message
from pilotfish.core.pages import TabText
from pilotfish.core.schedules import WatchedPart
from pilotfish.loop_support.watched_part import PageSighting, describe_change, take_part
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run
from pilotfish.runtime.run_context import Json

LOOKED_BACK = 500
"""Times that are looked at for the last one that kept the page's text."""


class ConditionAnswer(BaseModel):
    """Whether the page says that the condition is met, and the words of the page that say so."""

    fulfilled: bool
    why: str = Field(max_length=500)


@loop("_watch", steerable=False)
async def watch(run: Run) -> None:
    """Read the watched part; finish without a model where it is as before; else ask whether the condition is met."""
    part = WatchedPart.model_validate(run.options["watch"])
    page = await run.read_part(part.what if part.kind == "selector" else "")
    now = take_part(part, page.text)
    last = (await run.step("last sighting", lambda: find_last_sighting(run)))["seen"]
    if last is not None and last["digest"] == now.digest:
        fulfilled = bool(last.get("fulfilled"))
        seen: dict[str, Any] = {"digest": now.digest, "fulfilled": fulfilled, "why": last.get("why", ""), "news": False}
        return await run.finish(describe_state("Nothing changed", fulfilled, seen["why"]), data={"watch": seen})
    change = describe_change(last, now)
    answer = await judge_condition(run, page, now, change)
    seen = {**now.model_dump(), "fulfilled": answer.fulfilled, "why": answer.why, "news": True, "change": change}
    await run.finish(
        describe_state("The page changed" if last is not None else "First look", answer.fulfilled, answer.why),
        data={"watch": seen},
        places=[{"url": page.url}],
    )
    return None


async def judge_condition(run: Run, page: TabText, now: PageSighting, change: str) -> ConditionAnswer:
    """Ask the model whether what the page says now meets the condition. Its title says what a part of it is about."""
    prompt = run.prompt(
        "watch",
        condition=run.task,
        page=run.untrusted.wrap(f"{page.title} ({page.url})\n\n{now.text}"),
        change=run.untrusted.wrap(change) if change else "This is the first look.",
    )
    asked = [Message(role="user", text=prompt)]
    answer = await run.attempt(ConditionAnswer, asked, purpose="watch")
    if isinstance(answer, ConditionAnswer):
        return answer
    raise ModelError("The model did not say whether the condition is met.", "Choose another model for the watch.")


async def find_last_sighting(run: Run) -> Json:
    """What was seen the last time, with the text of the last time that kept it; None the first time."""
    schedule = str(run.options.get("schedule", ""))
    found: list[Mapping[str, Any]] = [fire.seen for fire in await run.store.fires(schedule, LOOKED_BACK) if fire.seen]
    if not found:
        return {"seen": None}
    kept = next((seen["text"] for seen in found if "text" in seen), "")
    return {"seen": {**found[0], "text": kept}}


def describe_state(what: str, fulfilled: bool, why: str) -> str:
    """One sentence about a look at the page."""
    because = why.rstrip(".")
    return f"{what}; the condition is {'met' if fulfilled else 'not met'}{f': {because}' if because else ''}."
