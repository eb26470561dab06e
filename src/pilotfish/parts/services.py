"""What tools use beside the browser: the web, memory, kept results, pictures; each with its state in the store."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, cast

from pilotfish.core.settings import Settings

if TYPE_CHECKING:
    from pilotfish.store.base import Store
    from pilotfish.web.search.local import Entry, Shelf

PAGES = "pages"
CACHE = "cache"
SEARCHES = "searches"
DAY = 86_400.0


class Cache:
    """What was fetched and searched, kept until it is too old."""

    def __init__(self, store: "Store") -> None:
        self.store = store

    async def get(self, key: str) -> str | None:
        found = await self.store.get(CACHE, key)
        return None if found is None else found.decode()

    async def put(self, key: str, value: str, ttl: float) -> None:
        await self.store.put(CACHE, key, value.encode(), ttl)


class Library:
    """Every page that was read, to be searched without asking anybody."""

    def __init__(self, store: "Store") -> None:
        self.store = store
        self._shelf: Shelf | None = None

    async def add(self, entry: "Entry") -> None:
        await (await self._open()).add(entry)
        await self.store.put(PAGES, entry.url, entry.model_dump_json().encode())

    async def search(self, text: str, limit: int) -> "Sequence[Entry]":
        return await (await self._open()).search(text, limit)

    async def _open(self) -> "Shelf":
        from pilotfish.web.search.local import Entry, Shelf

        if self._shelf is None:
            shelf = Shelf(5000)
            for value in (await self.store.entries(PAGES)).values():
                await shelf.add(Entry.model_validate_json(value))
            self._shelf = shelf
        return self._shelf


class Meter:
    """How often each provider was asked today, by whom."""

    def __init__(self, store: "Store") -> None:
        self.store = store

    async def add(self, day: str, user: str, provider: str) -> None:
        key = f"{day}:{user}:{provider}"
        count = int((await self.store.get(SEARCHES, key) or b"0").decode())
        await self.store.put(SEARCHES, key, str(count + 1).encode(), ttl=40 * DAY)

    async def read(self, day: str, user: str) -> Mapping[str, int]:
        rows = await self.store.entries(SEARCHES, f"{day}:{user}:")
        return Counter({key.rpartition(":")[2]: int(value.decode()) for key, value in rows.items()})


class Services:
    """What there is, by its type; after a change of settings only what depends on it is made anew.

    Runs under way keep what they began with, so the old is closed with everything else at the end.
    """

    def __init__(self, stack: AsyncExitStack, store: "Store") -> None:
        self._stack = stack
        self._store = store
        self._made: dict[type, object] = {}
        self._settings: Settings | None = None

    async def fit(self, settings: Settings) -> dict[type, object]:
        """The services for these settings. Nothing here goes to the network before it is asked to."""
        from pilotfish.llm.pictures import Painter
        from pilotfish.memory.memory import Memory

        before, self._settings = self._settings, settings
        if before is None:
            self._lasting(settings)
        if before is None or (before.fetch, before.search) != (settings.fetch, settings.search):
            await self._web(settings)
        if before is None or before.models != settings.models:
            self._made[Painter] = Painter(settings.models, os.environ.get("OPENAI_API_KEY", ""))
        cast(Memory, self._made[Memory]).caps = settings.memory
        return dict(self._made)

    def _lasting(self, settings: Settings) -> None:
        """What holds state and depends on no setting that matters while it runs."""
        from pilotfish.memory.memory import Memory
        from pilotfish.runtime.budget import Ledger
        from pilotfish.runtime.window.door import Gauge
        from pilotfish.tools.recall import Results

        store = self._store
        memory = Memory(store, settings.memory)
        self._made |= {Memory: memory, Results: Results(store), Library: Library(store), Cache: Cache(store)}
        self._made |= {Ledger: Ledger(store), Gauge: Gauge()}

    async def _web(self, settings: Settings) -> None:
        import httpx2

        from pilotfish.web.fetch import Fetcher
        from pilotfish.web.search.chain import Searcher, providers

        library, cache = cast(Library, self._made[Library]), cast(Cache, self._made[Cache])
        http = httpx2.AsyncClient(timeout=settings.fetch.timeout, follow_redirects=False)
        client = await self._stack.enter_async_context(http)
        chain = providers(settings.search, client, library)
        meter = Meter(self._store)
        self._made[Searcher] = Searcher(settings.search, chain, index=library, cache=cache, meter=meter)
        self._made[Fetcher] = await self._stack.enter_async_context(Fetcher(settings.fetch, cache))
