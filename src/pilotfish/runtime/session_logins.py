"""The remembered logins that a browser session holds: read at its start, written back as they change."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pilotfish.safety.logins import LoginVault, SiteState, join_states, login_site, split_state

if TYPE_CHECKING:
    from pilotfish.browser.sessions.session import BrowserSession


@dataclass
class SessionLogins:
    """What one session holds of a user's logins. Sessions of other conversations may change them meanwhile."""

    vault: LoginVault
    user: str
    known: dict[str, SiteState] = field(default_factory=dict[str, SiteState], init=False)

    async def read(self) -> dict[str, Any]:
        """The storage state that a new session begins with."""
        self.known = await self.vault.read(self.user)
        return join_states(self.known.values())

    async def update(self, session: "BrowserSession") -> None:
        """Give an open session what was remembered or forgotten elsewhere since it was read."""
        kept = await self.vault.read(self.user)
        await self._forget(session, self.known.keys() - kept.keys())
        newer = [state for site, state in kept.items() if not state.is_same(self.known.get(site))]
        for state in newer:
            self.known[state.site] = state
        cookies = [dict(cookie) for state in newer for cookie in state.cookies]
        if newer:
            changed = {state.site for state in newer}
            await session.replace_cookies(lambda domain: login_site(domain) in changed, cookies)

    async def write(self, session: "BrowserSession", state: Mapping[str, Any]) -> None:
        """Remember what changed in the session; what was forgotten meanwhile is forgotten there too."""
        gone = self.known.keys() - await self.vault.sites(self.user)
        await self._forget(session, gone)
        held = {site: each for site, each in split_state(state).items() if site not in gone}
        for site, each in held.items():
            if not each.is_same(self.known.get(site)):
                await self.vault.keep(self.user, each)
                self.known[site] = each
        for site in self.known.keys() - held.keys():
            await self.vault.forget(self.user, site)
            del self.known[site]

    async def _forget(self, session: "BrowserSession", sites: set[str]) -> None:
        if not sites:
            return
        for site in sites:
            del self.known[site]
        await session.forget_sites(lambda host: login_site(host) in sites)
