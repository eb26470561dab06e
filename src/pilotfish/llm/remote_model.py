"""A model behind a provider's API. Translates messages to pydantic-ai's and back; always streams."""

import math
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pilotfish.core.messages import Message, ModelFacts, ModelReply, ModelRequest, TokenChance, ToolCall
from pilotfish.core.usage import Usage
from pilotfish.llm.base import TextListener
from pilotfish.llm.embedded_server import choose_slot
from pilotfish.llm.json_decoding import decode_arguments, decode_values
from pilotfish.llm.prices import add_price
from pilotfish.llm.provider_errors import cut_off_error, translate_error
from pilotfish.llm.schema import describe_schema
from pilotfish.llm.tokens import count_tokens

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
    from pydantic_ai.models.openai import OpenAIChatModelSettings
    from pydantic_ai.settings import ModelSettings

ModelListing = Callable[[], Awaitable[list[str]]]
_PICTURE_LEFT_OUT = "(a picture is here that you cannot see)"


@dataclass(frozen=True)
class RemoteModel:
    """A model that is reached over HTTP.

    `listing` lists the provider's models, for the error if this one does not exist. `temperature` is the default; None
    means that the model accepts none. `adapter`: it is llama.cpp's server with an adapter. `extra`: what every request
    holds beside what the API knows.
    """

    name: str
    facts: ModelFacts
    inner: "Inner"
    http: "AsyncClient"
    listing: ModelListing
    temperature: float | None = 0.0
    adapter: bool = False
    extra: Mapping[str, object] = field(default_factory=dict[str, object])

    async def reply(self, request: ModelRequest, on_text: TextListener | None = None) -> ModelReply:
        from pydantic_ai.direct import model_request_stream
        from pydantic_ai.exceptions import AgentRunError, ModelNotFoundError

        request = request if self.facts.shapes else describe_schema(request)
        messages = translate_messages(request.messages, vision=self.facts.vision)
        try:
            async with model_request_stream(
                self.inner,
                messages,
                model_settings=self._make_settings(request),
                model_request_parameters=_make_parameters(request),
            ) as stream:
                async for event in stream:
                    _pass_on(event, on_text)
                response = stream.get()
        except AgentRunError as error:
            near = await self.listing() if isinstance(error, ModelNotFoundError) else []
            raise translate_error(error, self.name, near) from error
        if "finish_reason" not in (response.provider_details or {}) and not response.usage.output_tokens:
            raise cut_off_error(self.name)
        return _reply(self.name, request, response)

    async def warm(self, messages: Sequence[Message]) -> None:
        """Do nothing: a request ahead of the question would only cost money."""

    async def close(self) -> None:
        await self.http.aclose()

    def _make_settings(self, request: ModelRequest) -> "ModelSettings":
        from pydantic_ai.settings import ModelSettings

        # `resilient.py` retries: an SDK that retries by itself hides outages and delays a stop.
        marked = any(message.stable for message in request.messages)
        settings = ModelSettings(
            max_tokens=request.max_tokens or self.facts.answer,
            max_retries=0,
            # What comes after the mark is another page in the next request, so caching it costs and saves nothing.
            cache={"messages": False} if marked else True,
        )
        if self.temperature is not None:
            settings["temperature"] = self.temperature if request.temperature is None else request.temperature
        if self.adapter or self.extra:
            settings["extra_body"] = {**self.extra, **(choose_slot(adapted=request.adapted) if self.adapter else {})}
        if self.adapter and request.adapted:
            chances: OpenAIChatModelSettings = {"openai_logprobs": True}
            settings.update(chances)
        return settings


def translate_messages(messages: Sequence[Message], *, vision: bool) -> "list[ModelMessage]":
    """The messages as pydantic-ai's: consecutive messages to the model become one request."""
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolCallPart

    out: list[ModelMessage] = []
    pending: list[ModelRequestPart] = []
    for message in messages:
        if message.role != "assistant":
            pending.extend(_list_request_parts(message, vision=vision))
            continue
        if pending:
            out.append(ModelRequest(parts=pending))
            pending = []
        calls = [ToolCallPart(call.tool, dict(call.args), tool_call_id=call.id) for call in message.calls]
        text = [TextPart(message.text)] if message.text or not calls else []
        out.append(ModelResponse(parts=[*text, *calls]))
    return [*out, ModelRequest(parts=pending)] if pending else out


def _list_request_parts(message: Message, *, vision: bool) -> "Iterator[ModelRequestPart]":
    from pydantic_ai.messages import BinaryContent, CachePoint, SystemPromptPart, ToolReturnPart, UserPromptPart

    pictures = [BinaryContent(image.data, media_type=image.media) for image in message.images] if vision else []
    text = message.text if vision or not message.images else f"{message.text}\n{_PICTURE_LEFT_OUT}".strip()
    if message.role == "system":
        yield SystemPromptPart(text)
    elif message.role == "tool":
        yield ToolReturnPart(tool_name=message.tool, content=text, tool_call_id=message.call)
        if pictures:
            yield UserPromptPart(pictures)
    else:
        marks = [CachePoint()] if message.stable else []
        content: str | list[UserContent] = [text, *pictures, *marks] if pictures or marks else text
        yield UserPromptPart(content)


def _make_parameters(request: ModelRequest) -> "ModelRequestParameters":
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


def _pass_on(event: "ModelResponseStreamEvent", on_text: TextListener | None) -> None:
    from pydantic_ai.messages import (
        PartDeltaEvent,
        PartStartEvent,
        TextPart,
        TextPartDelta,
        ThinkingPart,
        ThinkingPartDelta,
    )

    if on_text is None:
        return
    match event:
        case PartStartEvent(part=TextPart(content=text)) | PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
            if text:
                on_text(text, "content")
        case (
            PartStartEvent(part=ThinkingPart(content=text))
            | PartDeltaEvent(delta=ThinkingPartDelta(content_delta=text))
        ):
            if text:
                on_text(text, "reasoning")
        case _:
            pass


def _reply(name: str, request: ModelRequest, response: "ModelResponse") -> ModelReply:
    from pydantic_ai.messages import TextPart, ThinkingPart, ToolCallPart

    parts = response.parts
    text = "".join(part.content for part in parts if isinstance(part, TextPart))
    calls = tuple(
        ToolCall(id=part.tool_call_id, tool=part.tool_name, args=decode_arguments(part.args))
        for part in parts
        if isinstance(part, ToolCallPart)
    )
    if not calls and (meant := _read_written_call(text, request)):
        text, calls = "", (meant,)
    return ModelReply(
        text=text,
        reasoning="".join(part.content for part in parts if isinstance(part, ThinkingPart)),
        calls=calls,
        usage=add_price(name, _usage(name, request, response, text)),
        model=name,
        cut=response.finish_reason == "length",
        tokens=tuple(_read_tokens((response.provider_details or {}).get("logprobs") or ())),
    )


def _read_tokens(tokens: Sequence[Mapping[str, Any]]) -> Iterator[TokenChance]:
    for each in tokens:
        yield TokenChance(text=each["token"], chance=round(math.exp(each["logprob"]), 4))


def _read_written_call(text: str, request: ModelRequest) -> ToolCall | None:
    """Read tool calls that a small model wrote as JSON text."""
    names = {tool.name for tool in request.tools}
    for value in decode_values(text) if names and "{" in text else ():
        args = value.get("arguments", value.get("parameters")) if isinstance(value, dict) else None
        if isinstance(args, dict) and value.get("name") in names:
            return ToolCall(id=f"call-{len(request.messages)}", tool=value["name"], args=args)
    return None


def _usage(name: str, request: ModelRequest, response: "ModelResponse", text: str) -> Usage:
    """The usage that the provider reports; an estimate if it reports none."""
    usage = response.usage
    if usage.input_tokens or usage.output_tokens:
        return Usage(input=usage.input_tokens, output=usage.output_tokens, cached=usage.cache_read_tokens)
    said = sum(count_tokens(message.text, name) + 4 for message in request.messages)
    return Usage(input=said, output=count_tokens(text, name), estimated=True)
