"""Pilotfish as an MCP server: the browser tools, each call a run of its own, and `run_task`, with progress.

Over stdio for a local client, over streamable HTTP at /mcp for others. Each session of a client has tabs of its own, in
which its calls and tasks work one after the other.
"""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
from pydantic import ValidationError

from pilotfish import __version__
from pilotfish.app import Pilotfish
from pilotfish.core import events as e
from pilotfish.core.errors import NotFoundError, PersonError, PilotfishError
from pilotfish.core.journal_reports import find_open_question
from pilotfish.core.users import User
from pilotfish.interfaces.http.runs import send_answer
from pilotfish.interfaces.protocols.client_calls import ClientTurn
from pilotfish.interfaces.protocols.client_threads import find_waiting_run
from pilotfish.interfaces.protocols.mcp_files import list_files, read_file
from pilotfish.interfaces.protocols.mcp_given_files import take_file
from pilotfish.interfaces.protocols.mcp_questions import AnswerInput, ask_client, read_responses, take_answer
from pilotfish.interfaces.protocols.mcp_results import describe_event, failed_result, make_result
from pilotfish.interfaces.protocols.mcp_sessions import McpSessions
from pilotfish.interfaces.protocols.mcp_tools import (
    FORM_TOOLS,
    FormInput,
    TaskInput,
    describe_tools,
    offered_tools,
)
from pilotfish.interfaces.web_server.run_options import begin_call, begin_run
from pilotfish.services.users import OWNER

if TYPE_CHECKING:
    from mcp.server import Server
    from mcp.server.context import ServerRequestContext
    from mcp.types import (
        CallToolRequestParams,
        CallToolResult,
        InputRequiredResult,
        ListResourcesResult,
        ListToolsResult,
        PaginatedRequestParams,
        ReadResourceRequestParams,
        ReadResourceResult,
    )

CALL = "mcp_call"
"""Where the state of a request holds the scope of its call, which ends with it."""
ABOUT = "Drives a real browser. `navigate` somewhere, `get_schema` to see elements with ids, then act on ids."


class McpServer:
    """Lists and calls tools for MCP clients. Files in `folders` may be given by their paths."""

    def __init__(self, fish: Pilotfish, folders: Sequence[Path] = ()) -> None:
        self.fish = fish
        self.folders = folders
        self.sessions = McpSessions(fish)

    def server(self) -> "Server[Any]":
        from mcp.server import Server

        return Server(
            "pilotfish",
            title="Pilotfish",
            version=__version__,
            instructions=ABOUT,
            on_list_tools=self.list,
            on_call_tool=self.call,
            on_list_resources=self.list_resources,
            on_read_resource=self.read_resource,
        )

    async def list(self, context: Any, params: "PaginatedRequestParams | None") -> "ListToolsResult":
        from mcp.types import ListToolsResult

        return ListToolsResult(tools=list(describe_tools(self.fish)))

    async def list_resources(
        self, context: "ServerRequestContext[Any, Any]", params: "PaginatedRequestParams | None"
    ) -> "ListResourcesResult":
        me = user_of(context)
        return await list_files(self.fish, me, self.sessions.find(context, me))

    async def read_resource(
        self, context: "ServerRequestContext[Any, Any]", params: "ReadResourceRequestParams"
    ) -> "ReadResourceResult":
        from mcp.shared.exceptions import MCPError
        from mcp.types import INVALID_PARAMS

        try:
            return await read_file(self.fish, user_of(context), str(params.uri))
        except NotFoundError as error:
            raise MCPError(INVALID_PARAMS, f"{error.message} {error.fix}".strip()) from None

    async def call(
        self, context: "ServerRequestContext[Any, Any]", params: "CallToolRequestParams"
    ) -> "CallToolResult | InputRequiredResult":
        me = user_of(context)
        with anyio.CancelScope() if context.request is None else context.request.scope["state"][CALL]:
            try:
                conversation = self.sessions.find(context, me)
                if params.name == "give_file":
                    return await take_file(self.fish, me, conversation, params.arguments or {}, self.folders)
                turn = await self._begin(me, conversation, params)
                return await self._follow(context, me, turn)
            except ValidationError as error:
                wrong = error.errors()[0]
                return failed_result(f"Wrong arguments: {'.'.join(map(str, wrong['loc']))}: {wrong['msg']}.")
            except PilotfishError as error:
                return failed_result(f"{error.message} {error.fix}".strip())
        return failed_result("The client left before the result.")

    async def _begin(self, me: User, conversation: str, params: "CallToolRequestParams") -> ClientTurn:
        """The run that serves a call: a new one, or the one whose question the call answers."""
        given = params.arguments or {}
        if again := read_responses(params):
            return await self._resume(me, *again)
        if params.name == "answer_task":
            return await self._answer(me, AnswerInput.model_validate(given))
        task = TaskInput.model_validate(given) if params.name == "run_task" else None
        if params.name == "fill_form":
            given, uses = FormInput.model_validate(given).model_dump(), FORM_TOOLS
        else:
            uses = (params.name,)
        if task is None and not set(uses) <= offered_tools(self.fish).keys():
            raise NotFoundError(f"There is no tool {params.name!r}.")
        await self._settle_earlier(me, conversation)
        if task is None:
            return ClientTurn(await begin_call(self.fish, me, conversation, params.name, given, uses))
        how: dict[str, Any] = {"conversation": conversation, "options": {"history": False}}
        return ClientTurn(await begin_run(self.fish, me, task.task, loop=task.loop, tabs=task.urls, **how))

    async def _answer(self, me: User, given: AnswerInput) -> ClientTurn:
        """Answer the question of a run. Where it was answered elsewhere, tell what came of that."""
        run = await self.fish.record(given.run, me.id)
        story = await self.fish.events(run.id)
        if find_open_question(story) is None:
            return ClientTurn(run, max((one.seq for one in story if isinstance(one, e.InputRequested)), default=0))
        return ClientTurn(await send_answer(self.fish, me, run, given.answer, typed=True), story[-1].seq)

    async def _resume(self, me: User, run: str, request: str, result: Any) -> ClientTurn:
        record = await self.fish.record(run, me.id)
        story = await self.fish.events(record.id)
        asked = find_open_question(story)
        if asked is not None and asked.request == request:
            await take_answer(self.fish, me, record, asked, result)
            return ClientTurn(record, story[-1].seq)
        # The question was answered elsewhere, or its time is over: tell what came of it.
        return ClientTurn(record, next((one.seq for one in story if getattr(one, "request", "") == request), 0))

    async def _settle_earlier(self, me: User, conversation: str) -> None:
        """Deny what an earlier call still asks, since the client went on without an answer. A task must be answered."""
        run = await find_waiting_run(self.fish, me, conversation)
        asked = find_open_question(await self.fish.events(run.id)) if run else None
        if run and asked and run.loop != "_call":
            fix = f"Call answer_task with run {run.id!r} first."
            raise PersonError(f"The task before this one waits for an answer: {asked.question}", fix)
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
                        return await make_result(self.fish, run, event)
        except asyncio.CancelledError:
            await asyncio.shield(self.fish.command(run.id, "stop", by=me.id))
            raise
        return failed_result("The run was deleted.")


def user_of(context: "ServerRequestContext[Any, Any]") -> User:
    """The user of a request; over stdio, the local one."""
    return OWNER if context.request is None else context.request.scope["state"]["user"]


async def serve_stdio(fish: Pilotfish, folders: Sequence[Path] = ()) -> None:
    """Serve one client over standard input and output, until it leaves. It may give files of these folders."""
    from mcp.server.stdio import stdio_server

    server = McpServer(fish, folders).server()
    async with stdio_server() as (received, sent):
        await server.run(received, sent, server.create_initialization_options())
