"""Shortcuts over HTTP: each person's own, made, used, renamed, exported, imported and deleted."""

import json

import pytest

from pilotfish.core.recipe import ActionRecipe, RecordedAction
from pilotfish.core.shortcut import make_shortcut, write_shortcut
from pilotfish.practice.server import Practice

from .running_server import RunningServer

pytestmark = pytest.mark.slow


def recipe(page: str) -> ActionRecipe:
    steps = (RecordedAction(tool="navigate", args={"action": "goto", "url": f"{page}?q=kettle"}),)
    return ActionRecipe(task="Look for kettle", tabs=(page,), start=page, actions=steps)


async def test_a_shortcut_is_imported_used_renamed_exported_and_deleted(running: RunningServer) -> None:
    async with Practice() as site, running.client() as client:
        made = make_shortcut("look", recipe(f"{site.url}/shop"), {"what": "kettle"})
        kept = await client.post("/api/shortcuts/import", json=json.loads(write_shortcut(made)))
        assert kept.status_code == 201, kept.text
        assert [each["name"] for each in (await client.get("/api/shortcuts")).json()] == ["look"]
        begun = await client.post("/api/shortcuts/look/run", json={"values": {"what": "oat bowl"}})
        assert begun.status_code == 201, begun.text
        ended = await running.until(begun.json()["id"], "run_finished")
        assert (ended.outcome, ended.text) == ("completed", "Done again: 1 step."), ended
        assert [e.details["q"] for e in site.log() if e.kind == "shop.searched"] == ["oat bowl"]
        assert (await client.patch("/api/shortcuts/look", json={"name": "seek"})).json()["name"] == "seek"
        file = await client.get("/api/shortcuts/seek/file")
        assert file.json()["parameters"] == {"what": "kettle"} and "attachment" in file.headers["content-disposition"]
        _, token = await running.member("ann")
        async with running.client(token) as ann:
            assert (await ann.get("/api/shortcuts")).json() == []
            assert (await ann.get("/api/shortcuts/seek")).status_code == 404
            assert (await ann.post("/api/shortcuts/seek/run", json={"values": {}})).status_code == 404
        assert (await client.delete("/api/shortcuts/seek")).status_code == 204
        assert (await client.get("/api/shortcuts")).json() == []


async def test_odd_requests_are_answered_with_what_is_wrong(running: RunningServer) -> None:
    async with running.client() as client:
        odd = await client.post("/api/shortcuts/import", json={"name": "x"})
        assert odd.status_code in (400, 422) and "That is no shortcut" in odd.json()["detail"]
        assert (await client.post("/api/shortcuts", json={"run": "none", "name": "x"})).status_code == 404
        assert (await client.post("/api/shortcuts", json={"run": "none", "name": "../x"})).status_code == 422
