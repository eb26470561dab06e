"""Remembering after a run, in the background: what the person themselves said, never what a page or a model did."""

import re
from typing import cast

from pydantic import BaseModel, Field

from pilotfish.core.events import MessageAdded
from pilotfish.core.messages import Message
from pilotfish.memory.memory import Memory
from pilotfish.memory.settle import Draft
from pilotfish.memory.words import terms
from pilotfish.runtime.kit import Json
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run

MOST = 4
GROUNDED = 0.5
"""What share of a fact's words the person must have used themselves."""
SELF = re.compile(
    r"\b(i|i['’]\w+|me|my|mine|we|us|our|ich|mir|mich|mein\w*|wir|uns|je|j['’]\w*|moi|mon|ma|mes|nous|yo|mi|mis|me"
    r"|nosotros|eu|meu|minha|nós|io|mio|mia|noi)\b|我|咱|私|僕|俺",
    re.IGNORECASE,
)


class Noticed(BaseModel):
    """Lasting facts that the person told about themselves; none where there are none."""

    facts: list[Draft] = Field(default_factory=list[Draft], max_length=MOST)


@loop("_remember")
async def remember(run: Run) -> None:
    """Read what the person said in the run before, and keep what will matter in a month."""
    said = (await run.step("said", lambda: heard(run)))["said"]
    if not SELF.search(said):
        return await run.finish("There was nothing to remember.")
    await run.report("saving_memory", "started", "Looking for what is worth remembering")
    prompt = run.prompt("remember", said=run.fence.wrap(said, "person"))
    noticed = await run.decide(Noticed, [Message(role="user", text=prompt)], purpose="remember", tier="light")
    drafts = [draft for draft in noticed.facts if grounded(draft.content, said)]
    lines = (await run.step("save", lambda: saved(run, drafts)))["lines"] if drafts else []
    for line in lines:
        await run.note("memory", line)
    await run.report("saving_memory", "completed", f"Looked at {len(noticed.facts)} facts", facts=lines)
    return await run.finish("\n".join(lines) or "There was nothing to remember.")


async def heard(run: Run) -> Json:
    story = await run.kit.journal.store.events(run.record.parent)
    words = [e.message.text for e in story if isinstance(e, MessageAdded) and e.message.role == "user"]
    return {"said": "\n".join(words)}


async def saved(run: Run, drafts: list[Draft]) -> Json:
    memory = cast(Memory, run.kit.services[Memory])
    return {"lines": (await memory.save(run.record.user, drafts, run.record.conversation)).lines()}


def grounded(fact: str, said: str) -> bool:
    """Whether the person's own words carry the fact: a model may put it otherwise, not make it up."""
    wanted = set(terms(fact))
    return len(wanted & set(terms(said))) >= GROUNDED * len(wanted)
