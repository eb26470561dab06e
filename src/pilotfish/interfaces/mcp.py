"""Pilotfish as an MCP server: the browser tools, each call a run of its own, and `run_task`, with progress.

Over stdio for a local client, over streamable HTTP at /mcp for others. The tabs of a person's MCP clients are those of
one conversation, so that what one call opens the next one can read.
"""

import asyncio
import base64
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pilotfish import __version__
from pilotfish.app import Pilotfish
from pilotfish.core import events as e
from pilotfish.core.errors import PilotfishError
from pilotfish.core.hands import Outside
from pilotfish.core.people import LOCAL

if TYPE_CHECKING:
    from mcp.server import Server
    from mcp.server.context import ServerRequestContext
    from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams
    from starlette.types import Receive, Scope, Send

GROUPS = ("page", "browser", "read")
PICTURES = (".png", ".jpg", ".jpeg")
ABOUT = "Drives a real browser. `navigate` somewhere, `get_schema` to see elements with ids, then act on ids."


class Task(BaseModel):
    """What `run_task` takes."""

    model_config = ConfigDict(extra="forbid")

    task: str = Field(min_length=1, max_length=200_000, description="What to find out or do, in plain words.")
    loop: str = Field(default="", description="How to go about it; empty lets Pilotfish choose.")
    urls: list[Outside] = Field(default=[], max_length=20, description="Pages that the task is about.")


class Desk:
    """Answers what MCP clients ask."""

    def __init__(self, fish: Pilotfish) -> None:
        self.fish = fish

    def server(self) -> "Server[Any]":
        from mcp.server import Server

        return Server(
            "pilotfish", version=__version__, instructions=ABOUT, on_list_tools=self.list, on_call_tool=self.call
        )

    async def list(self, context: Any, params: "PaginatedRequestParams | None") -> "ListToolsResult":
        from mcp.types import ListToolsResult, Tool

        off = set(self.fish.settings.agent.disabled_tools)
        offered = [each for each in self.fish.choices.tools() if each.group in GROUPS and each.name not in off]
        about = "Hand over a whole task; Pilotfish plans and carries it out in its browser, or researches it."
        tools = [Tool(name="run_task", description=about, input_schema=Task.model_json_schema())]
        for each in offered:
            tools.append(Tool(name=each.name, description=each.description, input_schema=dict(each.spec.parameters)))
        return ListToolsResult(tools=tools)

    async def call(
        self, context: "ServerRequestContext[Any, Any]", params: "CallToolRequestParams"
    ) -> "CallToolResult":
        user = asked_by(context)
        try:
            if params.name == "run_task":
                return await self._task(context, user, Task.model_validate(params.arguments or {}))
            return await self._tool(user, params.name, params.arguments or {})
        except ValidationError as error:
            wrong = error.errors()[0]
            return failed(f"Wrong arguments: {'.'.join(map(str, wrong['loc']))}: {wrong['msg']}.")
        except PilotfishError as error:
            return failed(f"{error.message} {error.fix}".strip())

    async def _task(self, context: "ServerRequestContext[Any, Any]", user: str, task: Task) -> "CallToolResult":
        from mcp.types import CallToolResult, TextContent

        record = await self.fish.start(task.task, loop=task.loop, tabs=task.urls, user=user)
        steps = 0
        try:
            async with aclosing(self.fish.follow(record.id)) as events:
                async for event in events:
                    if line := told(event):
                        steps += 1
                        await context.session.report_progress(steps, None, line)
                    if isinstance(event, e.InputRequested):
                        await self.fish.command(record.id, "stop", by=user)
                        return failed(f"It needs to know: {event.question} {', '.join(event.choices)}".strip())
                    if isinstance(event, e.RunFinished):
                        text = event.text or f"{event.error} {event.fix}".strip()
                        failure = event.outcome != "completed"
                        return CallToolResult(content=[TextContent(type="text", text=text)], is_error=failure)
        except asyncio.CancelledError:
            await asyncio.shield(self.fish.command(record.id, "stop", by=user))
            raise
        return failed("The run was deleted.")

    async def _tool(self, user: str, name: str, args: dict[str, Any]) -> "CallToolResult":
        from mcp.types import CallToolResult, ImageContent, TextContent

        if name not in {each.name for each in self.fish.choices.tools() if each.group in GROUPS}:
            return failed(f"There is no tool {name!r}.")
        record = await self.fish.start(
            name, loop="call", conversation=f"mcp-{user}", user=user, tool=name, args=args, history=False
        )
        async for _ in self.fish.follow(record.id):
            pass
        content: list[Any] = []
        failure = True
        for event in await self.fish.events(record.id):
            if isinstance(event, e.FileSaved) and event.name.endswith(PICTURES):
                data = (self.fish.settings.home / "runs" / record.id / event.name).read_bytes()
                picture = base64.b64encode(data).decode()
                content.append(ImageContent(type="image", data=picture, mime_type=event.media))
            elif isinstance(event, e.ToolFinished):
                failure = not event.ok
                content.insert(0, TextContent(type="text", text=event.output if event.ok else event.error))
            elif isinstance(event, e.RunFinished) and event.error:
                content.append(TextContent(type="text", text=f"{event.error} {event.fix}".strip()))
        return CallToolResult(content=content, is_error=failure)


def told(event: e.Live) -> str:
    """A line about where the run is, if there is something to tell."""
    match event:
        case e.Progressed():
            return event.text
        case e.ToolStarted():
            return event.text or f"Using {event.tool}"
        case e.ToolFinished():
            return event.text
        case _:
            return ""


def failed(text: str) -> "CallToolResult":
    from mcp.types import CallToolResult, TextContent

    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)


def asked_by(context: "ServerRequestContext[Any, Any]") -> str:
    """The user whom the gate found; over stdio there is only the local one."""
    return LOCAL if context.request is None else context.request.scope["state"]["user"].id


class Door:
    """The ASGI app at /mcp. The library is loaded, and its manager started, by the first request."""

    def __init__(self, fish: Pilotfish) -> None:
        self.fish = fish
        self._ready: asyncio.Future[Any] | None = None
        self._holding: asyncio.Task[None] | None = None

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if self._ready is None:
            self._ready = asyncio.get_running_loop().create_future()
            self._holding = asyncio.create_task(self._hold(self._ready))
        manager = await asyncio.shield(self._ready)
        await manager.handle_request(scope, receive, send)

    async def _hold(self, ready: "asyncio.Future[Any]") -> None:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        manager = StreamableHTTPSessionManager(Desk(self.fish).server(), stateless=True)
        async with manager.run():
            ready.set_result(manager)
            await asyncio.Event().wait()

    async def close(self) -> None:
        if self._holding is not None:
            self._holding.cancel()
            with suppress(asyncio.CancelledError):
                await self._holding


async def stdio(fish: Pilotfish) -> None:
    """Serve one client over standard input and output, until it leaves."""
    from mcp.server.stdio import stdio_server

    server = Desk(fish).server()
    async with stdio_server() as (heard, said):
        await server.run(heard, said, server.create_initialization_options())
