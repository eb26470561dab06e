"""The chat completions that most clients speak: each loop is a model, `pilotfish-chat`, `pilotfish-react` and so on.

What the agent does on the way comes as reasoning, its words as content. The client keeps the conversation and sends all
of it each time. A question to the person is an answer like any other: the client answers it with its next message.
"""

import base64
import binascii
import re
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Literal

import anyio
from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import to_json

from pilotfish.app import Pilotfish
from pilotfish.core import events as e
from pilotfish.core.errors import PersonError
from pilotfish.core.messages import Image, Message
from pilotfish.core.people import User
from pilotfish.core.records import RunRecord
from pilotfish.core.usage import Usage
from pilotfish.interfaces.places import CODES, Fish, Me
from pilotfish.interfaces.problems import Refusal
from pilotfish.interfaces.sse import Stream, private

OURS = "pilotfish"
PICTURE = re.compile(r"data:(image/(?:png|jpeg|webp|gif));base64,(.+)", re.DOTALL)


class Loose(BaseModel):
    """Clients send more than we use; the rest is passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Fault(Loose):
    """What is wrong, as OpenAI's clients know it."""

    message: str
    type: str
    param: str | None = None
    code: str


class Faulty(Loose):
    """An error."""

    error: Fault


router = APIRouter(prefix="/v1", tags=["openai"], responses={code: {"model": Faulty} for code in CODES})


class Link(Loose):
    url: str


class Part(Loose):
    type: str
    text: str = ""
    image_url: Link | None = None


class Turn(Loose):
    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | tuple[Part, ...] | None = None

    def message(self) -> Message:
        parts = (Part(type="text", text=self.content),) if isinstance(self.content, str) else self.content or ()
        roles = {"developer": "system", "tool": "user", "function": "user"}
        text = "\n".join(part.text for part in parts if part.text)
        links = [part.image_url.url for part in parts if part.image_url]
        role: Any = roles.get(self.role, self.role)
        return Message(role=role, text=text, images=tuple(map(_picture, links)))


class StreamOptions(Loose):
    include_usage: bool = False


class Ask(Loose):
    model: str = Field(max_length=200)
    messages: tuple[Turn, ...] = Field(min_length=1, max_length=2000)
    stream: bool = False
    stream_options: StreamOptions = StreamOptions()


@router.get("/models")
async def openai_models(fish: Fish, me: Me) -> dict[str, Any]:
    """Each loop as a model."""
    names = [OURS, *(f"{OURS}-{name}" for name in fish.choices.loops())]
    return {"object": "list", "data": [{"id": n, "object": "model", "created": 0, "owned_by": OURS} for n in names]}


@router.post("/chat/completions", response_class=Response)
async def openai_chat(fish: Fish, me: Me, ask: Ask) -> Response:
    """Run the task in the last message."""
    run = await begun(fish, me, ask)
    answer = Completion(fish, run, ask)
    if ask.stream:
        return Stream(answer.stream())
    return Response(to_json(await answer.whole()), media_type="application/json")


async def begun(fish: Pilotfish, me: User, ask: Ask) -> RunRecord:
    name = "" if ask.model == OURS else ask.model.removeprefix(f"{OURS}-")
    if ask.model != OURS and name not in fish.choices.loops():
        raise Refusal(404, "model_not_found", f"There is no model {ask.model!r}.", "See /v1/models.")
    said = [turn.message() for turn in ask.messages]
    if said[-1].role != "user" or not said[-1].text.strip():
        raise PersonError("The last message must be the user's and say something.", "Add one.")
    return await fish.start(said[-1].text, loop=name, user=me.id, messages=said)


def _picture(url: str) -> Image:
    found = PICTURE.fullmatch(url)
    try:
        if found is None:
            raise PersonError("Pictures must come along as data: addresses (PNG, JPEG, WebP, GIF).", "Embed it.")
        base64.b64decode(found[2], validate=True)
    except binascii.Error:
        raise PersonError("A picture is not valid base64.", "Encode it again.") from None
    return Image(data=found[2].encode(), media=found[1])


class Completion:
    """One run, told as a completion."""

    def __init__(self, fish: Pilotfish, run: RunRecord, ask: Ask) -> None:
        self.fish = fish
        self.run = run
        self.ask = ask
        self.head = {"id": f"chatcmpl-{run.id}", "created": int(time.time()), "model": ask.model}
        self.spoken = ""
        self.finish: str | None = None
        self.usage = Usage()

    async def pieces(self) -> AsyncGenerator[tuple[str, str]]:
        """(field, text) as the run goes; a client that leaves stops it."""
        shown = self.fish.settings.agent.reasoning_visible
        try:
            async with aclosing(self.fish.follow(self.run.id)) as events:
                async for event in events:
                    if not private(event) or shown:
                        for field, text in self._told(event):
                            yield field, text
                    if self.finish:
                        return
        finally:
            if self.finish in (None, "question"):
                with anyio.CancelScope(shield=True):
                    await self.fish.command(self.run.id, "stop", by=self.run.user)

    def _told(self, event: e.Live) -> list[tuple[str, str]]:
        match event:
            case e.Delta(kind="reasoning") | e.Reasoned():
                return [("reasoning_content", event.text)]
            case e.Delta():
                self.spoken += event.text
                return [("content", event.text)]
            case e.Progressed(status="started") | e.ToolFinished() if event.text:
                return [("reasoning_content", f"{event.text}\n")]
            case e.ToolStarted():
                return [("reasoning_content", f"{event.text or event.tool}\n")]
            case e.ModelReplied():
                self.usage += event.usage
            case e.MessageAdded() if event.message.role == "assistant" and event.message.text not in self.spoken:
                lead = "\n\n" if self.spoken else ""
                self.spoken += lead + event.message.text
                return [("content", lead + event.message.text)]
            case e.InputRequested():
                self.finish = "question"
                choices = "".join(f"\n- {choice}" for choice in event.choices)
                return [("content", f"{event.question}{choices}")]
            case e.RunFinished():
                return self._ended(event)
            case _:
                pass
        return []

    def _ended(self, event: e.RunFinished) -> list[tuple[str, str]]:
        self.usage = event.usage if event.usage.tokens else self.usage
        self.finish = "length" if event.outcome == "out_of_budget" else "stop"
        if event.outcome == "failed":
            raise Refusal(500, "run_failed", event.error, event.fix)
        return []

    async def whole(self) -> dict[str, Any]:
        said = {"content": "", "reasoning_content": ""}
        async with aclosing(self.pieces()) as pieces:
            async for field, text in pieces:
                said[field] += text
        message = {"role": "assistant", **{name: text for name, text in said.items() if text or name == "content"}}
        choice = {"index": 0, "message": message, "finish_reason": self._reason(), "logprobs": None}
        return {**self.head, "object": "chat.completion", "choices": [choice], "usage": self._usage()}

    async def stream(self) -> AsyncGenerator[bytes]:
        yield self._chunk({"role": "assistant", "content": ""})
        try:
            async with aclosing(self.pieces()) as pieces:
                async for field, text in pieces:
                    yield self._chunk({field: text})
        except Refusal as error:
            told = {"message": f"{error.message} {error.fix}".strip(), "type": "server_error", "code": error.code}
            yield b"data: " + to_json({"error": {**told, "param": None}}) + b"\n\n"
        else:
            yield self._chunk({}, self._reason())
            if self.ask.stream_options.include_usage:
                tail = {**self.head, "object": "chat.completion.chunk", "choices": [], "usage": self._usage()}
                yield b"data: " + to_json(tail) + b"\n\n"
        yield b"data: [DONE]\n\n"

    def _chunk(self, delta: dict[str, str], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return b"data: " + to_json({**self.head, "object": "chat.completion.chunk", "choices": [choice]}) + b"\n\n"

    def _reason(self) -> str:
        return "length" if self.finish == "length" else "stop"

    def _usage(self) -> dict[str, int]:
        used = self.usage
        return {"prompt_tokens": used.input, "completion_tokens": used.output, "total_tokens": used.tokens}
