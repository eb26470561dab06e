"""One model behind a provider's API: our values to pydantic-ai's and back, always streamed."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pilotfish.core.messages import Call, Facts, Message, Reply, Request
from pilotfish.core.usage import Usage
from pilotfish.llm.base import Hear
from pilotfish.llm.decode import arguments, decoded
from pilotfish.llm.faults import torn, translate
from pilotfish.llm.prices import price
from pilotfish.llm.schema import described
from pilotfish.llm.tokens import count

if TYPE_CHECKING:
    from httpx2 import AsyncClient
    from pydantic_ai.messages import (
        ModelMessage,
        ModelRequestPart,
        ModelResponse,
        ModelResponseStreamEvent,
        UserContent,
    )
    from pydantic_ai.models import Model as Inner
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.settings import ModelSettings

Listing = Callable[[], Awaitable[list[str]]]
_UNSEEN = "(a picture is here that you cannot see)"


@dataclass(frozen=True)
class Remote:
    """A model that is reached over HTTP.

    `listing` names the models that are there, for when this one is not. `temperature` is the usual one; None means
    that the model takes none.
    """

    name: str
    facts: Facts
    inner: "Inner"
    http: "AsyncClient"
    listing: Listing
    temperature: float | None = 0.0

    async def reply(self, request: Request, hear: Hear | None = None) -> Reply:
        from pydantic_ai.direct import model_request_stream
        from pydantic_ai.exceptions import AgentRunError, ModelNotFoundError

        request = request if self.facts.shapes else described(request)
        messages = translated(request.messages, vision=self.facts.vision)
        try:
            async with model_request_stream(
                self.inner,
                messages,
                model_settings=self._settings(request),
                model_request_parameters=_parameters(request),
            ) as stream:
                async for event in stream:
                    _tell(event, hear)
                response = stream.get()
        except AgentRunError as error:
            near = await self.listing() if isinstance(error, ModelNotFoundError) else []
            raise translate(error, self.name, near) from error
        if "finish_reason" not in (response.provider_details or {}) and not response.usage.output_tokens:
            raise torn(self.name)
        return _reply(self.name, request, response)

    async def warm(self, messages: Sequence[Message]) -> None:
        """Providers cache what they have answered; asking them ahead of time would only cost money."""

    async def close(self) -> None:
        await self.http.aclose()

    def _settings(self, request: Request) -> "ModelSettings":
        from pydantic_ai.settings import ModelSettings

        # Retrying is ours (resilient.py): an SDK that retries on its own hides outages and delays a stop.
        settings = ModelSettings(max_tokens=request.max_tokens or self.facts.answer, max_retries=0, cache=True)
        if self.temperature is not None:
            settings["temperature"] = self.temperature if request.temperature is None else request.temperature
        return settings


def translated(messages: Sequence[Message], *, vision: bool) -> "list[ModelMessage]":
    """Our messages as pydantic-ai's: what is said to the model is gathered into one request between its answers."""
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolCallPart

    out: list[ModelMessage] = []
    pending: list[ModelRequestPart] = []
    for message in messages:
        if message.role != "assistant":
            pending.extend(_asked(message, vision=vision))
            continue
        if pending:
            out.append(ModelRequest(parts=pending))
            pending = []
        calls = [ToolCallPart(call.tool, dict(call.args), tool_call_id=call.id) for call in message.calls]
        text = [TextPart(message.text)] if message.text or not calls else []
        out.append(ModelResponse(parts=[*text, *calls]))
    return [*out, ModelRequest(parts=pending)] if pending else out


def _asked(message: Message, *, vision: bool) -> "Iterator[ModelRequestPart]":
    from pydantic_ai.messages import BinaryContent, SystemPromptPart, ToolReturnPart, UserPromptPart

    pictures = [BinaryContent(image.data, media_type=image.media) for image in message.images] if vision else []
    text = message.text if vision or not message.images else f"{message.text}\n{_UNSEEN}".strip()
    if message.role == "system":
        yield SystemPromptPart(text)
    elif message.role == "tool":
        yield ToolReturnPart(tool_name=message.tool, content=text, tool_call_id=message.call)
        if pictures:
            yield UserPromptPart(pictures)
    else:
        content: str | list[UserContent] = [text, *pictures] if pictures else text
        yield UserPromptPart(content)


def _parameters(request: Request) -> "ModelRequestParameters":
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition
    from pydantic_ai.tools import ToolDefinition

    tools = [
        ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=dict(tool.parameters))
        for tool in request.tools
    ]
    if request.shape is None:
        return ModelRequestParameters(function_tools=tools)
    answer = OutputObjectDefinition(json_schema=dict(request.shape), name="answer")
    return ModelRequestParameters(function_tools=tools, output_mode="native", output_object=answer)


def _tell(event: "ModelResponseStreamEvent", hear: Hear | None) -> None:
    from pydantic_ai.messages import (
        PartDeltaEvent,
        PartStartEvent,
        TextPart,
        TextPartDelta,
        ThinkingPart,
        ThinkingPartDelta,
    )

    if hear is None:
        return
    match event:
        case PartStartEvent(part=TextPart(content=text)) | PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
            if text:
                hear(text, "content")
        case (
            PartStartEvent(part=ThinkingPart(content=text))
            | PartDeltaEvent(delta=ThinkingPartDelta(content_delta=text))
        ):
            if text:
                hear(text, "reasoning")
        case _:
            pass


def _reply(name: str, request: Request, response: "ModelResponse") -> Reply:
    from pydantic_ai.messages import TextPart, ThinkingPart, ToolCallPart

    parts = response.parts
    text = "".join(part.content for part in parts if isinstance(part, TextPart))
    calls = tuple(
        Call(id=part.tool_call_id, tool=part.tool_name, args=arguments(part.args))
        for part in parts
        if isinstance(part, ToolCallPart)
    )
    if not calls and (meant := _meant(text, request)):
        text, calls = "", (meant,)
    return Reply(
        text=text,
        reasoning="".join(part.content for part in parts if isinstance(part, ThinkingPart)),
        calls=calls,
        usage=price(name, _usage(name, request, response, text)),
        model=name,
        cut=response.finish_reason == "length",
    )


def _meant(text: str, request: Request) -> Call | None:
    """Small models write their tool call down as JSON instead of making it."""
    names = {tool.name for tool in request.tools}
    for value in decoded(text) if names and "{" in text else ():
        args = value.get("arguments", value.get("parameters")) if isinstance(value, dict) else None
        if isinstance(args, dict) and value.get("name") in names:
            return Call(id=f"call-{len(request.messages)}", tool=value["name"], args=args)
    return None


def _usage(name: str, request: Request, response: "ModelResponse", text: str) -> Usage:
    """What the provider reports; an estimate only where it reports nothing."""
    told = response.usage
    if told.input_tokens or told.output_tokens:
        return Usage(input=told.input_tokens, output=told.output_tokens, cached=told.cache_read_tokens)
    said = sum(count(message.text, name) + 4 for message in request.messages)
    return Usage(input=said, output=count(text, name), estimated=True)
