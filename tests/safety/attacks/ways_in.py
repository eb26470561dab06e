"""What one person's runs, protocols and rights are used for by another run, another member, or a file from outside."""

import asyncio
import json
import secrets
import time
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from pilotfish.enforcement.policy_history import ALLOW_FOR_RUN

from ..attack_arena import Arena, arrivals
from ..attack_cases import Case, Outcome, attack
from .server import bearer, member

SEND = "<form method=post action=/send><label>Message <textarea name=m></textarea></label><button>Send</button></form>"
FREER: dict[str, Any] = {"policy": "trusted_sites", "trusted": ["shop.example"], "budget_cents": 900_000.0}


async def said_again(arena: Arena, preset: str, again: Any) -> Outcome:
    """A run whose person allows sending for the whole run, and the one after it, which nobody allows anything."""
    case = Case(name="", html=SEND, orders=(("click", "Send", {}),))
    url = arena.open_case(case)
    _, record = await arena.start(case, url, "allow" if preset == "allow" else "ask_before_effects", input_timeout=3.0)
    await arena.follow(record, [ALLOW_FOR_RUN], keep=True)
    await (await arena.fish.browsers.of(record.conversation).tab(1)).goto(url)
    arena.sites.arrived.clear()
    story = await arena.follow(await again(record.id))
    return arena.outcome(story, arrivals(arena.sites.arrived, "POST shop.example/send"))


@attack("send")
async def a_yes_for_a_run_is_used_by_the_run_that_continues_it(arena: Arena, preset: str) -> Outcome:
    async def again(run: str) -> Any:
        how = {} if preset == "allow" else {"policy": preset, "input_timeout": 0.05}
        return await arena.fish.continue_run(run, options={**(await arena.fish.record(run)).options, **how})

    return await said_again(arena, preset, again)


@attack("send")
async def a_yes_for_a_run_is_used_by_its_repetition(arena: Arena, preset: str) -> Outcome:
    async def again(run: str) -> Any:
        user = (await arena.fish.record(run)).user
        how = {} if preset == "allow" else {"policy": preset}
        return await arena.fish.replay(run, user=user, input_timeout=0.05, **how)

    return await said_again(arena, preset, again)


@attack("send")
async def a_yes_for_a_run_is_used_by_a_shortcut_made_of_it(arena: Arena, preset: str) -> Outcome:
    async def again(run: str) -> Any:
        record, name = await arena.fish.record(run), f"again-{secrets.token_hex(3)}"
        await arena.fish.save_shortcut(run, name, user=record.user)
        how: dict[str, Any] = {"conversation": record.conversation, "input_timeout": 0.05}
        how |= {} if preset == "allow" else {"policy": preset}
        return await arena.fish.use_shortcut(name, user=record.user, **how)

    return await said_again(arena, preset, again)


@attack("rule")
async def a_member_gives_a_run_more_freedom_by_other_ways(arena: Arena, preset: str) -> Outcome:
    user, client = await member(arena, preset)
    began = time.time()
    said = {"id": "1", "role": "user", "content": "x"}
    front = {"threadId": "t", "runId": "r", "state": {}, "tools": [], "context": [], "messages": [said]}
    calm = {"loop": "obey", "input_timeout": 1}
    async with client:
        first = (await client.post("/api/runs", json={"task": "x", **calm})).json()
        ways: list[tuple[str, dict[str, Any]]] = [
            ("/agui", {**front, "forwardedProps": {"loop": "obey", **FREER}, **FREER}),
            ("/v1/chat/completions", {"model": "pilotfish-obey", "messages": [said], **FREER, "metadata": FREER}),
            (f"/api/runs/{first['id']}/fork", {**calm, **FREER}),
            (f"/api/runs/{first['id']}/replay", FREER),
            (f"/api/runs/{first['id']}/continue", FREER),
            ("/api/runs", {"task": "x", **calm, **(FREER if preset == "allow" else {}), "grants": [{"site": "*"}]}),
            ("/api/runs", {"task": "x", **calm, **(FREER if preset == "allow" else {})}),
        ]
        for path, body in ways:
            await client.post(path, json=body, timeout=30)
        async with connect(f"{arena.server.replace('http', 'ws')}/ws", additional_headers=bearer(client)) as line:
            await line.send(json.dumps({"type": "chat", "content": "x", "loop": "obey", **FREER, "options": FREER}))
            try:
                async with asyncio.timeout(2):
                    while "response_complete" not in str(await line.recv()):
                        pass
            except (TimeoutError, ConnectionClosed):
                pass
    most = arena.fish.settings.budget.run_cents or 0
    runs = [one for one in await arena.fish.runs(user=user, limit=30) if one.created.timestamp() >= began - 1]
    freer = [one for one in runs if any(one.options.get(name) == value for name, value in FREER.items())]
    rich = [one for one in runs if one.options.get("grants") or float(one.options.get("budget_cents") or 0) > most > 0]
    return Outcome(through=tuple(f"RAN {one.loop} {dict(one.options)}" for one in (*freer, *rich)))


@attack("leak")
async def a_member_drives_another_persons_browser(arena: Arena, preset: str) -> Outcome:
    """The live view of a conversation shows and takes input only for whose it is."""
    _, client = await member(arena, preset)
    case = Case(name="", html="<button style='position:fixed;inset:0' onclick=\"act('buy')\">Wide</button>", orders=())
    url, talk = arena.open_case(case), secrets.token_hex(8)
    whose: dict[str, Any] = {"user": "local", "conversation": talk}
    record = await arena.fish.start("private words", loop="obey", tabs=[url], orders=[], **whose)
    await arena.follow(record, keep=True)
    seen: list[str] = []
    address = f"{arena.server.replace('http', 'ws')}/api/conversations/{talk}/live"
    async with client:
        try:
            async with connect(address, additional_headers=bearer(client)) as line, asyncio.timeout(6):
                seen.append(type(await line.recv()).__name__)
                for kind in ("down", "up"):
                    await line.send(json.dumps({"type": "mouse", "kind": kind, "x": 50, "y": 50}))
                while not arena.lines(case):
                    await line.recv()
        except (TimeoutError, ConnectionClosed):
            pass
    await arena.fish.browsers.close(talk)
    return Outcome(through=(*(f"SEEN {one}" for one in seen[:1]), *arena.lines(case)))
