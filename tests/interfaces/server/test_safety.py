"""Secrets, the policy's tester and audits over HTTP."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from pilotfish import loop
from pilotfish.interfaces.http import exports
from pilotfish.runtime.run import Run
from pilotfish.services import safety_service

from .running_server import RunningServer

VALUE = "correct horse battery"


async def test_a_secret_is_kept_listed_without_its_value_and_forgotten(running: RunningServer) -> None:
    async with running.client() as client:
        body = {"value": VALUE, "origins": ["https://shop.example"]}
        kept = await client.put("/api/secrets/shop.login", json=body)
        assert kept.json() == {"name": "shop.login", "origins": ["https://shop.example"], "kind": "password"}
        listed = await client.get("/api/secrets")
        assert [one["name"] for one in listed.json()] == ["shop.login"] and VALUE not in listed.text
        _, token = await running.member("eve-secrets")
        async with running.client(token) as eve:
            assert (await eve.get("/api/secrets")).json() == []
            assert (await eve.delete("/api/secrets/shop.login")).status_code == 404
        assert (await client.delete("/api/secrets/shop.login")).status_code == 204
        assert (await client.get("/api/secrets")).json() == []


async def test_who_is_removed_leaves_no_secret_behind(running: RunningServer) -> None:
    user, token = await running.member("bob-secrets")
    async with running.client(token) as bob:
        body = {"value": VALUE, "origins": ["https://shop.example"]}
        assert (await bob.put("/api/secrets/shop", json=body)).status_code == 200
    assert await running.fish.store.entries("secret", f"{user}:")
    async with running.client() as client:
        assert (await client.delete(f"/api/users/{user}")).status_code == 204
    assert await running.fish.store.entries("secret", f"{user}:") == {}


async def test_what_cannot_be_kept_is_refused_without_repeating_it(running: RunningServer) -> None:
    async with running.client() as client:
        for name, body in (
            ("one", {"value": VALUE, "origins": ["shop"]}),
            ("two", {"value": VALUE, "origins": [VALUE], "kind": "totp"}),
            ("three", {"value": VALUE, "origins": []}),
            ("fo ur", {"value": VALUE, "origins": ["https://shop.example"]}),
            ("five", {"value": "abc", "origins": ["https://shop.example"]}),
        ):
            answer = await client.put(f"/api/secrets/{name}", json=body)
            assert answer.status_code in (400, 422) and answer.json()["fix"]
            assert "value" not in body or name == "two" or VALUE not in answer.text
        assert (await client.get("/api/secrets")).json() == []


async def test_the_policy_says_what_would_happen_and_which_rule_decided(running: RunningServer) -> None:
    async with running.client() as client:
        button = {"role": "button", "name": "Buy now", "tag": "button"}
        action = {"action": "click", "page": "https://shop.example/kettle", "element": button}
        told = (await client.post("/api/policy/test", json=action)).json()
        assert (told["decision"]["decision"], told["decision"]["effect"]) == ("ask", "buy")
        assert told["words"].startswith("The person would be asked first: it would buy or pay (it says “buy now”)")
        rules = [{"site": "shop.example", "effect": "buy", "then": "deny"}]
        told = (await client.post("/api/policy/test", json={**action, "rules": rules})).json()
        assert (told["decision"]["decision"], told["decision"]["rule"]) == ("deny", "rule 1")
        away = {"action": "navigate", "page": "https://shop.example/", "to": "https://evil.example/"}
        assert (await client.post("/api/policy/test", json=away)).json()["decision"]["effect"] == "leave"
        wide = {**away, "sites": ["evil.example"], "preset": "read_only"}
        assert (await client.post("/api/policy/test", json=wide)).json()["decision"]["decision"] == "allow"


async def test_an_audit_is_read_exported_and_found_out_when_it_was_changed(running: RunningServer) -> None:
    run = await running.started("test-approval", "Buy a kettle")
    asked = await running.until(run, "input_requested")
    await running.fish.command(run, "answer", request=asked.request, text="Approve once", by="ada")
    await running.until(run, "run_finished")
    async with running.client() as client:
        [line] = (await client.get(f"/api/runs/{run}/audit")).json()["lines"]
        assert (line["kind"], line["outcome"], line["by"]) == ("approval", "Approve once", "ada")
        assert "Buy a kettle" in (await client.get(f"/api/runs/{run}/audit?format=markdown")).text
        export = (await client.get(f"/api/runs/{run}/audit/export")).text
        kind = {"content-type": "application/x-ndjson"}
        checked = await client.post("/api/audit/verify", content=export, headers=kind)
        assert checked.json() == {"whole": True, "wrong": ""}
        forged = export.replace("Approve once", "Approve this")
        assert not (await client.post("/api/audit/verify", content=forged, headers=kind)).json()["whole"]
        _, token = await running.member("eve-audit")
        async with running.client(token) as eve:
            assert (await eve.get(f"/api/runs/{run}/audit")).status_code == 404
            assert (await eve.get(f"/api/runs/{run}/audit/export")).status_code == 404


async def test_a_yes_may_be_for_the_whole_run_and_a_no_may_say_why(running: RunningServer) -> None:
    async with running.client() as client:
        for path, body, said in (
            ("approve", None, "Approve once"),
            ("approve", {"always": True}, "Approve for this run"),
            ("deny", {"reason": "not before Monday"}, "Deny: not before Monday"),
        ):
            run = await running.started("test-consent")
            await running.until(run, "input_requested")
            assert (await client.post(f"/api/runs/{run}/{path}", json=body)).status_code == 202
            assert (await running.until(run, "run_finished")).text == f"You said {said}."


@loop("test-consent")
async def consent(run: Run) -> None:
    """Ask whether something may be done, once or always."""
    choices = ("Approve once", "Approve for this run", "Deny")
    await run.finish(f"You said {await run.request_input('May I?', choices, kind='approval')}.")


async def test_exports_and_audits_are_written_off_the_event_loop(
    running: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[bool] = []

    def watched(function: Callable[..., Any]) -> Callable[..., Any]:
        def written(*args: Any) -> Any:
            threads.append(threading.current_thread() is not threading.main_thread())
            return function(*args)

        return written

    for module, name in ((exports, "write_export"), (safety_service, "build_audit"), (safety_service, "export_chain")):
        monkeypatch.setattr(module, name, watched(getattr(module, name)))
    run = await running.started("test-echo")
    await running.until(run, "run_finished")
    async with running.client() as client:
        for path in ("export", "export?format=markdown", "export?format=script", "audit", "audit/export"):
            assert (await client.get(f"/api/runs/{run}/{path}")).status_code == 200, path
    assert threads == [True] * 5
