"""`pilot` with two models behind a real provider: who gets pictures, and what streams over HTTP while one decides."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from agents.scene import as_json, cart_count
from pilotfish.core.settings import AgentSettings, ModelSettings
from pilotfish.practice.server import Practice
from scripted_app import Open
from serving import PATIENCE, serve_pilotfish

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
SEEING, BLIND = "openai-compatible:gpt-4o", "openai-compatible:deepseek-chat"
DONE = as_json(reasoning="all there", needs_action=False, message="It is in the cart.", evidence="Cart (1)")


def decide(name: str) -> str:
    return as_json(reasoning=f"{name} is next", needs_action=True, action=f"click {name}", message=f"I click {name}.")


class Provider:
    """Streams the decisions to one model, and to the other the call that the page's numbers make of an action. The
    second half of the first decision waits until it is let go."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.let_go = asyncio.Event()
        self._decisions = iter([decide("Tide kettle"), decide("Add to cart"), DONE])

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        body = json.loads(await reader.readexactly(int(head.partition("content-length:")[2].split()[0])))
        self.asked.append(body)
        first, text = len(self.asked) == 1, json.dumps(body["messages"])
        deciding = "Turn an action in words into one tool call" not in text
        reply = next(self._decisions) if deciding else make_call(text)
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")
        for part, finish in ((reply[:30], None), (reply[30:], "stop")):
            writer.write(chunk(part, finish).encode())
            await writer.drain()
            if first:
                await self.let_go.wait()
        writer.write(b"data: [DONE]\n\n")
        writer.close()

    def pictures(self, model: str) -> list[bool]:
        return ["image_url" in json.dumps(body) for body in self.asked if body["model"] == model.partition(":")[2]]


def chunk(text: str, finish: str | None) -> str:
    choice = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": finish}
    piece = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    return f"data: {json.dumps(piece)}\n\n"


def make_call(text: str) -> str:
    name = text.rpartition("Action: click ")[2].partition('"')[0]
    found = re.search(rf'\[(\d+)\] \w+ \\"{re.escape(name)}', text)
    assert found, name
    return as_json(tool="click", id=int(found[1]))


@asynccontextmanager
async def serve_provider() -> AsyncGenerator[tuple[Provider, str]]:
    provider = Provider()
    async with await asyncio.start_server(provider.serve, "127.0.0.1", 0) as server:
        yield provider, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


def read_events(line: str) -> Iterator[dict[str, Any]]:
    if line.startswith("data:"):
        yield json.loads(line[5:])


@pytest.mark.parametrize(("decides", "acts", "seen"), [(SEEING, BLIND, True), (BLIND, SEEING, False)])
async def test_pictures_follow_the_model_that_decides_and_its_decision_streams(
    opened: Open, site: Practice, decides: str, acts: str, seen: bool
) -> None:
    async with serve_provider() as (provider, address):
        models = ModelSettings(main=decides, executor=acts, base_url=address)
        fish = await opened(models=models, agent=AgentSettings(reasoning_visible=True))
        headers = {"authorization": f"Bearer {fish.users.local_token}"}
        world = f"two-{seen}"
        async with (
            serve_pilotfish(fish) as (_, url),
            httpx2.AsyncClient(base_url=url, headers=headers, timeout=PATIENCE) as client,
        ):
            wanted = {"task": "Buy it", "loop": "pilot", "tabs": [site.address("/shop", world)], "policy": "unattended"}
            run = (await client.post("/api/runs", json=wanted)).json()["id"]
            events: list[dict[str, Any]] = []
            async with client.stream("GET", f"/api/runs/{run}/events") as stream:
                async for line in stream.aiter_lines():
                    events += read_events(line)
                    if events and events[-1]["type"] == "delta":
                        # Only now can the provider send the rest: what came is a part of an unfinished decision.
                        provider.let_go.set()
        assert [e["text"] for e in events if e["type"] == "progress"] == [
            "I click Tide kettle.",
            "I click Add to cart.",
        ]
        assert (events[-1]["outcome"], cart_count(site, world)) == ("completed", 1)
        assert provider.pictures(decides) == [seen] * 3 and provider.pictures(acts) == [False] * 2
