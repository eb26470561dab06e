"""Makes the services that tools use besides the browser: web, memory, results, images. The store keeps their state."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, cast

from pilotfish.core.settings import Settings

if TYPE_CHECKING:
    from pilotfish.store.base import Store
    from pilotfish.web.search.local import IndexedPage, MemoryIndex

PAGE_KIND = "pages"
READER_KIND = "page_reads"
CACHE_KIND = "cache"
SEARCH_KIND = "searches"
DAY = 86_400.0
PAGE_DAYS = 90


class StoredCache:
    """Fetched pages and search results in the store, until they expire."""

    def __init__(self, store: "Store") -> None:
        self.store = store

    async def get(self, key: str) -> str | None:
        found = await self.store.get(CACHE_KIND, key)
        return None if found is None else found.decode()

    async def put(self, key: str, value: str, ttl: float) -> None:
        await self.store.put(CACHE_KIND, key, value.encode(), ttl)


class PageLibrary:
    """The pages that were read last, searchable by the user who read them, without the network.

    At most `size` are kept, each for `PAGE_DAYS` days after it was read.
    """

    def __init__(self, store: "Store", size: int = 5000) -> None:
        self.store = store
        self.size = size
        self._index: MemoryIndex | None = None

    async def add(self, entry: "IndexedPage") -> None:
        for dropped in await (await self._open()).add(entry):
            await self.store.drop(PAGE_KIND, dropped)
        await self.store.put(PAGE_KIND, entry.key, entry.model_dump_json().encode(), ttl=PAGE_DAYS * DAY)
        await self.store.put(READER_KIND, f"{entry.reader}:{entry.key}", b"", ttl=PAGE_DAYS * DAY)

    async def search(self, text: str, limit: int, user: str = "") -> "Sequence[IndexedPage]":
        index = await self._open()
        found = await index.search(text, limit, user)
        there = [entry for entry in found if await self.store.get(PAGE_KIND, entry.key) is not None]
        for entry in found:
            if entry not in there:
                index.drop(entry.key)
        return there

    async def _open(self) -> "MemoryIndex":
        from pilotfish.web.search.local import IndexedPage, MemoryIndex

        if self._index is None:
            index = MemoryIndex(self.size)
            for value in (await self.store.entries(PAGE_KIND)).values():
                for dropped in await index.add(IndexedPage.model_validate_json(value)):
                    await self.store.drop(PAGE_KIND, dropped)
            self._index = index
        return self._index


async def drop_pages(store: "Store", reader: str) -> None:
    """Drop the pages that nobody read after this run, or ahead of a question of this conversation."""
    from pilotfish.web.search.local import IndexedPage

    for name in await store.list_keys(READER_KIND, f"{reader}:"):
        key = name.removeprefix(f"{reader}:")
        kept = await store.get(PAGE_KIND, key)
        if kept is not None and IndexedPage.model_validate_json(kept).reader == reader:
            await store.drop(PAGE_KIND, key)
    await store.drop_all(READER_KIND, f"{reader}:")


def _image_keys() -> dict[str, str]:
    google = os.environ.get("GOOGLE_API_KEY") or os.environ.get("GEMINI_API_KEY", "")
    return {"openai": os.environ.get("OPENAI_API_KEY", ""), "google": google}


class StoredMeter:
    """How often each user used each search provider today."""

    def __init__(self, store: "Store") -> None:
        self.store = store

    async def add(self, day: str, user: str, provider: str) -> None:
        key = f"{day}:{user}:{provider}"
        count = int((await self.store.get(SEARCH_KIND, key) or b"0").decode())
        await self.store.put(SEARCH_KIND, key, str(count + 1).encode(), ttl=40 * DAY)

    async def read(self, day: str, user: str) -> Mapping[str, int]:
        rows = await self.store.entries(SEARCH_KIND, f"{day}:{user}:")
        return Counter({key.rpartition(":")[2]: int(value.decode()) for key, value in rows.items()})


class ToolServices:
    """The services by type; after a change of settings only the services that depend on it are replaced.

    Running runs keep their services, so replaced ones are closed only at the end.
    """

    def __init__(self, stack: AsyncExitStack, store: "Store") -> None:
        self._stack = stack
        self._store = store
        self._made: dict[type, object] = {}
        self._settings: Settings | None = None

    async def update(self, settings: Settings) -> dict[type, object]:
        """The services for these settings. None of them uses the network before it is called."""
        from pilotfish.llm.image_model import ImageModel
        from pilotfish.memory.memory import UserMemory

        before, self._settings = self._settings, settings
        if before is None:
            self._make_lasting_services(settings)
        if before is None or (before.fetch, before.search) != (settings.fetch, settings.search):
            await self._open_web_services(settings)
        if before is None or before.models != settings.models:
            self._made[ImageModel] = ImageModel(settings.models, _image_keys())
        cast(UserMemory, self._made[UserMemory]).caps = settings.memory
        return dict(self._made)

    def _make_lasting_services(self, settings: Settings) -> None:
        """Make the services that keep state and depend on no setting that can change."""
        from pilotfish.context.windowed_model import TokenRatios
        from pilotfish.memory.memory import UserMemory
        from pilotfish.runtime.budget import SpendingLedger
        from pilotfish.tools.recall import ResultStore

        store = self._store
        memory = UserMemory(store, settings.memory)
        self._made |= {
            UserMemory: memory,
            ResultStore: ResultStore(store),
            PageLibrary: PageLibrary(store),
            StoredCache: StoredCache(store),
        }
        self._made |= {SpendingLedger: SpendingLedger(store), TokenRatios: TokenRatios()}

    async def _open_web_services(self, settings: Settings) -> None:
        import httpx2

        from pilotfish.web.fetcher import Fetcher
        from pilotfish.web.search.chain import SearchChain, make_providers

        library, cache = cast(PageLibrary, self._made[PageLibrary]), cast(StoredCache, self._made[StoredCache])
        http = httpx2.AsyncClient(timeout=settings.fetch.timeout, follow_redirects=False)
        client = await self._stack.enter_async_context(http)
        chain = make_providers(settings.search, client, library)
        meter = StoredMeter(self._store)
        self._made[SearchChain] = SearchChain(settings.search, chain, index=library, cache=cache, meter=meter)
        self._made[Fetcher] = await self._stack.enter_async_context(Fetcher(settings.fetch, cache))
