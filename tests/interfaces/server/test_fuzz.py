"""Every endpoint of the OpenAPI document, with nonsense: no failure of ours, nothing stuck, nothing leaked."""

import asyncio
import json
import random
from typing import Any
from urllib.parse import quote

import pytest

from .chaos import TEXTS, draw_input, draw_value
from .running_server import RunningServer

ROUNDS = 6
AT_ONCE = 8
# Deleting all old runs would delete what the other calls name.
SKIPPED = {"pull_model", "follow_run", "sign_out", "delete_runs"}


def place(path: str, chance: random.Random, run: str, thread: str) -> str:
    ids = {"run": run, "conversation": thread}
    for name in ("run", "conversation", "name", "user", "token", "tab"):
        real = ids.get(name) if chance.random() < 0.8 else None
        path = path.replace(f"{{{name}}}", real or quote(chance.choice(TEXTS[:10]), errors="replace") or "x")
    return path


def request(chance: random.Random, call: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    query = {
        one["name"]: str(draw_input(chance, one["schema"], parts)).encode(errors="replace").decode()
        for one in call.get("parameters", ())
        if one["in"] == "query" and chance.random() < 0.7
    }
    held: dict[str, Any] = {"params": query}
    body = call.get("requestBody", {}).get("content", {})
    if "application/json" in body:
        value = draw_input(chance, body["application/json"]["schema"], parts)
        held["content"] = json.dumps(value) if chance.random() < 0.9 else chance.choice(TEXTS).encode(errors="replace")
        held["headers"] = {"content-type": "application/json"}
    return held


@pytest.mark.slow
async def test_nonsense_never_breaks_the_server_and_never_shows_anothers_things(running: RunningServer) -> None:
    chance = random.Random(11)
    secret = "the-secret-task-of-another"
    hidden = await running.started("test-question", secret)
    user, token = await running.member("fuzzer")
    room = asyncio.Semaphore(AT_ONCE)

    async def sent(method: str, at: str, how: dict[str, Any], known: dict[str, Any]) -> None:
        async with room:
            answer = await client.request(method, at, **how)
        assert answer.status_code < 500, (method, at, how, answer.text)
        # An address that names nothing is answered by whatever is at the shorter one.
        assert str(answer.status_code) in (*known, "404", "405"), (method, at, how, answer.text)
        assert secret not in answer.text, (method, at)

    async with running.client(token) as client:
        schema = (await client.get("/api/openapi.json")).json()
        parts = schema["components"]["schemas"]
        calls = [(p, m, c) for p, methods in schema["paths"].items() for m, c in methods.items()]
        for _ in range(ROUNDS):
            run = await running.started("test-echo", user=user)
            thread = (await running.fish.record(run)).conversation
            wanted = [(p, m, c) for p, m, c in calls if c["operationId"] not in SKIPPED]
            async with asyncio.TaskGroup() as group:
                for path, method, call in wanted:
                    at = place(path, chance, chance.choice([run, hidden]), thread)
                    group.create_task(sent(method, at, request(chance, call, parts), call["responses"]))
    assert (await running.fish.record(hidden)).state == "awaiting_input"
    await running.fish.command(hidden, "stop")
    await running.settled(user)


def test_chaos_is_the_same_every_time() -> None:
    assert draw_value(random.Random(3)) == draw_value(random.Random(3))
