"""The policy: a pure function from an action and the settings to allow, ask or deny, with the rule that decided."""

from collections.abc import Iterable, Iterator

from pilotfish.core.policy import (
    Action,
    EffectKind,
    GrantedRule,
    Permission,
    PolicyDecision,
    PolicyPreset,
    PolicyRule,
)
from pilotfish.core.settings import PolicySettings
from pilotfish.safety.address import WebPlace, blocks, is_within, parse_address
from pilotfish.safety.effects import EffectFinding
from pilotfish.safety.input_effects import fetched_addresses, list_findings, target_addresses

GRANTED_RULE = "granted to the schedule"
FREE_EFFECTS: frozenset[EffectKind] = frozenset({"read", "view", "visit", "search", "local"})
READING_EFFECTS: frozenset[EffectKind] = frozenset({"read", "view", "visit", "search"})
EFFECTS_BY_WEIGHT: tuple[EffectKind, ...] = (
    "read", "view", "visit", "search", "local", "leave", "personal", "submit", "use", "remember", "download", "publish",
    "send", "upload", "delete", "account", "secret", "carry", "buy", "forbidden",
)  # fmt: skip
PERMISSION_ORDER: tuple[Permission, ...] = ("allow", "ask", "deny")
EFFECT_WORDS: dict[EffectKind, str] = {
    "read": "read",
    "view": "change what is shown",
    "visit": "open a page",
    "search": "search",
    "local": "change something that can be undone",
    "submit": "send a form",
    "use": "use a tool that may change something",
    "send": "send a message",
    "publish": "publish something",
    "buy": "buy or pay",
    "delete": "delete something",
    "account": "change an account or its security",
    "upload": "upload a file",
    "download": "download a program",
    "personal": "give personal details",
    "secret": "use a password or code",
    "carry": "carry what was read in one place to another",
    "leave": "leave the sites of the task",
    "remember": "remember something that the person did not say",
    "forbidden": "do what is not allowed",
}
OUTCOME_WORDS: dict[Permission, str] = {
    "allow": "It would be done without asking",
    "ask": "The person would be asked first",
    "deny": "It would be refused",
}
OPEN_TOOLS = frozenset({"navigate", "manage_tabs", "web_fetch"})
NO_PAGE = frozenset({"javascript", "mailto", "tel", "sms", "data", "blob", "about"})
"""Schemes of links that open no page: a script, another program's address, or what browsers refuse to open."""
NEVER_OPENED = ("file", "data", "javascript", "view-source", "chrome", "blob", "about", "ftp", "filesystem", "devtools")


def judge_action(action: Action, policy: PolicySettings, preset: PolicyPreset | None = None) -> PolicyDecision:
    """Allow, ask or deny: the strictest decision about any effect of the action."""
    return judge_effects(action, policy, preset)[0]


def judge_effects(
    action: Action, policy: PolicySettings, preset: PolicyPreset | None = None
) -> tuple[PolicyDecision, ...]:
    """One decision for each effect and receiver of the action, the strictest first."""
    chosen = preset or policy.preset
    return rank_decisions(_decide(found, there, action, policy, chosen) for found, there in _list_effects(action))


def judge_findings(
    action: Action, found: Iterable[EffectFinding], policy: PolicySettings, preset: PolicyPreset
) -> tuple[PolicyDecision, ...]:
    """One decision for each of these effects of the action, the strictest first."""
    where = parse_address(action.targets[0].origin if action.targets else "") or parse_address(action.page)
    return rank_decisions(_decide(_ease_finding(one, action, where), where, action, policy, preset) for one in found)


def rank_decisions(decisions: Iterable[PolicyDecision]) -> tuple[PolicyDecision, ...]:
    """The decisions without duplicates, the strictest first."""
    weights = sorted(
        decisions,
        key=lambda one: (PERMISSION_ORDER.index(one.decision), EFFECTS_BY_WEIGHT.index(one.effect)),
        reverse=True,
    )
    return tuple({one.grant: one for one in reversed(weights)}.values())[::-1]


def _decide(
    found: EffectFinding, there: WebPlace | None, action: Action, policy: PolicySettings, preset: PolicyPreset
) -> PolicyDecision:
    """Forbidden effects are denied; else the first of the person's rules that fits decides; else the preset."""
    effect, site = found.effect, action.tool if action.from_mcp else there.site if there else ""
    decision: Permission = "deny" if effect == "forbidden" else _apply_preset(preset, effect, there, policy)
    name = "forbidden" if effect == "forbidden" else preset
    for number, rule in enumerate(policy.rules if effect != "forbidden" else (), 1):
        fits = rule.effect in ("*", effect) and rule.user in ("*", action.user)
        if fits and _rule_covers(rule, there, action):
            decision, name = rule.then, GRANTED_RULE if isinstance(rule, GrantedRule) else f"rule {number}"
            break
    return PolicyDecision(
        decision=decision, effect=effect, rule=name, why=found.why, site=site, receiver=found.receiver or site
    )


def _rule_covers(rule: PolicyRule, there: WebPlace | None, action: Action) -> bool:
    """Whether a rule's site is where the action happens: a site of the web, an MCP server, or one of its tools.

    What is denied or asked about is so under every name and number of this machine; what is allowed is read narrowly.
    """
    place, covers = rule.site, is_within if rule.then == "allow" else blocks
    if place == "*" or (action.from_mcp and f"{action.tool}_".startswith(f"{place}_")):
        return True
    return not action.from_mcp and there is not None and covers(place, there)


def _apply_preset(
    preset: PolicyPreset, effect: EffectKind, there: WebPlace | None, policy: PolicySettings
) -> Permission:
    if preset == "read_only":
        return "allow" if effect in READING_EFFECTS else "deny"
    if effect in FREE_EFFECTS:
        return "allow"
    if effect == "remember":
        return "deny"
    trusted = there is not None and any(is_within(place, there) for place in policy.trusted)
    if preset == "trusted_sites" and trusted and effect != "carry":
        return "allow"
    return "deny" if preset == "unattended" else "ask"


def _list_effects(action: Action) -> Iterator[tuple[EffectFinding, WebPlace | None]]:
    """Every effect of an action, with the place where it would happen."""
    own = action.targets[0].origin if action.targets else ""
    where = parse_address(own or action.page)
    for found in list_findings(action):
        yield _ease_finding(found, action, where), where
    for url in filter(None, (*target_addresses(action), *fetched_addresses(action))):
        there = _parse_place(url)
        yield _navigation_effect(url, there, action, where), there
        where = there if action.origins else where
    if action.origins:
        first = action.origins[0]
        yield (
            EffectFinding("carry", f"“{first.text}” was read in {first.place} and is not part of what was asked"),
            where,
        )


def _ease_finding(found: EffectFinding, action: Action, where: WebPlace | None) -> EffectFinding:
    """Lower an effect if the person gave these details for this site, or said so."""
    known = where is not None and where.site in action.task_sites and found.receiver in ("", where.site)
    given = found.effect in ("personal", "secret") if action.tool == "type" else found.effect in ("personal", "submit")
    if action.tool in ("type", "click", "page_tool") and given and known and action.stated_by_user:
        return EffectFinding("view", "the person gave this for this site")
    hinted = bool(action.targets) and action.targets[0].role == "tool" and action.targets[0].type == "reads"
    if found.effect == "use" and hinted and known:
        return EffectFinding("read", "the page says that its tool only reads, and it is a site of the task")
    if found.effect == "remember" and action.stated_by_user:
        return EffectFinding("read", "the person said so")
    return found


def _parse_place(url: str) -> WebPlace | None:
    return parse_address(url) or (parse_address(f"https://{url.strip()}") if "://" not in url else None)


def _navigation_effect(url: str, there: WebPlace | None, action: Action, where: WebPlace | None) -> EffectFinding:
    """The effect of opening an address: within the task's sites, outside them, or forbidden."""
    scheme = "".join(url.split()).partition(":")[0].lower()
    if url.strip() == "about:blank" or (action.tool not in OPEN_TOOLS and (scheme in NO_PAGE or url.startswith("#"))):
        return EffectFinding("view", "it leads nowhere")
    if scheme in NEVER_OPENED or there is None:
        return EffectFinding("forbidden", "only pages of the web may be opened by their address")
    own = there.site in action.task_sites or there.site in action.named_sites
    if own or (where is not None and there.site == where.site):
        return EffectFinding("visit", "a site of the task")
    if action.from_search or not action.task_sites:
        return EffectFinding("visit", "found by a search" if action.from_search else "the open web")
    return EffectFinding("leave", f"{there.site} is not among the task's sites: {', '.join(action.task_sites[:3])}")


def describe_decision(decision: PolicyDecision) -> str:
    """A decision as a sentence."""
    rule = decision.rule if decision.rule.startswith("rule ") else f"the preset {decision.rule}"
    by = "no rule can change that" if decision.rule == "forbidden" else f"decided by {rule}"
    return f"{OUTCOME_WORDS[decision.decision]}: it would {EFFECT_WORDS[decision.effect]} ({decision.why}); {by}."
