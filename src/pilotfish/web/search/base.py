"""What a search provider is: a question in, hits out."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Protocol
from urllib.parse import urlsplit

import httpx2

from pilotfish.core.errors import ToolError
from pilotfish.core.values import Value

Kind = Literal["web", "news", "images", "videos"]
Recency = Literal["any", "day", "week", "month", "year"]
DAYS: dict[Recency, int] = {"day": 1, "week": 7, "month": 31, "year": 366}


class Query(Value):
    """What is looked for. `sites` are hosts to stay within; none means everywhere."""

    text: str
    kind: Kind = "web"
    sites: tuple[str, ...] = ()
    recency: Recency = "any"
    limit: int = 8

    @property
    def sited(self) -> str:
        """The text with its sites, in the words that most engines understand."""
        places = " OR ".join(f"site:{site}" for site in self.sites)
        return f"{self.text} ({places})" if len(self.sites) > 1 else f"{self.text} {places}".strip()


class Hit(Value):
    """One thing found. `image` is the picture of an image result, or the still of a video."""

    title: str
    url: str
    snippet: str = ""
    provider: str = ""
    kind: Kind = "web"
    date: str = ""
    image: str = ""


class Provider(Protocol):
    """A search engine. It raises a ToolError, without its key in it, when it cannot answer."""

    name: ClassVar[str]
    kinds: ClassVar[frozenset[Kind]]

    async def search(self, query: Query) -> list[Hit]: ...


Client = httpx2.AsyncClient


async def ask(
    client: Client,
    name: str,
    url: str,
    params: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
    body: Mapping[str, Any] | None = None,
) -> Mapping[str, Any]:
    """The JSON object that a provider answers. Errors name the provider and what happened, never the request."""
    method = "POST" if body is not None else "GET"
    try:
        reply = await client.request(method, url, params=params, headers=dict(headers or {}), json=body)
    except httpx2.TimeoutException:
        raise ToolError(f"{name} did not answer in time.") from None
    except (httpx2.HTTPError, httpx2.InvalidURL):
        raise ToolError(f"{name} cannot be reached.", f"Check the settings search.{name}_*.") from None
    if reply.status_code in (401, 403):
        raise ToolError(f"{name} refuses the key ({reply.status_code}).", f"Check the settings search.{name}_*.")
    if reply.status_code == 429:
        raise ToolError(f"{name} wants fewer requests.")
    if not reply.is_success:
        raise ToolError(f"{name} answered {reply.status_code}.")
    try:
        data = reply.json()
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise ToolError(f"{name} did not answer with JSON.", f"Check the settings search.{name}_*.")
    return data


def rows(data: Mapping[str, Any], *path: str) -> list[Mapping[str, Any]]:
    """The list of objects at a path of an answer; nothing where the answer has another shape."""
    found: Any = data
    for step in path:
        found = found.get(step) if isinstance(found, dict) else None
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def text(row: Mapping[str, Any], *keys: str) -> str:
    """The first of these fields that holds text."""
    return next((value.strip() for key in keys if isinstance(value := row.get(key), str) and value.strip()), "")


def valid(hits: list[Hit], query: Query) -> list[Hit]:
    """Hits that lead somewhere, each once, within the sites that were asked for, as many as wanted."""
    kept: dict[str, Hit] = {}
    for hit in hits:
        host = urlsplit(hit.url).hostname or ""
        inside = not query.sites or any(host == site or host.endswith(f".{site}") for site in bare(query.sites))
        if hit.url.startswith(("http://", "https://")) and inside:
            kept.setdefault(hit.url, hit)
    return list(kept.values())[: query.limit]


def bare(sites: tuple[str, ...]) -> list[str]:
    """Hosts without paths, and without a leading dot as in `.gov`."""
    return [site.split("/", 1)[0].lstrip(".") for site in sites]
