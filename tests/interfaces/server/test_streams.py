"""Connections that stay open end with the access that opened them; and how a person gets in."""

import asyncio
import json

import httpx2
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pilotfish import loop
from pilotfish.core.messages import ToolCall
from pilotfish.interfaces.web_server import open_streams
from pilotfish.runtime.run import Run

from .running_server import RunningServer


@loop("test-endless")
async def endless(run: Run) -> None:
    """Say that it began, and do nothing again and again."""
    await run.report("planning", "started", "Waiting.")
    while True:
        await run.act(ToolCall(id="c", tool="nothing"))
        await asyncio.sleep(0.1)


def socket(running: RunningServer, path: str, token: str) -> connect:
    return connect(
        f"{running.url.replace('http', 'ws')}{path}", additional_headers={"authorization": f"Bearer {token}"}
    )


async def wait_until_closed(open: ClientConnection) -> None:
    async with asyncio.timeout(5):
        with pytest.raises(ConnectionClosed):
            while True:
                await open.recv()


async def test_a_removed_user_is_off_the_socket_at_once_and_their_runs_stop(running: RunningServer) -> None:
    user, token = await running.member("socket leaver")
    async with socket(running, "/ws", token) as open:
        await open.send(json.dumps({"type": "chat", "content": "Paint it", "loop": "test-question"}))
        await open.recv()
        [run] = await running.fish.runs(user=user)
        await running.until(run.id, "input_requested")
        async with running.client() as client:
            assert (await client.delete(f"/api/users/{user}")).status_code == 204
        await wait_until_closed(open)
    assert (await running.until(run.id, "run_finished")).outcome == "stopped"


async def test_a_token_that_is_taken_back_ends_the_stream_of_events(running: RunningServer) -> None:
    user, _ = await running.member("stream leaver")
    grant, token = await running.fish.users.grant(user, "second")
    run = await running.started("test-question", user=user)
    async with running.client(token) as client, client.stream("GET", f"/api/runs/{run}/events") as answer:
        pieces = answer.aiter_bytes()
        await anext(pieces)
        assert await running.fish.users.revoke(user, grant.id)
        async with asyncio.timeout(5):
            async for _ in pieces:
                pass
    assert (await running.fish.record(run)).state != "ended"
    await running.settled(user)


async def test_access_that_another_process_took_away_ends_within_seconds(running: RunningServer) -> None:
    user, token = await running.member("leaver elsewhere")
    async with socket(running, "/ws", token) as open:
        await open.send(json.dumps({"type": "ping"}))
        assert json.loads(await open.recv()) == {"type": "pong"}
        await running.fish.store.drop("user", user)
        await wait_until_closed(open)


async def test_the_live_view_of_a_removed_user_ends(running: RunningServer) -> None:
    user, token = await running.member("viewer")
    async with running.client(token) as client:
        thread = (await client.post("/api/conversations", json={"title": "T"})).json()["id"]
    async with socket(running, f"/api/conversations/{thread}/live", token) as open:
        await open.send("{}")
        await open.recv()
        await running.fish.users.remove(user)
        await wait_until_closed(open)


async def test_the_mcp_stream_of_a_removed_user_ends_and_the_task_behind_it_stops(running: RunningServer) -> None:
    user, token = await running.member("mcp leaver")
    task = {"name": "run_task", "arguments": {"task": "Wait", "loop": "test-endless"}, "_meta": {"progressToken": 1}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": task}
    accepted = {"accept": "application/json, text/event-stream"}
    async with running.client(token) as client, client.stream("POST", "/mcp", json=call, headers=accepted) as answer:
        assert answer.status_code == 200
        pieces = answer.aiter_bytes()
        while b"Waiting." not in await anext(pieces):
            pass
        [run] = await running.fish.runs(user=user)
        await running.fish.users.remove(user)
        with pytest.raises(httpx2.RemoteProtocolError):
            async with asyncio.timeout(5):
                async for _ in pieces:
                    pass
    assert (await running.until(run.id, "run_finished")).outcome == "stopped"


async def test_one_user_holds_only_so_many_connections_open_and_others_are_not_kept_out(
    running: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_streams, "MOST_CONNECTIONS", 2)
    user, token = await running.member("hoarder")
    _, other = await running.member("neighbour")
    async with socket(running, "/ws", token) as first, socket(running, "/ws", token):
        with pytest.raises(InvalidStatus):
            await socket(running, "/ws", token)
        run = await running.started("test-question", user=user)
        async with running.client(token) as client:
            assert (await client.get(f"/api/runs/{run}/events")).status_code == 429
        async with socket(running, "/ws", other) as open:
            await open.send(json.dumps({"type": "ping"}))
            assert json.loads(await open.recv()) == {"type": "pong"}
        await first.close()
        async with socket(running, "/ws", token) as again:
            await again.send(json.dumps({"type": "ping"}))
            assert json.loads(await again.recv()) == {"type": "pong"}


async def test_a_link_signs_nobody_in_as_somebody_else(running: RunningServer) -> None:
    _, token = await running.member("maker of links")
    async with running.stranger(follow_redirects=False) as client:
        for given, headers in (
            (token, {}),
            (token, {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}),
            (running.token, {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}),
        ):
            asked = await client.get("/enter", params={"token": given}, headers=headers)
            assert asked.status_code == 200 and "set-cookie" not in asked.headers
        assert "Go in as" in asked.text


async def test_the_button_on_our_own_page_lets_in_and_no_other_form_does(running: RunningServer) -> None:
    _, token = await running.member("guest at the door")
    async with running.stranger(follow_redirects=False) as client:
        for headers in ({}, {"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}):
            assert (await client.post("/enter", data={"token": token}, headers=headers)).status_code == 403
        entered = await client.post("/enter", data={"token": token}, headers={"origin": running.url})
        assert entered.status_code == 303 and "SameSite=strict" in entered.headers["set-cookie"]
        assert (await client.get("/api/me")).json()["name"] == "guest at the door"


NAMES = ["../../x", "a/b", "a\0b", ".", "..", "\u0001", "𝕏" * 200, "é" * 200, "CON", " ", "x\u202egpj.exe"]


@pytest.mark.parametrize("name", NAMES)
async def test_a_file_with_an_odd_name_is_kept_under_a_plain_one_or_refused(running: RunningServer, name: str) -> None:
    async with running.client() as client:
        thread = (await client.post("/api/conversations", json={"title": "T"})).json()["id"]
        path = f"/api/conversations/{thread}/files"
        answer = await client.post(path, params={"name": name}, content=b"some text")
        assert answer.status_code in (201, 400, 422), answer.text
        kept = [one["name"] for one in (await client.get(path)).json()]
        assert not any("/" in one or "\0" in one or one.startswith("..") for one in kept)


@pytest.mark.parametrize("data", ["%%%", "é", "AAA", "=", "", 5, None, ["x"]])
async def test_a_picture_that_is_none_is_refused_by_every_way_in(running: RunningServer, data: object) -> None:
    async with running.client() as client:
        body = {"task": "x", "loop": "test-echo", "images": [{"data": data}]}
        assert (await client.post("/api/runs", json=body)).status_code in (201, 422)
        parts = [
            {"type": "text", "text": "x"},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}},
        ]
        said = {"model": "pilotfish-test-echo", "messages": [{"role": "user", "content": parts}]}
        assert (await client.post("/v1/chat/completions", json=said)).status_code in (200, 400, 422)


@pytest.mark.parametrize("body", [b"", b"\0" * 10, b"%PDF-1.4 nothing", b"PK\x03\x04broken", b"\xff\xd8\xff"])
async def test_a_file_that_is_broken_is_kept_or_refused_with_a_reason(running: RunningServer, body: bytes) -> None:
    async with running.client() as client:
        thread = (await client.post("/api/conversations", json={"title": "T"})).json()["id"]
        for name in ("a.pdf", "a.docx", "a.html", "a.png"):
            answer = await client.post(f"/api/conversations/{thread}/files", params={"name": name}, content=body)
            assert answer.status_code in (201, 400, 422), answer.text
        odd = {"task": "x", "conversation": thread, "files": ["../../token", "a\0b"]}
        assert (await client.post("/api/runs", json=odd)).status_code == 404
