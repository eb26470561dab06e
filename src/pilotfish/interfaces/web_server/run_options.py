"""Starts runs for all network protocols, after checking what the client asked for.

What a client may choose is bounded by what an admin set: the model is one that is offered, the loop one that is listed,
the policy not freer and the budget not larger than the settings say (for admins: any).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pilotfish.app import Pilotfish
from pilotfish.core.errors import PersonError
from pilotfish.core.policy import PolicyPreset
from pilotfish.core.records import RunRecord
from pilotfish.core.users import User
from pilotfish.interfaces.web_server.problems import RequestRefused

STRICTER_PRESETS: tuple[PolicyPreset, ...] = ("trusted_sites", "ask_before_effects", "unattended", "read_only")
CHECKED_OPTIONS = frozenset({"model", "policy", "trusted", "budget_cents", "labels"})
SCHEDULE_OPTIONS = frozenset({"grants", "schedule", "watch"})
"""Options that only a schedule gives its runs; another attempt does not inherit them."""


async def begin_run(
    fish: Pilotfish, me: User, task: str, *, loop: str = "", options: Mapping[str, Any] | None = None, **rest: Any
) -> RunRecord:
    """Check that this user may choose the loop and options, and start a run."""
    asked = dict(options or {})
    check_loop(fish, loop)
    await check_options(fish, me, asked)
    return await fish.start(task, loop=loop, user=me.id, **rest, **asked)


async def begin_call(
    fish: Pilotfish, me: User, conversation: str, tool: str, args: Mapping[str, Any], uses: Sequence[str]
) -> RunRecord:
    """Start a run that is one call of an MCP client, in the tabs of its conversation; `uses` names the tools."""
    how: dict[str, Any] = {"conversation": conversation, "user": me.id, "history": False, "tools": list(uses)}
    return await fish.start(tool, loop="_call", tool=tool, args=dict(args), **how)


def check_loop(fish: Pilotfish, loop: str) -> None:
    """Refuse a loop that is not listed: background loops need more than a task."""
    known = fish.choices.loops()
    if loop and loop not in known:
        raise PersonError(f"There is no loop named {loop!r}.", f"Choose one of: {', '.join(known)}.")


async def check_options(fish: Pilotfish, me: User, options: Mapping[str, Any]) -> None:
    """Refuse options that this user may not choose."""
    if not CHECKED_OPTIONS & options.keys():
        return
    await fish.refresh()
    await check_model(fish, str(options.get("model") or ""))
    if me.admin:
        return
    own = fish.settings.policy.preset
    if options.get("trusted") or _is_freer(options.get("policy"), own):
        message = f"The settings say {own}, and a run may only be stricter."
        raise RequestRefused(
            403, "too_free", message, "Leave `policy` and `trusted` out, or ask the one who runs this server."
        )
    if set(options.get("labels") or ()) - set(fish.settings.work.needed_labels):
        fix = "Leave `labels` out, or ask the one who runs this server."
        raise RequestRefused(403, "too_free", "Only an admin chooses which workers take a run.", fix)
    check_budget(options.get("budget_cents"), fish.settings.budget.run_cents)


async def check_model(fish: Pilotfish, name: str) -> None:
    """Refuse a model that no admin offers. Whether a file of that name exists is not looked at."""
    if name and not await fish.choices.offers(name):
        fix = "See /api/models; an admin can add others to models.offered."
        raise RequestRefused(422, "model_not_offered", "That model is not offered here.", fix)


def check_budget(cents: float | None, most: float | None) -> None:
    """Refuse a budget larger than that of the settings."""
    if cents is not None and most is not None and cents > most:
        message = f"The settings give {most:g} cents, and {cents:g} is more."
        raise RequestRefused(403, "too_much", message, "Ask for less, or ask the one who runs this server.")


async def keep_permitted(fish: Pilotfish, me: User, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of an earlier run that this user may still choose; the rest comes from the settings."""
    kept = {name: value for name, value in options.items() if name not in SCHEDULE_OPTIONS}
    if not CHECKED_OPTIONS & kept.keys():
        return kept
    await fish.refresh()
    if kept.get("model") and not await fish.choices.offers(str(kept["model"])):
        del kept["model"]
    if me.admin:
        return kept
    kept.pop("trusted", None)
    kept.pop("labels", None)
    if _is_freer(kept.get("policy"), fish.settings.policy.preset):
        del kept["policy"]
    most, cents = fish.settings.budget.run_cents, kept.get("budget_cents")
    if most is not None and "budget_cents" in kept:
        kept["budget_cents"] = most if cents is None else min(cents, most)
    return kept


def _is_freer(preset: PolicyPreset | None, own: PolicyPreset) -> bool:
    return preset is not None and STRICTER_PRESETS.index(preset) < STRICTER_PRESETS.index(own)
