from .house import House


async def test_a_person_sees_corrects_exports_and_deletes_what_is_remembered(house: House) -> None:
    async with house.client() as client:
        assert (await client.post("/api/memory", json={"content": "Ann is allergic to peanuts."})).status_code == 201
        [fact] = (await client.get("/api/memory")).json()
        assert fact["content"] == "Ann is allergic to peanuts."
        fixed = await client.patch(f"/api/memory/{fact['id']}", json={"content": "Ann is allergic to walnuts."})
        assert fixed.json()["content"] == "Ann is allergic to walnuts."
        assert "peanuts" in (await client.get("/api/memory/history")).text
        assert "walnuts" in (await client.get("/api/memory/export")).text
        assert (await client.delete(f"/api/memory/{fixed.json()['id']}")).status_code == 204
        assert (await client.get("/api/memory")).json() == []


async def test_another_persons_memory_is_not_shown_and_cannot_be_changed(house: House) -> None:
    saved = await house.fish.memory.save("local", [{"content": "Ann lives in Oslo.", "category": "profile"}])
    assert saved
    fact = (await house.fish.memory.facts("local"))[0]
    _, token = await house.member("eve-memory")
    async with house.client(token) as client:
        assert (await client.get("/api/memory")).json() == []
        assert "Oslo" not in (await client.get("/api/memory/export")).text
        assert (await client.delete(f"/api/memory/{fact.id}")).status_code in (400, 404)
    assert (await house.fish.memory.facts("local"))[0].content == "Ann lives in Oslo."


async def test_what_was_exported_is_taken_in_again(house: House) -> None:
    _, token = await house.member("ina-memory")
    async with house.client(token) as client:
        await client.post("/api/memory", json={"content": "Ann is allergic to peanuts."})
        kept = (await client.get("/api/memory/export")).json()
        [fact] = (await client.get("/api/memory")).json()
        await client.delete(f"/api/memory/{fact['id']}")
        for one in kept:
            one["id"] = "another"
        [back] = (await client.post("/api/memory/import", json={"facts": kept})).json()
        assert back["content"] == "Ann is allergic to peanuts."
        assert (await client.post("/api/memory/import", json={"facts": [{"id": 1}]})).status_code == 400


async def test_all_of_it_is_forgotten_at_once_with_its_history(house: House) -> None:
    _, token = await house.member("udo-memory")
    async with house.client(token) as client:
        for content in ("Udo is allergic to peanuts.", "Udo lives in Porto."):
            await client.post("/api/memory", json={"content": content})
        fact = (await client.get("/api/memory")).json()[0]
        await client.patch(f"/api/memory/{fact['id']}", json={"content": "Udo likes the sea."})
        assert (await client.delete("/api/memory")).status_code == 204
        assert (await client.get("/api/memory")).json() == []
        assert (await client.get("/api/memory/export")).json() == []
        assert "Udo" not in (await client.get("/api/memory/history")).text
