"""Services follow the settings: only what a change concerns is made anew."""

import pytest

from fish import Open
from pilotfish.llm.pictures import Painter
from pilotfish.memory.memory import Memory
from pilotfish.web.fetch import Fetcher
from pilotfish.web.search.chain import Searcher

pytestmark = pytest.mark.anyio


async def test_a_changed_setting_makes_only_what_it_concerns_anew(opened: Open) -> None:
    fish = await opened()
    before = dict(fish.services)
    await fish.dials.change("memory.core", 3, "test")
    await fish.refresh()
    assert fish.services == before and fish.memory.caps.core == 3
    await fish.dials.change("search.per_minute", 7, "test")
    await fish.refresh()
    changed = {kind for kind, made in fish.services.items() if made is not before[kind]}
    assert changed == {Searcher, Fetcher}
    assert fish.services[Memory] is before[Memory] and fish.services[Painter] is before[Painter]
