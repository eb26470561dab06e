"""What a client may choose for a run over the network, and what it may not."""

import asyncio
import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from openai import AsyncOpenAI
from pydantic import ValidationError
from websockets.asyncio.client import connect

from pilotfish.interfaces.protocols.mcp_tools import TaskInput

from .running_server import RunningServer

SECRET = "pf_the-token-of-the-owner"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "token"
    path.write_text(f'{{"{SECRET}": 1}}')
    return path


def files(path: Path) -> list[str]:
    return [f"scripted:{path}", f"embedded:{path}.gguf", f"embedded:{path}", f" scripted:{path}", "scripted:"]


@pytest.mark.parametrize("admin", [False, True])
async def test_a_file_of_the_machine_is_no_model_for_anybody_on_the_network(
    running: RunningServer, secret: Path, admin: bool
) -> None:
    token = running.token if admin else (await running.member(f"file {admin}"))[1]
    run = await running.started("test-echo", user="local")
    await running.until(run, "run_finished")
    async with running.client(token) as client:
        thread = (await client.post("/api/conversations", json={"title": "T"})).json()["id"]
        own = (await client.post("/api/runs", json={"task": "x", "loop": "test-echo"})).json()["id"]
        await running.until(own, "run_finished")
        for name in files(secret):
            for path in ("/api/runs", f"/api/runs/{own}/fork", f"/api/runs/{own}/replay"):
                body = {"model": name} | ({} if path.endswith("replay") else {"task": "x", "loop": "test-echo"})
                answer = await client.post(path, json=body)
                assert (answer.status_code, answer.json().get("code")) == (422, "model_not_offered"), (path, name)
                assert SECRET not in answer.text and str(secret) not in answer.text
            ahead = await client.post(f"/api/conversations/{thread}/warm", json={"model": name})
            assert ahead.status_code == 422


async def test_a_file_of_the_machine_is_no_model_on_the_socket(running: RunningServer, secret: Path) -> None:
    _, token = await running.member("socket file")
    url = f"{running.url.replace('http', 'ws')}/ws"
    async with connect(url, additional_headers={"authorization": f"Bearer {token}"}) as socket:
        await socket.send(json.dumps({"type": "chat", "content": "x", "model": f"scripted:{secret}"}))
        told = json.loads(await socket.recv())
    assert (told["type"], told["code"]) == ("error", "model_not_offered")


async def test_a_file_of_the_machine_is_no_model_for_openai_and_mcp_clients(
    running: RunningServer, secret: Path
) -> None:
    _, token = await running.member("openai file")
    asked = [{"role": "user", "content": "x"}]
    async with running.client(token) as client:
        for name in files(secret):
            answer = await client.post("/v1/chat/completions", json={"model": name, "messages": asked})
            assert 400 <= answer.status_code < 500 and SECRET not in answer.text
    with pytest.raises(ValidationError):
        TaskInput.model_validate({"task": "x", "model": f"scripted:{secret}"})


async def test_an_admin_tries_and_sets_models_by_name_but_no_files(running: RunningServer, secret: Path) -> None:
    async with running.client() as client:
        for name in files(secret)[:3]:
            assert (await client.post("/api/models/test", json={"name": name})).status_code == 403
            for path, value in (("models.main", name), ("models.offered", [name])):
                change = {"path": path, "value": value}
                refused = await client.put("/api/settings", json=change)
                assert (refused.status_code, refused.json()["code"]) == (403, "machine_only")


async def test_where_programs_and_models_are_is_set_by_the_owner_of_the_machine_alone(running: RunningServer) -> None:
    user = await running.fish.users.add("other admin", "admin")
    token = (await running.fish.users.grant(user.id, "test"))[1]
    async with running.client(token) as client:
        for path, value in (
            ("mcp", {"x": "sh -c id"}),
            ("browser.executable", "/bin/sh"),
            ("models.base_url", "http://127.0.0.1:9/v1"),
            ("models.ollama_url", "http://127.0.0.1:9"),
            ("server.hosts", ["evil.example"]),
        ):
            answer = await client.put("/api/settings", json={"path": path, "value": value})
            assert (answer.status_code, answer.json()["code"]) == (403, "machine_only"), path
        assert (await client.put("/api/settings", json={"path": "agent.steps", "value": 21})).status_code == 200


async def test_the_owners_token_sets_what_is_the_machines_only_from_the_machine_itself(running: RunningServer) -> None:
    change = {"path": "models.base_url", "value": "http://127.0.0.1:9/v1"}
    async with running.client() as client:
        for header in ("x-forwarded-for", "forwarded", "x-real-ip"):
            answer = await client.put("/api/settings", json=change, headers={header: "203.0.113.7"})
            assert (answer.status_code, answer.json()["code"]) == (403, "machine_only"), header
        assert (await client.put("/api/settings", json=change)).status_code == 200
        assert (await client.put("/api/settings", json={**change, "value": None})).status_code == 200


async def test_a_model_that_an_admin_offers_can_be_chosen_and_others_cannot(running: RunningServer) -> None:
    _, token = await running.member("chooser")
    async with running.client(token) as client:
        body: dict[str, Any] = {"task": "x", "loop": "test-echo", "model": "scripted"}
        assert (await client.post("/api/runs", json=body)).status_code == 201
        body["model"] = "openai-compatible:mine"
        assert (await client.post("/api/runs", json=body)).status_code == 422
        await running.fish.settings_store.change("models.offered", ["openai-compatible:mine"], "test")
        try:
            assert (await client.post("/api/runs", json=body)).status_code == 201
            names = [model["name"] for model in (await client.get("/api/models")).json()]
            assert "openai-compatible:mine" in names
        finally:
            await running.fish.settings_store.change("models.offered", None, "test")


async def test_a_script_that_the_owner_set_serves_but_its_folder_is_shown_to_nobody(
    running: RunningServer, tmp_path: Path
) -> None:
    script = tmp_path / "lines.json"
    script.write_text(json.dumps([{"text": "From the script."}]))
    await running.fish.settings_store.change("models.main", f"scripted:{script}", "test")
    _, token = await running.member("reader")
    try:
        async with running.client(token) as client:
            run = (await client.post("/api/runs", json={"task": "x", "loop": "test-echo"})).json()["id"]
            end = await running.until(run, "run_finished")
            told = [(await client.get(path)).text for path in (f"/api/runs/{run}/journal", "/api/models", "/api/runs")]
    finally:
        await running.fish.settings_store.change("models.main", None, "test")
    assert end.text == "From the script."
    assert not any(str(tmp_path) in text for text in told)


async def test_a_pipe_as_a_script_stops_nobody(running: RunningServer, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Somebody who writes in the end, so that code which waits for it fails here instead of hanging.
    writer = threading.Timer(8, lambda: pipe.write_text("[]"))
    writer.daemon = True
    writer.start()
    await running.fish.settings_store.change("models.main", f"scripted:{pipe}", "test")
    try:
        async with asyncio.timeout(5):
            end = await running.until(await running.started("test-echo"), "run_finished")
    finally:
        writer.cancel()
        await running.fish.settings_store.change("models.main", None, "test")
    assert (end.outcome, str(tmp_path) in end.error) == ("failed", False)


async def test_loops_that_work_behind_the_scenes_cannot_be_named(running: RunningServer) -> None:
    _, token = await running.member("looper")
    async with running.client(token) as client:
        for loop in ("_call", "replay", "_remember"):
            assert (await client.post("/api/runs", json={"task": "x", "loop": loop})).status_code == 400
            asked = {
                "threadId": "t",
                "runId": "r",
                "state": {},
                "messages": [{"id": "1", "role": "user", "content": "x"}],
                "tools": [],
                "context": [],
                "forwardedProps": {"loop": loop, "model": "scripted:/etc/passwd"},
            }
            assert (await client.post("/agui", json=asked)).status_code == 400
        async with AsyncOpenAI(base_url=f"{running.url}/v1", api_key=token, max_retries=0) as ai:
            assert "pilotfish-call" not in [model.id for model in (await ai.models.list()).data]


async def test_a_member_spends_no_more_than_the_settings_give(running: RunningServer) -> None:
    _, token = await running.member("spender")
    body: dict[str, Any] = {"task": "x", "loop": "test-echo"}
    async with running.client(token) as client:
        assert (await client.post("/api/runs", json=body | {"budget_cents": 10})).status_code == 201
        much = await client.post("/api/runs", json=body | {"budget_cents": 10.5})
        assert (much.status_code, much.json()["code"]) == (403, "too_much")
    async with running.client() as client:
        assert (await client.post("/api/runs", json=body | {"budget_cents": 500})).status_code == 201


async def test_what_an_earlier_run_was_allowed_is_not_taken_over_by_who_may_not_choose_it(
    running: RunningServer,
) -> None:
    user, token = await running.member("demoted")
    free: dict[str, Any] = {
        "policy": "trusted_sites",
        "trusted": ["shop.example"],
        "budget_cents": 900.0,
        "sites": ["a.example"],
    }
    run = await running.started("test-echo", user=user, model="scripted:/x.json", **free)
    await running.until(run, "run_finished")
    async with running.client(token) as client:
        for way in ("fork", "continue"):
            made = (await client.post(f"/api/runs/{run}/{way}", json={})).json()["options"]
            kept = {name: made.get(name) for name in ("policy", "trusted", "budget_cents", "sites", "model")}
            want = {"policy": None, "trusted": None, "budget_cents": 10.0, "sites": ["a.example"], "model": None}
            assert kept == want, way
