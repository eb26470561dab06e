"""Decides which addresses a fetch may reach: each redirect is judged before it is followed."""

from typing import TYPE_CHECKING, Any

from pilotfish.core.policy import Action
from pilotfish.safety.address import site_of
from pilotfish.safety.policy_judge import judge_action
from pilotfish.web.fetcher import complete_url

if TYPE_CHECKING:
    from pilotfish.enforcement.enforcer import PolicyEnforcer
    from pilotfish.safety.network_limits import NetworkLimits


class FetchLimits:
    """The network limits of a run, and the policy for addresses that a call did not name itself."""

    def __init__(self, limits: "NetworkLimits", enforcer: "PolicyEnforcer", urls: Any = ()) -> None:
        self._limits = limits
        self._enforcer = enforcer
        self._named = {complete_url(str(url)) for url in urls} if isinstance(urls, list | tuple) else set[str]()

    def refuse_url(self, url: str) -> str | None:
        """Why an address may not be fetched; None if it may."""
        refused = self._limits.refuse_url(url)
        if refused or not self._named or url in self._named:
            return refused
        enforcer = self._enforcer
        start = next((named for named in self._named if site_of(named) == site_of(url)), "")
        action = Action(
            tool="web_fetch",
            args={"urls": [url]},
            user=enforcer.run.record.user,
            page=start,
            task_sites=tuple(enforcer.sources.task_sites),
            named_sites=frozenset(enforcer.sources.named_sites),
            from_search=enforcer.sources.was_found(url),
        )
        decision = judge_action(action, enforcer.policy, enforcer.preset)
        return None if decision.decision == "allow" else f"a redirect leads there, and {decision.why}"
