"""OpenAI's Responses interface over the same loops: whole or as a stream of events.

`previous_response_id` goes on with the conversation of an earlier response; an open question of it is answered.
"""

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Literal

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import Field
from pydantic_core import to_json

from pilotfish.core.errors import NotFoundError
from pilotfish.core.messages import Message
from pilotfish.interfaces.protocols.chat_completion import AnswerReader
from pilotfish.interfaces.protocols.client_exchange import ClientDep, ClientRequest, open_exchange
from pilotfish.interfaces.protocols.openai import (
    ROLES,
    ErrorResponse,
    LooseModel,
    ResponseFormat,
    read_picture,
    refuse_tools,
)
from pilotfish.interfaces.web_server.dependencies import ERROR_CODES
from pilotfish.interfaces.web_server.event_stream import EventStream
from pilotfish.interfaces.web_server.problems import RequestRefused

router = APIRouter(prefix="/v1", tags=["openai"], responses={code: {"model": ErrorResponse} for code in ERROR_CODES})


class InputPart(LooseModel):
    type: str = "input_text"
    text: str = ""
    image_url: str | None = None


class InputItem(LooseModel):
    type: str = "message"
    role: Literal["system", "developer", "user", "assistant"] = "user"
    content: str | tuple[InputPart, ...] = ""

    def message(self) -> Message:
        parts = (InputPart(text=self.content),) if isinstance(self.content, str) else self.content
        text = "\n".join(part.text for part in parts if part.text)
        images = tuple(read_picture(part.image_url) for part in parts if part.image_url)
        role, origin = ROLES[self.role]
        return Message(role=role, text=text, images=images, origin=origin)


class TextOptions(LooseModel):
    format: ResponseFormat = ResponseFormat()


class ResponseRequest(LooseModel):
    model: str = Field(max_length=200)
    input: str | tuple[InputItem, ...]
    instructions: str | None = None
    previous_response_id: str | None = Field(default=None, max_length=200)
    stream: bool = False
    tools: tuple[Any, ...] = ()
    tool_choice: Any = None
    text: TextOptions = TextOptions()

    def messages(self) -> list[Message]:
        items = (InputItem(content=self.input),) if isinstance(self.input, str) else self.input
        said = [item.message() for item in items if item.type == "message"]
        return [Message(role="system", text=self.instructions, origin="client"), *said] if self.instructions else said


@router.post("/responses", response_class=Response)
async def openai_response(client: ClientDep, ask: ResponseRequest) -> Response:
    """Run the task in the last message."""
    refuse_tools(ask.tools, ask.tool_choice)
    conversation = await find_previous(client, ask.previous_response_id) if ask.previous_response_id else ""
    wanted = ask.text.format.wanted()
    exchange = await open_exchange(client, ask.model, ask.messages(), ask.stream, conversation, wanted)
    builder = ResponseBuilder(exchange.answer, ask)
    if ask.stream:
        return EventStream(exchange.stream(builder.stream()))
    return Response(to_json(await exchange.wait(builder.whole())), media_type="application/json")


async def find_previous(client: ClientRequest, previous: str) -> str:
    """The conversation of an earlier response."""
    record = await client.fish.store.run(previous.removeprefix("resp_").partition("-")[0])
    if record is None or record.user != client.me.id:
        raise NotFoundError(f"There is no response {previous!r}.", "Send the whole conversation instead.")
    return record.conversation


class ResponseBuilder:
    """A run as a response; `number` counts the events of its stream."""

    def __init__(self, answer: AnswerReader, ask: ResponseRequest) -> None:
        run, after = answer.turn.run.id, answer.turn.after
        self.answer = answer
        self.number = 0
        self.item = f"msg_{run}-{after}"
        self.head: dict[str, Any] = {
            "id": f"resp_{run}-{after}",
            "object": "response",
            "created_at": int(time.time()),
            "model": ask.model,
            "error": None,
            "incomplete_details": None,
            "instructions": ask.instructions,
            "metadata": {},
            "parallel_tool_calls": False,
            "previous_response_id": ask.previous_response_id,
            "temperature": None,
            "tool_choice": "none",
            "tools": [],
            "top_p": None,
        }

    async def whole(self) -> dict[str, Any]:
        return self._response((await self.answer.read())["content"])

    async def stream(self) -> AsyncGenerator[bytes]:
        begun = {**self.head, "status": "in_progress", "output": [], "usage": None}
        place = {"item_id": self.item, "output_index": 0, "content_index": 0}
        part: dict[str, Any] = {"type": "output_text", "text": "", "annotations": []}
        yield self._event("response.created", response=begun)
        yield self._event("response.in_progress", response=begun)
        item = {"type": "message", "id": self.item, "role": "assistant", "status": "in_progress", "content": []}
        yield self._event("response.output_item.added", output_index=0, item=item)
        yield self._event("response.content_part.added", **place, part=part)
        try:
            async with aclosing(self.answer.pieces()) as pieces:
                async for field, text in pieces:
                    if field == "content":
                        yield self._event("response.output_text.delta", **place, delta=text, logprobs=[])
        except RequestRefused as error:
            problem = {"code": "server_error", "message": f"{error.message} {error.fix}".strip()}
            yield self._event("response.failed", response={**begun, "status": "failed", "error": problem})
            return
        text = self.answer.text.sent
        yield self._event("response.output_text.done", **place, text=text, logprobs=[])
        yield self._event("response.content_part.done", **place, part={**part, "text": text})
        response = self._response(text)
        yield self._event("response.output_item.done", output_index=0, item=response["output"][0])
        yield self._event("response.completed", response=response)

    def _response(self, text: str) -> dict[str, Any]:
        part = {"type": "output_text", "text": text, "annotations": []}
        item = {"type": "message", "id": self.item, "role": "assistant", "status": "completed", "content": [part]}
        used = self.answer.usage
        usage = {
            "input_tokens": used.input,
            "input_tokens_details": {"cached_tokens": used.cached},
            "output_tokens": used.output,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": used.tokens,
        }
        return {**self.head, "status": "completed", "output": [item], "usage": usage}

    def _event(self, kind: str, **held: Any) -> bytes:
        body = {"type": kind, "sequence_number": self.number, **held}
        self.number += 1
        return f"event: {kind}\n".encode() + b"data: " + to_json(body) + b"\n\n"
