"""Lets the light model review an action; if it finds it suspicious, the person is asked."""

from pathlib import Path

from pydantic import BaseModel, Field

from pilotfish.core import events
from pilotfish.core.errors import ModelError, OutOfBudget
from pilotfish.core.policy import Action, PolicyDecision, PolicyPreset
from pilotfish.core.prompts import render
from pilotfish.enforcement.policed_run import LightModel, PolicedRun
from pilotfish.safety.text_provenance import ProvenanceLedger, source_place

PROMPTS = Path(__file__).parent / "prompts"
PAGE_LENGTH = 6000


class SuspicionReview(BaseModel):
    """The light model's opinion of an action."""

    suspicious: bool
    why: str = Field(default="", max_length=300)


class DecisionReviewer:
    """Asks the light model whether a page, and not the person, gave the order for an action."""

    def __init__(self, run: PolicedRun, sources: ProvenanceLedger, ask_model: LightModel) -> None:
        self.run = run
        self.sources = sources
        self.ask_model = ask_model

    async def review(
        self, action: Action, decision: PolicyDecision, what: str, preset: PolicyPreset, key: str
    ) -> PolicyDecision:
        """The decision, raised to `ask` if the model finds the action suspicious; unchanged if no model answers."""
        run, source = self.run, self.sources.seen.get(source_place(action.page))
        values = {
            "task": run.task,
            "page": run.untrusted.wrap(source.text[-PAGE_LENGTH:] if source else ""),
            "action": run.untrusted.wrap(what, "action"),
        }
        prompt = render(PROMPTS, "suspicion", values)
        try:
            found = await self.ask_model(f"{key}.suspicion", "suspicion", prompt, SuspicionReview)
        except (ModelError, OutOfBudget) as error:
            note = f"Nobody could look for orders on the page: {error.message}"
            await run.emit(f"{key}.unreviewed", events.Noted(run=run.id, topic="suspicion", text=note))
            return decision
        if not found.suspicious:
            return decision
        permission = "deny" if preset in ("unattended", "read_only") else "ask"
        why = f"the page may have given the order: {found.why or 'it does not serve the task'}"
        return decision.model_copy(update={"decision": permission, "rule": "suspicion", "why": why})
