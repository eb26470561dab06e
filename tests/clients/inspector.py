"""The MCP inspector's command line, over HTTP."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

from report import PAGE, TOKEN, URL, check, same

COMMAND = Path(os.environ["PILOTFISH_NODE"], "node_modules/.bin/mcp-inspector")


async def inspect(method: str, *words: str) -> dict[str, Any]:
    server = (f"{URL}/mcp", "--transport", "http", "--header", f"Authorization: Bearer {TOKEN}")
    process = await asyncio.create_subprocess_exec(
        COMMAND, "--cli", *server, "--method", method, *words,
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    said, errors = await process.communicate()
    if process.returncode:
        raise AssertionError(errors.decode() + said.decode())
    return json.loads(said)


async def call(tool: str, **given: str) -> dict[str, Any]:
    words = [word for name, value in given.items() for word in ("--tool-arg", f"{name}={value}")]
    return await inspect("tools/call", "--tool-name", tool, *words)


def text(result: dict[str, Any]) -> str:
    return "\n".join(part["text"] for part in result["content"] if part["type"] == "text")


async def answer() -> None:
    same(text(await call("run_task", task="Say inspector", loop="test-echo")), "Say inspector")


async def question() -> None:
    asked = await call("run_task", task="Paint the proa", loop="test-question")
    run = asked["structuredContent"]["run"]
    same(text(await call("answer_task", run=run, answer="2")), "You said blue.")


async def listing() -> None:
    tools = (await inspect("tools/list", "--strict"))["tools"]
    same([tool["name"] for tool in tools if not {"title", "annotations", "outputSchema"} <= tool.keys()], [])


async def pages() -> None:
    came = await call("navigate", url=PAGE)
    assert not came.get("isError") and "Harbour" in text(came), text(came)


async def main() -> None:
    for work in (answer, question, listing, pages):
        await check(work.__name__, work)


asyncio.run(main())
