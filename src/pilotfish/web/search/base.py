"""The protocol of search providers, their queries and hits, and helpers to read their answers."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal, Protocol
from urllib.parse import urlsplit

import httpx2

from pilotfish.core.errors import ToolError
from pilotfish.core.values import Value

HitKind = Literal["web", "news", "images", "videos"]
Recency = Literal["any", "day", "week", "month", "year"]
DAYS: dict[Recency, int] = {"day": 1, "week": 7, "month": 31, "year": 366}


class SearchQuery(Value):
    """A query and its user. `sites` limits it to hosts; empty means everywhere."""

    text: str
    kind: HitKind = "web"
    sites: tuple[str, ...] = ()
    recency: Recency = "any"
    limit: int = 8
    user: str = ""

    @property
    def text_with_sites(self) -> str:
        """The text with its sites, in the words that most engines understand."""
        places = " OR ".join(f"site:{site}" for site in self.sites)
        return f"{self.text} ({places})" if len(self.sites) > 1 else f"{self.text} {places}".strip()


class SearchHit(Value):
    """One thing found. `image` is the picture of an image result, or the still of a video."""

    title: str
    url: str
    snippet: str = ""
    provider: str = ""
    kind: HitKind = "web"
    date: str = ""
    image: str = ""


class SearchProvider(Protocol):
    """A search engine. It raises a ToolError, without its key in it, when it cannot answer."""

    name: ClassVar[str]
    kinds: ClassVar[frozenset[HitKind]]

    async def search(self, query: SearchQuery) -> list[SearchHit]: ...


HttpClient = httpx2.AsyncClient


async def ask_provider(
    client: HttpClient,
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


def rows_at(data: Mapping[str, Any], *path: str) -> list[Mapping[str, Any]]:
    """The list of objects at a path of an answer; nothing where the answer has another shape."""
    found: Any = data
    for step in path:
        found = found.get(step) if isinstance(found, dict) else None
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def first_text(row: Mapping[str, Any], *keys: str) -> str:
    """The first of these fields that holds text."""
    return next((value.strip() for key in keys if isinstance(value := row.get(key), str) and value.strip()), "")


def read_results(
    data: Mapping[str, Any], query: SearchQuery, provider: str, date: str, images: Iterable[str] = ()
) -> list[SearchHit]:
    """The hits below `results` with title, url and content; `date` and `images` name the other fields."""
    return [
        SearchHit(
            title=first_text(row, "title"),
            url=first_text(row, "url"),
            snippet=first_text(row, "content"),
            provider=provider,
            kind=query.kind,
            date=first_text(row, date)[:10],
            image=first_text(row, *images),
        )
        for row in rows_at(data, "results")
    ]


def valid_hits(hits: list[SearchHit], query: SearchQuery) -> list[SearchHit]:
    """Hits that lead somewhere, each once, within the sites that were asked for, as many as wanted."""
    kept: dict[str, SearchHit] = {}
    for hit in hits:
        host = urlsplit(hit.url).hostname or ""
        inside = not query.sites or any(host == site or host.endswith(f".{site}") for site in bare_hosts(query.sites))
        if hit.url.startswith(("http://", "https://")) and inside:
            kept.setdefault(hit.url, hit)
    return list(kept.values())[: query.limit]


def bare_hosts(sites: tuple[str, ...]) -> list[str]:
    """Hosts without paths, and without a leading dot as in `.gov`."""
    return [site.split("/", 1)[0].lstrip(".") for site in sites]
