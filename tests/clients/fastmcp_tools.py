"""FastMCP's client over MCP."""

import asyncio
from typing import Any

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from report import PAGE, TOKEN, URL, check, same, wait_for_start, wait_for_stop


def connect(**how: Any) -> Client[Any]:
    return Client(StreamableHttpTransport(f"{URL}/mcp", headers={"authorization": f"Bearer {TOKEN}"}), **how)


def text(result: Any) -> str:
    return "\n".join(part.text for part in result.content if part.type == "text")


def task(loop: str, words: str) -> dict[str, str]:
    return {"task": words, "loop": f"test-{loop}"}


async def answer() -> None:
    async with connect() as client:
        same(text(await client.call_tool("run_task", task("echo", "Say fast"))), "Say fast")


async def progress() -> None:
    heard: list[str] = []

    async def note(done: float, total: float | None, message: str | None) -> None:
        heard.append(message or "")

    async with connect(progress_handler=note) as client:
        await client.call_tool("run_task", task("phases", "Tell me fast"))
    assert "Making a plan." in heard, heard


async def question() -> None:
    async with connect() as client:
        asked = await client.call_tool("run_task", task("question", "Paint the punt"))
        run = asked.structured_content["run"]
        same(text(await client.call_tool("answer_task", {"run": run, "answer": "2"})), "You said blue.")


async def fill_in(message: str, response_type: Any, params: Any, context: Any) -> Any:
    fields = params.requestedSchema if hasattr(params, "requestedSchema") else params.requested_schema
    choices = fields["properties"]["answer"].get("enum", ["green"])
    return {"answer": choices[0]}


async def form() -> None:
    async with connect(elicitation_handler=fill_in) as client:
        same(text(await client.call_tool("run_task", task("question", "Paint the scow"))), "You said green.")


async def approval() -> None:
    async with connect(elicitation_handler=fill_in) as client:
        same(text(await client.call_tool("run_task", task("approval", "Buy the scow"))), "You said Approve once.")


async def listing() -> None:
    async with connect() as client:
        tools = await client.list_tools()
    told = [tool.model_dump(by_alias=True) for tool in tools]
    same([tool["name"] for tool in told if not (tool["title"] and tool["annotations"] and tool["outputSchema"])], [])
    assert {"fill_form", "run_task", "get_schema"} <= {tool.name for tool in tools}


async def pages() -> None:
    async with connect() as client:
        await client.call_tool("navigate", {"url": PAGE})
        assert "Ann" in text(await client.call_tool("get_text", {}))


async def tabs() -> None:
    async with connect() as client:
        await client.call_tool("navigate", {"url": PAGE})
        same(text(await client.call_tool("run_task", task("tabs", "Which tabs?"))), PAGE)


async def files() -> None:
    async with connect() as client:
        await client.call_tool("navigate", {"url": PAGE})
        seen = (await client.call_tool("get_schema", {})).structured_content["data"]["elements"]
        link = next(element["id"] for element in seen if element["label"] == "Tides")
        [address] = (await client.call_tool("click", {"id": link})).structured_content["files"]
        same([str(each.uri) for each in await client.list_resources()], [address])


async def abort() -> None:
    words = "Sleep 60 s for no tool"
    async with connect() as client:
        call = asyncio.create_task(client.call_tool("run_task", task("slow", words)))
        await wait_for_start(words)
        call.cancel()
        await wait_for_stop(words)


async def main() -> None:
    for work in (answer, progress, question, form, approval, listing, pages, tabs, files, abort):
        await check(work.__name__, work)


asyncio.run(main())
