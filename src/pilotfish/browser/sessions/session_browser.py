"""What a session needs of a browser, wherever that runs."""

from typing import TYPE_CHECKING, Protocol

from pilotfish.browser.sessions.call_guard import CallGuard
from pilotfish.browser.sessions.request_gate import RequestGate
from pilotfish.browser.sessions.socket_gate import SocketGate

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext


class SessionBrowser(Protocol):
    """What a session needs of the browser that it opens its tabs in."""

    @property
    def chromium(self) -> "Browser": ...

    @property
    def guard(self) -> CallGuard: ...

    @property
    def gate(self) -> RequestGate: ...

    @property
    def sockets(self) -> SocketGate: ...

    @property
    def is_attached(self) -> bool: ...

    @property
    def keeps_tabs(self) -> bool: ...

    @property
    def machine(self) -> str: ...

    @property
    def own_context(self) -> "BrowserContext": ...

    async def is_alive(self) -> bool: ...
