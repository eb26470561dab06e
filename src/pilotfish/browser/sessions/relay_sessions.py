"""The sessions of an extension relay, which of them get an event, and which decide about a paused request."""

import secrets
from dataclasses import dataclass, field
from typing import Any

from pilotfish.core.errors import BrowserError

Json = dict[str, Any]


@dataclass
class RelaySession:
    """One session of the protocol: a tab, or a frame or worker in it, and the domains that were enabled on it."""

    id: str
    tab: int
    child: str = ""
    domains: set[str] = field(default_factory=set[str])

    @property
    def place(self) -> tuple[int, str]:
        return self.tab, self.child


@dataclass
class PausedRequest:
    """A request that waits for several sessions, one after the other."""

    event: Json
    waiting: list[RelaySession]


class SessionTable:
    """All sessions. A tab has one first session; more can be added, which share what the browser sends.

    `in_use` while the driver is connected; without it nothing is sent to a tab.
    """

    def __init__(self) -> None:
        self.in_use = False
        self.targets: dict[int, Json] = {}
        self.paused: dict[tuple[int, str, str], PausedRequest] = {}
        self._sessions: dict[str, RelaySession] = {}
        self._first: dict[int, RelaySession] = {}
        self._children: dict[str, str] = {}

    def get(self, id: str) -> RelaySession | None:
        return self._sessions.get(id)

    def add_tab(self, tab: int, target: Json) -> RelaySession:
        self.targets[tab] = target
        session = RelaySession(f"tab-{tab}-{secrets.token_hex(4)}", tab)
        self._sessions[session.id] = self._first[tab] = session
        return session

    def add_child(self, id: str, tab: int, target: str) -> None:
        """Add a frame or worker of a tab, with the session that the browser gave it."""
        self._sessions[id] = RelaySession(id, tab, id)
        self._children[target] = id

    def add_second(self, target: str) -> RelaySession:
        """Add another session for a target that has one."""
        places = {str(info["targetId"]): (tab, "") for tab, info in self.targets.items()}
        places |= {id: (self._sessions[child].tab, child) for id, child in self._children.items()}
        if target not in places:
            raise BrowserError("That tab or frame was not handed over.")
        session = RelaySession(f"more-{secrets.token_hex(6)}", *places[target])
        self._sessions[session.id] = session
        return session

    def first(self, tab: int, child: str = "") -> RelaySession | None:
        """The session that the browser itself knows."""
        return self._sessions.get(child) if child else self._first.get(tab)

    def remove(self, id: str) -> RelaySession | None:
        return self._sessions.pop(id, None)

    def remove_child(self, child: str) -> None:
        self._sessions = {id: session for id, session in self._sessions.items() if session.child != child}
        self._children = {target: id for target, id in self._children.items() if id != child}

    def remove_tab(self, tab: int) -> RelaySession | None:
        """Forget a tab with everything in it; returns its first session."""
        if self.targets.pop(tab, None) is None:
            return None
        gone = {each.id for each in self._sessions.values() if each.tab == tab}
        self._sessions = {id: each for id, each in self._sessions.items() if each.tab != tab}
        self._children = {target: id for target, id in self._children.items() if id not in gone}
        self.paused = {key: paused for key, paused in self.paused.items() if key[0] != tab}
        return self._first.pop(tab)

    def find_listening(self, place: tuple[int, str], domain: str) -> list[RelaySession]:
        """The sessions of a place that enabled a domain."""
        return [each for each in self._sessions.values() if each.place == place and domain in each.domains]

    def pause(self, first: RelaySession, event: Json) -> list[RelaySession]:
        """Keep a paused request; returns the session that decides first.

        The filters of the run come before Playwright's own routes.
        """
        waiting = sorted(self.find_listening(first.place, "Fetch"), key=lambda session: session is first)
        self.paused[(*first.place, str(event["params"]["requestId"]))] = PausedRequest(event, waiting)
        return waiting[:1]
