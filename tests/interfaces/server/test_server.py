"""The server as a process: it starts, prints where it is, stops when told, and goes on where it was."""

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from websockets.asyncio.client import connect

from pilotfish.core.errors import PersonError
from pilotfish.interfaces.web_server import static_files
from pilotfish.interfaces.web_server.app import open_listener

from .running_server import PATIENCE, RunningServer
from .test_sse import read_sse

PROGRAM = """
import asyncio
from pathlib import Path
from pilotfish.app import loop
from pilotfish.core.settings import ModelSettings, ServerSettings, Settings
from pilotfish.interfaces.web_server.app import serve

@loop("ask")
async def ask(run):
    first = await run.request_input("One?")
    second = await run.request_input("Two?")
    await run.finish(f"{first} and {second}")

settings = Settings(home=Path(HOME), models=ModelSettings(main="scripted"), server=ServerSettings(port=0))
asyncio.run(serve(settings, ready=lambda url: print(url, flush=True)))
"""
LONG = 90


@asynccontextmanager
async def process(home: Path) -> AsyncGenerator[tuple[asyncio.subprocess.Process, httpx2.AsyncClient]]:
    code = home / "program.py"
    code.write_text(PROGRAM.replace("HOME", repr(str(home))))
    started = await asyncio.create_subprocess_exec(sys.executable, code, stdout=asyncio.subprocess.PIPE, env=os.environ)
    assert started.stdout is not None
    try:
        url = (await asyncio.wait_for(started.stdout.readline(), LONG)).decode().strip()
        found = re.fullmatch(r"(http://127\.0\.0\.1:\d+)/enter\?token=(pf_[\w-]+)", url)
        assert found, url
        headers = {"authorization": f"Bearer {found[2]}"}
        async with httpx2.AsyncClient(base_url=found[1], headers=headers, timeout=PATIENCE) as client:
            yield started, client
    finally:
        if started.returncode is None:
            started.kill()
            await started.wait()


async def wait_for_question(client: httpx2.AsyncClient, run: str, question: str) -> None:
    async with asyncio.timeout(LONG):
        async for name, _, data in read_sse(client, run):
            if name == "input_request" and data["question"] == question:
                return


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_a_stopped_server_parks_its_runs_and_the_next_one_goes_on_with_them(tmp_path: Path) -> None:
    async with process(tmp_path) as (server, client):
        run = (await client.post("/api/runs", json={"task": "x", "loop": "ask"})).json()["id"]
        await wait_for_question(client, run, "One?")
        assert (await client.post(f"/api/runs/{run}/answer", json={"text": "red"})).status_code == 202
        await wait_for_question(client, run, "Two?")
        server.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(server.wait(), LONG) == 0
    async with process(tmp_path) as (server, client):
        assert (await client.get(f"/api/runs/{run}")).json()["state"] == "awaiting_input"
        assert (await client.post(f"/api/runs/{run}/answer", json={"text": "blue"})).status_code == 202
        async with asyncio.timeout(LONG):
            ends = [data["text"] async for name, _, data in read_sse(client, run) if name == "done"]
        assert ends == ["red and blue"]
        server.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(server.wait(), LONG) == 0


async def test_one_run_is_watched_answered_and_stopped_through_different_doors(running: RunningServer) -> None:
    run = await running.started("test-question")
    headers = {"authorization": f"Bearer {running.token}"}
    async with (
        running.client() as client,
        connect(running.url.replace("http", "ws") + "/ws", additional_headers=headers) as ws,
    ):
        await running.until(run, "input_requested")
        await ws.send(json.dumps({"type": "agent_user_input", "run": run, "content": "gold"}))
        async with asyncio.timeout(PATIENCE):
            names = [(name, data.get("answer")) async for name, _, data in read_sse(client, run)]
        assert ("input", "gold") in names
        other = await running.started("test-question")
        await running.until(other, "input_requested")
        await ws.send(json.dumps({"type": "follow", "run": other}))
        assert (await client.post(f"/api/runs/{other}/stop")).status_code == 202
        async with asyncio.timeout(PATIENCE):
            while json.loads(await ws.recv()).get("update_type") != "agent_stopped":
                pass


async def test_a_port_that_is_taken_is_said_with_a_way_out() -> None:
    with open_listener("127.0.0.1", 0) as taken, pytest.raises(PersonError, match="cannot be listened on") as caught:
        open_listener("127.0.0.1", taken.getsockname()[1])
    assert "--port" in caught.value.fix


async def test_the_built_pages_are_served_and_every_other_address_is_the_uis(
    running: RunningServer, tmp_path: Path
) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>UI</title>")
    (tmp_path / "assets" / "app.js").write_text("export {}")
    state = running.server.app.state
    before, state.files = state.files, static_files.list_files(tmp_path)
    try:
        async with running.stranger() as client:
            assert "<title>UI" in (await client.get("/")).text
            assert "<title>UI" in (await client.get("/conversations/abc")).text
            script = await client.get("/assets/app.js")
            assert script.headers["content-type"].startswith("text/javascript")
            assert "immutable" in script.headers["cache-control"]
            assert (await client.get("/assets/none.js")).status_code == 404
            assert (
                await client.get("/api/none", headers={"authorization": f"Bearer {running.token}"})
            ).status_code == 404
    finally:
        state.files = before


async def test_without_built_pages_it_says_how_to_build_them(running: RunningServer) -> None:
    state = running.server.app.state
    before, state.files = state.files, {}
    try:
        async with running.stranger() as client:
            assert "make run" in (await client.get("/")).text
    finally:
        state.files = before
