"""The policy: a pure function from a deed and the settings to allow, ask or deny, with the rule that decided."""

from collections.abc import Iterator

from pilotfish.core.policy import Decision, Deed, Effect, Preset, Verdict
from pilotfish.core.settings import Policy
from pilotfish.safety.address import Address, parse, within
from pilotfish.safety.effects import Finding, address, findings

FREE: frozenset[Effect] = frozenset({"read", "view", "visit", "search", "local"})
READING: frozenset[Effect] = frozenset({"read", "view", "visit", "search"})
WEIGHT: tuple[Effect, ...] = (
    "read", "view", "visit", "search", "local", "leave", "personal", "submit", "use", "remember", "download", "publish",
    "send", "upload", "delete", "account", "secret", "carry", "buy", "forbidden",
)  # fmt: skip
ORDER: tuple[Decision, ...] = ("allow", "ask", "deny")
SAID: dict[Effect, str] = {
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
OUTCOMES: dict[Decision, str] = {
    "allow": "It would be done without asking",
    "ask": "The person would be asked first",
    "deny": "It would be refused",
}
CLOSED = ("file", "data", "javascript", "view-source", "chrome", "blob", "about", "ftp", "filesystem", "devtools")


def judge(deed: Deed, policy: Policy, preset: Preset | None = None) -> Verdict:
    """Allow, ask or deny: the strictest answer for anything that the deed would do."""
    verdicts = [_verdict(found, there, deed, policy, preset or policy.preset) for found, there in _all(deed)]
    return max(verdicts, key=lambda verdict: (ORDER.index(verdict.decision), WEIGHT.index(verdict.effect)))


def _verdict(found: Finding, there: Address | None, deed: Deed, policy: Policy, preset: Preset) -> Verdict:
    """What is forbidden stays so; then the person's rules, the first that fits; then the preset."""
    effect, site = found.effect, deed.tool if deed.guest else there.site if there else ""
    decision: Decision = "deny" if effect == "forbidden" else _preset(preset, effect, there, policy)
    name = "forbidden" if effect == "forbidden" else preset
    for number, rule in enumerate(policy.rules if effect != "forbidden" else (), 1):
        fits = rule.effect in ("*", effect) and rule.user in ("*", deed.user)
        if fits and _covers(rule.site, there, deed):
            decision, name = rule.then, f"rule {number}"
            break
    return Verdict(decision=decision, effect=effect, rule=name, why=found.why, site=site)


def _covers(place: str, there: Address | None, deed: Deed) -> bool:
    """Whether a rule's site is where the deed happens: a site of the web, an MCP server, or one of its tools."""
    if place == "*" or (deed.guest and f"{deed.tool}_".startswith(f"{place}_")):
        return True
    return not deed.guest and there is not None and within(place, there)


def _preset(preset: Preset, effect: Effect, there: Address | None, policy: Policy) -> Decision:
    if preset == "read_only":
        return "allow" if effect in READING else "deny"
    if effect in FREE:
        return "allow"
    if effect == "remember":
        return "deny"
    trusted = there is not None and any(within(place, there) for place in policy.trusted)
    if preset == "trusted_sites" and trusted and effect != "carry":
        return "allow"
    return "deny" if preset == "unattended" else "ask"


def _all(deed: Deed) -> Iterator[tuple[Finding, Address | None]]:
    """Everything that a deed would do, with where it would do it."""
    own = deed.targets[0].origin if deed.targets else ""
    where = parse(own or deed.page)
    for found in findings(deed):
        yield _eased(found, deed, where), where
    for url in filter(None, (address(deed), *_fetched(deed))):
        there = _place(url)
        yield _journey(url, there, deed, where), there
        where = there if deed.labels else where
    if deed.labels:
        first = deed.labels[0]
        yield Finding("carry", f"“{first.text}” was read in {first.place} and is not part of what was asked"), where


def _eased(found: Finding, deed: Deed, where: Address | None) -> Finding:
    """The person's own details on a site that the task is about are no news to it."""
    known = where is not None and where.site in deed.home
    if found.effect == "personal" and deed.tool == "type" and known and deed.told:
        return Finding("view", "the person gave this for this site")
    if found.effect == "remember" and deed.told:
        return Finding("read", "the person said so")
    return found


def _fetched(deed: Deed) -> list[str]:
    urls = deed.args.get("urls", ()) if deed.tool == "web_fetch" else ()
    return [str(url) for url in urls] if isinstance(urls, list | tuple) else []


def _place(url: str) -> Address | None:
    return parse(url) or (parse(f"https://{url.strip()}") if "://" not in url else None)


def _journey(url: str, there: Address | None, deed: Deed, where: Address | None) -> Finding:
    """Going somewhere: within the task's sites, out of them, or where nobody may go."""
    scheme = "".join(url.split()).partition(":")[0].lower()
    if url.strip() == "about:blank" or (deed.tool == "click" and there is None):
        return Finding("view", "it leads nowhere")
    if scheme in CLOSED or there is None:
        return Finding("forbidden", "only pages of the web may be opened by their address")
    if there.site in deed.home or (where is not None and there.site == where.site):
        return Finding("visit", "a site of the task")
    if deed.found or not deed.home:
        return Finding("visit", "found by a search" if deed.found else "the open web")
    return Finding("leave", f"{there.site} is not among the task's sites: {', '.join(deed.home[:3])}")


def worded(verdict: Verdict) -> str:
    """A verdict as a sentence."""
    rule = verdict.rule if verdict.rule.startswith("rule ") else f"the preset {verdict.rule}"
    by = "no rule can change that" if verdict.rule == "forbidden" else f"decided by {rule}"
    return f"{OUTCOMES[verdict.decision]}: it would {SAID[verdict.effect]} ({verdict.why}); {by}."
