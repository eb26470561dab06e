"""The official MCP client against our server, over HTTP and over stdio."""

import asyncio
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

from .house import House

PAGE = b"<!doctype html><title>Pond</title><button onclick='this.textContent=\"Fed\"'>Feed the fish</button>"
STDIO = """
import asyncio
from pathlib import Path
from pilotfish.app import Pilotfish
from pilotfish.core.settings import Models, Settings
from pilotfish.interfaces.mcp import stdio

async def main():
    async with Pilotfish(Settings(home=Path({home!r}), models=Models(main="scripted"))) as fish:
        await stdio(fish)

asyncio.run(main())
"""


@asynccontextmanager
async def connected(house: House, token: str = "") -> AsyncGenerator[Client]:
    headers = {"authorization": f"Bearer {token or house.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"{house.url}/mcp", http_client=http)) as client,
    ):
        yield client


def text(result: Any) -> str:
    return "\n".join(part.text for part in result.content if part.type == "text")


async def test_the_tools_are_listed_with_their_schemas(house: House) -> None:
    async with connected(house) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert {"run_task", "click", "navigate", "get_schema"} <= set(tools)
    assert "memory_save" not in tools
    assert tools["run_task"].input_schema["required"] == ["task"]


async def test_a_task_is_run_with_progress(house: House) -> None:
    heard: list[str] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message or "")

    async with connected(house) as client:
        arguments = {"task": "Go", "loop": "test-phases"}
        result = await client.call_tool("run_task", arguments, progress_callback=note)
    assert (result.is_error, text(result)) == (False, "Done.")
    assert "Making a plan." in heard


async def test_a_task_that_asks_says_what_it_needs(house: House) -> None:
    async with connected(house) as client:
        result = await client.call_tool("run_task", {"task": "Paint", "loop": "test-question"})
    assert result.is_error
    assert "Which colour?" in text(result)


async def test_wrong_names_and_arguments_are_errors_that_a_model_can_read(house: House) -> None:
    async with connected(house) as client:
        assert "no tool" in text(await client.call_tool("swim", {}))
        assert "task" in text(await client.call_tool("run_task", {}))
        assert "no loop" in text(await client.call_tool("run_task", {"task": "x", "loop": "nope"}))


async def test_a_stranger_is_not_let_in(house: House) -> None:
    async with house.stranger() as client:
        assert (await client.post("/mcp", json={})).status_code == 401


@pytest.fixture
async def page() -> AsyncGenerator[str]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.0 200 OK\r\ncontent-type: text/html\r\n\r\n" + PAGE)
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"


@pytest.mark.slow
async def test_a_page_is_opened_read_and_clicked_by_ids(house: House, page: str) -> None:
    async with connected(house) as client:
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
        result = await client.call_tool("run_task", {"task": "Hello", "loop": "chat"})
    assert "no open page" in text(result), json.dumps(text(result))
