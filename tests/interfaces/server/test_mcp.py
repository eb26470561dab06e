"""The official MCP client against our server, over HTTP and over stdio."""

import asyncio
import base64
import json
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import ElicitResult, ErrorData

from pilotfish.interfaces.protocols.mcp import McpServer

from .running_server import RunningServer, serve_page

PAGE = b"""<!doctype html><title>Pond</title><button onclick='this.textContent="Fed"'>Feed the fish</button>
<label>Name <input id=n></label><label>Kind <select><option>carp<option>koi</select></label>
<label><input type=checkbox> Hungry</label><label>Letter <input type=file></label><a href="/tides.txt">Tides</a>
<script>console.log("pond ready"); console.error("no water")
matchMedia("(prefers-color-scheme: dark)").onchange = (event) => console.log(event.matches ? "dark now" : "light now")
</script>"""
STDIO = """
import asyncio
from pathlib import Path
from pilotfish.app import Pilotfish
from pilotfish.core.settings import ModelSettings, Settings
from pilotfish.interfaces.protocols.mcp import serve_stdio

async def main():
    async with Pilotfish(Settings(home=Path({home!r}), models=ModelSettings(main="scripted"))) as fish:
        await serve_stdio(fish)

asyncio.run(main())
"""


@asynccontextmanager
async def connect(running: RunningServer, token: str = "", mode: Any = "auto", **how: Any) -> AsyncGenerator[Client]:
    headers = {"authorization": f"Bearer {token or running.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"{running.url}/mcp", http_client=http), mode=mode, **how) as client,
    ):
        yield client


def text(result: Any) -> str:
    return "\n".join(part.text for part in result.content if part.type == "text")


async def test_the_tools_are_listed_with_their_schemas(running: RunningServer) -> None:
    async with connect(running) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert {"run_task", "click", "navigate", "get_schema", "collect", "extract"} <= set(tools)
    assert "memory_save" not in tools
    assert tools["run_task"].input_schema["required"] == ["task"]


async def test_every_tool_says_what_it_may_do_and_what_it_returns(running: RunningServer) -> None:
    async with connect(running) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        done = await client.call_tool("run_task", {"task": "Go", "loop": "test-phases"})
    assert all(tool.title and tool.annotations and tool.output_schema for tool in tools.values())
    hints = {name: tool.annotations for name, tool in tools.items() if tool.annotations}
    assert hints["get_schema"].read_only_hint and hints["console_messages"].read_only_hint
    assert not hints["click"].read_only_hint and hints["click"].destructive_hint
    assert not hints["navigate"].destructive_hint and hints["resize"].idempotent_hint
    assert {
        "fill_form",
        "console_messages",
        "network_requests",
        "resize",
        "emulate_media",
        "give_file",
        "close_browser",
    } <= set(tools)
    assert done.structured_content["outcome"] == "completed" and done.structured_content["text"] == "Done."


async def test_a_call_after_a_task_that_waits_says_that_it_must_be_answered(running: RunningServer) -> None:
    async with connect(running) as client:
        asked = await client.call_tool("run_task", {"task": "Paint it", "loop": "test-question"})
        refused = await client.call_tool("get_text", {})
        assert refused.is_error and "Which colour?" in text(refused) and "answer_task" in text(refused)
        run = asked.structured_content["run"]
        assert asked.structured_content["choices"] == ["red", "blue"]
        assert text(await client.call_tool("answer_task", {"run": run, "answer": "1"})) == "You said red."


async def test_a_task_is_run_with_progress(running: RunningServer) -> None:
    heard: list[str] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message or "")

    async with connect(running) as client:
        arguments = {"task": "Go", "loop": "test-phases"}
        result = await client.call_tool("run_task", arguments, progress_callback=note)
    assert (result.is_error, text(result)) == (False, "Done.")
    assert "Making a plan." in heard


async def test_a_task_that_asks_says_so_and_is_answered_by_a_tool_where_the_client_has_no_forms(
    running: RunningServer,
) -> None:
    async with connect(running) as client:
        asked = await client.call_tool("run_task", {"task": "Paint the dinghy", "loop": "test-question"})
        [run] = await running.fish.runs(text="Paint the dinghy")
        assert not asked.is_error
        assert "Which colour?\n  1. red\n  2. blue" in text(asked) and run.id in text(asked)
        done = await client.call_tool("answer_task", {"run": run.id, "answer": 2})
    assert (done.is_error, text(done)) == (False, "You said blue.")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize(
    ("action", "said"), [("accept", "You said Approve once."), ("decline", "You said Deny.")], ids=["yes", "no"]
)
async def test_an_approval_is_asked_with_a_form_in_the_old_and_the_new_protocol(
    running: RunningServer, mode: Any, action: Any, said: str
) -> None:
    forms: list[Any] = []

    async def fill_in(context: Any, params: Any) -> ElicitResult:
        forms.append(params)
        return ElicitResult(action=action, content={"answer": "Approve once"} if action == "accept" else None)

    server = McpServer(running.fish).server()
    async with Client(server, elicitation_callback=fill_in, mode=mode) as client:
        done = await client.call_tool("run_task", {"task": "Buy", "loop": "test-approval"})
    assert text(done) == said
    assert [form.message for form in forms] == ["May I buy it?"]
    assert forms[0].requested_schema["properties"]["answer"]["enum"] == ["Approve once", "Deny"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_form_comes_over_http_too(running: RunningServer, mode: Any) -> None:
    async def fill_in(context: Any, params: Any) -> ElicitResult:
        return ElicitResult(action="accept", content={"answer": "green"})

    async with connect(running, mode=mode, elicitation_callback=fill_in) as client:
        done = await client.call_tool("run_task", {"task": "Paint", "loop": "test-question"})
    assert text(done) == "You said green."


async def test_a_form_is_taken_back_when_its_question_is_answered_elsewhere(running: RunningServer) -> None:
    async def wait(context: Any, params: Any) -> ElicitResult:
        [run] = await running.fish.runs(text="Paint the buoy")
        async with running.client() as http:
            await http.post(f"/api/runs/{run.id}/answer", json={"text": "white"})
        return await asyncio.Future()

    async with connect(running, mode="legacy", elicitation_callback=wait) as client:
        done = await client.call_tool("run_task", {"task": "Paint the buoy", "loop": "test-question"})
        [run] = await running.fish.runs(text="Paint the buoy")
        late = await client.call_tool("answer_task", {"run": run.id, "answer": "red"})
    assert text(done) == text(late) == "You said white.", "a late answer is told what came of the one before it"


async def test_a_question_comes_as_text_where_the_client_fails_to_show_its_form(running: RunningServer) -> None:
    async def fail(context: Any, params: Any) -> ErrorData:
        return ErrorData(code=-32603, message="no window")

    async with connect(running, mode="legacy", elicitation_callback=fail) as client:
        asked = await client.call_tool("run_task", {"task": "Paint the tug", "loop": "test-question"})
        run = asked.structured_content["run"]
        done = await client.call_tool("answer_task", {"run": run, "answer": "red"})
    assert asked.structured_content["question"] == "Which colour?" and text(done) == "You said red."


async def test_a_file_is_given_by_its_text_or_bytes_and_by_its_path_only_from_folders_that_were_named(
    running: RunningServer, tmp_path: Path
) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open" / "plan.txt").write_text("the plan")
    (tmp_path / "key.txt").write_text("secret")
    (tmp_path / "open" / "link.txt").symlink_to(tmp_path / "key.txt")
    async with Client(McpServer(running.fish, [tmp_path / "open"]).server()) as client:
        for given in ({"name": "a.txt", "text": "hello"}, {"name": "b.png", "data": "iVBORw0KGgo="}):
            assert not (await client.call_tool("give_file", given)).is_error
        came = await client.call_tool("give_file", {"path": str(tmp_path / "open" / "plan.txt")})
        assert came.structured_content["data"] == {"name": "plan.txt", "size": 8}
        for path in (tmp_path / "key.txt", "../key.txt", "link.txt", "/etc/hostname"):
            assert (await client.call_tool("give_file", {"path": str(path)})).is_error
        assert (await client.call_tool("give_file", {"name": "x"})).is_error
    async with connect(running) as client:
        refused = await client.call_tool("give_file", {"path": str(tmp_path / "open" / "plan.txt")})
    assert refused.is_error and "--files" in text(refused)


@pytest.mark.slow
async def test_a_file_that_a_client_gives_is_uploaded_when_the_person_allows_it(
    running: RunningServer, page: str
) -> None:
    async def allow(context: Any, params: Any) -> ElicitResult:
        assert "letter.txt" in params.message
        return ElicitResult(action="accept", content={"answer": "Allow once"})

    async with connect(running, mode="legacy", elicitation_callback=allow) as client:
        await client.call_tool("navigate", {"url": page})
        await client.call_tool("give_file", {"name": "letter.txt", "text": "Dear pond"})
        seen = (await client.call_tool("get_schema", {})).structured_content["data"]["elements"]
        field = next(element["id"] for element in seen if element["label"] == "Letter")
        came = await client.call_tool("upload", {"id": field, "path": "letter.txt"})
        assert not came.is_error and "letter.txt" in text(await client.call_tool("get_schema", {})), text(came)


async def test_wrong_names_and_arguments_are_errors_that_a_model_can_read(running: RunningServer) -> None:
    async with connect(running) as client:
        assert "no tool" in text(await client.call_tool("swim", {}))
        assert "task" in text(await client.call_tool("run_task", {}))
        assert "no loop" in text(await client.call_tool("run_task", {"task": "x", "loop": "nope"}))


async def test_a_stranger_is_not_let_in(running: RunningServer) -> None:
    async with running.stranger() as client:
        assert (await client.post("/mcp", json={})).status_code == 401


@pytest.fixture
async def page() -> AsyncGenerator[str]:
    async with serve_page(PAGE) as url:
        yield url


@pytest.mark.slow
async def test_a_page_is_opened_read_and_clicked_by_ids(running: RunningServer, page: str) -> None:
    async with connect(running) as client:
        gone = await client.call_tool("navigate", {"action": "goto", "url": page})
        assert not gone.is_error, text(gone)
        seen = text(await client.call_tool("get_schema", {}))
        line = next(line for line in seen.splitlines() if "Feed the fish" in line)
        number = int("".join(filter(str.isdigit, line.split("Feed")[0])))
        clicked = await client.call_tool("click", {"id": number})
        assert not clicked.is_error, text(clicked)
        assert "Fed" in text(clicked) + text(await client.call_tool("get_schema", {}))


@pytest.mark.slow
async def test_it_serves_over_standard_input_and_output(tmp_path: Path) -> None:
    code = STDIO.format(home=str(tmp_path))
    server = StdioServerParameters(command=sys.executable, args=["-c", code], env=dict(os.environ))
    async with Client(server) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert "run_task" in names
        result = await client.call_tool("run_task", {"task": "What does this page say?", "loop": "chat"})
    assert "no open page" in text(result), json.dumps(text(result))


@pytest.mark.slow
async def test_a_form_is_filled_at_once_and_the_console_and_requests_are_read(
    running: RunningServer, page: str
) -> None:
    async with connect(running) as client:
        await client.call_tool("navigate", {"url": page})
        seen = (await client.call_tool("get_schema", {})).structured_content["data"]["elements"]
        ids = {element["label"]: element["id"] for element in seen}
        fields = [
            {"id": ids["Name"], "value": "Goldie"},
            {"id": ids["Kind"], "value": "koi", "kind": "option"},
            {"id": ids["Hungry"], "value": True},
        ]
        filled = await client.call_tool("fill_form", {"fields": fields})
        assert not filled.is_error, text(filled)
        again = await client.call_tool("fill_form", {"fields": fields[2:]})
        assert "so already" in text(again), "a box that is on stays on"
        now = text(await client.call_tool("get_schema", {}))
        assert "Goldie" in now and "koi" in now
        assert "pond ready" in text(await client.call_tool("console_messages", {}))
        errors = await client.call_tool("console_messages", {"errors": True})
        assert "no water" in text(errors) and "pond ready" not in text(errors)
        assert f"GET {page} → 200" in text(await client.call_tool("network_requests", {}))
        wide = await client.call_tool("resize", {"width": 700, "height": 500})
        assert wide.structured_content["data"] == {"width": 700, "height": 500}
        await client.call_tool("emulate_media", {"color_scheme": "dark"})
        assert "dark now" in text(await client.call_tool("console_messages", {}))
        assert "Closed" in text(await client.call_tool("close_browser", {}))
    assert not [run for run in await running.fish.runs(background=False, limit=500) if run.task == "navigate"]


@pytest.mark.slow
async def test_a_download_is_a_resource_and_each_client_has_its_own_tabs(running: RunningServer, page: str) -> None:
    async with connect(running, mode="legacy") as one, connect(running, mode="legacy") as other:
        await one.call_tool("navigate", {"url": page})
        listed = await other.call_tool("manage_tabs", {"action": "list"})
        assert page not in text(listed), "another session has other tabs"
        seen = (await one.call_tool("get_schema", {})).structured_content["data"]["elements"]
        link = next(element["id"] for element in seen if element["label"] == "Tides")
        came = await one.call_tool("click", {"id": link})
        assert not came.is_error, text(came)
        [address] = came.structured_content["files"]
        assert [str(each.uri) for each in (await one.list_resources()).resources] == [address]
        assert not (await other.list_resources()).resources
        content: Any = (await one.read_resource(address)).contents[0]
        assert base64.b64decode(content.blob) == b"tide table"
        task = await one.call_tool("run_task", {"task": "Which tab?", "loop": "test-tabs"})
        assert page in text(task), "a task works in the tabs of its session"
