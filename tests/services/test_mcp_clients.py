"""Tools of another MCP server, here a real one in a process of its own."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pilotfish.app import Pilotfish
from pilotfish.core.policy import PolicyRule
from pilotfish.core.settings import ModelSettings, PolicySettings, Settings
from pilotfish.services.mcp_clients import McpClients
from pilotfish.tools.base import ToolContext

pytestmark = pytest.mark.slow

SERVER = """
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

server = MCPServer("pond")

@server.tool()
async def feed(fish: str, grams: int = 5) -> str:
    '''Feed a fish.'''
    if fish == "shark":
        raise ToolError("too dangerous")
    return f"{fish} ate {grams} g"

server.run()
"""


@pytest.fixture
def pond(tmp_path: Path) -> str:
    path = tmp_path / "pond.py"
    path.write_text(SERVER)
    return f"{sys.executable} {path}"


async def test_a_servers_tools_can_be_used_under_its_name(pond: str) -> None:
    mcp_clients = McpClients({"pond": pond})
    await mcp_clients.open()
    try:
        assert mcp_clients.unreachable == {}
        feed = mcp_clients.tools["pond_feed"]
        assert feed.description == "Feed a fish."
        assert "fish" in feed.spec.parameters["properties"]
        nobody = cast(ToolContext, SimpleNamespace())
        assert (await feed.run(nobody, {"fish": "carp"})).output == "carp ate 5 g"
        refused = await feed.run(nobody, {"fish": "shark"})
        assert not refused.ok
        assert "dangerous" in refused.error
        wrong: Any = await feed.run(nobody, {})
        assert not wrong.ok
    finally:
        await mcp_clients.close()


async def test_a_server_that_is_not_there_is_left_out_and_said(pond: str) -> None:
    mcp_clients = McpClients({"gone": "/no/such/program", "far": "http://127.0.0.1:9/mcp", "pond": pond})
    await mcp_clients.open()
    try:
        assert set(mcp_clients.unreachable) == {"gone", "far"}
        assert "pond_feed" in mcp_clients.tools
    finally:
        await mcp_clients.close()


async def test_a_run_uses_a_foreign_tool_where_a_rule_allows_its_server(pond: str, tmp_path: Path) -> None:
    policy = PolicySettings(rules=(PolicyRule(then="allow", site="pond", effect="use"),))
    settings = Settings(
        home=tmp_path / "home", models=ModelSettings(main="scripted"), mcp={"pond": pond}, policy=policy
    )
    async with Pilotfish(settings) as fish:
        how: dict[str, Any] = {"loop": "_call", "tool": "pond_feed", "args": {"fish": "carp", "grams": 7}}
        told = [event.text async for event in fish.run("feed", **how) if event.type == "run_finished"]
    assert told == ["carp ate 7 g"]
