from pilotfish.core.facts import PastMessage

from .running_server import RunningServer


async def test_a_person_sees_corrects_exports_and_deletes_what_is_remembered(running: RunningServer) -> None:
    async with running.client() as client:
        assert (await client.post("/api/memory", json={"content": "Ann is allergic to peanuts."})).status_code == 201
        [fact] = (await client.get("/api/memory")).json()
        assert fact["content"] == "Ann is allergic to peanuts."
        fixed = await client.patch(f"/api/memory/{fact['id']}", json={"content": "Ann is allergic to walnuts."})
        assert fixed.json()["content"] == "Ann is allergic to walnuts."
        assert "peanuts" in (await client.get("/api/memory/history")).text
        assert "walnuts" in (await client.get("/api/memory/export")).text
        assert (await client.delete(f"/api/memory/{fixed.json()['id']}")).status_code == 204
        assert (await client.get("/api/memory")).json() == []


async def test_another_persons_memory_is_not_shown_and_cannot_be_changed(running: RunningServer) -> None:
    saved = await running.fish.memory.save("local", [{"content": "Ann lives in Oslo.", "category": "profile"}])
    assert saved
    fact = (await running.fish.memory.facts("local"))[0]
    _, token = await running.member("eve-memory")
    async with running.client(token) as client:
        assert (await client.get("/api/memory")).json() == []
        assert "Oslo" not in (await client.get("/api/memory/export")).text
        assert (await client.delete(f"/api/memory/{fact.id}")).status_code in (400, 404)
    assert (await running.fish.memory.facts("local"))[0].content == "Ann lives in Oslo."


async def test_what_was_exported_is_taken_in_again(running: RunningServer) -> None:
    _, token = await running.member("ina-memory")
    async with running.client(token) as client:
        await client.post("/api/memory", json={"content": "Ann is allergic to peanuts."})
        kept = (await client.get("/api/memory/export")).json()
        [fact] = (await client.get("/api/memory")).json()
        await client.delete(f"/api/memory/{fact['id']}")
        for one in kept:
            one["id"] = "another"
        [back] = (await client.post("/api/memory/import", json={"facts": kept})).json()
        assert back["content"] == "Ann is allergic to peanuts."
        assert (await client.post("/api/memory/import", json={"facts": [{"id": 1}]})).status_code == 400


async def test_all_of_it_is_forgotten_at_once_with_its_history(running: RunningServer) -> None:
    _, token = await running.member("udo-memory")
    async with running.client(token) as client:
        for content in ("Udo is allergic to peanuts.", "Udo lives in Porto."):
            await client.post("/api/memory", json={"content": content})
        fact = (await client.get("/api/memory")).json()[0]
        await client.patch(f"/api/memory/{fact['id']}", json={"content": "Udo likes the sea."})
        assert (await client.delete("/api/memory")).status_code == 204
        assert (await client.get("/api/memory")).json() == []
        assert (await client.get("/api/memory/export")).json() == []
        assert "Udo" not in (await client.get("/api/memory/history")).text


async def test_what_replaced_a_fact_is_told_and_undone_and_an_allergy_holds_for_good(running: RunningServer) -> None:
    _, token = await running.member("uma-memory")
    async with running.client(token) as client:
        for content in ("I live in Lisbon", "I live in Porto", "My son is allergic to nuts"):
            added = (await client.post("/api/memory", json={"content": content})).json()
        assert (added[0]["tier"], added[0]["expires"]) == ("core", None)
        [past] = (await client.get("/api/memory/history")).json()
        assert (past["content"], past["ending"]) == ("I live in Lisbon", "replaced")
        assert (await client.post(f"/api/memory/{past['id']}/undo")).json()["content"] == "I live in Lisbon"
        assert {fact["content"] for fact in (await client.get("/api/memory")).json()} >= {
            "I live in Lisbon",
            "I live in Porto",
        }
        kept = await client.post("/api/memory", json={"content": "I build a shed", "tier": "context"})
        assert kept.json()[0]["tier"] == "context"


async def test_a_deleted_fact_takes_its_conversations_with_it_if_the_person_wants_so(running: RunningServer) -> None:
    user, token = await running.member("eli-memory")
    memory = running.fish.memory
    for talk, words in (("eli-1", "I live in Oslo now"), ("eli-2", "The ferry leaves at noon")):
        await memory.index(user, talk, [PastMessage(text=words)])
    async with running.client(token) as client:
        for choice, left in (("keep", {"eli-1", "eli-2"}), ("delete", {"eli-2"})):
            [fact] = (await client.post("/api/memory", json={"content": "I live in Oslo"})).json()
            await client.delete(f"/api/memory/{fact['id']}", params={"conversations": choice})
            talks = {one["id"] for one in (await client.get("/api/conversations")).json()}
            assert talks == left
            assert all("Oslo" not in found.message.text for found in await memory.search(user, "Oslo"))
