"""Schedules over HTTP."""

from datetime import timedelta

from pilotfish.core.events import current_time
from scripted_app import script

from .running_server import RunningServer

PLAN = {"task": "Read the news", "when": "every weekday at 8", "zone": "Europe/Lisbon"}


async def test_a_schedule_is_made_paused_resumed_listed_and_deleted(running: RunningServer) -> None:
    async with running.client() as client:
        made = await client.post("/api/schedules", json={**PLAN, "name": "news"})
        assert made.status_code == 201, made.text
        id = made.json()["id"]
        assert [one["id"] for one in (await client.get("/api/schedules")).json()] == [id]
        assert (await client.post(f"/api/schedules/{id}/pause")).json()["paused"] is True
        assert (await client.post(f"/api/schedules/{id}/resume")).json()["paused"] is False
        assert (await client.get("/api/schedules/news")).json()["id"] == id
        assert (await client.get(f"/api/schedules/{id}/history")).json() == []
        span = {"since": current_time().isoformat(), "until": (current_time() + timedelta(days=14)).isoformat()}
        calendar = (await client.get("/api/schedules/calendar", params=span)).json()["entries"]
        assert 9 <= len(calendar) <= 11 and {entry["state"] for entry in calendar} == {"planned"}
        assert (await client.delete(f"/api/schedules/{id}")).status_code == 204
        assert (await client.get(f"/api/schedules/{id}")).status_code == 404


async def test_a_schedule_is_changed_and_keeps_its_id_and_its_pause(running: RunningServer) -> None:
    async with running.client() as client:
        id = (await client.post("/api/schedules", json={**PLAN, "name": "changing"})).json()["id"]
        await client.post(f"/api/schedules/{id}/pause")
        changed = await client.put(f"/api/schedules/{id}", json={**PLAN, "name": "changed", "when": "daily at 9"})
        assert changed.status_code == 200, changed.text
        now = (await client.get(f"/api/schedules/{id}")).json()
        assert (now["name"], now["when"], now["paused"]) == ("changed", "daily at 9", True)
        assert now["next"][11:16] in ("08:00", "09:00"), "nine o'clock in Lisbon"
        assert (await client.put(f"/api/schedules/{id}", json={**PLAN, "when": "sometimes"})).status_code == 400
        _, token = await running.member("mallory-schedules")
        async with running.client(token) as hers:
            assert (await hers.put(f"/api/schedules/{id}", json=PLAN)).status_code == 404
        await client.delete(f"/api/schedules/{id}")


async def test_a_preview_says_when_and_what_it_may_do_and_keeps_nothing(running: RunningServer) -> None:
    grants = [{"site": "shop.example", "effects": ["submit"]}]
    async with running.client() as client:
        shown = (await client.post("/api/schedules/preview", json={**PLAN, "grants": grants})).json()
        assert len(shown["next"]) == 5 and shown["zone"] == "Europe/Lisbon"
        assert shown["allowed"][0] == "On shop.example it may send a form without asking."
        assert (await client.get("/api/schedules")).json() == []
        wrong = await client.post("/api/schedules/preview", json={**PLAN, "when": "sometimes"})
        assert wrong.status_code == 400 and "every weekday at 8" in wrong.text


async def test_another_user_sees_none_of_it_and_cannot_be_told_over_channels_of_the_owner(
    running: RunningServer,
) -> None:
    _, token = await running.member("eve-schedules")
    async with running.client() as mine, running.client(token) as hers:
        id = (await mine.post("/api/schedules", json=PLAN)).json()["id"]
        assert (await hers.get("/api/schedules")).json() == []
        for verb in ("pause", "resume", "run"):
            assert (await hers.post(f"/api/schedules/{id}/{verb}")).status_code == 404
        assert (await hers.delete(f"/api/schedules/{id}")).status_code == 404
        assert (await hers.post("/api/schedules", json={**PLAN, "notify": ["email"]})).status_code == 403
        assert (await hers.post("/api/schedules", json={**PLAN, "options": {"policy": "read_only"}})).status_code == 400
        wrong = await hers.post("/api/schedules", json={**PLAN, "options": {"max_steps": "many"}})
        assert wrong.status_code == 422 and "max_steps" in wrong.text
        await mine.delete(f"/api/schedules/{id}")


async def test_the_schedules_of_a_removed_user_are_gone(running: RunningServer) -> None:
    user, token = await running.member("ida-schedules")
    async with running.client(token) as hers:
        assert (await hers.post("/api/schedules", json=PLAN)).status_code == 201
    await running.fish.users.remove(user)
    assert await running.fish.store.schedules(user) == []


async def test_words_for_a_time_are_read_by_the_model_and_nothing_is_made(running: RunningServer) -> None:
    script(running.fish, ['{"when": "mon-sat at 9:00", "zone": ""}', '{"when": "", "zone": ""}'])
    async with running.client() as client:
        wrong = await client.post("/api/schedules/preview", json={**PLAN, "when": "every day but Sundays at nine"})
        assert wrong.json()["code"] == "unclear_time"
        said = {"when": "every day but Sundays at nine", "zone": "Europe/Lisbon"}
        read = await client.post("/api/schedules/read", json=said)
        assert read.status_code == 200, read.text
        assert (read.json()["when"], read.json()["zone"]) == ("mon-sat at 9:00", "Europe/Lisbon")
        unknown = await client.post("/api/schedules/read", json={"when": "at sunrise"})
        assert unknown.status_code == 400 and unknown.json()["code"] == "unclear_time"


async def test_links_of_notices_lead_to_the_port_that_it_listens_at(running: RunningServer) -> None:
    assert running.fish.notices.address == running.url
