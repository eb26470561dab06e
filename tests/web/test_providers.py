"""Each search provider against a server of its shape."""

import builtins
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr

from pilotfish.core.errors import ToolError
from pilotfish.core.settings import SearchSettings
from pilotfish.web.search.base import HttpClient, SearchProvider, SearchQuery
from pilotfish.web.search.brave import BraveProvider
from pilotfish.web.search.chain import make_providers
from pilotfish.web.search.duckduckgo import DuckduckgoProvider
from pilotfish.web.search.google import GoogleProvider
from pilotfish.web.search.local import IndexedPage, LocalProvider, MemoryIndex
from pilotfish.web.search.searxng import SearxngProvider
from pilotfish.web.search.tavily import TavilyProvider

from . import engines
from .loopback import Site


@pytest.fixture
async def client() -> AsyncIterator[HttpClient]:
    async with httpx2.AsyncClient(timeout=3, trust_env=False) as made:
        yield made


def make_provider(name: str, client: HttpClient, site: Site, key: str = engines.KEY) -> SearchProvider:
    secret = SecretStr(key)
    if name == "searxng":
        return SearxngProvider(client, engines.searxng(site))
    if name == "brave":
        return BraveProvider(client, secret, engines.brave(site))
    if name == "tavily":
        return TavilyProvider(client, secret, engines.tavily(site))
    return GoogleProvider(client, secret, "engine", engines.google(site))


@pytest.mark.parametrize("name", ["searxng", "brave", "tavily", "google"])
async def test_a_provider_finds_pages(name: str, client: HttpClient, web: Site) -> None:
    hits = await make_provider(name, client, web).search(SearchQuery(text="tide times"))
    assert hits
    assert hits[0].title.startswith("Tide")
    assert hits[0].url.startswith("https://sea")
    assert hits[0].provider == name


@pytest.mark.parametrize("name", ["brave", "tavily", "google"])
async def test_a_refused_key_is_told_but_never_shown(name: str, client: HttpClient, web: Site) -> None:
    with pytest.raises(ToolError, match="refuses the key") as caught:
        await make_provider(name, client, web, "sk-wrong-key").search(SearchQuery(text="tide"))
    assert "sk-wrong" not in f"{caught.value!r} {caught.value.fix} {caught.value.__cause__!r}"
    assert "sk-wrong" not in repr(make_provider(name, client, web, "sk-wrong-key"))


@pytest.mark.parametrize("name", ["searxng", "brave", "tavily", "google"])
@pytest.mark.parametrize(
    "body", [b"<html>down</html>", b"[]", b"null", b'{"results": "none", "web": 3, "items": [1, null]}', b""]
)
async def test_an_answer_of_another_shape_is_no_crash(name: str, body: bytes, client: HttpClient, web: Site) -> None:
    provider = make_provider(name, client, web)
    for path in list(web.routes):
        web.page(path, body, media="application/json")
    try:
        assert await provider.search(SearchQuery(text="tide")) == []
    except ToolError as error:
        assert "did not answer with JSON" in error.message


async def test_searxng_gets_sites_recency_and_kind(client: HttpClient, web: Site) -> None:
    query = SearchQuery(text="tide", sites=("a.org", "example.org"), recency="week", kind="images")
    hits = await make_provider("searxng", client, web).search(query)
    assert web.asked[0].query["q"] == "tide (site:a.org OR site:example.org)"
    assert web.asked[0].query["time_range"] == "week"
    assert [hit.image for hit in hits] == [f"https://sea{n}.example.org/a.png" for n in range(3)]


async def test_brave_has_videos_and_freshness(client: HttpClient, web: Site) -> None:
    hits = await make_provider("brave", client, web).search(SearchQuery(text="tide", kind="videos", recency="month"))
    assert hits[0].image == "https://film.example.org/a.jpg"
    assert web.asked[0].query["freshness"] == "pm"


async def test_tavily_gets_domains_and_has_pictures(client: HttpClient, web: Site) -> None:
    provider = make_provider("tavily", client, web)
    found = await provider.search(SearchQuery(text="tide", sites=(".gov", "example.org/x"), recency="day"))
    assert '"include_domains": ["gov", "example.org"]' in found[0].snippet
    assert '"time_range": "day"' in found[0].snippet
    pictures = await provider.search(SearchQuery(text="tide", kind="images"))
    assert pictures[0].image == "https://sea.example.org/a.png"


async def test_google_has_pictures_with_the_page_they_are_on(client: HttpClient, web: Site) -> None:
    hits = await make_provider("google", client, web).search(SearchQuery(text="tide", kind="images", recency="year"))
    assert (hits[0].url, hits[0].image) == ("https://sea.example.org/page", "https://sea.example.org/a.png")
    assert web.asked[0].query["dateRestrict"] == "y1"


async def test_hits_outside_the_sites_are_left_out(client: HttpClient, web: Site) -> None:
    assert await make_provider("searxng", client, web).search(SearchQuery(text="tide", sites=("elsewhere.org",))) == []


async def test_duckduckgo_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.startswith("ddgs"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ToolError, match="ddgs") as caught:
        await DuckduckgoProvider().search(SearchQuery(text="tide"))
    assert "pilotfish[duckduckgo]" in caught.value.fix


async def test_the_local_provider_finds_what_was_read() -> None:
    index = MemoryIndex()
    await index.add(
        IndexedPage(url="https://a.org/", title="Tides", text="The moon pulls the water. Tides come twice.")
    )
    await index.add(IndexedPage(url="https://b.org/", title="Bread", text="Flour, salt and water make bread."))
    hits = await LocalProvider(index).search(SearchQuery(text="tides and the moon"))
    assert [hit.url for hit in hits] == ["https://a.org/"]
    assert "moon" in hits[0].snippet


async def test_the_index_forgets_the_oldest_pages() -> None:
    index = MemoryIndex(size=2)
    for name in "abc":
        await index.add(IndexedPage(url=f"https://{name}.org/", title="tide", text="tide"))
    assert {entry.url for entry in await index.search("tide", 9)} == {"https://b.org/", "https://c.org/"}


async def test_providers_without_a_key_or_address_are_passed_over(client: HttpClient) -> None:
    settings = SearchSettings(
        brave_key=SecretStr("k"), google_key=SecretStr("k"), providers=("google", "brave", "odd", "local")
    )
    assert [provider.name for provider in make_providers(settings, client, MemoryIndex())] == ["brave", "local"]
