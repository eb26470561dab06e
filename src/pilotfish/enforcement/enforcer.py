"""Checks each tool call of a run before it is carried out: judges what it would touch, and asks the person.

Approvals and the origin of texts are computed from the journal, so a resumed run has them again. An approval holds for
one action: if the tab, address, element or arguments differ, the person is asked again.
"""

import asyncio
import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast, get_args

from pydantic import BaseModel

from pilotfish.browser.actions.keys import find_clipboard_move
from pilotfish.core import events
from pilotfish.core.errors import PersonError, ToolError
from pilotfish.core.messages import ToolCall
from pilotfish.core.policy import Action, ActionClearance, GrantedRule, PolicyDecision, PolicyPreset, Provenance
from pilotfish.core.settings import PolicySettings
from pilotfish.enforcement.approvals import ALLOW_ONCE, ASK_AGAIN, ApprovalAsker, explain_denial, explain_refusal
from pilotfish.enforcement.input_judge import InputJudge, find_choice, find_targets, widen_targets
from pilotfish.enforcement.model_review import DecisionReviewer
from pilotfish.enforcement.policed_run import LightModel, PolicedRun
from pilotfish.enforcement.policy_history import ALLOW_FOR_RUN, PolicyHistory
from pilotfish.enforcement.run_secrets import RunSecrets
from pilotfish.safety.action_text import describe_action
from pilotfish.safety.address import site_of
from pilotfish.safety.effects import EffectFinding
from pilotfish.safety.input_effects import target_address
from pilotfish.safety.piece_streams import TOUCHED_NAME
from pilotfish.safety.policy_judge import judge_effects, judge_findings
from pilotfish.safety.text_pieces import tool_texts
from pilotfish.tools.base import ToolClock

if TYPE_CHECKING:
    from pilotfish.browser.sessions.tab import Tab
    from pilotfish.tools.base import Tool

ELEMENT_TOOLS = frozenset({"click", "type", "press_key", "select", "hover", "drag", "mark", "upload", "page_tool"})
ACTING_TOOLS = ELEMENT_TOOLS | {"navigate", "manage_tabs", "collect", "collect_part"}
JUDGED_GROUPS = frozenset({"page", "browser", "extract", "inspect", "web", "memory", "mcp"})
PLAIN_EFFECTS = frozenset({"read", "view"})
TRIES = 4


@dataclass(frozen=True)
class EnforcementResult:
    """The reason for a refusal, empty if allowed; and the events for the journal."""

    refusal: str = ""
    notes: tuple[events.Event, ...] = ()


class PolicyEnforcer:
    """Applies the policy to the actions of one run."""

    def __init__(self, run: PolicedRun, secrets: RunSecrets, ask_model: LightModel) -> None:
        self.run = run
        self.history = PolicyHistory(run)
        self.sources = self.history.ledger
        self.approvals = ApprovalAsker(run, self.history)
        self.inputs = InputJudge(self)
        self.clearance: ActionClearance | None = None
        self.clock = ToolClock()
        self.secrets = secrets
        self.reviewer = DecisionReviewer(run, self.sources, ask_model)
        self._turn = asyncio.Lock()

    @property
    def policy(self) -> PolicySettings:
        """The policy of the settings, with the trusted sites of this run and what its schedule was granted."""
        policy, options = self.run.settings.policy, self.run.options
        granted = [
            GrantedRule(then="allow", site=grant["site"], effect=effect)
            for grant in options.get("grants", ())
            for effect in grant["effects"]
        ]
        trusted = (*policy.trusted, *options.get("trusted", ()))
        return policy.model_copy(update={"trusted": trusted, "rules": (*policy.rules, *granted)})

    @property
    def preset(self) -> PolicyPreset:
        chosen = self.run.options.get("policy") or self.run.settings.policy.preset
        if chosen not in get_args(PolicyPreset):
            raise PersonError(
                f"There is no policy named {chosen!r}.", f"Choose one of: {', '.join(get_args(PolicyPreset))}."
            )
        return cast(PolicyPreset, chosen)

    @property
    def approval_timeout(self) -> float | None:
        """How long a question waits, in seconds; None if somebody attends the run: then the setting applies."""
        requested = self.run.options.get("input_timeout") or math.inf
        return None if self.run.options.get("attended") else min(self.run.settings.policy.approval_timeout, requested)

    async def enforce(self, tool: "Tool", call: ToolCall, key: str) -> EnforcementResult:
        """Whether a call may be carried out now; waits for the person's answer if one is needed."""
        if tool.group not in JUDGED_GROUPS:
            return EnforcementResult()
        try:
            checked = tool.check(call.args)
            async with self._turn:
                return await self._decide(tool, checked, key)
        except ToolError as error:
            return EnforcementResult(" ".join(filter(None, (error.message, error.fix))))

    async def authorize(self, action: Action, findings: Iterable[EffectFinding], key: str) -> str:
        """Why these effects of an action may not happen now; empty if they may. Asks the person if needed.

        Effects that the action's clearance or an approval for the run covers are not asked about again. The site is
        that of the action's first target, else of its page; `EffectFinding.receiver` is the site that gets the data.
        """
        await self.history.catch_up()
        pending = self.approvals.pending(self.decide_effects(action, findings), self.clearance)
        return await self.decide(action, pending, key) if pending else ""

    async def covers(self, action: Action, findings: Iterable[EffectFinding]) -> bool:
        """Whether these effects may happen without a question."""
        await self.history.catch_up()
        return not self.approvals.pending(self.decide_effects(action, findings), self.clearance)

    def decide_effects(self, action: Action, findings: Iterable[EffectFinding]) -> tuple[PolicyDecision, ...]:
        """The policy's decisions about these effects."""
        return judge_findings(action, findings, self.policy, self.preset)

    async def decide(
        self, action: Action, pending: tuple[PolicyDecision, ...], key: str, *, silent: bool = False
    ) -> str:
        """Ask about effects that came up during an action and record the decision; return the refusal or ""."""
        refusal = explain_refusal(pending[0])
        if pending[0].decision == "ask" and not silent:
            with self.clock.pause():
                bound = approval_binding(self.run.id, action)
                answer = await self.approvals.ask(pending, action, bound, f"{key}.approval", self.approval_timeout)
            refusal = "" if answer in (ALLOW_ONCE, ALLOW_FOR_RUN) else explain_denial(pending, answer)
        if not refusal and self.clearance is not None:
            self.clearance = widen_targets(self.clearance, action, pending)
        await self.run.emit(f"{key}.policy", self.approvals.note(pending, key, action, refusal))
        return refusal

    async def _decide(self, tool: "Tool", checked: BaseModel, key: str) -> EnforcementResult:
        approved, action, pending = "", None, ()
        for attempt in range(TRIES):
            await self.history.catch_up()
            action = await self._make_action(
                tool, {name: getattr(checked, name) for name in type(checked).model_fields}
            )
            await self.secrets.check(action, key)
            decisions = await self._judge(action, key)
            bound, pending = approval_binding(self.run.id, action), self.approvals.pending(decisions)
            if pending and pending[0].decision == "deny":
                return self._record_decision(pending, key, action, explain_refusal(pending[0]))
            if not pending or approved == bound:
                return self._record_decision(decisions, key, action, "")
            answer = await self.approvals.ask(
                pending, action, bound, f"{key}.approval{attempt or ''}", self.approval_timeout
            )
            if answer not in (ALLOW_ONCE, ALLOW_FOR_RUN, ASK_AGAIN):
                return self._record_decision(pending, key, action, explain_denial(pending, answer))
            approved = bound if answer != ASK_AGAIN else ""
        assert pending and action is not None
        return self._record_decision(
            pending, key, action, "The page kept changing while the person was asked; nothing was done."
        )

    async def _judge(self, action: Action, key: str) -> tuple[PolicyDecision, ...]:
        """The policy's decisions about an action, and the light model's review if the settings want one."""
        first, *others = judge_effects(action, self.policy, self.preset)
        if first.decision == "allow" and self.policy.suspicion and first.effect not in PLAIN_EFFECTS:
            first = await self.reviewer.review(action, first, describe_action(action), self.preset, key)
        return first, *others

    def _record_decision(
        self, decisions: Sequence[PolicyDecision], key: str, action: Action, refusal: str
    ) -> EnforcementResult:
        """Keep the clearance until the next action, and return the decision for the journal."""
        if action.tool in ACTING_TOOLS:
            self.clearance = ActionClearance(
                key=key, action=action, grants=() if refusal else tuple(v.grant for v in decisions)
            )
        if decisions[0].effect == "read" and not refusal:
            return EnforcementResult()
        noted = decisions if refusal else [one for one in decisions if one.decision != "allow"] or decisions[:1]
        return EnforcementResult(refusal, (self.approvals.note(noted, key, action, refusal),))

    async def _make_action(self, tool: "Tool", args: Mapping[str, Any]) -> Action:
        name, from_mcp = tool.name, tool.group == "mcp"
        tab = await self._tab(name)
        targets = await find_targets(tab, name, args) if tab and name in ELEMENT_TOOLS else ()
        page = tab.url if tab else ""
        here = site_of(targets[0].origin if targets else page)
        number = tab.number if tab else 0
        chosen = await find_choice(tab, targets, args) if tab and name == "select" else ""
        user = self.run.record.user
        action = Action(tool=name, args=args, user=user, page=page, tab=number, targets=targets, chosen=chosen)
        goal = [target_address(action)] if name in ("navigate", "manage_tabs") else list(args.get("urls", ()))
        pasting = name == "press_key" and find_clipboard_move(args["key"]) == "paste"
        carried = await self._clipboard_origins(here) if pasting else ()
        # The option of a real select is one of the page's own, whatever the model calls it.
        listed = {"option": ""} if chosen else {}
        leads = [one.href for one in targets[:1]] if name == "click" else goal
        touched = {TOUCHED_NAME: chosen or targets[0].name} if targets else {}
        return action.model_copy(
            update={
                "origins": carried or self.sources.find_carried(name, {**args, **listed, **touched}, here, leads),
                "stated_by_user": self._is_stated_by_user(name, args, here),
                "task_sites": tuple(self.sources.task_sites),
                "named_sites": frozenset(self.sources.named_sites),
                "from_search": bool(goal) and all(map(self.sources.was_found, goal)),
                "from_mcp": from_mcp,
                "quiet": from_mcp and not tool.effect,
            }
        )

    async def _clipboard_origins(self, here: str) -> tuple[Provenance, ...]:
        """The origin of text copied on another site. The text itself is left out, since nobody checked it."""
        clip = (await self.run.browser.session()).clipboard
        there = site_of(clip.url)
        return (Provenance(argument="key", place=there, text="what was copied"),) if clip.text and there != here else ()

    def _is_stated_by_user(self, name: str, args: Mapping[str, Any], here: str) -> bool:
        """Whether the arguments, or for a click all that was typed there before, are the person's own words."""
        if name == "click":
            return self.sources.typed.get(here, False)
        if name in ("navigate", "manage_tabs"):
            return bool(args.get("url")) and self.sources.is_user_text(str(args["url"]))
        if name == "web_fetch":
            return all(self.sources.is_user_text(str(url)) for url in args["urls"])
        if name == "page_tool":
            return all(self.sources.is_user_text(text) for _, text in tool_texts(args))
        if name == "memory_save":
            return all(self.sources.stems_from_user(str(fact.content)) for fact in args["facts"])
        return self.sources.is_user_text(str(args.get("text", "")))

    async def _tab(self, name: str) -> "Tab | None":
        if name not in ELEMENT_TOOLS and not self.run.browser.has_session:
            return None
        return await (await self.run.browser.session()).tab()


def approval_binding(run: str, action: Action) -> str:
    """What an approval is bound to: run, tab, address, elements and arguments."""
    shape = [one.shape for target in action.targets for one in target.all]
    bound = json.dumps(
        [run, action.tool, action.tab, action.page, dict(action.args), shape], sort_keys=True, default=str
    )
    return hashlib.sha256(bound.encode()).hexdigest()[:32]
