"""Asks the person about effects that the policy does not decide, and records each decision."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from pilotfish.core import events
from pilotfish.core.policy import Action, ActionClearance, PolicyDecision
from pilotfish.enforcement.policed_run import AskingRun
from pilotfish.enforcement.policy_history import ALLOW_FOR_RUN, SINGLE_EFFECTS, PolicyHistory
from pilotfish.safety.action_text import action_site, describe_action
from pilotfish.safety.policy_judge import EFFECT_WORDS

ALLOW_ONCE, DENY_ACTION, ASK_AGAIN = "Allow once", "Deny", "again"


class ApprovalAsker:
    """Asks the person of a run about one action at a time."""

    def __init__(self, run: AskingRun, past: PolicyHistory) -> None:
        self.run = run
        self.past = past
        self._turn = asyncio.Lock()

    def pending(
        self, decisions: Iterable[PolicyDecision], clearance: ActionClearance | None = None
    ) -> tuple[PolicyDecision, ...]:
        """The decisions that still need an answer: not allowed by the policy, for the run, or for this action."""
        return tuple(
            one
            for one in decisions
            if one.decision != "allow"
            and not (one.decision == "ask" and one.grant in self.past.grants)
            and not (one.decision == "ask" and clearance is not None and clearance.covers(one.grant))
        )

    async def ask(
        self, decisions: Sequence[PolicyDecision], action: Action, bound: str, key: str, approval_timeout: float | None
    ) -> str:
        """The person's answer; `again` if the run asked this question before a crash about something else."""
        past = self.past.asked.get(f"{self.run.id}:{key}")
        if past is not None and past.details.get("bound") != bound:
            return ASK_AGAIN
        what, there, first = describe_action(action), action_site(action), decisions[0]
        asked = f"May I {what}{f' on {there}' if there else ''}?"
        single = any(one.effect in SINGLE_EFFECTS for one in decisions)
        details: dict[str, Any] = {
            "what": what,
            "tool": action.tool,
            "name": action.targets[0].name[:80] if action.targets else "",
            "where": action.page,
            "tab": action.tab,
            **_decision_details(decisions),
            "rule": first.rule,
            "from": [label.model_dump() for label in action.origins[:3]],
            "bound": bound,
        }
        async with self._turn:
            answer = await self.run.ask_person(
                key,
                f"{asked} This would {describe_effects(decisions)}.",
                (ALLOW_ONCE, DENY_ACTION) if single else (ALLOW_ONCE, ALLOW_FOR_RUN, DENY_ACTION),
                approval_timeout,
                kind="approval",
                **details,
            )
        return "" if answer is None else answer

    def note(self, decisions: Sequence[PolicyDecision], key: str, action: Action, refusal: str) -> events.Noted:
        """The decision as an event for the journal."""
        details = {
            "tool": action.tool,
            "what": describe_action(action),
            "decision": "refused" if refusal else "allowed",
            **_decision_details(decisions),
            "rule": decisions[0].rule,
        }
        return events.Noted(run=self.run.id, key=f"{key}.policy", topic="policy", text=refusal, details=details)


def describe_effects(decisions: Sequence[PolicyDecision]) -> str:
    """Each effect in words, with its reason and the site that receives it where that is another one."""
    return "; and ".join(
        f"{EFFECT_WORDS[one.effect]}{f', received by {one.receiver},' if one.receiver != one.site else ''}: {one.why}"
        if one.effect != "leave"
        else f"{EFFECT_WORDS[one.effect]}: {one.why}"
        for one in decisions
    )


def _decision_details(decisions: Sequence[PolicyDecision]) -> dict[str, Any]:
    first = decisions[0]
    return {
        "why": "; ".join(dict.fromkeys(one.why for one in decisions)),
        "effect": first.effect,
        "site": first.site,
        "receiver": first.receiver,
        "effects": [one.grant._asdict() for one in decisions],
    }


def explain_refusal(decision: PolicyDecision) -> str:
    done = EFFECT_WORDS[decision.effect]
    return f"Not done: it would {done} ({decision.why}), and the policy says no ({decision.rule}). Go on without it."


def explain_denial(decisions: Sequence[PolicyDecision], answer: str) -> str:
    done = " and ".join(dict.fromkeys(EFFECT_WORDS[one.effect] for one in decisions))
    reason = answer.removeprefix(DENY_ACTION).lstrip(" :.,-")
    if not answer:
        return f"Not done: it would {done}, and nobody was there to allow it. Do not try again; say what is left to do."
    return f"Not done: it would {done}, and the person said no{f': {reason}' if reason else ''}. Do not try it again."
