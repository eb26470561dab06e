"""Downloads from the web: checks each redirect, limits size and time, and retries where that may help."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urljoin

import httpx2
import stamina

from pilotfish.core.errors import ToolError
from pilotfish.core.settings import FetchSettings
from pilotfish.core.version import VERSION
from pilotfish.web.address_guard import AddressGuard, Resolver, guarded_client, system_resolver

AGENT = f"Mozilla/5.0 (compatible; Pilotfish/{VERSION})"
ACCEPT = "text/html,application/xhtml+xml,application/pdf,application/json;q=0.9,text/*;q=0.8,*/*;q=0.5"
MOST_REDIRECTS = 8
ATTEMPTS = 3
LONGEST_WAIT = 8.0
ADVICE = {
    401: "The page wants a login: open it in the browser where the person is signed in.",
    403: "The site refuses this reader: open the page in the browser or choose another source.",
    404: "There is no such page: check the address or search again.",
    410: "The page is gone: search for another source.",
    429: "The site wants fewer requests: choose another source or come back later.",
}


@dataclass(frozen=True)
class HttpAnswer:
    """What a server sent. `cut` says that it was longer than allowed."""

    url: str
    status: int
    media: str
    charset: str
    body: bytes
    cut: bool = False


class HttpRefused(ToolError):
    """A status that is no success. `wait` is how many seconds the server asks to wait."""

    def __init__(self, url: str, status: int, wait: float | None = None) -> None:
        later = f" and asks to wait {wait:.0f} seconds" if wait else ""
        fix = ADVICE.get(status, "Try another source." if status < 500 else "The site has a fault: try another source.")
        super().__init__(f"{url} answered {status}{later}.", fix)
        self.status = status
        self.wait = wait


Reach = Callable[[str], str | None]


class AddressForbidden(ToolError):
    """The policy, or the list of allowed sites, forbids that address."""


def check_reach(url: str, reach: Reach | None) -> None:
    """Refuse an address that `reach` forbids."""
    if reach is not None and (why := reach(url)):
        raise AddressForbidden(f"{url} was not read: {why}.", "Choose another source.")


class Downloader:
    """Gets one URL at a time; keeps connections open between them until closed."""

    def __init__(self, settings: FetchSettings, resolve: Resolver = system_resolver) -> None:
        self.guard = AddressGuard(settings.allow_private, resolve)
        self._settings = settings
        self._opened: httpx2.AsyncClient | None = None

    async def get(self, url: str, limit: int | None = None, reach: Reach | None = None) -> HttpAnswer:
        """The answer after all redirects; else a ToolError that says what to do.

        `reach` is asked about each address on the way.
        """
        self.guard.check(url)
        try:
            async for attempt in stamina.retry_context(
                on=is_worth_retrying, attempts=ATTEMPTS, timeout=None, wait_initial=0.3, wait_jitter=0.3
            ):
                with attempt:
                    async with asyncio.timeout(self._settings.timeout):
                        return await self._follow(url, limit or self._settings.max_bytes, reach)
        except (TimeoutError, httpx2.TimeoutException) as error:
            seconds = f"{self._settings.timeout:g} seconds"
            raise ToolError(f"{url} did not answer within {seconds}.", "Try another source.") from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise ToolError(f"{url} cannot be read: {error}.", "Check the address or try another source.") from error
        raise AssertionError("a retry context ends by returning or raising")

    async def _follow(self, url: str, limit: int, reach: Reach | None) -> HttpAnswer:
        seen: list[str] = []
        while url not in seen and len(seen) < MOST_REDIRECTS:
            self.guard.check(url)
            check_reach(url, reach)
            seen.append(url)
            async with self._client.stream("GET", url, headers={"accept": ACCEPT}) as reply:
                if reply.is_redirect:
                    url = urljoin(url, reply.headers["location"])
                    continue
                if not reply.is_success:
                    raise HttpRefused(url, reply.status_code, retry_delay(reply.headers.get("retry-after", "")))
                return await read_body(reply, url, limit)
        what = "in a circle" if url in seen else "too many times"
        raise ToolError(f"{seen[0]} redirects {what}.", "Open the page in the browser or choose another source.")

    @property
    def _client(self) -> httpx2.AsyncClient:
        """Make the client at its first use, since reading certificates is slow."""
        if self._opened is None:
            self._opened = guarded_client(self.guard, self._settings.timeout, AGENT)
        return self._opened

    async def close(self) -> None:
        if self._opened is not None:
            await self._opened.aclose()


def is_worth_retrying(error: Exception) -> bool | float:
    """Whether another try may help, and after how many seconds if the server said so."""
    if isinstance(error, HttpRefused):
        if error.status not in (403, 429) and error.status < 500:
            return False
        return True if error.wait is None else error.wait <= LONGEST_WAIT and error.wait
    return isinstance(error, httpx2.NetworkError | httpx2.RemoteProtocolError)


async def read_body(reply: httpx2.Response, url: str, limit: int) -> HttpAnswer:
    """The body, up to the limit."""
    parts: list[bytes] = []
    size = 0
    async for part in reply.aiter_bytes():
        parts.append(part)
        size += len(part)
        if size > limit:
            break
    kind = reply.headers.get("content-type", "")
    charset = re.search(r"""charset\s*=\s*["']?([\w.:-]+)""", kind, re.I)
    return HttpAnswer(
        url=url,
        status=reply.status_code,
        media=kind.split(";", 1)[0].strip().lower(),
        charset=charset.group(1) if charset else "",
        body=b"".join(parts)[:limit],
        cut=size > limit,
    )


def retry_delay(header: str) -> float | None:
    """Seconds that a Retry-After header asks for, given as a number or a date."""
    if header.strip().isdigit():
        return float(header)
    try:
        at = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, (at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
