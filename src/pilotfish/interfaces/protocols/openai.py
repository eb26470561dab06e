"""OpenAI's chat completions: each loop is a model, `pilotfish-chat`, `pilotfish-react` and so on.

The agent's steps are sent as reasoning, its words as content. The client keeps the conversation and sends all of it
each time; it is recognised by its messages or by the header `x-conversation-id`. A question to the person is sent as an
answer: the next message of the conversation answers it.
"""

import base64
import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import to_json

from pilotfish.core.errors import PersonError
from pilotfish.core.messages import Image, Message, Origin, Role
from pilotfish.interfaces.protocols.chat_completion import ChatCompletion
from pilotfish.interfaces.protocols.client_exchange import MODEL_PREFIX, ClientDep, WantedData, loop_of, open_exchange
from pilotfish.interfaces.web_server.dependencies import ERROR_CODES, AppDep, UserDep
from pilotfish.interfaces.web_server.event_stream import EventStream
from pilotfish.interfaces.web_server.problems import RequestRefused

ROLES: dict[str, tuple[Role, Origin]] = {
    "system": ("system", "client"),
    "developer": ("system", "client"),
    "user": ("user", "person"),
    "assistant": ("assistant", "client"),
    "tool": ("user", "tool"),
    "function": ("user", "tool"),
}
PICTURE = re.compile(r"data:(image/(?:png|jpeg|webp|gif));base64,(.+)", re.DOTALL)


class LooseModel(BaseModel):
    """Ignores fields that Pilotfish does not use."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class ErrorBody(LooseModel):
    """An error in the format of OpenAI's API."""

    message: str
    type: str
    param: str | None = None
    code: str


class ErrorResponse(LooseModel):
    """An error."""

    error: ErrorBody


router = APIRouter(prefix="/v1", tags=["openai"], responses={code: {"model": ErrorResponse} for code in ERROR_CODES})


class ImageLink(LooseModel):
    url: str


class ContentPart(LooseModel):
    type: str
    text: str = ""
    image_url: ImageLink | None = None


class ChatMessage(LooseModel):
    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | tuple[ContentPart, ...] | None = None

    def message(self) -> Message:
        """The message as a `Message`; only the user's count as the person's words."""
        parts = (ContentPart(type="text", text=self.content),) if isinstance(self.content, str) else self.content or ()
        text = "\n".join(part.text for part in parts if part.text)
        images = tuple(read_picture(part.image_url.url) for part in parts if part.image_url)
        role, origin = ROLES[self.role]
        return Message(role=role, text=text, images=images, origin=origin)


class StreamOptions(LooseModel):
    include_usage: bool = False


class SchemaFormat(LooseModel):
    """The schema of wanted data. OpenAI's field is called `schema`."""

    shape: dict[str, Any] = Field(alias="schema")


class ResponseFormat(LooseModel):
    """Text, or data: of a JSON schema, or of fields that the model names."""

    type: Literal["text", "json_object", "json_schema"] = "text"
    json_schema: SchemaFormat | None = None
    shape: dict[str, Any] | None = Field(default=None, alias="schema")

    def wanted(self) -> WantedData | None:
        """What data is wanted; None if text is."""
        if self.type == "text":
            return None
        shape = self.json_schema.shape if self.json_schema else self.shape
        if self.type == "json_schema" and shape is None:
            raise RequestRefused(400, "no_schema", "The format json_schema comes without a schema.", "Add `schema`.")
        return WantedData(shape if self.type == "json_schema" else None)


class ChatRequest(LooseModel):
    model: str = Field(max_length=200)
    messages: tuple[ChatMessage, ...] = Field(min_length=1, max_length=2000)
    stream: bool = False
    stream_options: StreamOptions = StreamOptions()
    tools: tuple[Any, ...] = ()
    tool_choice: Any = None
    response_format: ResponseFormat = ResponseFormat()


@router.get("/models")
async def openai_models(fish: AppDep, me: UserDep) -> dict[str, Any]:
    """Each loop as a model."""
    names = [MODEL_PREFIX, *(f"{MODEL_PREFIX}-{name}" for name in fish.choices.loops())]
    return {"object": "list", "data": [describe_model(name) for name in names]}


@router.get("/models/{model}")
async def openai_model(fish: AppDep, me: UserDep, model: Annotated[str, Path(max_length=200)]) -> dict[str, Any]:
    """One of them."""
    loop_of(fish, model)
    return describe_model(model)


def describe_model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": MODEL_PREFIX}


@router.post("/chat/completions", response_class=Response)
async def openai_chat(client: ClientDep, ask: ChatRequest) -> Response:
    """Run the task in the last message, or answer with it the question that the conversation's run waits with.

    With a `response_format` the answer is JSON: data of the pages that the message names.
    """
    refuse_tools(ask.tools, ask.tool_choice)
    said, wanted = [turn.message() for turn in ask.messages], ask.response_format.wanted()
    exchange = await open_exchange(client, ask.model, said, ask.stream, wanted=wanted)
    completion = ChatCompletion(exchange.answer, ask.model, ask.stream_options.include_usage)
    if ask.stream:
        return EventStream(exchange.stream(completion.stream()))
    return Response(to_json(await exchange.wait(completion.whole())), media_type="application/json")


def refuse_tools(tools: Sequence[Any], choice: Any) -> None:
    """Refuse tools of the client, which no loop would call."""
    if tools and choice != "none":
        raise RequestRefused(400, "tools_not_supported", "Pilotfish uses tools of its own.", "Leave `tools` out.")


def read_picture(url: str) -> Image:
    found = PICTURE.fullmatch(url)
    try:
        if found is None:
            raise PersonError("Pictures must come along as data: addresses (PNG, JPEG, WebP, GIF).", "Embed it.")
        base64.b64decode(found[2], validate=True)
    except ValueError:
        raise PersonError("A picture is not valid base64.", "Encode it again.") from None
    return Image(data=found[2].encode(), media=found[1])
