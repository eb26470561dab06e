"""MCP clients over HTTP that said hello: one that gives up, one that vanishes, and one whose server was restarted."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from pydantic_core import from_json

from pilotfish.interfaces.protocols import mcp_connections
from pilotfish.interfaces.protocols.mcp import McpServer
from pilotfish.interfaces.protocols.mcp_connections import McpConnections

from .running_server import RunningServer
from .test_mcp import connect, text

HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {"elicitation": {}},
    "clientInfo": {"name": "test", "version": "1"},
}


def ask(method: str, params: dict[str, Any], number: int = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def call(loop: str, task: str) -> dict[str, Any]:
    return ask("tools/call", {"name": "run_task", "arguments": {"task": task, "loop": loop}}, 2)


def read_data(body: str) -> Any:
    """The last message of an event stream."""
    return from_json([line for line in body.splitlines() if line.startswith("data: {")][-1].removeprefix("data: "))


@asynccontextmanager
async def spoken(running: RunningServer, token: str = "", session: str = "") -> AsyncGenerator[httpx2.AsyncClient]:
    """A client that sends what a program with the protocol of 2025 sends; without a session it says hello first."""
    accept = {"accept": "application/json, text/event-stream"}
    async with running.client(token or None) as http:
        http.headers.update(accept)
        if not session:
            session = (await http.post("/mcp", json=ask("initialize", HELLO))).headers["mcp-session-id"]
        http.headers.update({"mcp-session-id": session, "mcp-protocol-version": "2025-06-18"})
        yield http


async def wait_for_run(running: RunningServer, task: str) -> str:
    async with asyncio.timeout(20):
        while not (found := await running.fish.runs(text=task)):
            await asyncio.sleep(0.02)
    return found[0].id


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_call_that_the_client_gives_up_stops_its_run(running: RunningServer, mode: Any) -> None:
    async with connect(running, mode=mode) as client:
        work = asyncio.create_task(client.call_tool("run_task", {"task": "Sleep 60 s", "loop": "test-slow"}))
        run = await wait_for_run(running, "Sleep 60 s")
        work.cancel()
        assert (await running.until(run, "run_finished")).outcome == "stopped"
        assert text(await client.call_tool("run_task", {"task": "Say on", "loop": "test-echo"})) == "Say on"


async def test_a_call_whose_client_vanishes_stops_its_run(running: RunningServer) -> None:
    async with spoken(running) as http:
        async with http.stream("POST", "/mcp", json=call("test-slow", "Sleep 61 s")):
            run = await wait_for_run(running, "Sleep 61 s")
        assert (await running.until(run, "run_finished")).outcome == "stopped"


async def test_a_session_of_before_a_restart_is_served_with_questions_as_text(running: RunningServer) -> None:
    async with spoken(running, session="of-before") as http:
        came = read_data((await http.post("/mcp", json=call("test-question", "Paint"))).text)
    assert came["result"]["structuredContent"]["outcome"] == "waiting"
    assert "answer_task" in came["result"]["content"][0]["text"]


async def test_nobody_answers_in_the_session_of_another_user(running: RunningServer) -> None:
    _, token = await running.member("eve")
    async with (
        spoken(running) as http,
        spoken(running, token, http.headers["mcp-session-id"]) as eve,
        http.stream("POST", "/mcp", json=call("test-question", "Paint the hull")) as stream,
    ):
        # Kept while the call goes on: a reader that is thrown away closes the stream.
        lines = stream.aiter_lines()
        form = await find_form(lines)
        answer = {"action": "accept", "content": {"answer": "red"}}
        said = {"jsonrpc": "2.0", "id": form["id"], "result": answer}
        await eve.post("/mcp", json=said)
        run = await wait_for_run(running, "Paint the hull")
        assert not [one for one in await running.fish.events(run) if one.type == "input_received"]
        await http.post("/mcp", json={**said, "result": {**answer, "content": {"answer": "blue"}}})
        assert (await running.until(run, "run_finished")).text == "You said blue."


async def find_form(lines: AsyncIterator[str]) -> Any:
    while "elicitation/create" not in (line := await anext(lines)):
        pass
    return from_json(line.removeprefix("data: "))


async def test_calls_of_one_session_are_carried_out_one_after_the_other(running: RunningServer) -> None:
    async with connect(running, mode="legacy") as client:
        tasks = ("Sleep 0.3 s first", "Sleep 0.3 s second")
        calls = [client.call_tool("run_task", {"task": task, "loop": "test-slow"}) for task in tasks]
        assert [text(done) for done in await asyncio.gather(*calls)] == ["Slept.", "Slept."]
    spans: list[tuple[Any, Any]] = []
    for task in tasks:
        story = await running.fish.events(await wait_for_run(running, task))
        spans.append((next(one.at for one in story if one.type == "run_started"), story[-1].at))
    (_, ended), (began, _) = sorted(spans)
    assert began >= ended


async def test_the_connection_of_a_user_that_rested_longest_makes_room_and_none_with_a_call_or_of_others(
    running: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_connections, "MOST_CONNECTIONS", 2)
    _, token = await running.member("mallory")
    async with (
        spoken(running, token) as eve,
        spoken(running) as working,
        spoken(running) as resting,
        working.stream("POST", "/mcp", json=call("test-question", "Paint the mast")) as stream,
    ):
        lines = stream.aiter_lines()
        form = await find_form(lines)
        async with spoken(running) as third:
            for one, asked in ((eve, True), (third, True), (resting, False)):
                assert await is_asked_by_form(one, f"Paint for {asked}") == asked
        answer = {"action": "accept", "content": {"answer": "blue"}}
        await working.post("/mcp", json={"jsonrpc": "2.0", "id": form["id"], "result": answer})
        ended = await running.until(await wait_for_run(running, "Paint the mast"), "run_finished")
        assert ended.text == "You said blue."


async def is_asked_by_form(http: httpx2.AsyncClient, task: str) -> bool:
    """Whether a session has a connection that carries questions; without one they come as text."""
    async with http.stream("POST", "/mcp", json=call("test-question", task)) as stream:
        async for line in stream.aiter_lines():
            if "elicitation/create" in line or '"waiting"' in line:
                return "elicitation/create" in line
    raise AssertionError("nothing was asked")


async def test_a_connection_that_was_ended_is_gone_and_another_user_has_none(running: RunningServer) -> None:
    connections = McpConnections(McpServer(running.fish).server())
    session = (await connections.open("me")).mcp_session_id or ""
    assert connections.find("me", session) is not None
    assert connections.find("eve", session) is None
    await connections.end("me", session)
    assert connections.find("me", session) is None
    await connections.close()
