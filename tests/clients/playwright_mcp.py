"""One MCP client with Playwright MCP and Pilotfish beside each other, as an editor has them."""

import asyncio
import os
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from report import PAGE, TOKEN, URL, check, same

COMMAND = Path(os.environ["PILOTFISH_NODE"], "node_modules/.bin/playwright-mcp")
PLAYWRIGHT = StdioServerParameters(
    command=str(COMMAND),
    args=["--headless", "--isolated", "--no-sandbox", "--executable-path", os.environ["PILOTFISH_CHROMIUM"]],
)


def text(result: Any) -> str:
    return "\n".join(part.text for part in result.content if part.type == "text")


async def main() -> None:
    headers = {"authorization": f"Bearer {TOKEN}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"{URL}/mcp", http_client=http)) as ours,
        Client(PLAYWRIGHT) as theirs,
    ):

        async def pages() -> None:
            names = [{tool.name for tool in (await one.list_tools()).tools} for one in (ours, theirs)]
            same(names[0] & names[1], set())
            opened = await theirs.call_tool("browser_navigate", {"url": f"{PAGE}theirs"})
            assert not opened.is_error, text(opened)
            await ours.call_tool("navigate", {"url": f"{PAGE}ours"})
            assert "Ann" in text(await ours.call_tool("get_text", {}))
            assert "Ann" in text(await theirs.call_tool("browser_snapshot", {}))

        async def tabs() -> None:
            mine = text(await ours.call_tool("manage_tabs", {"action": "list"}))
            assert f"{PAGE}ours" in mine and f"{PAGE}theirs" not in mine, mine
            other = text(await theirs.call_tool("browser_tabs", {"action": "list"}))
            assert f"{PAGE}theirs" in other and f"{PAGE}ours" not in other, other

        for work in (pages, tabs):
            await check(work.__name__, work)


asyncio.run(main())
