"""What the page needs of the server beyond what other clients ask for."""

import httpx2

from .stage import Stage


async def test_a_conversation_can_be_opened_before_its_first_run(stage: Stage) -> None:
    headers = {"authorization": f"Bearer {stage.fish.people.key}"}
    async with httpx2.AsyncClient(base_url=stage.url, headers=headers) as client:
        made = (await client.post("/api/conversations", json={"title": "Shop"})).json()
        assert (await client.get(f"/api/conversations/{made['id']}")).json()["title"] == "Shop"
        assert (await client.post("/api/conversations", json={"title": ""})).status_code == 422


async def test_a_run_knows_that_somebody_attends_it(stage: Stage) -> None:
    headers = {"authorization": f"Bearer {stage.fish.people.key}"}
    async with httpx2.AsyncClient(base_url=stage.url, headers=headers) as client:
        run = (await client.post("/api/runs", json={"task": "Hi", "loop": "test-story", "attended": True})).json()
    assert (await stage.fish.record(run["id"])).options["attended"] is True
    await stage.ended(run["id"])
