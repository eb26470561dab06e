"""Pilotfish as an MCP server: the browser tools, each call a run of its own, and `run_task`, with progress.

Over stdio for a local client, over streamable HTTP at /mcp for others. The tabs of a person's MCP clients are those of
one conversation, so that what one call opens the next one can read.
"""

import asyncio
import base64
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any

import anyio
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pilotfish import __version__
from pilotfish.app import Pilotfish
from pilotfish.core import events as e
from pilotfish.core.errors import Missing, PilotfishError
from pilotfish.core.gestures import WebAddress
from pilotfish.core.journal_reports import find_open_question
from pilotfish.core.users import User
from pilotfish.interfaces.http.runs import send_answer
from pilotfish.interfaces.protocols.client_calls import ClientTurn
from pilotfish.interfaces.protocols.client_threads import find_waiting_run
from pilotfish.interfaces.protocols.mcp_questions import AnswerInput, ask_client, read_responses, take_answer
from pilotfish.interfaces.web_server.open_streams import OpenStreams
from pilotfish.interfaces.web_server.run_options import begin_call, begin_run
from pilotfish.services.users import OWNER

if TYPE_CHECKING:
    from mcp.server import Server
    from mcp.server.context import ServerRequestContext
    from mcp.types import (
        CallToolRequestParams,
        CallToolResult,
        InputRequiredResult,
        ListToolsResult,
        PaginatedRequestParams,
    )
    from starlette.types import Receive, Scope, Send

GROUPS = ("page", "browser", "read")
PICTURES = (".png", ".jpg", ".jpeg")
ABOUT = "Drives a real browser. `navigate` somewhere, `get_schema` to see elements with ids, then act on ids."


class TaskInput(BaseModel):
    """What `run_task` takes."""

    model_config = ConfigDict(extra="forbid")

    task: str = Field(min_length=1, max_length=200_000, description="What to find out or do, in plain words.")
    loop: str = Field(default="", description="How to go about it; empty lets Pilotfish choose.")
    urls: list[WebAddress] = Field(default=[], max_length=20, description="Pages that the task is about.")


class McpServer:
    """Lists and calls tools for MCP clients."""

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
        tools = [Tool(name="run_task", description=about, input_schema=TaskInput.model_json_schema())]
        answering = "Give the person's answer to a question that run_task, or a tool, returned."
        tools.append(Tool(name="answer_task", description=answering, input_schema=AnswerInput.model_json_schema()))
        for each in offered:
            tools.append(Tool(name=each.name, description=each.description, input_schema=dict(each.spec.parameters)))
        return ListToolsResult(tools=tools)

    async def call(
        self, context: "ServerRequestContext[Any, Any]", params: "CallToolRequestParams"
    ) -> "CallToolResult | InputRequiredResult":
        me = user_of(context)
        try:
            turn = await self._begin(me, params)
            return await self._follow(context, me, turn)
        except ValidationError as error:
            wrong = error.errors()[0]
            return failed_result(f"Wrong arguments: {'.'.join(map(str, wrong['loc']))}: {wrong['msg']}.")
        except PilotfishError as error:
            return failed_result(f"{error.message} {error.fix}".strip())

    async def _begin(self, me: User, params: "CallToolRequestParams") -> ClientTurn:
        """The run that serves a call: a new one, or the one whose question the call answers."""
        given = params.arguments or {}
        if again := read_responses(params):
            return await self._resume(me, *again)
        if params.name == "answer_task":
            answer = AnswerInput.model_validate(given)
            run = await self.fish.record(answer.run, me.id)
            after = (await self.fish.events(run.id))[-1].seq
            return ClientTurn(await send_answer(self.fish, me, run, answer.answer, typed=True), after)
        if params.name == "run_task":
            task = TaskInput.model_validate(given)
            return ClientTurn(await begin_run(self.fish, me, task.task, loop=task.loop, tabs=task.urls))
        if params.name not in {each.name for each in self.fish.choices.tools() if each.group in GROUPS}:
            raise Missing(f"There is no tool {params.name!r}.")
        await self._deny_earlier(me)
        return ClientTurn(await begin_call(self.fish, me, params.name, given))

    async def _resume(self, me: User, run: str, request: str, result: Any) -> ClientTurn:
        record = await self.fish.record(run, me.id)
        story = await self.fish.events(record.id)
        asked = find_open_question(story)
        if asked is not None and asked.request == request:
            await take_answer(self.fish, me, record, asked, result)
            return ClientTurn(record, story[-1].seq)
        # The question was answered elsewhere, or its time is over: tell what came of it.
        return ClientTurn(record, next((one.seq for one in story if getattr(one, "request", "") == request), 0))

    async def _deny_earlier(self, me: User) -> None:
        """Deny what an earlier call still asks: the client went on without an answer, and calls wait for each other."""
        run = await find_waiting_run(self.fish, me, f"mcp-{me.id}")
        asked = find_open_question(await self.fish.events(run.id)) if run else None
        if run and asked and asked.choices:
            await send_answer(self.fish, me, run, asked.choices[-1], asked.request)

    async def _follow(
        self, context: "ServerRequestContext[Any, Any]", me: User, turn: ClientTurn
    ) -> "CallToolResult | InputRequiredResult":
        """Follow a run with progress, to its end or to a question that only a later call can answer."""
        run, steps = turn.run, 0
        try:
            async with aclosing(self.fish.follow(run.id, turn.after)) as events:
                async for event in events:
                    if line := describe_event(event):
                        steps += 1
                        await context.session.report_progress(steps, None, line)
                    if isinstance(event, e.InputRequested):
                        if waits := await ask_client(self.fish, context, me, run, event):
                            return waits
                    elif isinstance(event, e.RunFinished):
                        return await self._call_result(run.id) if run.loop == "call" else task_result(event)
        except asyncio.CancelledError:
            await asyncio.shield(self.fish.command(run.id, "stop", by=me.id))
            raise
        return failed_result("The run was deleted.")

    async def _call_result(self, run: str) -> "CallToolResult":
        """What the tool of a single call returned, with its pictures."""
        from mcp.types import CallToolResult, ImageContent, TextContent

        content: list[Any] = []
        failure = True
        for event in await self.fish.events(run):
            if isinstance(event, e.FileSaved) and event.name.endswith(PICTURES):
                data = await asyncio.to_thread((self.fish.settings.home / "runs" / run / event.name).read_bytes)
                picture = base64.b64encode(data).decode()
                content.append(ImageContent(type="image", data=picture, mime_type=event.media))
            elif isinstance(event, e.ToolFinished):
                failure = not event.ok
                content.insert(0, TextContent(type="text", text=event.output if event.ok else event.error))
            elif isinstance(event, e.RunFinished) and event.error:
                content.append(TextContent(type="text", text=f"{event.error} {event.fix}".strip()))
        return CallToolResult(content=content, is_error=failure)


def task_result(end: e.RunFinished) -> "CallToolResult":
    from mcp.types import CallToolResult, TextContent

    text = end.text or f"{end.error} {end.fix}".strip()
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=end.outcome != "completed")


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


def failed_result(text: str) -> "CallToolResult":
    from mcp.types import CallToolResult, TextContent

    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)


def user_of(context: "ServerRequestContext[Any, Any]") -> User:
    """The user of a request; over stdio, the local one."""
    return OWNER if context.request is None else context.request.scope["state"]["user"]


class McpEndpoint:
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
        streams: OpenStreams = scope["app"].state.streams
        streams.check_room(scope)
        with anyio.CancelScope() as until_revoked:
            streams.add(until_revoked, scope)
            try:
                await manager.handle_request(scope, receive, send)
            finally:
                streams.discard(until_revoked)

    async def _hold(self, ready: "asyncio.Future[Any]") -> None:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        manager = StreamableHTTPSessionManager(McpServer(self.fish).server(), stateless=True)
        async with manager.run():
            ready.set_result(manager)
            await asyncio.Event().wait()

    async def close(self) -> None:
        if self._holding is not None:
            self._holding.cancel()
            with suppress(asyncio.CancelledError):
                await self._holding


async def serve_stdio(fish: Pilotfish) -> None:
    """Serve one client over standard input and output, until it leaves."""
    from mcp.server.stdio import stdio_server

    server = McpServer(fish).server()
    async with stdio_server() as (received, sent):
        await server.run(received, sent, server.create_initialization_options())
