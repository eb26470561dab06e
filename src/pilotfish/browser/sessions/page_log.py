"""Keeps what the pages of a session wrote to the console, and which requests they made; for people who debug a page."""

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, ConsoleMessage, Page, Request, Response, WebError

KEPT_LINES = 500
LINE_LENGTH = 2000
LogKind = Literal["console", "request"]


@dataclass(frozen=True)
class LogLine:
    """A line of a page's log. `bad` is an error on the console, or a request that failed."""

    kind: LogKind
    text: str
    bad: bool


class PageLogs:
    """The last lines of all pages of one browser context."""

    def __init__(self, context: "BrowserContext") -> None:
        self._lines: deque[tuple[Page, LogLine]] = deque(maxlen=KEPT_LINES)
        context.on("console", self._add_console_line)
        context.on("weberror", self._add_error)
        context.on("response", self._add_response)
        context.on("requestfailed", self._add_failure)

    def lines(self, page: "Page", kind: LogKind, bad: bool = False) -> list[str]:
        """The lines of a page, oldest first; with `bad` only errors and failures."""
        return [one.text for of, one in self._lines if of == page and one.kind == kind and (one.bad or not bad)]

    def _add(self, page: "Page | None", kind: LogKind, text: str, bad: bool) -> None:
        if page is not None:
            self._lines.append((page, LogLine(kind, text[:LINE_LENGTH], bad)))

    def _add_console_line(self, message: "ConsoleMessage") -> None:
        self._add(message.page, "console", f"[{message.type}] {message.text}", message.type == "error")

    def _add_error(self, error: "WebError") -> None:
        self._add(error.page, "console", f"[error] {error.error}", True)

    def _add_response(self, response: "Response") -> None:
        text = f"{response.request.method} {response.url} → {response.status}"
        self._add(_page_of(response.request), "request", text, response.status >= 400)

    def _add_failure(self, request: "Request") -> None:
        text = f"{request.method} {request.url} failed: {request.failure or 'no answer'}"
        self._add(_page_of(request), "request", text, True)


def _page_of(request: "Request") -> "Page | None":
    from playwright.async_api import Error

    try:
        return request.frame.page
    except Error:
        # Requests of a service worker have no page, and a page may have gone.
        return None


_LOGS: "WeakKeyDictionary[BrowserContext, PageLogs]" = WeakKeyDictionary()


def keep_logs(context: "BrowserContext") -> PageLogs:
    """The logs of a context, kept from the first call on."""
    if context not in _LOGS:
        _LOGS[context] = PageLogs(context)
    return _LOGS[context]
