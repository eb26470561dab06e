"""What tools use beside the browser: the web, memory, kept results, pictures; each with its state in the store."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

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


async def assemble(stack: AsyncExitStack, settings: Settings, store: "Store") -> dict[type, object]:
    """The services by their types. Nothing here goes to the network before it is asked to."""
    import httpx2

    from pilotfish.llm.pictures import Painter
    from pilotfish.memory.memory import Memory
    from pilotfish.tools.recall import Results
    from pilotfish.web.fetch import Fetcher
    from pilotfish.web.search.chain import Searcher, providers

    library, cache = Library(store), Cache(store)
    client = await stack.enter_async_context(httpx2.AsyncClient(timeout=settings.fetch.timeout, follow_redirects=False))
    fetcher = await stack.enter_async_context(Fetcher(settings.fetch, cache))
    chain = providers(settings.search, client, library)
    return {
        Fetcher: fetcher,
        Searcher: Searcher(settings.search, chain, index=library, cache=cache, meter=Meter(store)),
        Memory: Memory(store, settings.memory),
        Results: Results(store),
        Painter: Painter(settings.models, os.environ.get("OPENAI_API_KEY", "")),
        Library: library,
    }
