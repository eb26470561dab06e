import asyncio

import httpx2
import pytest

from pilotfish.practice.server import Practice, serve
from pilotfish.practice.worlds import SiteEffect

KITE = {"slug": "kite", "quantity": "1"}


async def test_both_origins_serve_the_same_worlds(site: Practice, visitor: httpx2.AsyncClient) -> None:
    assert site.url != site.other_url
    await visitor.post(f"{site.other_url}/shop/cart/add", data=KITE)
    assert site.state()["cart"][0]["slug"] == "kite"


async def test_what_is_done_in_one_world_is_not_seen_in_another(site: Practice) -> None:
    async with httpx2.AsyncClient(base_url=site.url, follow_redirects=True) as client:
        await client.get("/shop", params={"world": "left"})
        await client.post("/shop/cart/add", data=KITE)
    assert len(site.state("left")["cart"]) == 1
    assert site.state("right")["cart"] == []
    assert not any(effect.kind == "cart.added" for effect in site.log("right"))


async def test_the_world_is_remembered_in_a_cookie(site: Practice) -> None:
    async with httpx2.AsyncClient(base_url=site.url) as client:
        reply = await client.get("/?world=crumb")
        assert reply.cookies["world"] == "crumb"
        await client.get("/town")
    assert [effect.details["path"] for effect in site.log("crumb")] == ["/", "/town"]


async def test_log_and_state_can_be_read_over_http(site: Practice, visitor: httpx2.AsyncClient) -> None:
    await visitor.post("/shop/cart/add", data=KITE)
    log = [SiteEffect.model_validate(entry) for entry in (await visitor.get("/_log?world=main")).json()]
    assert log == site.log()
    assert [effect.n for effect in log] == list(range(1, len(log) + 1))
    assert (await visitor.get("/_state?world=main")).json() == site.state()


async def test_reading_the_log_leaves_no_trace(site: Practice, visitor: httpx2.AsyncClient) -> None:
    await visitor.get("/_log")
    await visitor.get("/_state")
    assert site.log() == []


async def test_reset_makes_a_world_new_and_keeps_its_seed(site: Practice, visitor: httpx2.AsyncClient) -> None:
    await visitor.get("/shop?world=seeded&seed=7")
    before = site.state("seeded")
    await visitor.post("/shop/cart/add", data=KITE)
    assert (await visitor.post("/_reset?world=seeded")).json() == {"world": "seeded", "seed": 7}
    assert site.state("seeded") == before
    assert site.log("seeded") == []


async def test_a_seed_moves_prices_but_not_their_order(site: Practice) -> None:
    site.reset("zero")
    site.reset("five", seed=5)
    site.reset("again", seed=5)
    zero = {p["slug"]: p["price"] for p in site.state("zero")["goods"]}
    five = {p["slug"]: p["price"] for p in site.state("five")["goods"]}
    assert zero != five
    assert sorted(zero, key=lambda s: zero[s]) == sorted(five, key=lambda s: five[s])
    assert site.state("again") == site.state("five")


async def test_an_address_names_path_world_and_seed(site: Practice) -> None:
    assert site.address("/shop?category=Toys", "w", 3) == f"{site.url}/shop?category=Toys&world=w&seed=3"


async def test_serve_runs_until_it_is_cancelled() -> None:
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(serve(port=0, ready=ready.set_result))
    address = await asyncio.wait_for(ready, 5)
    async with httpx2.AsyncClient() as client:
        assert (await client.get(address)).status_code == 200
        serving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await serving
        with pytest.raises(httpx2.ConnectError):
            await client.get(address)
