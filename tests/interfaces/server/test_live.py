"""Tabs and the live view, with a real browser."""

import asyncio
import json
from collections.abc import AsyncGenerator

import pytest
from websockets.exceptions import ConnectionClosed

from pilotfish.core.records import Conversation
from serving import POND, receive_message, view

from .running_server import PATIENCE, RunningServer

pytestmark = [pytest.mark.slow, pytest.mark.whole_browser]


@pytest.fixture
async def thread(running: RunningServer) -> AsyncGenerator[str]:
    made = await running.fish.store.save(Conversation(id="pond", user="local", title="Pond"))
    yield made.id
    await running.fish.delete_conversation(made.id)


async def test_tabs_are_opened_listed_selected_shot_and_closed(running: RunningServer, thread: str) -> None:
    at = f"/api/conversations/{thread}/tabs"
    async with running.client() as client:
        assert (await client.get(at)).json() == []
        one = (await client.post(at, json={"url": POND})).json()
        two = (await client.post(at, json={"url": "about:blank"})).json()
        listed = (await client.get(at)).json()
        assert [tab["title"] for tab in listed if tab["id"] == one["id"]] == ["Pond"]
        assert [tab["id"] for tab in listed if tab["active"]] == [two["id"]]
        assert (await client.post(f"{at}/{one['id']}/select")).json()["active"]
        shot = await client.get(f"{at}/{one['id']}/screenshot")
        assert shot.content.startswith(b"\x89PNG")
        assert (await client.delete(f"{at}/{two['id']}")).status_code == 204
        gone = await client.post(f"{at}/{two['id']}/select")
        assert (gone.status_code, gone.json()["code"]) == (409, "page")


@pytest.mark.parametrize("way", ["select", "warm"])
async def test_a_tab_that_a_person_turns_to_is_read_ahead(running: RunningServer, thread: str, way: str) -> None:
    tab = await running.fish.views.of(thread).open(POND)
    at = f"/api/conversations/{thread}"
    asked = {"select": (f"{at}/tabs/{tab.id}/select", None), "warm": (f"{at}/warm", {"tabs": [tab.id]})}[way]
    async with running.client() as client:
        assert (await client.post(asked[0], json=asked[1])).is_success
    await asyncio.gather(*running.fish._read_ahead._tasks.values())
    assert list(running.fish.browsers.of(thread).read) == [tab.id]
    assert await running.fish.runs(conversation=thread) == []


async def test_the_page_is_seen_live_and_a_person_can_type_and_click_in_it(running: RunningServer, thread: str) -> None:
    window = running.fish.views.of(thread)
    await window.open(POND)
    async with view(running.url, running.token, thread) as line:
        size = await receive_message(line, "frame")
        assert size["width"] == running.fish.settings.browser.width
        assert (await receive_message(line, "bytes")).startswith(b"\xff\xd8")
        for action in (
            {"type": "mouse", "action": "click", "x": 50, "y": 50},
            {"type": "key", "action": "press", "key": "C"},
            {"type": "paste", "text": "arp"},
            {"type": "mouse", "action": "click", "x": 100, "y": 250},
        ):
            await line.send(json.dumps(action))
        async with asyncio.timeout(PATIENCE):
            while (await window.list())[-1].title != "Carp":
                await receive_message(line, "bytes")


async def test_two_viewers_share_one_camera(running: RunningServer, thread: str) -> None:
    await running.fish.views.of(thread).open(POND)
    async with view(running.url, running.token, thread) as one, view(running.url, running.token, thread) as two:
        assert (await receive_message(one, "bytes")).startswith(b"\xff\xd8")
        assert (await receive_message(two, "bytes")).startswith(b"\xff\xd8")


async def test_taking_over_pauses_the_run_and_handing_back_resumes_it(running: RunningServer, thread: str) -> None:
    run = await running.started("test-question", conversation=thread)
    asked = await running.until(run, "input_requested")
    async with view(running.url, running.token, thread) as line:
        await line.send(json.dumps({"type": "take_over"}))
        assert (await receive_message(line, "turn"))["yours"]
        await line.send(json.dumps({"type": "hand_back"}))
        assert not (await receive_message(line, "turn"))["yours"]
    await running.fish.command(run, "answer", text="red", request=asked.request)
    assert (await running.until(run, "run_finished")).text == "You said red."
    assert [command.verb for command in await running.fish.store.commands(run)] == ["pause", "resume", "answer"]


async def test_nonsense_is_answered_and_a_strangers_conversation_is_closed(running: RunningServer, thread: str) -> None:
    async with view(running.url, running.token, thread) as line:
        await line.send("{}")
        assert (await receive_message(line, "error"))["code"] == "invalid"
        await line.send(json.dumps({"type": "key", "action": "press", "key": "NoSuchKey"}))
        assert (await receive_message(line, "error"))["message"]
    async with view(running.url, running.token, "nobodys") as line:
        with pytest.raises(ConnectionClosed):
            await receive_message(line, "frame")
