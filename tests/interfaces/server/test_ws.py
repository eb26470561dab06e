import asyncio
import json
import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from pilotfish.interfaces.web_server.app import LARGEST_MESSAGE

from .chaos import draw_value
from .running_server import PATIENCE, RunningServer


@asynccontextmanager
async def socket(running: RunningServer, token: str = "") -> AsyncGenerator[ClientConnection]:
    headers = {"authorization": f"Bearer {token or running.token}"}
    # With a bounded queue the client would not read the server's goodbye behind messages that a test leaves unread.
    async with connect(running.url.replace("http", "ws") + "/ws", additional_headers=headers, max_queue=None) as line:
        yield line


async def until(line: ClientConnection, kind: str) -> list[dict[str, Any]]:
    """Every message up to the first of a type, or an update of that type."""
    got: list[dict[str, Any]] = []
    async with asyncio.timeout(PATIENCE):
        while not got or kind not in (got[-1]["type"], got[-1].get("update_type")):
            got.append(json.loads(await line.recv()))
    return got


async def say(line: ClientConnection, **message: Any) -> None:
    await line.send(json.dumps(message))


async def test_a_run_tells_its_phases_in_the_words_of_the_contract(running: RunningServer) -> None:
    async with socket(running) as line:
        await say(line, type="chat", content="Go", loop="test-phases", agent_max_steps=3)
        got = await until(line, "response_complete")
    kinds = [message.get("update_type") or message["type"] for message in got]
    wanted = ["agent_start", "agent_turn_start", "agent_reason", "progress", "tool_start", "tool_error"]
    wanted += ["agent_observe", "message", "agent_completion", "response_complete"]
    assert [kind for kind in kinds if kind != "state"] == wanted
    assert got[0]["max_steps"] == 3
    tool = next(message for message in got if message["type"] == "tool_start")
    assert tool["arguments"]["path"] == "passwd"
    assert len({message["run"] for message in got}) == 1


async def test_a_question_is_answered_on_the_socket(running: RunningServer) -> None:
    async with socket(running) as line:
        await say(line, type="chat", content="Paint", loop="test-question")
        asked = (await until(line, "agent_request_input"))[-1]
        assert (asked["question"], asked["choices"]) == ("Which colour?", ["red", "blue"])
        await say(line, type="agent_user_input", content="green")
        assert (await until(line, "response_complete"))[-1]["content"] == "You said green."


async def test_a_client_that_names_no_conversation_goes_on_with_that_of_its_socket(running: RunningServer) -> None:
    async with socket(running) as line:
        await say(line, type="chat", content="Paint", loop="test-question", agent_mode=True)
        first = (await until(line, "agent_request_input"))[0]["conversation"]
        await say(line, type="chat", content="Beside it", loop="test-phases", agent_mode=True)
        beside = next(m for m in await until(line, "agent_start") if m.get("update_type") == "agent_start")
        assert beside["conversation"] != first, "a run that is under way is left alone"
        await until(line, "response_complete")
        await say(line, type="chat", content="Go on", loop="test-phases", agent_mode=True)
        assert (await until(line, "response_complete"))[0]["conversation"] == beside["conversation"]
        await say(line, type="chat", content="Anew", loop="test-phases", agent_mode=True, conversation="")
        anew = (await until(line, "response_complete"))[0]["conversation"]
        assert anew not in (first, beside["conversation"])


async def test_a_run_is_stopped_on_the_socket(running: RunningServer) -> None:
    async with socket(running) as line:
        await say(line, type="chat", content="Paint", loop="test-question")
        await until(line, "agent_request_input")
        await say(line, type="agent_control", action="stop")
        kinds = [m.get("update_type") or m["type"] for m in await until(line, "response_complete")]
    assert "agent_stopped" in kinds
    assert kinds[-2:] == ["agent_completion", "response_complete"]


async def test_a_question_that_nobody_answers_times_out(running: RunningServer) -> None:
    run = await running.started("test-question", input_timeout=0.2)
    async with socket(running) as line:
        await say(line, type="follow", run=run)
        assert (await until(line, "agent_request_input_timeout"))[-1]["run"] == run


async def test_several_runs_share_a_socket_and_messages_name_theirs(running: RunningServer) -> None:
    async with socket(running) as line:
        runs = [await running.started("test-question") for _ in range(3)]
        for run in runs:
            await say(line, type="follow", run=run)
            await running.until(run, "input_requested")
        for number, run in enumerate(runs):
            await say(line, type="agent_user_input", content=str(number), run=run)
        ends: dict[str, str] = {}
        while len(ends) < len(runs):
            end = (await until(line, "response_complete"))[-1]
            ends[end["run"]] = end["content"]
    assert ends == {run: f"You said {number}." for number, run in enumerate(runs)}


async def test_a_client_that_comes_back_goes_on_where_it_was(running: RunningServer) -> None:
    run = await running.started("test-phases")
    await running.until(run, "run_finished")
    async with socket(running) as line:
        await say(line, type="follow", run=run)
        whole = await until(line, "response_complete")
        place = next(message["seq"] for message in whole if message["type"] == "tool_start")
    async with socket(running) as line:
        await say(line, type="follow", run=run, after=place)
        rest = await until(line, "response_complete")
    assert rest[0]["type"] == "tool_error"
    assert [m["seq"] for m in rest] == [m["seq"] for m in whole if m["seq"] > place]


async def test_what_makes_no_sense_is_answered_and_the_socket_stays(running: RunningServer) -> None:
    nonsense = ["", "{", "[]", '{"type":"dance"}', '{"type":"chat"}', '{"type":"agent_control","action":"fly"}', "null"]
    async with socket(running) as line:
        for each in nonsense:
            await line.send(each)
            assert (await until(line, "error"))[-1]["fix"]
        await line.send(b"\xff\x00")
        assert (await until(line, "error"))[-1]["code"] == "invalid"
        await say(line, type="agent_control", action="stop")
        assert (await until(line, "error"))[-1]["code"] == "no_run"
        await say(line, type="ping")
        assert (await until(line, "pong"))[-1]["type"] == "pong"


async def test_another_persons_run_cannot_be_heard_answered_or_stopped(running: RunningServer) -> None:
    run = await running.started("test-question")
    _, token = await running.member("eve-ws")
    async with socket(running, token) as line:
        for message in (
            {"type": "follow", "run": run},
            {"type": "agent_control", "action": "stop", "run": run},
            {"type": "agent_user_input", "content": "x", "run": run},
        ):
            await say(line, **message)
            assert (await until(line, "error"))[-1]["code"] == "not_found"
    await running.fish.command(run, "stop")


KINDS = ("chat", "agent_control", "agent_user_input", "follow", "ping", "x")
FIELDS = (
    "content",
    "loop",
    "run",
    "after",
    "action",
    "conversation",
    "tabs",
    "agent_mode",
    "agent_max_steps",
    "request",
)
LOOPS = ("test-echo", "test-question", "test-twice")
DEEP = "[" * 100_000


def message(chance: random.Random, theirs: str) -> str | bytes:
    """Mostly what the contract speaks of with some of it wrong, sometimes a run of another, sometimes plain noise."""
    if chance.random() < 0.1:
        return chance.choice([chance.randbytes(300), b"", DEEP, f'{{"type":{DEEP}', '{"type":"ping"}' * 2, "\ufffe"])
    told = {name: draw_value(chance) for name in FIELDS if chance.random() < 0.4}
    likely = {"type": chance.choice(KINDS), "loop": chance.choice(LOOPS), "content": "hm"}
    likely |= {"action": chance.choice(["stop", "pause", "resume"])}
    told |= {name: value for name, value in likely.items() if chance.random() < 0.8}
    if chance.random() < 0.1:
        told["run"] = theirs
    text = json.dumps(told if chance.random() < 0.9 else draw_value(chance))
    return text.encode() if chance.random() < 0.2 else text


async def test_random_messages_never_close_the_socket_reach_another_or_leave_a_run_stuck(
    running: RunningServer,
) -> None:
    chance = random.Random(5)
    theirs = await running.started("test-question", "the-secret-task-of-another")
    await running.until(theirs, "input_requested")
    user, token = await running.member("noisy")
    for _ in range(6):
        async with socket(running, token) as line:
            for _ in range(40):
                await line.send(message(chance, theirs))
            await say(line, type="ping")
            heard = await until(line, "pong")
        assert "the-secret-task-of-another" not in json.dumps(heard)
    assert (await running.fish.record(theirs)).state == "awaiting_input"
    await running.fish.command(theirs, "stop")
    await running.settled(user)


async def test_a_message_that_is_far_too_large_ends_only_its_socket(running: RunningServer) -> None:
    async with socket(running) as line:
        with pytest.raises(ConnectionClosed) as caught:
            await line.send("x" * (LARGEST_MESSAGE + 1))
            await line.recv()
        assert caught.value.rcvd is not None and caught.value.rcvd.code == 1009
    async with socket(running) as line:
        await say(line, type="ping")
        await until(line, "pong")


async def test_sockets_that_come_and_go_in_a_hurry_leave_their_runs_going(running: RunningServer) -> None:
    user, token = await running.member("hasty")

    async def passed() -> None:
        async with socket(running, token) as line:
            await say(line, type="chat", content="Hello", loop="test-echo")
            line.transport.abort()

    await asyncio.gather(*(passed() for _ in range(20)))
    await running.settled(user)
    streams = running.server.app.state.streams
    async with asyncio.timeout(PATIENCE):
        while streams:
            await asyncio.sleep(0.01)


async def test_a_run_over_the_socket_has_the_options_of_one_over_http(running: RunningServer) -> None:
    thread = (await running.fish.start("Hello", loop="test-echo")).conversation
    async with running.client() as client:
        await client.post(f"/api/conversations/{thread}/files", params={"name": "list.txt"}, content=b"milk")
    options = {"budget_cents": 3, "policy": "read_only", "files": ["list.txt"], "conversation": thread}
    async with socket(running) as line:
        await say(line, type="chat", content="Go", loop="test-echo", selected_tools=["get_current_time"], **options)
        run = (await until(line, "response_complete"))[-1]["run"]
        await say(line, type="chat", content="Go", loop="test-echo", attended=False)
        other = (await until(line, "response_complete"))[-1]["run"]
    given = (await running.fish.record(run)).options
    assert (given["tools"], given["budget_cents"], given["policy"]) == (["get_current_time"], 3, "read_only")
    assert given["files"] == ["list.txt"] and given["attended"] is True
    assert (await running.fish.record(other)).options["attended"] is False
