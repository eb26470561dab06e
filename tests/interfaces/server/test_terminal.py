"""The command line at a server's address: the same commands, the same exit codes."""

import asyncio
import json
import os
import pty
import re
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from pydantic import SecretStr
from websockets.asyncio.client import connect

from pilotfish.core import events
from pilotfish.core.errors import PersonError
from pilotfish.core.policy import ActionTarget
from pilotfish.interfaces.terminal.remote_records import RemoteRecords
from pilotfish.services.safety_service import SupposedAction

from .running_server import RunningServer
from .test_sse import read_sse

CLI = "from pilotfish.interfaces.cli import main; main()"
LONG = 90

pytestmark = pytest.mark.slow


@asynccontextmanager
async def begin(running: RunningServer, *words: str) -> AsyncGenerator[asyncio.subprocess.Process]:
    """A command at a terminal where nobody types."""
    screen, keyboard = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", CLI, "--server", f"{running.url}/enter?token={running.token}", *words,
        stdin=keyboard, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()
        os.close(screen)
        os.close(keyboard)


async def call(running: RunningServer, *words: str) -> tuple[int, str, str]:
    async with begin(running, *words) as process:
        out, err = await asyncio.wait_for(process.communicate(), LONG)
        return process.returncode or 0, out.decode(), err.decode()


async def test_a_run_begun_in_the_terminal_is_watched_by_sse_answered_by_websocket_and_stopped_by_http(
    running: RunningServer,
) -> None:
    headers = {"authorization": f"Bearer {running.token}"}
    async with begin(running, "do", "ask me", "--loop", "test-twice", "--json") as terminal, running.client() as client:
        assert terminal.stdout
        first = json.loads(await asyncio.wait_for(terminal.stdout.readline(), LONG))
        run, names = first["run"], list[str]()
        async with (
            asyncio.timeout(LONG),
            connect(running.url.replace("http", "ws") + "/ws", additional_headers=headers) as ws,
        ):
            async for name, _, data in read_sse(client, run):
                names.append(name)
                if data.get("question") == "One?":
                    await ws.send(json.dumps({"type": "agent_user_input", "run": run, "content": "gold"}))
                elif data.get("question") == "Two?":
                    assert (await client.post(f"/api/runs/{run}/stop")).status_code == 202
        out, _ = await asyncio.wait_for(terminal.communicate(), LONG)
    assert names[0] == "start" and names[-1] == "done" and names.count("input_request") == 2
    assert [line["answer"] for line in map(json.loads, out.splitlines()) if line["type"] == "input_received"] == [
        "gold"
    ]
    assert json.loads(out.splitlines()[-1])["outcome"] == "stopped"
    assert terminal.returncode == 130


async def test_a_servers_runs_are_listed_shown_answered_played_and_gone_on_with(running: RunningServer) -> None:
    run = await running.started("test-question")
    await running.until(run, "input_requested")
    listed, shown, told = await asyncio.gather(
        call(running, "runs", "--json"), call(running, "show", run[:8]), call(running, "answer", run, "2")
    )
    assert json.loads(listed[1].splitlines()[0])["id"] == run
    assert shown[0] == 0 and run in shown[1]
    assert told == (0, "Which colour? blue\n", "")
    await running.until(run, "run_finished")
    played, went = await asyncio.gather(call(running, "play", run, "--speed", "0"), call(running, "resume", run))
    assert played[1].strip() == "You said blue." and "Which colour?" in played[2]
    found = re.fullmatch(r"It goes on as (\w+)\.\n", went[1])
    assert found, went
    assert await call(running, "delete", run) == (0, f"{run} is gone.\n", "")
    assert run not in {one.id for one in await running.fish.runs(limit=100)}
    story = await running.fish.events(found[1])
    before = [event.message.text for event in story if isinstance(event, events.MessageAdded)]
    assert before[0] == "Hello there"
    assert (await running.fish.store.get("said", found[1]) or b"").count(b"**Answered:** blue") == 1


async def test_an_approval_is_shown_with_its_choices_and_given_by_a_word_in_another_language(
    running: RunningServer,
) -> None:
    run = await running.started("test-approval")
    await running.until(run, "input_requested")
    for code, out, err in await asyncio.gather(call(running, "answer", run), call(running, "show", run)):
        assert code == 0, err
        assert "May I buy it?" in out and "1. Approve once" in out and "2. Deny" in out, out
    assert (await call(running, "answer", run, "ja"))[0] == 0
    assert (await running.until(run, "run_finished")).text == "You said Approve once."


async def test_a_failed_run_ends_the_command_with_the_code_of_its_cause(running: RunningServer) -> None:
    code, _, err = await call(running, "do", "x", "--loop", "test-broken")
    assert code == 6 and "There is no browser." in err and "Get one." in err


async def test_a_server_that_is_not_there_or_refuses_is_said_in_a_sentence(running: RunningServer) -> None:
    silent = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        CLI,
        "--server",
        "http://127.0.0.1:9",
        "--token",
        "x",
        "runs",
        stderr=asyncio.subprocess.PIPE,
    )
    _, err = await asyncio.wait_for(silent.communicate(), LONG)
    assert silent.returncode == 2 and b"does not answer" in err and b"Traceback" not in err
    code, _, told = await call(running, "show", "nothing")
    assert code == 2 and "There is no run 'nothing'" in told


async def test_what_is_kept_besides_runs_is_kept_at_the_server_too(running: RunningServer) -> None:
    run = await running.started("test-echo")
    await running.until(run, "run_finished")
    async with RemoteRecords(running.url, running.token) as branch:
        assert await branch.remember("The user is vegetarian.") == "Remembered."
        [fact] = await branch.facts()
        assert await branch.correct(fact.id, "The user is vegan.") == "The user is vegan."
        assert [past.content for past in await branch.facts(history=True)] == ["The user is vegan.", fact.content]
        assert await branch.import_facts(await branch.export_facts()) == 2
        await branch.delete_fact((await branch.facts())[0].id)
        assert run in {spent.name for spent in (await branch.read_costs(1)).runs}
        await branch.change_setting("agent.steps", "33")
        assert [(line.value, line.origin) for line in await branch.list_settings("agent.steps")] == [(33, "database")]
        await branch.change_setting("agent.steps", None)
        await branch.put_secret("shop", SecretStr("correct horse"), ["https://shop.example"], "password")
        assert [secret.name for secret in await branch.secrets()] == ["shop"] and await branch.delete_secret("shop")
        element = ActionTarget(role="button", name="Pay now", tag="button")
        told = await branch.preview_policy(SupposedAction(page="https://shop.example/", element=element))
        assert told.decision.effect == "buy"
        assert (await branch.audit(run[:8])).run == run
        sealed = await branch.export_audit(run)
        assert (await branch.verify_audit(sealed), "line 1" in await branch.verify_audit(sealed[1:])) == ("", True)
        token = await branch.add_user("Tove", "member")
        [person] = [one for one in await branch.list_users() if one.name == "Tove"]
        async with RemoteRecords(running.url, token) as member:
            with pytest.raises(PersonError, match="Only an admin"):
                await member.list_settings()
        async with RemoteRecords(running.url, await branch.issue_token(person.id)) as member:
            assert await member.facts() == []
        assert await branch.remove_user(person.id)
