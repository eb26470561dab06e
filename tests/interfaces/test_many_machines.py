"""A server and workers that share a database but no home folder: people use the browser that a worker holds."""

import asyncio
import json
import shutil
import signal
import ssl
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from pilotfish.app import Pilotfish
from pilotfish.core.errors import BrowserError
from pilotfish.core.settings import ModelSettings, ServerSettings, Settings
from pilotfish.core.workers import WorkerRecord
from pilotfish.safety.secrets import installation_key
from pilotfish.services.channel_keys import NAME, find_place, open_keys
from serving import PATIENCE, POND, receive_message, serve_pilotfish, view

from .server.running_server import RunningServer
from .test_worker import worker

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]


@asynccontextmanager
async def front(home: Path, database: str) -> AsyncGenerator[RunningServer]:
    """A server that leaves all runs to workers, and cannot start a browser."""
    settings = Settings(
        home=home, database=database, models=ModelSettings(main="scripted"), server=ServerSettings(port=0)
    )
    async with Pilotfish(settings, runs=0) as fish, serve_pilotfish(fish) as (server, url):
        fish.browsers.pool.living_browser = no_browser
        yield RunningServer(fish, url, server)


async def no_browser() -> Any:
    raise BrowserError("The server started a browser of its own.")


def share_key(*homes: Path) -> None:
    installation_key(homes[0])
    for home in homes[1:]:
        home.mkdir()
        shutil.copy(homes[0] / "secret.key", home / "secret.key")


async def wait_for_title(client: Any, at: str, title: str) -> None:
    """Wait until a tab is called so."""
    async with asyncio.timeout(PATIENCE):
        while title not in [tab["title"] for tab in (await client.get(at)).json()]:
            await asyncio.sleep(0.1)


async def test_a_person_sees_and_uses_the_browser_of_a_worker_on_another_machine(
    postgres_url: str, tmp_path: Path
) -> None:
    homes = [tmp_path / name for name in ("front", "one", "two")]
    share_key(*homes)
    async with AsyncExitStack() as stack:
        running = await stack.enter_async_context(front(homes[0], postgres_url))
        name, process = await stack.enter_async_context(worker(homes[1], postgres_url, ""))
        client = await stack.enter_async_context(running.client())
        run = await running.fish.start("Look", loop="test-look", page=POND)
        asked = await running.until(run.id, "input_requested")
        at = f"/api/conversations/{run.conversation}/tabs"
        tabs = (await client.get(at)).json()
        assert [tab["title"] for tab in tabs] == ["Pond"]
        shot = await client.get(f"{at}/{tabs[0]['id']}/screenshot")
        assert shot.content.startswith(b"\x89PNG")
        gone = await client.post(f"{at}/99/select")
        assert (gone.status_code, gone.json()["code"]) == (409, "page"), "errors are told as those of this machine"
        async with view(running.url, running.token, run.conversation) as line:
            assert (await receive_message(line, "frame"))["width"] == running.fish.settings.browser.width
            assert (await receive_message(line, "bytes")).startswith(b"\xff\xd8")
            await line.send(json.dumps({"type": "take_over"}))
            assert (await receive_message(line, "turn"))["yours"]
            for action in (
                {"type": "mouse", "action": "click", "x": 50, "y": 50},
                {"type": "paste", "text": "Carp"},
                {"type": "mouse", "action": "click", "x": 100, "y": 250},
            ):
                await line.send(json.dumps(action))
            await wait_for_title(client, at, "Carp")
            await line.send(json.dumps({"type": "hand_back"}))
            # The machine dies. Another one goes on, and the person sees it there without doing anything.
            await stack.enter_async_context(worker(homes[2], postgres_url, ""))
            process.send_signal(signal.SIGKILL)
            async with asyncio.timeout(PATIENCE):
                while await running.fish.registry.holder(run.conversation) == name:
                    await asyncio.sleep(0.1)
            await receive_message(line, "bytes")
        await wait_for_title(client, at, "Pond")
        await running.fish.command(run.id, "answer", text="yes", request=asked.request)
        assert (await running.until(run.id, "run_finished")).text == "Pond"
        await running.fish.delete_conversation(run.conversation)
        assert await running.fish.registry.holder(run.conversation) == ""


async def test_tabs_that_a_person_opens_are_with_the_worker_that_then_drives_the_run(
    postgres_url: str, tmp_path: Path
) -> None:
    homes = [tmp_path / name for name in ("front", "one", "two")]
    share_key(*homes)
    async with AsyncExitStack() as stack:
        running = await stack.enter_async_context(front(homes[0], postgres_url))
        for home in homes[1:]:
            await stack.enter_async_context(worker(home, postgres_url, ""))
        client = await stack.enter_async_context(running.client())
        made = (await client.post("/api/conversations", json={"title": "Ponds"})).json()["id"]
        assert (await client.post(f"/api/conversations/{made}/tabs", json={"url": POND})).status_code == 201
        held = await running.fish.registry.holder(made)
        assert held
        assert (await client.post(f"/api/conversations/{made}/warm", json={})).status_code == 204
        run = await running.fish.start("Look", loop="test-look", page=POND, conversation=made)
        await running.until(run.id, "input_requested")
        record = await running.fish.record(run.id)
        assert await running.fish.registry.holder(made) == record.worker == held
        await wait_for_title(client, f"/api/conversations/{made}/tabs", "Pond")


async def test_nobody_uses_a_channel_without_its_token_or_poses_as_one(postgres_url: str, tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, database=postgres_url, models=ModelSettings(main="scripted"))
    async with Pilotfish(settings) as fish:
        (me,) = await fish.registry.workers()
        keys = open_keys(me, tmp_path)
        assert keys.token not in me.model_dump_json(), "who only reads the database cannot use it"
        at = f"wss://{me.address}/calls"
        trusted: dict[str, Any] = {"ssl": keys.trust(), "server_hostname": NAME}
        for token in ("", "x", keys.token[:-1]):
            with pytest.raises(InvalidStatus):
                async with connect(at, additional_headers={"authorization": f"Bearer {token}"}, **trusted):
                    pass
        with pytest.raises(ssl.SSLCertVerificationError):
            async with connect(at, additional_headers={"authorization": f"Bearer {keys.token}"}):
                pass
        other = WorkerRecord(id="x", host="elsewhere", sealed=me.sealed)
        with pytest.raises(BrowserError, match="another key"):
            open_keys(other, tmp_path / "stranger")


def test_a_channel_listens_where_the_way_to_the_database_begins_or_where_the_setting_says() -> None:
    assert find_place("", "") == ("127.0.0.1", 0, "127.0.0.1")
    assert find_place("", "postgresql://me@127.0.0.1:5432/fish").bind == "127.0.0.1"
    assert find_place("", "postgresql:///fish?host=/run/postgresql").bind == "127.0.0.1"
    assert find_place("127.0.0.1:4567", "postgresql://db/fish") == ("127.0.0.1", 4567, "127.0.0.1")
    assert find_place("192.0.2.7:4567", "postgresql://db/fish") == ("", 4567, "192.0.2.7")
    assert find_place("[::1]:4567", "") in (("::1", 4567, "::1"), ("", 4567, "::1"))
    assert find_place("127.0.0.1", "") == ("127.0.0.1", 0, "127.0.0.1")
