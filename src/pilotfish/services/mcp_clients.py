"""Tools of other MCP servers: each server in the settings adds its tools, with its name before theirs.

A server is an address (`https://…/mcp`) or a command line (`npx some-server --flag`). One that does not answer in time
is left out, and why is kept in `absent`. What they offer may change the world, so no call is repeated after a crash.
"""

import asyncio
import re
import shlex
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, create_model

from pilotfish.core.errors import ToolError
from pilotfish.core.messages import ToolSpec
from pilotfish.tools.base import Tool, ToolContext, ToolResult

if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import Tool as Offered

CONNECT_TIMEOUT = 30.0
CALL_TIMEOUT = 60.0
LONGEST_RESULT = 100_000


@dataclass(frozen=True)
class McpTool(Tool):
    """A tool of an MCP server, which wrote its schema and checks the arguments."""

    schema: Mapping[str, Any] = field(default_factory=dict[str, Any])
    about: str = ""

    @cached_property
    def description(self) -> str:
        return self.about or self.name

    @cached_property
    def arguments(self) -> type[BaseModel]:
        fields: dict[str, Any] = dict.fromkeys(self.schema.get("properties", {}), (Any, None))
        return create_model(self.name, __config__=ConfigDict(extra="allow"), **fields)

    @cached_property
    def spec(self) -> ToolSpec:
        return ToolSpec(name=self.name, description=self.description, parameters=self.schema)

    async def run(self, context: ToolContext, args: Mapping[str, Any]) -> ToolResult:
        try:
            return await asyncio.wait_for(self.body(context, args), self.timeout)
        except ToolError as error:
            return ToolResult(ok=False, error=error.message)
        except TimeoutError:
            return ToolResult(ok=False, error=f"{self.name} took longer than {self.timeout:g} s and was given up.")


class McpClients:
    """The servers that the settings name, connected for as long as the app is open."""

    def __init__(self, servers: Mapping[str, str]) -> None:
        self.servers = servers
        self.tools: dict[str, Tool] = {}
        self.unreachable: dict[str, str] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._leave = asyncio.Event()

    async def open(self) -> None:
        """Connect to all servers at the same time, each within a limit."""
        await asyncio.gather(*(self._connect(name, place) for name, place in self.servers.items()))

    async def close(self) -> None:
        self._leave.set()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=CONNECT_TIMEOUT)
        for task in self._tasks:
            task.cancel()

    async def _connect(self, name: str, place: str) -> None:
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        # A connection must be closed by the task that opened it, so each has its own.
        task = asyncio.create_task(self._hold_connection(name, place, ready))
        self._tasks.append(task)
        done, _ = await asyncio.wait({task, ready}, timeout=CONNECT_TIMEOUT, return_when=asyncio.FIRST_COMPLETED)
        if ready not in done:
            error = task.exception() if task.done() else None
            self.unreachable[name] = str(error or f"no answer within {CONNECT_TIMEOUT:g} s")
            task.cancel()

    async def _hold_connection(self, name: str, place: str, ready: "asyncio.Future[None]") -> None:
        from mcp import Client, StdioServerParameters

        async with AsyncExitStack() as stack:
            command, *words = ["", ""] if re.match(r"https?://", place) else shlex.split(place)
            at = StdioServerParameters(command=command, args=words) if command else place
            client = await stack.enter_async_context(Client(at))
            for offered in (await client.list_tools()).tools:
                tool = _make_tool(name, offered, client)
                self.tools[tool.name] = tool
            ready.set_result(None)
            await self._leave.wait()


def _make_tool(server: str, offered: "Offered", client: "Client") -> McpTool:
    async def body(_: ToolContext, args: Mapping[str, Any]) -> ToolResult:
        from mcp import MCPError

        try:
            answer = await client.call_tool(offered.name, dict(args))
        except MCPError as error:
            raise ToolError(f"{server} refused: {error}.") from None
        text = "\n".join(part.text for part in answer.content if part.type == "text")[:LONGEST_RESULT]
        return ToolResult(
            ok=not answer.is_error, output="" if answer.is_error else text, error=text if answer.is_error else ""
        )

    label = re.sub(r"[^a-zA-Z0-9_]", "_", f"{server}_{offered.name}")[:64]
    changes = not (offered.annotations and offered.annotations.read_only_hint)
    return McpTool(label, body, "mcp", changes, CALL_TIMEOUT, dict(offered.input_schema), offered.description or "")
