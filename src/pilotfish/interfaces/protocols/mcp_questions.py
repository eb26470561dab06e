"""Puts a run's question to the person behind an MCP client, in the way that the client knows.

A client that shows forms is asked by elicitation: at once where the connection can carry a request to it, else as the
result of its call, which it sends again with the answer. Any other client gets the question as text, as does one that
could not show the form, and the tool `answer_task` takes the answer.
"""

from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import anyio
from pydantic import BaseModel, ConfigDict, Field

from pilotfish.app import Pilotfish
from pilotfish.core.answers import list_choices
from pilotfish.core.events import InputReceived, InputRequested, InputTimedOut, RunFinished
from pilotfish.core.records import RunRecord
from pilotfish.core.users import User
from pilotfish.interfaces.http.runs import send_answer
from pilotfish.interfaces.web_server.problems import RequestRefused

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.types import CallToolRequestParams, CallToolResult, InputRequests, InputRequiredResult

FIELD = "answer"


class AnswerInput(BaseModel):
    """What `answer_task` takes."""

    # Some clients and models give a choice's number as a number.
    model_config = ConfigDict(extra="forbid", coerce_numbers_to_str=True)

    run: str = Field(min_length=1, max_length=100, description="The run that asked.")
    answer: str = Field(min_length=1, max_length=100_000, description="A choice by its words or number, or a text.")


async def ask_client(
    fish: Pilotfish, context: "ServerRequestContext[Any, Any]", me: User, run: RunRecord, asked: InputRequested
) -> "CallToolResult | InputRequiredResult | None":
    """The result that ends the call until the answer comes; None where the call goes on by itself."""
    from mcp.types import CallToolResult, ElicitRequest, ElicitRequestFormParams, InputRequiredResult, TextContent
    from mcp.types.version import is_version_at_least

    able = context.session.client_capabilities
    if able is not None and able.elicitation is not None:
        if context.session.can_send_request:
            if await show_form(fish, context, me, run, asked):
                return None
        elif is_version_at_least(context.protocol_version, "2026-07-28"):
            form = ElicitRequestFormParams(message=asked.question, requested_schema=answer_schema(asked))
            requests: InputRequests = {FIELD: ElicitRequest(params=form)}
            return InputRequiredResult(input_requests=requests, request_state=f"{run.id} {asked.request}")
    how = f"Ask the person, then call answer_task with run {run.id!r} and their answer."
    text = "\n".join(filter(None, [asked.question, list_choices(asked), how]))
    fields = {"run": run.id, "outcome": "waiting", "question": asked.question, "choices": list(asked.choices)}
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content={"text": text, **fields}, is_error=False
    )


async def show_form(
    fish: Pilotfish, context: "ServerRequestContext[Any, Any]", me: User, run: RunRecord, asked: InputRequested
) -> bool:
    """Show a form and give its answer to the run; False where the client could not show it.

    The form is taken back when the question is answered elsewhere, or its time is over.
    """
    from mcp.shared.exceptions import MCPError

    result, shown = None, True
    async with anyio.create_task_group() as group:
        group.start_soon(end_when_settled, fish, asked, group.cancel_scope)
        try:
            result = await context.session.elicit_form(asked.question, answer_schema(asked), context.request_id)
        except MCPError:
            shown = False
        group.cancel_scope.cancel()
    if result is not None:
        await take_answer(fish, me, run, asked, result)
    return shown


async def end_when_settled(fish: Pilotfish, asked: InputRequested, showing: anyio.CancelScope) -> None:
    """End the showing of a form when the run no longer waits for its answer."""
    async with aclosing(fish.follow(asked.run, asked.seq)) as events:
        async for event in events:
            if isinstance(event, InputReceived | InputTimedOut | RunFinished):
                break
    showing.cancel()


def answer_schema(asked: InputRequested) -> dict[str, Any]:
    """A form with one field; a question may be answered in other words than its choices."""
    field: dict[str, Any] = {"type": "string", "title": "Your answer"}
    if asked.choices and asked.kind != "question":
        field["enum"] = list(asked.choices)
    elif asked.choices:
        field["description"] = f"Such as: {', '.join(asked.choices)}"
    return {"type": "object", "properties": {FIELD: field}, "required": [FIELD]}


async def take_answer(fish: Pilotfish, me: User, run: RunRecord, asked: InputRequested, result: Any) -> None:
    """Give a form's answer to the run. A form that was turned down is a no, or stops a run that cannot go on."""
    content: dict[str, Any] = getattr(result, "content", None) or {}
    if getattr(result, "action", "") == "accept" and content.get(FIELD) is not None:
        text = str(content[FIELD])
    elif asked.kind == "question" or not asked.choices:
        await fish.command(run.id, "stop", by=me.id)
        return
    else:
        text = asked.choices[-1]
    try:
        await send_answer(fish, me, run, text, asked.request, typed=True)
    except RequestRefused as error:
        if error.code != "not_waiting":
            raise


def read_responses(params: "CallToolRequestParams") -> tuple[str, str, Any] | None:
    """The run, the question and the form's result in a call that is sent again; None for a first call."""
    run, _, request = (params.request_state or "").partition(" ")
    result = (params.input_responses or {}).get(FIELD)
    return (run, request, result) if run and request else None
