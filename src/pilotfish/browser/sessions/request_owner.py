"""Whose requests are whose: the tabs of one browser context, and who decides about what they send."""

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any, Protocol

from pilotfish.browser.sessions.held_request import AddressDoubts, HeldRequest, RequestCheck
from pilotfish.browser.sessions.waiting import WaitedTab

SESSION_CLOSED = "the session was closed"
FORM_RESENT = "a page that is loaded again does not send its form again"


class RequestingTab(WaitedTab, Protocol):
    """What judging a request needs of the tab that sends it."""

    @property
    def url(self) -> str: ...

    @property
    def number(self) -> int: ...

    @property
    def driver(self) -> str: ...

    @property
    def inputs(self) -> int: ...

    @property
    def last_input(self) -> float: ...

    @property
    def host(self) -> str: ...

    @property
    def touched(self) -> Mapping[str, float]: ...


class RequestOwner:
    """The tabs of one browser context, and who decides about their requests."""

    def __init__(
        self, check: RequestCheck, tabs: Mapping[int, RequestingTab], doubts: AddressDoubts | None = None
    ) -> None:
        self.check = check
        self.tabs = tabs
        self.doubts = doubts or AddressDoubts()
        self._deciding: set[asyncio.Task[Any]] = set()
        self._contexts: set[str] = set()
        self._ended = False

    @property
    def contexts(self) -> set[str]:
        """The browser contexts that its tabs are or were in, as far as they are known."""
        self._contexts |= {tab.activity.context for tab in self.tabs.values() if tab.activity.context}
        return self._contexts

    def has_used(self, host: str) -> bool:
        """Whether a tab is at a host, or the agent has touched one there. Nobody has used what has no name."""
        return bool(host) and any(host == tab.host or host in tab.touched for tab in self.tabs.values())

    def find_tab(self, target: str) -> RequestingTab | None:
        return next((tab for tab in self.tabs.values() if target and tab.activity.target == target), None)

    async def decide(self, request: HeldRequest, tab: RequestingTab | None) -> str:
        """Wait for the check; meanwhile the tab counts a waiting request."""
        task = asyncio.current_task()
        if self._ended or task is None:
            return SESSION_CLOSED
        self._deciding.add(task)
        try:
            with tab.activity.count_waiting() if tab else contextlib.nullcontext():
                refusal = await self.check(request)
            if not request.resent:
                return refusal
            if tab is not None and tab.activity.step is not None:
                tab.activity.step.refused = request.url
            return refusal or FORM_RESENT
        except asyncio.CancelledError:
            # The owner ends the decision, not the task that waits for it.
            if not self._ended or task.uncancel() > 0:
                raise
            return SESSION_CLOSED
        finally:
            self._deciding.discard(task)

    def end(self) -> None:
        """Refuse the waiting requests, and those that pages send while they are closed."""
        self._ended = True
        for task in list(self._deciding):
            task.cancel()
