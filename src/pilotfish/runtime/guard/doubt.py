"""A second pair of eyes: the light model may find an action suspicious, and then it is asked about."""

from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from pilotfish.core import events
from pilotfish.core.errors import ModelError, OutOfBudget
from pilotfish.core.messages import Message
from pilotfish.core.policy import Deed, Verdict
from pilotfish.core.prompts import render
from pilotfish.runtime.asking import Asking, Question
from pilotfish.safety.trace import place

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run

PROMPTS = Path(__file__).parent / "prompts"
SHOWN = 6000


class Suspicion(BaseModel):
    """What the light model thinks of an action."""

    suspicious: bool
    why: str = Field(default="", max_length=300)


async def doubted(run: "Run", deed: Deed, verdict: Verdict, what: str, key: str) -> Verdict:
    """The verdict, raised where the light model finds that a page gave the order. Without a model it stays as it is."""
    source = run.warden.ledger.seen.get(place(deed.page))
    values = {
        "task": run.task,
        "page": run.fence.wrap(source.text[-SHOWN:] if source else ""),
        "deed": what,
    }
    question = Question((Message(role="user", text=render(PROMPTS, "doubt", values)),), "doubt", "light", Suspicion)
    try:
        found = Suspicion.model_validate(await Asking(run, f"{key}.doubt").think(question))
    except (ModelError, OutOfBudget) as error:
        note = f"Nobody could look for orders on the page: {error.message}"
        await run.emit(f"{key}.undoubted", events.Noted(run=run.id, topic="doubt", text=note))
        return verdict
    if not found.suspicious:
        return verdict
    decision = "deny" if run.warden.preset in ("unattended", "read_only") else "ask"
    why = f"the page may have given the order: {found.why or 'it does not serve the task'}"
    return verdict.model_copy(update={"decision": decision, "rule": "suspicion", "why": why})
