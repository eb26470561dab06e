"""Saves facts after a run, in the background: only what the person said, never what a page or a model said."""

import asyncio
from typing import cast

from pydantic import BaseModel, Field, field_validator

from pilotfish.core.events import MessageAdded
from pilotfish.core.messages import Message
from pilotfish.memory.fact_merging import FactDraft, NoticedFact
from pilotfish.memory.memory import UserMemory
from pilotfish.memory.stated_facts import choose_drafts
from pilotfish.memory.statements import list_statements
from pilotfish.memory.text_terms import speaks_of_person
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run
from pilotfish.runtime.run_context import Json

MOST_FACTS = 4
MOST_KNOWN = 40
"""Known facts that a model sees, the most valuable first."""
MOST_SAID = 10_000
"""Characters of what a person said; whoever pastes more speaks of other things."""


class NoticedFacts(BaseModel):
    """Lasting facts that the person told about themselves; none where there are none."""

    facts: list[NoticedFact] = Field(default_factory=list[NoticedFact], max_length=MOST_FACTS)

    @field_validator("facts", mode="before")
    @classmethod
    def _none_is_empty(cls, value: object) -> object:
        return [] if value is None else value


@loop("_remember", steerable=False)
async def remember(run: Run) -> None:
    """Find lasting facts in what the person said in the run, and save them."""
    statements = (await run.step("said", lambda: read_statements(run)))["said"]
    if not speaks_of_person(statements):
        return await run.finish("There was nothing to remember.")
    await run.report("saving_memory", "started", "Looking for what is worth remembering")
    known = (await run.step("known", lambda: list_known(run)))["known"]
    prompt = run.prompt("remember", said=run.untrusted.wrap(statements, "person"))
    prompt += "\n" + run.prompt("remember_known", known=run.untrusted.wrap(known, "memory")) if known else ""
    noticed = await run.attempt(NoticedFacts, [Message(role="user", text=prompt)], purpose="remember", tier="light")
    found = noticed.facts if isinstance(noticed, NoticedFacts) else []
    drafts = await asyncio.to_thread(choose_drafts, found, statements.splitlines())
    lines = (await run.step("save", lambda: save_facts(run, drafts)))["lines"] if drafts else []
    for line in lines:
        await run.note("memory", line)
    await run.report("saving_memory", "completed", f"Looked at {len(found)} facts", facts=lines)
    return await run.finish("\n".join(lines) or "There was nothing to remember.")


async def read_statements(run: Run) -> Json:
    """The statements of the person in the finished run, one per line, of the beginning of what they said."""
    events = await run.context.journal.store.events(run.record.parent)
    words = [e.message.text for e in events if isinstance(e, MessageAdded) and e.message.origin == "person"]
    return {"said": "\n".join(await asyncio.to_thread(list_statements, "\n".join(words)[:MOST_SAID]))}


async def list_known(run: Run) -> Json:
    """What is known about the person, for a model that can tell what no longer holds: none for small ones."""
    if (await run.facts("light")).small:
        return {"known": ""}
    facts = await cast(UserMemory, run.context.services[UserMemory]).facts(run.record.user)
    return {"known": "\n".join(f"- {fact.content}" for fact in facts[:MOST_KNOWN])}


async def save_facts(run: Run, drafts: list[FactDraft]) -> Json:
    """Merge the facts into the person's memory; returns what happened to each."""
    memory = cast(UserMemory, run.context.services[UserMemory])
    return {"lines": (await memory.save(run.record.user, drafts, run.record.conversation)).lines()}
