"""The cache in memory."""

from pilotfish.web.cache import MemoryCache


async def test_what_is_too_old_is_forgotten() -> None:
    time = 0.0
    cache = MemoryCache(clock=lambda: time)
    await cache.put("tide", "low", 10)
    assert await cache.get("tide") == "low"
    time = 10.0
    assert await cache.get("tide") is None


async def test_the_least_used_makes_room() -> None:
    cache = MemoryCache(size=2)
    for key in "abc":
        await cache.put(key, key, 10)
        await cache.get("a")
    assert [await cache.get(key) for key in "abc"] == ["a", None, "c"]


async def test_nothing_is_kept_for_no_time() -> None:
    cache = MemoryCache()
    await cache.put("tide", "low", 0)
    assert await cache.get("tide") is None
