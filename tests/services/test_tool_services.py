"""Services follow the settings: only what a change concerns is made anew."""

from pathlib import Path

import pytest

from pilotfish.core.settings import Settings
from pilotfish.llm.image_model import ImageModel
from pilotfish.memory.memory import UserMemory
from pilotfish.services.tool_services import PageLibrary
from pilotfish.store.database import Database, database_address
from pilotfish.web.fetcher import Fetcher
from pilotfish.web.search.chain import SearchChain
from pilotfish.web.search.local import IndexedPage
from scripted_app import Open

pytestmark = pytest.mark.anyio


async def test_a_changed_setting_makes_only_what_it_concerns_anew(opened: Open) -> None:
    fish = await opened()
    before = dict(fish.services)
    await fish.settings_store.change("memory.core", 3, "test")
    await fish.refresh()
    assert fish.services == before and fish.memory.caps.core == 3
    await fish.settings_store.change("search.per_minute", 7, "test")
    await fish.refresh()
    changed = {kind for kind, made in fish.services.items() if made is not before[kind]}
    assert changed == {SearchChain, Fetcher}
    assert fish.services[UserMemory] is before[UserMemory] and fish.services[ImageModel] is before[ImageModel]


async def test_pages_that_were_read_are_kept_in_bounds_and_expire(opened: Open) -> None:
    store = (await opened()).store
    library = PageLibrary(store, size=2)
    for number in range(4):
        await library.add(IndexedPage(url=f"https://{number}.example/", title="Ferry", text="A ticket costs 12 EUR."))
    assert set(await store.entries("pages")) == {":https://2.example/", ":https://3.example/"}
    assert len(await library.search("ticket", 10)) == 2
    again = PageLibrary(store, size=1)
    assert len(await again.search("ticket", 10)) == 1 and len(await store.entries("pages")) == 1


async def test_what_has_expired_is_deleted_when_the_app_opens(tmp_path: Path, opened: Open) -> None:
    async with await Database.open(database_address(Settings(home=tmp_path))) as store:
        await store.put("results", "old", b"x", ttl=-1)
        await store.put("results", "new", b"x", ttl=60)
    store = (await opened()).store
    assert await store.expire() == 0 and await store.get("results", "new") == b"x"
