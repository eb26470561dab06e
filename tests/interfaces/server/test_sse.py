import asyncio
import json
import random
import selectors
from collections.abc import AsyncGenerator
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest

from pilotfish.interfaces.web_server import event_stream

from .running_server import RunningServer

SPEED = 100
Heard = tuple[str, int | None, dict[str, Any]]


async def read_sse(
    client: httpx2.AsyncClient, run: str, headers: dict[str, str] | None = None
) -> AsyncGenerator[Heard]:
    """Server-sent events as they come: name, id, data."""
    async with client.stream("GET", f"/api/runs/{run}/events", headers=headers or {}) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        fields: dict[str, str] = {}
        async for line in answer.aiter_lines():
            if not line and fields:
                number = int(fields["id"]) if "id" in fields else None
                yield fields["event"], number, json.loads(fields["data"])
                fields = {}
            elif line and not line.startswith(":"):
                name, _, value = line.partition(": ")
                fields[name] = value


async def test_a_run_is_heard_from_start_to_end_with_its_words_as_they_come(running: RunningServer) -> None:
    run = await running.started("test-question")
    names: list[str] = []
    async with running.client() as client:
        async for name, _, data in read_sse(client, run):
            names.append(name)
            if name == "input_request":
                await client.post(f"/api/runs/{run}/answer", json={"text": "red", "request": data["request"]})
    assert names[0] == "start"
    assert names[-1] == "done"
    assert {"state", "input_request", "input", "message"} <= set(names)


async def test_a_silent_run_gives_a_sign_of_life_now_and_then(
    running: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_stream, "HEARTBEAT_PERIOD", 0.05)
    run = await running.started("test-question")
    signs = 0
    async with running.client() as client, client.stream("GET", f"/api/runs/{run}/events") as answer:
        async for line in answer.aiter_lines():
            signs += line.startswith(":")
            if signs == 3:
                break
    assert signs == 3


class QuickSelector(selectors.DefaultSelector):
    """Waits a hundredth of the time that it is told."""

    def select(self, timeout: float | None = None) -> Any:
        return super().select(None if timeout is None else timeout / SPEED)


class QuickLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock goes a hundred times too fast."""

    def time(self) -> float:
        return super().time() * SPEED


def test_a_stream_that_is_quiet_for_a_minute_gives_a_sign_of_life_every_quarter_of_it() -> None:
    sent: list[bytes] = []

    async def quiet_minute() -> None:
        async def pieces() -> AsyncGenerator[bytes]:
            await asyncio.sleep(70)
            yield b"data: the end\n\n"

        async def receive() -> dict[str, Any]:
            await asyncio.Event().wait()
            return {}

        async def send(message: Any) -> None:
            sent.append(message.get("body", b""))

        streams = SimpleNamespace(add=lambda *_: None, discard=lambda *_: None)
        app = SimpleNamespace(state=SimpleNamespace(streams=streams))
        await event_stream.EventStream(pieces())({"app": app, "type": "http"}, receive, send)

    with asyncio.Runner(loop_factory=lambda: QuickLoop(QuickSelector())) as runner:
        runner.run(quiet_minute())
    assert sent.count(event_stream.HEARTBEAT) == 4 and b"data: the end\n\n" in sent


async def test_live_text_comes_without_an_id_and_before_the_finished_text(
    running: RunningServer, tmp_path: Any
) -> None:
    script = tmp_path / "slow.json"
    script.write_text(json.dumps([{"text": "one two three", "delay": 0.3}]))
    run = await running.started("test-echo", model=f"scripted:{script}")
    async with running.client() as client:
        events = [event async for event in read_sse(client, run)]
    pieces = [data["text"] for name, number, data in events if name == "content" and number is None]
    assert "".join(pieces) == "one two three"


async def test_a_reader_that_comes_back_misses_nothing_and_hears_nothing_twice(running: RunningServer) -> None:
    chance = random.Random(7)
    run = await running.started("test-phases")
    whole = [event.seq for event in await _story(running, run) if event.type != "reasoned"]
    seen: list[int] = []
    async with running.client() as client:
        while not seen or seen[-1] != whole[-1]:
            events = read_sse(client, run, {"last-event-id": str(seen[-1] if seen else 0)})
            async for _, number, _ in events:
                if number is not None:
                    seen.append(number)
                if chance.random() < 0.4:
                    break
            await events.aclose()
    assert seen == whole


async def test_readers_that_leave_at_random_while_it_runs_still_hear_all_of_it(running: RunningServer) -> None:
    run = await running.started("test-question")

    async def reader(seed: int) -> list[int]:
        chance, seen = random.Random(seed), list[int]()
        async with running.client() as client:
            ended = False
            while not ended:
                events = read_sse(client, run, {"last-event-id": str(seen[-1] if seen else 0)})
                async for name, number, _ in events:
                    if number is not None:
                        seen.append(number)
                    ended = name == "done"
                    if chance.random() < 0.3:
                        break
                await events.aclose()
        return seen

    async with asyncio.timeout(30):
        readers = [asyncio.create_task(reader(seed)) for seed in range(10)]
        asked = await running.until(run, "input_requested")
        await running.fish.command(run, "answer", text="blue", request=asked.request)
        stories = await asyncio.gather(*readers)
    whole = [event.seq for event in await running.fish.events(run)]
    assert all(story == whole for story in stories)


async def test_a_number_that_is_none_is_passed_over(running: RunningServer) -> None:
    run = await running.started("test-echo")
    await running.until(run, "run_finished")
    async with running.client() as client:
        events = [event async for event in read_sse(client, run, {"last-event-id": "7x"})]
    assert events[0][1] == 1


async def test_thinking_is_heard_only_where_the_settings_show_it(running: RunningServer) -> None:
    run = await running.started("test-phases")
    await running.until(run, "run_finished")
    async with running.client() as client:
        assert "reasoning" not in [name async for name, _, _ in read_sse(client, run)]
        await client.put("/api/settings", json={"path": "agent.reasoning_visible", "value": True})
        assert "reasoning" in [name async for name, _, _ in read_sse(client, run)]
        await client.put("/api/settings", json={"path": "agent.reasoning_visible", "value": None})


async def _story(running: RunningServer, run: str) -> list[Any]:
    await running.until(run, "run_finished")
    return await running.fish.events(run)


async def test_no_text_comes_before_the_start(running: RunningServer) -> None:
    async with running.client() as client:
        for _ in range(10):
            run = await running.started("test-echo", "so many words that come at once")
            names = [name async for name, _, _ in read_sse(client, run)]
            assert names[0] == "start"


async def test_what_a_model_replied_is_not_served_beside_the_answer(running: RunningServer) -> None:
    """The text of a reply may hold thinking; what of it is for people comes as a message."""
    run = await running.started("test-echo", "a thought that is private")
    async with running.client() as client:
        replied = [data async for name, _, data in read_sse(client, run) if name == "model" and "usage" in data]
        stored = (await client.get(f"/api/runs/{run}/journal")).json()
        exported = (await client.get(f"/api/runs/{run}/export")).json()["events"]
    kept = [event for event in (*stored, *exported) if event["type"] == "model_replied"]
    assert len(replied) == 1 and len(kept) == 2
    assert [event["text"] for event in (*replied, *kept)] == ["", "", ""]
