"""Every way to say something to a run while it works."""

import pytest

from .running_server import RunningServer
from .test_terminal import call as typed_words
from .test_ws import say, socket, until

RED = "Take the red one."


async def start_waiting_run(running: RunningServer) -> str:
    run = await running.started("test-steered")
    await running.until(run, "input_requested")
    return run


async def answer_and_end(running: RunningServer, run: str) -> str:
    async with running.client() as client:
        await client.post(f"/api/runs/{run}/answer", json={"text": "yes"})
    return (await running.until(run, "run_finished")).text


async def test_over_http(running: RunningServer) -> None:
    run = await start_waiting_run(running)
    async with running.client() as client:
        told = await client.post(f"/api/runs/{run}/say", json={"text": RED})
        assert told.status_code == 202
        assert RED in await answer_and_end(running, run)
        late = await client.post(f"/api/runs/{run}/say", json={"text": "too late"})
    assert (late.status_code, late.json()["code"]) == (409, "ended")
    messages = [e.message for e in await running.fish.events(run) if e.type == "message_added"]
    assert (RED, "person") in [(message.text, message.origin) for message in messages]


async def test_over_the_socket_which_tells_when_it_was_heard(running: RunningServer) -> None:
    async with socket(running) as line:
        await say(line, type="chat", content="Paint", loop="test-steered")
        asked = (await until(line, "agent_request_input"))[-1]
        await say(line, type="agent_say", content=RED)
        await say(line, type="agent_user_input", content="yes")
        got = await until(line, "response_complete")
    assert RED in got[-1]["content"]
    assert [message["content"] for message in got if message["type"] == "heard"] == [RED]
    assert asked["run"] == got[-1]["run"]


async def test_another_persons_run_cannot_be_told_anything(running: RunningServer) -> None:
    run = await start_waiting_run(running)
    _, token = await running.member("eve-steers")
    async with running.client(token) as client:
        assert (await client.post(f"/api/runs/{run}/say", json={"text": RED})).status_code == 404
    assert RED not in await answer_and_end(running, run)


@pytest.mark.slow
async def test_with_the_command(running: RunningServer) -> None:
    run = await start_waiting_run(running)
    code, out, _ = await typed_words(running, "say", run, RED)
    assert (code, out.strip()) == (0, "It reads that before its next step.")
    assert RED in await answer_and_end(running, run)
    code, _, err = await typed_words(running, "say", run, RED)
    assert code == 2 and "over" in err


@pytest.mark.slow
async def test_the_answer_command_prints_the_choices_and_takes_a_yes(running: RunningServer) -> None:
    run = await running.started("test-approval")
    await running.until(run, "input_requested")
    _, out, _ = await typed_words(running, "answer", run)
    assert "May I buy it?" in out and "1. Approve once" in out and "2. Deny" in out
    code, out, _ = await typed_words(running, "answer", run, "yes")
    assert code == 0 and "Approve once" in out
    assert (await running.until(run, "run_finished")).text == "You said Approve once."
