"""Web push over HTTP."""

from push_receiver import PushReceiver

from .running_server import RunningServer

ENDPOINT = "https://fcm.googleapis.com/fcm/send/abc"


async def test_a_browser_is_added_listed_and_taken_out_by_its_own_user_alone(running: RunningServer) -> None:
    target = PushReceiver().target(ENDPOINT, "Chrome, Linux").model_dump(mode="json")
    user, token = await running.member("nina-push")
    async with running.client() as mine, running.client(token) as hers:
        key = (await mine.get("/api/push")).json()["key"]
        assert len(key) == 87 and key == (await hers.get("/api/push")).json()["key"]
        made = await hers.post("/api/push", json=target)
        assert made.status_code == 201, made.text
        assert (await mine.get("/api/push")).json()["browsers"] == []
        [listed] = (await hers.get("/api/push")).json()["browsers"]
        assert listed == made.json() and (listed["name"], listed["service"]) == ("Chrome, Linux", "fcm.googleapis.com")
        assert target["auth"] not in (await hers.get("/api/push")).text
        assert (await mine.delete(f"/api/push/{listed['id']}")).status_code == 404
        assert (await hers.delete(f"/api/push/{listed['id']}")).status_code == 204
        assert (await hers.post("/api/push", json=target)).status_code == 201
    await running.fish.users.remove(user)
    assert await running.fish.push.list(user) == []


async def test_a_foreign_endpoint_and_a_test_without_a_browser_are_refused_in_words(running: RunningServer) -> None:
    target = PushReceiver().target("https://intranet.example/hook").model_dump(mode="json")
    async with running.client() as client:
        refused = await client.post("/api/push", json=target)
        assert refused.status_code == 400 and "notices.push_services" in refused.text
        nobody = await client.post("/api/push/try")
        assert nobody.status_code == 409 and "No browser gets your notices" in nobody.text


async def test_the_service_worker_is_served_for_the_whole_page(running: RunningServer) -> None:
    async with running.client() as client:
        found = await client.get("/push.js")
    assert found.status_code == 200 and "javascript" in found.headers["content-type"]
    assert "default-src 'self'" in found.headers["content-security-policy"]
