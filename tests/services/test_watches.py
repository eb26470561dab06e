"""Watches of real pages: a model is asked only where something changed."""

from pathlib import Path

import pytest

from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.core.schedules import WatchedPart
from scripted_app import script
from turned_clock import TurnedClock, open_at, wait_for_fires
from web.loopback import site

pytestmark = [pytest.mark.slow]
NOT_MET = '{"fulfilled": false, "why": "45 euros"}'
MET = '{"fulfilled": true, "why": "39 euros."}'
PAGE = "<title>Tide kettle</title><h1>Kettle</h1><p id=price>Price: {price} euros</p><p>It is {time}.</p>"


async def test_a_model_is_asked_only_where_the_watched_part_changed(tmp_path: Path, pool: BrowserPool) -> None:
    clock = TurnedClock("2026-11-18 07:30")
    async with site() as shop, open_at(tmp_path, clock) as fish:
        fish.browsers.pool.living_browser = pool.living_browser
        model = script(fish, [NOT_MET, MET])
        url = shop.page("/kettle", PAGE.format(price=45, time="10:41"))
        part = WatchedPart(kind="selector", what="#price")
        made = await fish.watch(url, "the kettle costs less than 40 euros", every="1h", part=part)
        for count, price in enumerate((45, 45, 39, 39), 1):
            shop.page("/kettle", PAGE.format(price=price, time=f"1{count}:00"))
            clock.turn(hours=1)
            await wait_for_fires(fish, made.id, count)
        fires = await wait_for_fires(fish, made.id, 4)
        texts = [notice.text for notice in await fish.store.notices("local")]
    assert shop.count("/kettle") >= 4
    assert len(model.requests) == 2
    assert f"Tide kettle ({url})" in model.requests[0].messages[-1].text, "the part alone does not say what it is about"
    assert [fire.seen["fulfilled"] for fire in fires] == [False, False, True, True]
    assert [fire.seen["news"] for fire in fires] == [True, False, True, False]
    assert fires[2].change.splitlines() == ["-Price: 45 euros", "+Price: 39 euros"]
    assert fires[1].text.startswith("Nothing changed; the condition is not met")
    assert texts == ["The page changed; the condition is met: 39 euros."]


async def test_a_part_that_is_gone_fails_the_watch_in_words(tmp_path: Path, pool: BrowserPool) -> None:
    clock = TurnedClock("2026-11-18 07:30")
    async with site() as shop, open_at(tmp_path, clock) as fish:
        fish.browsers.pool.living_browser = pool.living_browser
        url = shop.page("/kettle", "<h1>Sold out</h1>")
        made = await fish.watch(url, "it is cheap", part=WatchedPart(kind="selector", what="#price"))
        clock.turn(hours=1)
        [fire] = await wait_for_fires(fish, made.id, 1)
        [notice] = await fish.store.notices("local")
    assert fire.outcome == "failed" and "#price" in fire.text
    assert notice.kind == "problem"
