"""Connects the input gate with the policy: finds what inputs will reach, and whether one may be sent now."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from pilotfish.browser.actions.input_gate import CheckResult, key_events
from pilotfish.browser.actions.input_targets import target_at, target_focused, target_of, target_of_tool
from pilotfish.core.policy import Action, ActionClearance, ActionTarget, InputEvent, PolicyDecision
from pilotfish.safety.input_effects import input_findings
from pilotfish.safety.secrets import REFERENCE

if TYPE_CHECKING:
    from pilotfish.browser.sessions.tab import Tab
    from pilotfish.enforcement.approvals import ApprovalAsker
    from pilotfish.safety.effects import EffectFinding

UNASKED_KINDS = frozenset({"dialog", "mark"})
"""Inputs that are refused without asking: a dialog blocks the page, and text can be marked without the mouse."""
FOCUS_MOVED = "Not typed: the focus moved away from the field that the secret belongs to. Look at the page again."


class InputPolicy(Protocol):
    """What `InputJudge` needs of the policy: the present clearance, and decisions about the rest."""

    @property
    def clearance(self) -> ActionClearance | None: ...

    @property
    def approvals(self) -> "ApprovalAsker": ...

    def decide_effects(self, action: Action, findings: "Iterable[EffectFinding]") -> tuple[PolicyDecision, ...]: ...

    async def decide(
        self, action: Action, pending: tuple[PolicyDecision, ...], key: str, *, silent: bool = False
    ) -> str: ...


class InputJudge:
    """Judges each input of the current action by the element that it really reaches."""

    def __init__(self, enforcer: InputPolicy) -> None:
        self.enforcer = enforcer
        self._asked = 0

    async def check(self, event: InputEvent) -> CheckResult:
        """Allow what the policy or the clearance for this target allows; else ask the person, if that helps."""
        enforcer = self.enforcer
        clearance = enforcer.clearance or ActionClearance()
        action = (clearance.action or Action(tool="click")).model_copy(update={"targets": _list_targets(event)})
        if (
            event.kind == "text"
            and REFERENCE.search(str(action.args.get("text", "")))
            and not judge_input(event, clearance)
        ):
            return CheckResult(FOCUS_MOVED)
        decisions = enforcer.decide_effects(action, input_findings(event))
        pending = enforcer.approvals.pending(decisions, clearance if judge_input(event, clearance) else None)
        if not pending:
            return CheckResult()
        self._asked += 1
        key = f"{clearance.key}.input{self._asked}"
        refusal = await enforcer.decide(action, pending, key, silent=event.kind in UNASKED_KINDS)
        return CheckResult(refusal, asked=True)


def _list_targets(event: InputEvent) -> tuple[ActionTarget, ...]:
    return tuple(one for one in (event.target, event.onto) if one is not None)


def judge_input(event: InputEvent, clearance: ActionClearance) -> bool:
    """Whether the action was judged by what this input reaches, or by the words that it chooses."""
    if event.kind == "dialog" or clearance.action is None:
        return event.kind == "dialog"
    known = {one.shape for target in clearance.action.targets for one in target.all}
    reached = {one.shape for target in _list_targets(event) for one in target.all}
    chosen = " ".join(str(clearance.action.args.get("option", "")).split()).casefold()
    named = event.target is not None and chosen != "" and event.target.name.casefold() == chosen
    return bool(reached) and (reached <= known or named)


def widen_targets(clearance: ActionClearance, action: Action, decisions: tuple[PolicyDecision, ...]) -> ActionClearance:
    """The clearance, with effects and targets that were allowed during the action."""
    grants = (*clearance.grants, *(one.grant for one in decisions))
    held = clearance.action or action
    targets = (*held.targets, *(one for one in action.targets if one not in held.targets))
    return clearance.model_copy(update={"grants": grants, "action": held.model_copy(update={"targets": targets})})


async def find_targets(tab: "Tab", tool: str, args: Mapping[str, Any]) -> tuple[ActionTarget, ...]:
    """What the inputs of a tool call would reach, as the page is now."""
    if tool == "page_tool":
        return (await target_of_tool(tab, str(args["name"]), args["arguments"]),)
    if tool == "press_key" and args.get("id") is None:
        found = await key_events(tab, str(args["key"]), await target_focused(tab) or ActionTarget())
        return tuple(one.target for one in found if one.target is not None)
    if tool == "click" and args.get("x") is not None and args.get("y") is not None:
        return await _find_targets_at(tab, args["id"], args["x"], args["y"])
    if tool == "drag" and args.get("to_id") is None:
        return await _find_drag_targets(tab, args["from_id"], args["dx"], args["dy"])
    ids = [args[which] for which in ("id", "from_id", "to_id") if args.get(which) is not None]
    found = [await target_of(tab, id) for id in ids]
    if tool == "press_key":
        events = await key_events(tab, str(args["key"]), found[0])
        return tuple(one.target for one in events if one.target is not None)
    return tuple(found)


async def _find_targets_at(tab: "Tab", id: int, x: float, y: float) -> tuple[ActionTarget, ...]:
    from pilotfish.browser.actions.pointer import page_box_of

    left, top, _, _ = page_box_of(await tab.guard.call(tab.observer.locate(id), f"finding [{id}]"))
    found = await target_at(tab, left + x, top + y)
    return (found or await target_of(tab, id),)


async def _find_drag_targets(tab: "Tab", id: int, dx: float, dy: float) -> tuple[ActionTarget, ...]:
    x, y = (await tab.guard.call(tab.observer.locate(id), f"finding [{id}]")).point
    start, end = await target_at(tab, x, y), await target_at(tab, x + dx, y + dy)
    return tuple(one for one in (start or await target_of(tab, id), end) if one is not None)


async def find_choice(tab: "Tab", targets: tuple[ActionTarget, ...], args: Mapping[str, Any]) -> str:
    """The label of the option that a select would choose; empty for other kinds of lists."""
    if not targets or targets[0].tag != "select":
        return ""
    found = await tab.input.find_option(args["id"], args["option"], args["by"])
    return str(found.get("label", ""))
