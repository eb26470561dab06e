"""Asks any model for tool calls: as native tool calls, or as JSON that a grammar restricts to the tools.

A small model gets few tools with few arguments, and makes one call at a time.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from pydantic import BaseModel, Field
from pydantic_core import to_json

from pilotfish.context.fitting import token_estimate
from pilotfish.core.messages import Message, ModelFacts, ModelReply, ToolCall, ToolSpec
from pilotfish.core.page_tools import PAGE_TOOL
from pilotfish.core.pages import ObservedPage
from pilotfish.core.prompts import render

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run

Shape = TypeVar("Shape", bound=BaseModel)
TOOL_TOKENS = 2050
MOST_TOOLS = 10
MOST_MCP = 3
MOST_ARGUMENTS = 2
DESCRIPTION_WORDS = 9
ANSWER = ToolSpec(
    name="answer",
    description="end with this text",
    parameters={"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
)
PROMPTS = Path(__file__).parent / "prompts"


class WrittenCall(BaseModel):
    """A tool call as a model writes it."""

    tool: str
    inputs: dict[str, Any] = Field(default_factory=dict)


class WrittenAction(BaseModel):
    """A call with its reason, from a model without native tool calls."""

    thought: str = ""
    call: WrittenCall


class ListedCall(BaseModel):
    """One of several calls."""

    tool: str
    parameters: dict[str, Any] = Field(default_factory=dict)


class WrittenThought(BaseModel):
    """What a model thinks, and whether it uses tools or answers."""

    thinking: str = ""
    action: Literal["tool", "respond"]
    tool_calls: list[ListedCall] = Field(default_factory=list[ListedCall])
    response: str = ""
    confidence: float = 0.5


def uses_native_calls(facts: ModelFacts) -> bool:
    """Whether to use the native tool calls of a model."""
    return facts.tools and not facts.small


async def list_offered(run: "Run", *wanted: str, room: int = TOOL_TOKENS) -> list[str]:
    """The run's tools of these names or groups, in this order, and the MCP tools.

    A small model gets few. Others get those whose specifications have at most `room` tokens together, unless the run
    names its tools. `offer_page_tools` adds the one that calls tools of a page.
    """
    tools = run.context.tools
    usual = [name for name in run.tools if name != PAGE_TOOL]
    places = {name: min(_find_places(name, tools[name].group, wanted), default=-1) for name in usual}
    own = sorted((name for name, place in places.items() if place >= 0), key=places.__getitem__)
    own = [name for name in own if tools[name].group != "mcp"]
    from_mcp = [name for name in run.tools if tools[name].group == "mcp"]
    if (await run.facts()).small:
        from_mcp = from_mcp[:MOST_MCP]
        return [*own[: MOST_TOOLS - len(from_mcp)], *from_mcp]
    if run.options.get("tools") is None:
        # Tools of somebody's own come first: they were added to be used.
        first = sorted(own, key=lambda name: tools[name].group != "other")
        totals = accumulate(_count_tokens(tools[name].spec) for name in first)
        dropped = {name for name, total in zip(first, totals, strict=True) if total > room}
        own = [name for name in own if name not in dropped]
        if dropped:
            await run.note("tools", f"Not offered, to keep the request short: {', '.join(sorted(dropped))}.")
    return [*own, *from_mcp]


def offer_page_tools(run: "Run", page: ObservedPage) -> list[ToolSpec]:
    """The tool that calls tools of pages, if this page offers some."""
    return [run.context.tools[PAGE_TOOL].spec] if page.tools and PAGE_TOOL in run.tools else []


def read_page_call(written: Any) -> Any:
    """A call of `page.NAME`, with its arguments beside it or under `arguments`, as a call of the tool that calls it."""
    if not isinstance(written, Mapping):
        return written
    call = cast(Mapping[str, Any], written)
    name = str(call.get("tool", ""))
    if not name.startswith("page."):
        return call
    beside = {key: value for key, value in call.items() if key not in ("tool", "expect", "written", "answer")}
    given = beside.get("arguments", beside)
    kept = {key: value for key, value in call.items() if key in ("expect", "written", "answer")}
    return {**kept, "tool": PAGE_TOOL, "name": name.removeprefix("page."), "arguments": given}


def _count_tokens(spec: ToolSpec) -> int:
    return token_estimate(f"{spec.name}{spec.description}{to_json(spec.parameters).decode()}")


def _find_places(name: str, group: str, wanted: Sequence[str]) -> Iterable[int]:
    return (place for place, want in enumerate(wanted) if want in (name, group))


async def ask_for_calls(
    run: "Run",
    messages: Sequence[Message],
    *,
    purpose: str,
    tools: Sequence[str],
    stream: bool = False,
    hold: tuple[str, ...] = (),
) -> ModelReply:
    """Ask the model. Returns a reply with its tool calls; without any, the text is the answer.

    A text that begins with one of `hold` is not shown while it is written.
    """
    tools = [name for name in tools if name in run.tools]
    if uses_native_calls(await run.facts()) or not tools:
        return await run.ask(messages, purpose=purpose, tools=tools, stream=stream, hold=hold)
    specs = [run.context.tools[name].spec for name in tools]
    written = await run.attempt(action_shape(specs), [*_with_instructions(messages, specs)], purpose=purpose)
    if isinstance(written, str):
        return ModelReply(text=written)
    if written.call.tool == ANSWER.name:
        return ModelReply(text=str(written.call.inputs.get("text") or written.thought))
    wanted = written.call
    call = ToolCall(id=f"{purpose}{run.steps}", tool=wanted.tool, args=wanted.inputs, offered=wanted.tool in tools)
    return ModelReply(text=written.thought, calls=(call,))


def action_shape(specs: Sequence[ToolSpec]) -> type[WrittenAction]:
    """`WrittenAction`, whose schema admits these tools only."""
    return with_schema(
        WrittenAction, closed_schema(thought=_short_text_schema(200), call=call_schema([*specs, ANSWER], "inputs"))
    )


def thought_shape(specs: Sequence[ToolSpec], most: int) -> type[WrittenThought]:
    """`WrittenThought`, whose schema admits at most so many calls of these tools."""
    calls = {"type": "array", "minItems": 1, "maxItems": most, "items": call_schema(specs, "parameters")}
    respond = {"response": {"type": "string"}, "confidence": {"type": "number"}}
    ways = [closed_schema(thinking=_short_text_schema(300), action={"const": "respond"}, **respond)]
    ways += (
        [closed_schema(thinking=_short_text_schema(300), action={"const": "tool"}, tool_calls=calls)] if specs else []
    )
    return with_schema(WrittenThought, {"anyOf": ways})


def with_schema(shape: type[Shape], schema: dict[str, Any]) -> type[Shape]:
    """The type with a schema that admits less than the type can read."""

    class Offered(shape):  # pyright: ignore[reportGeneralTypeIssues]
        @classmethod
        def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
            return schema

    return cast(type[Shape], Offered)


def _short_text_schema(most: int) -> dict[str, Any]:
    return {"type": "string", "maxLength": most}


def call_schema(specs: Iterable[ToolSpec], arguments: str) -> dict[str, Any]:
    """The JSON schema of one call of one of these tools; `arguments` is what the field of its arguments is called."""
    return {"anyOf": [closed_schema(tool={"const": s.name}, **{arguments: _brief(s.parameters)}) for s in specs]}


def closed_schema(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def describe_tools(specs: Iterable[ToolSpec]) -> str:
    """One line per tool, for a prompt."""
    named = ((s, ", ".join(_brief(s.parameters).get("properties", {}))) for s in specs)
    return "\n".join(
        f"- {s.name}({names}): {' '.join(s.description.split()).partition('. ')[0].rstrip('.')}" for s, names in named
    )


def name_tools(specs: Iterable[ToolSpec]) -> str:
    """Names of tools with a few words each."""
    return "\n".join(f"- {s.name}: {_first_words(s.description.partition('.')[0], DESCRIPTION_WORDS)}" for s in specs)


def _first_words(text: str, words: int) -> str:
    kept = text.split()
    return text if len(kept) <= words else " ".join(kept[:words]) + " …"


def _brief(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """A schema with the required arguments, and optional ones while there are few."""
    every: dict[str, Any] = dict(parameters.get("properties", {}))
    needed: list[str] = list(parameters.get("required", ()))
    options = [name for name in every if name not in needed][: max(0, MOST_ARGUMENTS - len(needed))]
    kept = {name: every[name] for name in every if name in needed or name in options}
    return {**parameters, "type": "object", "properties": kept, "required": needed, "additionalProperties": False}


def _with_instructions(messages: Sequence[Message], specs: Sequence[ToolSpec]) -> Iterable[Message]:
    """The conversation with tools, calls and results as plain text."""
    instructions = render(PROMPTS, "tool_call", {"tools": describe_tools(specs)})
    if messages[0].role != "system":
        yield Message(role="system", text=instructions)
    for number, message in enumerate(messages):
        if number == 0 and message.role == "system":
            yield message.model_copy(update={"text": f"{message.text}\n\n{instructions}"})
        elif message.calls:
            made = [
                WrittenAction(thought=message.text, call=WrittenCall(tool=c.tool, inputs=dict(c.args)))
                for c in message.calls
            ]
            yield Message(role="assistant", text="\n".join(to_json(one).decode() for one in made))
        elif message.role == "tool":
            yield Message(role="user", text=f"{message.tool}: {message.text}", origin="tool")
        else:
            yield message
