"""Keeps one browser session per conversation and restores it after a crash."""

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pilotfish.core.errors import PilotfishError, ToolError
from pilotfish.core.host_limits import HostLimits
from pilotfish.core.settings import BrowserProfile
from pilotfish.core.values import Value
from pilotfish.enforcement.request_guard import RequestGuard
from pilotfish.enforcement.request_kinds import RequestKinds
from pilotfish.runtime.given_files import given_page_address
from pilotfish.runtime.session_logins import SessionLogins
from pilotfish.runtime.shared_files import SharedFiles
from pilotfish.safety.address_doubts import make_doubts
from pilotfish.safety.host_limits import list_hosts
from pilotfish.safety.network_limits import NetworkLimits
from pilotfish.safety.proxy import LimitingProxy

if TYPE_CHECKING:
    from pilotfish.browser.sessions.downloads import DownloadedFile
    from pilotfish.browser.sessions.held_request import HeldRequest
    from pilotfish.browser.sessions.session import BrowserSession, SavedSession, SessionRules
    from pilotfish.browser.sessions.tab import Tab


class SessionPool(Protocol):
    """What gives a conversation its browser session."""

    async def lease(
        self, run: str, folder: Path, saved: "SavedSession | None" = None, rules: "SessionRules | None" = None
    ) -> "BrowserSession": ...

    async def end(self, run: str) -> None: ...

    async def limit_hosts(self, limits: HostLimits) -> None: ...

    @property
    def given_tabs(self) -> tuple[int, ...]:
        """The tabs that the person handed over, by Chrome's numbers; they are driven only while a run works."""
        ...


OpenLogins = Callable[[str], Awaitable[SessionLogins | None]]
"""Gives the remembered logins of the user of a conversation."""
Announce = Callable[[str, bool], Awaitable[None]]
"""Called with a conversation when its session is opened here (true) and when it has ended."""


async def announce_nothing(*_: object) -> None: ...


class StoredSession(Value):
    """What is kept on disk: the session, the addresses that tabs were opened for, and known kinds of requests.

    Remembered logins are not kept here: the state of the session is that of the fresh profile.
    """

    session: Mapping[str, Any]
    profile: BrowserProfile | None = None
    opened: Mapping[str, int] = {}
    requests: Mapping[str, tuple[str, ...]] = {}


@dataclass(frozen=True)
class BrowserChoice:
    """In which browser a conversation has its session, and with which profile."""

    pool: SessionPool
    profile: BrowserProfile = "fresh"


class ConversationBrowser:
    """One conversation's browser session: leased when first needed, its tabs and cookies kept on disk.

    All its connections go through its own proxy, which enforces `limits`. With the remembered profile it begins with
    the logins of its user, and its cookies are kept with them.
    """

    def __init__(
        self, pool: SessionPool, key: str, folder: Path, limits: NetworkLimits, open_logins: OpenLogins | None = None
    ) -> None:
        self.choice = BrowserChoice(pool)
        self.key = key
        self.folder = folder
        self.limits = limits
        self.proxy = LimitingProxy(lambda: self.limits, folder)
        self.kinds = RequestKinds()
        self.shared: SharedFiles | None = None
        self.announce: Announce = announce_nothing
        self._open_logins = open_logins
        self._logins: SessionLogins | None = None
        self._guards: list[RequestGuard] = []
        self._session: BrowserSession | None = None
        self._leased = self.choice
        self._new_run = False
        self._closed = False
        self._turn = asyncio.Lock()
        self._opened: dict[str, int] = {}
        self._fresh: Mapping[str, Any] = {}
        self.asked_profile: BrowserProfile | None = self._read_file().profile if self._file.exists() else None
        self.read: Mapping[int, object] = {}

    @property
    def _file(self) -> Path:
        return self.folder / "browser.json"

    @property
    def is_open(self) -> bool:
        """Whether there is a session now, in this process."""
        return self._session is not None

    def is_in(self, pool: SessionPool) -> bool:
        """Whether it has a session in a pool now."""
        return self._session is not None and self._leased.pool is pool

    @property
    def is_closed(self) -> bool:
        """Whether it has ended for good; the conversation may have another one."""
        return self._closed

    @property
    def has_session(self) -> bool:
        """Whether there is a session, or was one before a crash, or the person handed tabs over."""
        return self._session is not None or self._file.exists() or bool(self.choice.pool.given_tabs)

    async def session(self) -> "BrowserSession":
        """The session; simultaneous callers get the same one. A new run may have chosen another browser or profile."""
        async with self._turn:
            if self._closed:
                raise ToolError("The browser of this conversation was closed.")
            if self._session is not None and self._leased != self.choice:
                await self._leave()
            await self.choice.pool.limit_hosts(list_hosts(self.limits))
            if self._session is None:
                self._session = await self._lease()
            elif self._new_run and self._logins is not None:
                await self._logins.update(self._session)
            self._new_run = False
            return self._session

    async def _lease(self) -> "BrowserSession":
        from pilotfish.browser.sessions.session import SavedSession, SessionRules

        saved, remembered = SavedSession(), self.choice.profile == "remembered"
        if self._file.exists():
            kept = self._read_file()
            saved, self._opened = SavedSession.model_validate(kept.session), dict(kept.opened)
            self.kinds.restore(kept.requests)
        self._fresh = saved.state
        self._logins = await self._open_logins(self.key) if remembered and self._open_logins else None
        if self._logins is not None:
            saved = saved.model_copy(update={"state": await self._logins.read()})
        self.folder.mkdir(parents=True, exist_ok=True)
        proxy = await self.proxy.start()
        rules = SessionRules(
            allow=lambda url: self.limits.refuse_url(url),
            proxy=proxy,
            open_proxy=self.proxy.open_to,
            request=self._decide,
            doubts=make_doubts(),
        )
        self._leased = self.choice
        session = await self.choice.pool.lease(self.key, self.folder, saved, rules)
        await self.announce(self.key, True)
        return session

    async def _leave(self) -> None:
        """End the session, to lease one in another browser or with another profile; its tabs go along.

        Tabs of the person's own browser stay there.
        """
        await self.save()
        session, self._session = self._session, None
        await self._leased.pool.end(self.key)
        if session is not None and session.is_attached:
            self._file.unlink(missing_ok=True)
            self._opened.clear()

    async def release_tabs(self) -> None:
        """Let go of the tabs that the person handed over, until the next run."""
        async with self._turn:
            if self._session is not None and self._leased.pool.given_tabs and not self.is_in_use:
                await self._leave()

    def _read_file(self) -> StoredSession:
        return StoredSession.model_validate_json(self._file.read_bytes())

    async def tab(self, wanted: int | str) -> "Tab":
        """A tab by its number, or by the address that it was opened for; opened now if it was not."""
        session = await self.session()
        number = wanted if isinstance(wanted, int) else self._opened.get(wanted)
        if number is not None and (isinstance(wanted, int) or number in session.tabs):
            return await session.tab(number)
        first = await session.tab()
        address = await given_page_address(self.folder, str(wanted))
        if here := [tab for tab in session.tabs.values() if tab.url == address]:
            self._opened[str(wanted)] = here[0].number
            return await session.tab(here[0].number)
        try:
            if first.url == "about:blank":
                await first.goto(address)
            else:
                first = await session.open(address)
        except ToolError as error:
            # The browser's own page about the failure would break off what is opened next.
            with contextlib.suppress(ToolError):
                await session.close(session.active)
            why = self.proxy.explain_block(str(wanted))
            raise ToolError(f"{wanted} could not be opened: {why}." if why else error.message, error.fix) from None
        self._opened[str(wanted)] = first.number
        return first

    async def save(self) -> None:
        """Save the tabs' addresses and the cookies, readable by the owner only."""
        if self._session is None:
            return
        try:
            saved = await self._session.save()
            if self._logins is not None and not self._session.is_attached:
                await self._logins.write(self._session, saved.state)
        except PilotfishError:
            return
        if self._closed:
            return
        if self._logins is not None:
            saved = saved.model_copy(update={"state": self._fresh})
        kept = StoredSession(
            session=saved.model_dump(mode="json"),
            profile=self.asked_profile,
            opened=self._opened,
            requests=self.kinds.saved(),
        )
        part = self._file.with_suffix(".part")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(kept.model_dump_json())
        part.replace(self._file)
        if self.shared is not None:
            await self.shared.keep_session(self.key, kept.model_dump_json().encode())

    def take_downloads(self) -> "list[DownloadedFile]":
        """What was downloaded since the last time."""
        return self._session.shared.intake.drain() if self._session else []

    def remember(self) -> None:
        """Choose the remembered profile."""
        self.asked_profile = "remembered"
        self.begin(replace(self.choice, profile="remembered"))

    def begin(self, choice: BrowserChoice) -> None:
        """Begin a run in the browser and with the profile that it chose: count its downloads from zero."""
        self.choice = choice
        self._new_run = True
        if self._session is not None:
            self._session.shared.intake.spent = 0
            self._session.popups.clear()

    @contextlib.contextmanager
    def guard_requests(self, guard: RequestGuard) -> Generator[None]:
        """Let a run decide about the requests of its pages; after the run, requests that it caused are refused."""
        self._guards = [*(one for one in self._guards if not one.action_ended), guard]
        try:
            yield
        finally:
            guard.end()
            if len(self._guards) > 1:
                self._guards.remove(guard)

    @property
    def is_in_use(self) -> bool:
        """Whether a run uses this browser now."""
        return any(not guard.action_ended for guard in self._guards)

    def take_control(self) -> None:
        """Attribute what all tabs send from now on to the agent, not to the person: tabs tell each other to send."""
        for tab in self._session.tabs.values() if self._session is not None else ():
            tab.driver = "agent"

    async def _decide(self, request: "HeldRequest") -> str:
        if self._guards:
            return await self._guards[-1].check(request)
        self.kinds.watch(request)
        return ""

    async def close(self) -> None:
        self._closed = True
        if self._session is not None:
            await self._leased.pool.end(self.key)
            self._session = None
            await self.announce(self.key, False)
        await self.proxy.close()
