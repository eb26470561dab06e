"""What an MCP client is told of a run: lines about its progress, and its result with pictures and links to files."""

import asyncio
import base64
from typing import TYPE_CHECKING, Any

from pilotfish.app import Pilotfish
from pilotfish.core import events as e
from pilotfish.core.records import RunRecord
from pilotfish.interfaces.protocols.mcp_files import link_file
from pilotfish.interfaces.protocols.mcp_tools import CallOutput
from pilotfish.services.run_files import find_file

if TYPE_CHECKING:
    from mcp.types import CallToolResult

PICTURES = (".png", ".jpg", ".jpeg")


async def make_result(fish: Pilotfish, run: RunRecord, end: e.RunFinished) -> "CallToolResult":
    """The answer of a task, or what the tool of a single call returned."""
    from mcp.types import CallToolResult, ImageContent, TextContent

    story = await fish.events(run.id)
    results = [one for one in story if isinstance(one, e.ToolFinished)] if run.loop == "_call" else []
    failed = end.outcome != "completed" or any(not one.ok for one in results)
    text = end.text or f"{end.error} {end.fix}".strip()
    content: list[Any] = [TextContent(type="text", text=text)]
    saved = [one for one in story if isinstance(one, e.FileSaved)]
    for file in saved:
        if run.loop == "_call" and file.name.endswith(PICTURES):
            path = (await find_file(fish, run.id, file.name))[1]
            picture = base64.b64encode(await asyncio.to_thread(path.read_bytes)).decode()
            content.append(ImageContent(type="image", data=picture, mime_type=file.media))
        else:
            content.append(link_file(file))
    data = end.data if not results else dict(results[-1].data)
    links = [link_file(file).uri for file in saved]
    output = CallOutput(run=run.id, outcome="completed", text=text, data=data, files=links)
    structured = None if failed else output.model_dump(mode="json")
    return CallToolResult(content=content, structured_content=structured, is_error=failed)


def failed_result(text: str) -> "CallToolResult":
    from mcp.types import CallToolResult, TextContent

    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)


def describe_event(event: e.StreamItem) -> str:
    """A line about the progress of a run; empty for other events."""
    match event:
        case e.Progressed():
            return event.text
        case e.ToolStarted():
            return event.text or f"Using {event.tool}"
        case e.ToolFinished():
            return event.text
        case _:
            return ""
